package view

import (
	"math"
	"time"

	"redline/bench"
	"redline/ui/action"
)

// Within is a cell of Heat that the Requests are held to: of a metric, the values of a range, in a stretch of the run, of lengths of prompts or of
// places in answers. The zero Within holds nothing back.
type Within struct {
	OK     bool
	Metric bench.Metric
	Across Across
	// Begin and End are the stretch of the run (OverTime), the end exclusive.
	Begin, End time.Duration
	// First and Last are the lengths or the places in tokens (OverPrompt, OverPosition), both inclusive.
	First, Last int
	// From and To are the values in the metric's unit, the upper end exclusive; To is infinite where the range is open.
	From, To float64
}

// within tells whether an ended request belongs to the cell that the Requests are held to; every request does while there is none. Requests that did not
// end ok, or belong to no level, are in no latency, and so in no cell. A request belongs to a cell of ITL when at least one of its tokens does.
func (st *State) within(e *bench.Ended) bool {
	w := &st.Within
	switch {
	case !w.OK:
		return true
	case e.Outcome != bench.OK || e.Level == bench.NoLevel:
		return false
	case w.Metric == bench.ITL:
		return w.token(e)
	}
	v, at, ok := sampleOf(e, w.Metric)
	if !ok || !w.values(v) {
		return false
	}
	if w.Across == OverPrompt {
		n := promptOf(e)
		return n >= w.First && n <= w.Last
	}
	return at >= w.Begin && at < w.End
}

// values tells whether a value is in the range. It is taken for what a sketch makes of it, so that the list has the requests that the cell counts.
func (w *Within) values(v float64) bool {
	v = bench.AsKept(v)
	return v >= w.From && v < w.To
}

// token tells whether one of the request's tokens is in the cell.
func (w *Within) token(e *bench.Ended) (found bool) {
	eachToken(e, func(t tokens) bool {
		switch {
		case !w.values(t.ms):
		case w.Across == OverPosition:
			found = t.first <= w.Last && t.first+t.n-1 >= w.First
		default:
			found = t.at >= w.Begin && t.at < w.End
		}
		return !found
	})
	return found
}

// sampleOf is a request's own value of a metric, and the instant at which it is booked: TTFT with the first token, the others with the end.
func sampleOf(e *bench.Ended, m bench.Metric) (v float64, at time.Duration, ok bool) {
	at = e.Marks.Ended.At
	switch m {
	case bench.TTFT:
		d, ok := e.TTFT()
		return bench.Millis(d), e.Marks.FirstToken.At, ok
	case bench.TPS:
		v, ok = e.Speed()
	case bench.E2E:
		d, is := e.E2E()
		v, ok = bench.Millis(d), is
	}
	return v, at, ok && e.Marks.Ended.OK
}

// promptOf is the length of a request's prompt in tokens: by the server, else as asked.
func promptOf(e *bench.Ended) int {
	if e.Counts.Input > 0 {
		return e.Counts.Input
	}
	return e.Prompt.InputTokens
}

// tokens are what came with one chunk: n tokens, the first of them the answer's token number first (from 1), each after ms.
type tokens struct {
	at       time.Duration
	first, n int
	ms       float64
}

// eachToken yields the inter-token latencies of a request chunk by chunk, as they enter the statistics; nothing of one that came in a burst. Of a list of
// gaps that was thinned each entry is the mean of several chunks.
func eachToken(e *bench.Ended, yield func(tokens) bool) {
	if e.Burst || !e.Marks.FirstChunk.OK {
		return
	}
	entries, per := e.Gaps.All(), e.Counts.PerEvent()
	if e.Gaps.Tokens() {
		entries, per = e.Gaps.AllTokens(), 1
	}
	first := math.Round(float64(max(e.Counts.FirstEvents, 1)) * e.Counts.PerEvent())
	exact, booked := first, first
	at, waiting := e.Marks.FirstChunk.At, time.Duration(0)
	for gap, n := range entries {
		at += gap
		waiting += gap
		exact += float64(n) * per
		came := math.Round(exact) - booked
		if came < 1 {
			// Its time goes to the next token.
			continue
		}
		if booked > math.MaxInt32 || !yield(tokens{at: at, first: int(booked) + 1, n: int(came), ms: bench.Millis(waiting) / came}) {
			return
		}
		booked += came
		waiting = 0
	}
}

// timeless tells whether the open view has no time axis, so that a time cursor is nothing that is open in it.
func (st *State) timeless() bool {
	return st.View != action.Live && st.View != action.Heat && st.View != action.Server
}
