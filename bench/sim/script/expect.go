package script

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Span is a length of time that may be absent.
type Span struct {
	D  time.Duration
	OK bool
}

// Expect is what a true client reads of an answer.
type Expect struct {
	Outcome string
	Status  int
	// FirstToken and Answer count from the request's start; absent where no such text came.
	FirstToken, Answer           Span
	In, Cached, Out, Hidden      int
	Reasoning, Events, Malformed int
	Chunks                       int
	Gaps                         []time.Duration
	Source, Finish, Message      string
	TPOT                         *float64
	Took                         Span
	RetryAfter                   time.Duration
	Quotas                       []string
	Burst                        bool
	// Reused is nil where it does not matter, like TPOT.
	Reused *bool
}

// Outcomes are the classes that an expectation can name.
var Outcomes = []string{"ok", "429", "overloaded", "unauthorized", "4xx", "5xx", "stream error", "truncated", "malformed", "not streaming", "stalled",
	"first-token timeout", "total timeout", "reset", "stale connection", "network", "cancelled"}

// sources are the places from which counts come.
var sources = []string{"", "usage", "continuous", "events", "part"}

func (c *checker) expect(where string, f *fileExpect) *Expect {
	if f == nil {
		return nil
	}
	c.need(slices.Contains(Outcomes, f.Outcome), "%soutcome %q: one of %s", where, f.Outcome, strings.Join(Outcomes, ", "))
	c.need(slices.Contains(sources, f.Source), "%ssource %q: usage, continuous, events or part", where, f.Source)
	c.need(f.Source != "" || f.Outcome != "ok", "%ssource %q: usage, continuous or events where the outcome is ok", where, f.Source)
	for _, n := range []struct {
		name string
		n    int
	}{{"in", f.In}, {"cached", f.Cached}, {"out", f.Out}, {"hidden", f.Hidden}, {"reasoning", f.Reasoning}, {"events", f.Events}, {"malformed", f.Malformed}, {"chunks", f.Chunks}} {
		c.need(n.n >= 0, "%s%s %d: 0 or more", where, n.name, n.n)
	}
	e := &Expect{
		Outcome: f.Outcome, Status: f.Status, In: f.In, Cached: f.Cached, Out: f.Out, Hidden: f.Hidden, Reasoning: f.Reasoning, Events: f.Events,
		Malformed: f.Malformed, Source: f.Source, Finish: f.Finish, Message: f.Message, TPOT: f.TPOT, Quotas: f.Quotas, Burst: f.Burst, Reused: f.Reused,
		FirstToken: c.instant(where+"first_token", f.FirstToken), Took: c.instant(where+"took", f.Took),
		RetryAfter: c.span(where+"retry_after", f.RetryAfter), Gaps: c.gaps(where, f.Gaps),
	}
	if e.Answer = e.FirstToken; f.Answer != "" {
		e.Answer = c.instant(where+"answer", f.Answer)
	}
	if e.Chunks = f.Chunks; e.Chunks == 0 && e.FirstToken.OK {
		e.Chunks = len(e.Gaps) + 1
	}
	c.need((e.Events > 0) == e.FirstToken.OK, "%sfirst_token %q: a time where there are events (%d), else nothing", where, f.FirstToken, e.Events)
	return e
}

// instant reads a time from the start, or none.
func (c *checker) instant(where, text string) Span {
	if text == "" || text == "none" {
		return Span{}
	}
	return Span{c.span(where, text), true}
}

var gapForm = regexp.MustCompile(`^(\S+)(?: x (\d{1,6}))?$`)

// maxGaps bounds the gaps of one answer.
const maxGaps = 1_000_000

// gaps reads a list of times, each alone or as often as "10ms x 9" says.
func (c *checker) gaps(where string, texts []string) (out []time.Duration) {
	for _, text := range texts {
		m := gapForm.FindStringSubmatch(text)
		if m == nil {
			c.need(false, "%sgaps %q: a time, or \"10ms x 9\"", where, text)
			continue
		}
		times := 1
		if m[2] != "" {
			times, _ = strconv.Atoi(m[2]) // digits, and few
		}
		if len(out)+times > maxGaps {
			c.need(false, "%sgaps %q: %d in all, at most %d", where, text, len(out)+times, maxGaps)
			return out
		}
		for d := c.span(where+"gaps", m[1]); times > 0; times-- {
			out = append(out, d)
		}
	}
	return out
}
