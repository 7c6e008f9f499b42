package view

import (
	"math"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/action"
)

// answered is a request that ended ok: its first token after 400 ms, then a token every 20 ms, the fourth gap of 300 ms.
func answered() *bench.Ended {
	e := &bench.Ended{Outcome: bench.OK}
	e.Prompt.InputTokens = 256
	start := 100 * time.Second
	e.Marks.Started, e.Marks.FirstChunk = bench.MarkAt(start), bench.MarkAt(start+400*time.Millisecond)
	e.Marks.FirstToken = e.Marks.FirstChunk
	at := e.Marks.FirstChunk.At
	for i := range 20 {
		gap := 20 * time.Millisecond
		if i == 3 {
			gap = 300 * time.Millisecond
		}
		e.Gaps.Add(gap, 1)
		at += gap
	}
	e.Counts = bench.Counts{Source: bench.FromUsage, Input: 250, Output: 21, Events: 21, Chunks: 21, FirstEvents: 1}
	e.Marks.LastToken, e.Marks.Ended = bench.MarkAt(at), bench.MarkAt(at)
	return e
}

func TestARequestBelongsToTheCellsThatCountIt(t *testing.T) {
	failed, apart, burst := answered(), answered(), answered()
	failed.Outcome, apart.Level, burst.Burst = bench.StreamError, bench.NoLevel, true
	any := math.Inf(1)
	for _, c := range []struct {
		what string
		e    *bench.Ended
		w    Within
		want bool
	}{
		{"no cell holds nothing back", failed, Within{}, true},
		{"TTFT in its second and its range", answered(), Within{OK: true, Metric: bench.TTFT, Begin: 100 * time.Second, End: 101 * time.Second, From: 300, To: 500}, true},
		{"TTFT above the range", answered(), Within{OK: true, Metric: bench.TTFT, Begin: 100 * time.Second, End: 101 * time.Second, From: 300, To: 390}, false},
		{"TTFT in another second", answered(), Within{OK: true, Metric: bench.TTFT, Begin: 101 * time.Second, End: 102 * time.Second, From: 300, To: 500}, false},
		{"what failed is in no cell", failed, Within{OK: true, Metric: bench.TTFT, Begin: 0, End: time.Hour, To: any}, false},
		{"what belongs to no level is in no cell", apart, Within{OK: true, Metric: bench.TTFT, Begin: 0, End: time.Hour, To: any}, false},
		{"E2E is booked at the end", answered(), Within{OK: true, Metric: bench.E2E, Begin: 101 * time.Second, End: 102 * time.Second, From: 1000, To: 1100}, true},
		{"the server's count of the prompt goes before the one asked for", answered(), Within{OK: true, Metric: bench.TTFT, Across: OverPrompt, First: 240, Last: 250, From: 300, To: 500}, true},
		{"another prompt length", answered(), Within{OK: true, Metric: bench.TTFT, Across: OverPrompt, First: 251, Last: 300, From: 300, To: 500}, false},
		{"a slow token in the range", answered(), Within{OK: true, Metric: bench.ITL, Begin: 100 * time.Second, End: 101 * time.Second, From: 250, To: 350}, true},
		{"no token as slow as that", answered(), Within{OK: true, Metric: bench.ITL, Begin: 100 * time.Second, End: 102 * time.Second, From: 350, To: any}, false},
		{"the slow token is the fifth", answered(), Within{OK: true, Metric: bench.ITL, Across: OverPosition, First: 5, Last: 5, From: 250, To: 350}, true},
		{"and not the sixth", answered(), Within{OK: true, Metric: bench.ITL, Across: OverPosition, First: 6, Last: 30, From: 250, To: 350}, false},
		{"a burst has no latencies", burst, Within{OK: true, Metric: bench.ITL, Begin: 0, End: time.Hour, To: any}, false},
		{"nor a speed", burst, Within{OK: true, Metric: bench.TPS, Begin: 0, End: time.Hour, To: any}, false},
	} {
		if got := (&State{Within: c.w}).within(c.e); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}

func TestTokensOfAChunkShareItsGap(t *testing.T) {
	e := answered()
	e.Gaps = bench.GapList{}
	e.Gaps.AddTokens(30*time.Millisecond, 1, 3)
	e.Gaps.AddTokens(10*time.Millisecond, 1, 0)
	e.Gaps.AddTokens(10*time.Millisecond, 1, 2)
	var got []tokens
	eachToken(e, func(x tokens) bool { got = append(got, x); return true })
	at := e.Marks.FirstChunk.At
	want := []tokens{{at + 30*time.Millisecond, 2, 3, 10}, {at + 50*time.Millisecond, 5, 2, 10}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestThinnedGapsKeepTheirWeight: however long an answer, its tokens are all counted, and their times add up.
func TestThinnedGapsKeepTheirWeight(t *testing.T) {
	for _, per := range []int{1, 2, 5} {
		e := answered()
		e.Gaps = bench.GapList{}
		const chunks = 20_000
		for range chunks {
			e.Gaps.Add(20*time.Millisecond, 1)
		}
		e.Counts.Events, e.Counts.Output = chunks+1, (chunks+1)*per
		n, sum, last := 0, 0.0, per
		eachToken(e, func(x tokens) bool {
			if x.first != last+1 {
				t.Fatalf("token %d follows %d", x.first, last)
			}
			n, sum, last = n+x.n, sum+x.ms*float64(x.n), x.first+x.n-1
			return true
		})
		if !e.Gaps.Thinned() || n != chunks*per || math.Abs(sum-chunks*20) > 1 {
			t.Errorf("%d a chunk: %d tokens in %g ms", per, n, sum)
		}
	}
}

func TestEscapeClosesTheCellsInTheirViews(t *testing.T) {
	st := &State{View: action.Heat, Cursor: bench.MarkAt(1), Cell: Cell{OK: true}, Within: Within{OK: true}}
	if !st.Close() || st.Cursor.OK || st.Cell.OK || !st.Within.OK || st.Inside() {
		t.Errorf("in Heat: %+v", st)
	}
	st.View, st.Cursor = action.Requests, bench.MarkAt(1)
	if !st.Inside() || !st.Close() || st.Within.OK || !st.Cursor.OK || st.Inside() {
		t.Errorf("in Requests: %+v", st)
	}
}
