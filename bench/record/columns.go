package record

import (
	"encoding/json"
	"time"

	"redline/bench"
)

// Column is one place of a request record, which is a JSON array.
type Column struct {
	Name string `json:"name"`
	// Unit is that of its number; empty for counts, words and flags (0 and 1).
	Unit string `json:"unit,omitempty"`
}

// columns are those of a request record, in their order. Columns may be added behind the last; none is ever moved, or given another meaning. What is zero, empty
// or absent at a record's end is left out. Instants are microseconds with a fraction where they are finer: the start since the run's, the others since the
// request's start (since the run's where it was never handed over); null is an instant that has not come.
var columns = []Column{
	{"track", ""}, {"id", ""}, {"level", "-1: none"}, {"outcome", "enums.outcome"},
	{"started", "us since the run's start"}, {"connected", since}, {"written", since}, {"headers", since}, {"first_chunk", since}, {"first_token", since}, {"first_answer", since},
	{"last_token", since}, {"ended", since},
	{"input_asked", "tokens"}, {"input", "tokens"}, {"output", "tokens"}, {"events", ""}, {"chunks", ""}, {"first_events", ""}, {"chars", "code points"},
	{"max_gap", "us"}, {"source", "enums.source"}, {"max_tokens", "tokens"}, {"input_counted", "tokens"}, {"input_chars", "code points"},
	{"load", "in flight, or arrivals a second"}, {"mode", "enums.mode"}, {"status", "HTTP"}, {"finish", "as units.texts"}, {"reused", ""},
	{"scheduled", since}, {"due", "null: as scheduled; else whether it was due, and ns since the run's start"}, {"cached", "tokens"}, {"hidden", "tokens"}, {"reasoning", "events"}, {"stalls", ""}, {"burst", ""}, {"work", ""},
	{"turn", ""}, {"conversation", ""}, {"keeps_answer", ""}, {"malformed", "events"}, {"dns", "us"}, {"tcp", "us"}, {"tls", "us"}, {"retry_after", "us"},
	{"message", "as units.texts"}, {"head", "as units.texts"}, {"server_ms", "prompt ms, predicted ms, prompt tokens, predicted tokens, told"},
	{"gaps", "as units.gaps"}, {"prompt", "as units.texts"}, {"reply", "as units.texts"}, {"header", ""},
}

// since is the unit of a request's instants. One before its start, as when it was scheduled, is negative.
const since = "us since started"

// appendRequest appends a request's record and a line's end. Its Gaps, Prompt.Text, Reply and Header are written as far as they are there.
func appendRequest(b []byte, track int, e *bench.Ended) []byte {
	m, n, p := &e.Marks, &e.Counts, &e.Prompt
	from := m.Started.At
	if !m.Started.OK {
		from = 0
	}
	r := row{b: append(b, '[')}
	r.end = len(r.b)
	r.int(track)
	r.uint(e.ID)
	r.int(e.Level)
	r.int(int(e.Outcome))
	r.mark(m.Started, 0)
	r.mark(m.Connected, from)
	r.mark(m.Written, from)
	r.mark(m.Headers, from)
	r.mark(m.FirstChunk, from)
	r.mark(m.FirstToken, from)
	r.mark(m.FirstAnswer, from)
	r.mark(m.LastToken, from)
	r.mark(m.Ended, from)
	r.int(p.InputTokens)
	r.int(n.Input)
	r.int(n.Output)
	r.int(n.Events)
	r.int(n.Chunks)
	r.int(n.FirstEvents)
	r.int(n.Chars)
	r.duration(e.MaxGap)
	r.int(int(n.Source))
	r.int(p.MaxTokens)
	r.int(p.Counted)
	r.int(p.Chars)
	r.float(e.Load.N)
	r.int(int(e.Load.Mode))
	r.int(e.Status)
	r.text(e.Finish)
	r.flag(e.Reused)
	appendRest(&r, e, from)
	return append(r.b[:r.end], ']', '\n')
}

// readRequest reads a record; with brief its gaps, texts and header are left out. More columns than are known are left out too.
func readRequest(line []byte, e *bench.Ended, brief bool) (track int, err error) {
	s := scanOf(line)
	track = s.count()
	*e = bench.Ended{}
	e.ID = s.uint()
	e.Level = s.int()
	e.Outcome = bench.Outcome(s.enum(int(bench.NumOutcomes)))
	m, n, p := &e.Marks, &e.Counts, &e.Prompt
	m.Started = s.mark(0)
	from := m.Started.At
	m.Connected, m.Written, m.Headers = s.mark(from), s.mark(from), s.mark(from)
	m.FirstChunk, m.FirstToken, m.FirstAnswer = s.mark(from), s.mark(from), s.mark(from)
	m.LastToken, m.Ended = s.mark(from), s.mark(from)
	p.InputTokens = s.count()
	n.Input, n.Output = s.int(), s.int()
	n.Events, n.Chunks, n.FirstEvents, n.Chars = s.count(), s.count(), s.count(), s.count()
	e.MaxGap = s.duration()
	n.Source = bench.Source(s.enum(int(bench.FromPart) + 1))
	p.MaxTokens, p.Counted, p.Chars = s.int(), s.int(), s.int()
	e.Load.N = s.float()
	e.Load.Mode = bench.Mode(s.enum(int(bench.Open) + 1))
	e.Status, e.Finish, e.Reused = s.int(), s.text(), s.flag()
	readRest(&s, e, from, brief)
	return track, s.err
}

func readRest(s *scan, e *bench.Ended, from time.Duration, brief bool) {
	m, n, p := &e.Marks, &e.Counts, &e.Prompt
	e.Scheduled = s.mark(from)
	if m.Scheduled = e.Scheduled; s.over {
		return
	}
	if w := s.word(); w != nil {
		m.Scheduled = bench.Mark{}
		other := []any{&m.Scheduled.OK, &m.Scheduled.At}
		if json.Unmarshal(w, &other) != nil {
			s.fail("whether it was due, and when")
		}
	}
	n.Cached, n.Hidden, n.Reasoning, e.Stalls = s.int(), s.int(), s.int(), s.count()
	e.Burst = s.flag()
	p.Work, p.Turn, p.Conversation, p.KeepAnswer = s.count(), s.int(), s.uint(), s.flag()
	n.Malformed = s.count()
	e.Connect = bench.Connect{DNS: s.duration(), TCP: s.duration(), TLS: s.duration()}
	e.RetryAfter = s.duration()
	e.Message, e.Head = s.text(), s.text()
	t := &e.Timings
	s.json(&[]any{&t.PromptMs, &t.PredictedMs, &t.PromptN, &t.PredictedN, &t.OK})
	if brief || s.over {
		return
	}
	s.json(&e.Gaps)
	p.Text, e.Reply = s.text(), s.text()
	s.json(&e.Header)
}
