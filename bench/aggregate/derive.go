package aggregate

import (
	"fmt"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"redline/bench"
)

// grouping is how long failures of one class are told as one event. Where they go on and on it doubles, up to longestGrouping, so that they do not drive all
// else out of the log.
const (
	grouping        = 5 * time.Second
	longestGrouping = 5 * time.Minute
)

// quiet is how long after one verdict on a promise the next may be told: near the limit it would change every second.
const quiet = 10 * time.Second

// promise is the verdict on a threshold that was told last, if there ever was one.
type promise struct {
	broken, ever bool
	at           time.Duration
}

// maxEvents is how many events are kept.
const maxEvents = 512

// eventLog holds the last events; gone is how many went before them.
type eventLog struct {
	events []bench.Event
	gone   int
}

func (g *eventLog) add(e bench.Event) (number int) {
	if len(g.events) == maxEvents {
		g.events = slices.Delete(g.events, 0, 1)
		g.gone++
	}
	g.events = append(g.events, e)
	return g.gone + len(g.events) - 1
}

// at is the event with a number; nil if it is gone.
func (g *eventLog) at(number int) *bench.Event {
	if i := number - g.gone; i >= 0 && i < len(g.events) {
		return &g.events[i]
	}
	return nil
}

func (g *eventLog) copy() []bench.Event { return slices.Clone(g.events) }

// group is the group of one class of failures, or of unsent arrivals, that was told last.
type group struct {
	open bool
	// begin and last are when it began and last grew, span how long it grows.
	begin, last, span time.Duration
	number            int
}

// tell tells of something: at once, and the same event counts what follows of its kind within the grouping time.
func (s *State) tell(g *group, e bench.Event) {
	if told := s.log.at(g.number); g.open && told != nil && e.At-g.begin < g.span {
		told.N += e.N
		g.last = max(g.last, e.At)
		return
	}
	e.Span = grouping
	if g.open && e.At-g.last < grouping {
		e.Span = min(2*g.span, longestGrouping)
	}
	*g = group{open: true, begin: e.At, last: e.At, span: e.Span, number: s.log.add(e)}
}

// dropped tells of arrivals that were not sent.
func (s *State) dropped(u *bench.Unsent) {
	s.tell(&s.unsent, bench.Event{At: u.At, Kind: bench.EventUnsent, Level: u.Level, N: u.N})
}

// derive tells what follows from a second: failures, promises broken and kept, the client's own health.
func (s *State) derive(b *bench.Batch) {
	for i := range b.Unsent {
		s.dropped(&b.Unsent[i])
	}
	for i := range b.Ended {
		if e := &b.Ended[i]; e.Outcome.Failed() || e.Outcome == bench.RateLimited {
			s.failed(e)
		}
	}
	level := -1
	if l := s.present(); l != nil {
		l.show(s)
		s.promises(l)
		level = l.id
	}
	s.strain(&b.Health, level)
	s.health = b.Health
}

// strain tells when the client itself becomes the bottleneck, or more of one; and when it has not been as much of one for a while. A client at its
// limit comes and goes every second.
func (s *State) strain(h *bench.Health, level int) {
	if h.Strain == bench.Busy || h.Strain == bench.Saturated {
		s.lapses[h.Strain-bench.Busy] = bench.Lapse{At: bench.MarkAt(s.folded), Why: h.Why}
	}
	if h.Strain >= s.strained {
		s.eased = s.folded
	}
	if h.Strain == s.strained || h.Strain < s.strained && s.folded-s.eased < quiet {
		return
	}
	s.strained, s.eased = h.Strain, s.folded
	e := bench.Event{At: s.folded, Kind: bench.EventBusy, Level: level, N: int(h.Strain), Text: h.Why}
	if h.Strain == bench.Unstrained {
		e.Text = "keeps up again"
	}
	s.log.add(e)
}

// failed tells of a failure.
func (s *State) failed(e *bench.Ended) {
	newest := told(e)
	if s.lastError = newest.Message; s.lastError == "" {
		s.lastError = e.Outcome.String()
	}
	s.broken[e.Outcome] = newest
	s.tell(&s.failures[e.Outcome], bench.Event{
		At: e.Marks.Ended.At, Kind: bench.EventFailure, Level: e.Level, Outcome: e.Outcome, N: 1, Text: newest.Message,
	})
}

// told is what is kept of a request that failed: which one it was, and what was said of it. Of its prompt, and of what came before it failed, nothing is
// needed any more.
func told(e *bench.Ended) *bench.Ended {
	out := &bench.Ended{
		Request: bench.Request{ID: e.ID, Level: e.Level, Load: e.Load}, Outcome: e.Outcome, Marks: bench.Marks{Ended: e.Marks.Ended},
		Status: e.Status, RetryAfter: e.RetryAfter, Message: readable(e.Message), Head: readable(e.Head), Finish: readable(e.Finish),
	}
	return out
}

// readable is a text as a file gives it back: bytes that are no characters are marked as such.
func readable(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}

// promises tells when a threshold that the present level can be held to is broken, or kept again.
func (s *State) promises(l *level) {
	for i, v := range l.verdicts {
		told := &s.told[i]
		if !v.Known || v.Threshold.Quota() || v.Broken == told.broken || told.ever && s.folded-told.at < quiet {
			continue
		}
		kind := bench.EventKept
		if v.Broken {
			kind = bench.EventBroken
		}
		*told = promise{broken: v.Broken, ever: true, at: s.folded}
		s.log.add(bench.Event{At: s.folded, Kind: kind, Level: l.id, Text: fmt.Sprintf("%s (%s)", v.Threshold, worth(&v))})
	}
}

// worth is the value that a promise was held to in words, or what is in its place.
func worth(v *bench.Verdict) string {
	if v.Beyond {
		return v.Missed.String()
	}
	digits := 0
	if s := v.Value.V / 1000; v.Threshold.Metric.Unit() == "ms" && s >= 1 && s < 1e9 {
		// As limits are told; a limit of the same look gets more digits.
		limit := strconv.FormatFloat(v.Threshold.Limit/1000, 'f', 2, 64)
		text := strconv.FormatFloat(s, 'f', 2, 64)
		if text == limit {
			text = strconv.FormatFloat(s, 'f', 3, 64)
		}
		return text + " s"
	}
	if v.Value.V < 100 {
		digits = 1
	}
	return strconv.FormatFloat(v.Value.V, 'f', digits, 64) + unitAfter(v.Threshold.Metric)
}

// unitAfter is a metric's unit as it stands behind a figure.
func unitAfter(m bench.Metric) string {
	if unit := m.Unit(); unit != "%" {
		return " " + unit
	}
	return "%"
}
