package bench

import (
	"slices"
	"testing"
	"time"
)

func TestGapListIsExactWhileItIsShort(t *testing.T) {
	var g GapList
	for i := range 1000 {
		g.Add(time.Duration(i)*time.Millisecond, i%5+1)
	}
	i := 0
	for gap, events := range g.All() {
		if gap != time.Duration(i)*time.Millisecond || events != i%5+1 {
			t.Fatalf("entry %d is %v of %d", i, gap, events)
		}
		i++
	}
	if i != 1000 {
		t.Fatalf("%d entries", i)
	}
}

func TestLongGapListKeepsItsSumsAndItsSize(t *testing.T) {
	for _, n := range []int{4_000, 5_001, 50_000, 1_000_003} {
		var g GapList
		var wantTime time.Duration
		wantEvents := 0
		for i := range n {
			gap := time.Duration(i%977) * 50 * time.Microsecond
			g.Add(gap, i%3+1)
			wantTime += gap
			wantEvents += i%3 + 1
		}
		var gotTime time.Duration
		gotEvents, entries := 0, 0
		for gap, events := range g.All() {
			gotTime += gap
			gotEvents += events
			entries++
		}
		if gotTime != wantTime || gotEvents != wantEvents {
			t.Errorf("%d gaps: sums %v and %d, want %v and %d", n, gotTime, gotEvents, wantTime, wantEvents)
		}
		if len(g.bytes) > GapBytes || entries < 500 {
			t.Errorf("%d gaps: %d entries in %d bytes", n, entries, len(g.bytes))
		}
	}
}

func TestGapListHoldsTokensBesideEvents(t *testing.T) {
	const ms = time.Millisecond
	tests := []struct {
		name             string
		fill             func(g *GapList)
		counted, thinned bool
		events, tokens   []int
		sumsOnly         bool
	}{
		{name: "an empty list has counted nothing", fill: func(*GapList) {}},
		{name: "without the server's count an event stands for a token",
			fill: func(g *GapList) { g.Add(ms, 2); g.Add(ms, 1) }, events: []int{2, 1}, tokens: []int{2, 1}},
		{name: "the server's count is kept beside the events, zero included",
			fill:    func(g *GapList) { g.AddTokens(ms, 1, 5); g.AddTokens(ms, 2, 0); g.AddTokens(ms, 3, 3) },
			counted: true, events: []int{1, 2, 3}, tokens: []int{5, 0, 3}},
		{name: "one chunk without a count is enough that not all are counted",
			fill: func(g *GapList) { g.AddTokens(ms, 1, 5); g.Add(ms, 1) }, events: []int{1, 1}, tokens: []int{5, 1}},
		{name: "a thinned list keeps the sums of both",
			fill: func(g *GapList) {
				for i := range 9001 {
					g.AddTokens(ms, 1+i%2, 300)
				}
			}, counted: true, thinned: true, events: []int{13501}, tokens: []int{9001 * 300}, sumsOnly: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var g GapList
			tt.fill(&g)
			var events, tokens []int
			for _, n := range g.All() {
				events = append(events, n)
			}
			for _, n := range g.AllTokens() {
				tokens = append(tokens, n)
			}
			if tt.sumsOnly {
				events, tokens = []int{sum(events)}, []int{sum(tokens)}
			}
			if !slices.Equal(events, tt.events) || !slices.Equal(tokens, tt.tokens) || g.Tokens() != tt.counted || g.Thinned() != tt.thinned {
				t.Errorf("events %v, tokens %v, counted %v, thinned %v", events, tokens, g.Tokens(), g.Thinned())
			}
		})
	}
}

func sum(all []int) int {
	total := 0
	for _, n := range all {
		total += n
	}
	return total
}

func TestDensestSpanOfAGapList(t *testing.T) {
	const ms = time.Millisecond
	tests := []struct {
		name  string
		first int
		gaps  []time.Duration
		span  time.Duration
		want  int
	}{
		{"no gap leaves the first chunk", 7, nil, ms, 7},
		{"an even stream", 1, []time.Duration{10 * ms, 10 * ms, 10 * ms, 10 * ms}, 20 * ms, 3},
		{"a span of nothing holds what came at one instant", 1, []time.Duration{10 * ms, 0, 0, 10 * ms}, 0, 3},
		{"a burst at the end", 1, []time.Duration{900 * ms, ms, ms, ms}, 5 * ms, 4},
		{"a burst at the beginning", 5, []time.Duration{ms, ms, 900 * ms}, 5 * ms, 7},
		{"all of it", 1, []time.Duration{ms, ms}, time.Hour, 3},
	}
	for _, tt := range tests {
		var g GapList
		for _, gap := range tt.gaps {
			g.Add(gap, 1)
		}
		if got := g.Densest(tt.first, tt.span); got != tt.want {
			t.Errorf("%s: %d events, want %d", tt.name, got, tt.want)
		}
	}
}

func TestDensestSpanCountsTheEventsOfEachChunk(t *testing.T) {
	const ms = time.Millisecond
	var g GapList
	for _, c := range []struct {
		gap    time.Duration
		events int
	}{{100 * ms, 7}, {ms, 9}, {100 * ms, 2}, {100 * ms, 15}} {
		g.Add(c.gap, c.events)
	}
	for span, want := range map[time.Duration]int{0: 15, ms: 16, 101 * ms: 19, 201 * ms: 33, time.Hour: 36} {
		if got := g.Densest(3, span); got != want {
			t.Errorf("within %v: %d events, want %d", span, got, want)
		}
	}
}
