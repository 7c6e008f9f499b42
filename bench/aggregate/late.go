package aggregate

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"time"

	"redline/bench"
)

// lookBack is how far back, in seconds, latencies are sent to their own second; older ones go to the oldest that is left.
const lookBack = 900

// late gathers the inter-token latencies that got their weight only when their request ended, by the second in which the gap ended.
type late struct {
	// mu guards all of it; streams that end wait here, streams that run never do.
	mu      sync.Mutex
	seconds map[int]*bench.Histogram
	free    []*bench.Histogram
}

// add enters a stream's latencies with the weight that its own usage gives. Rounding errors are passed on from chunk to chunk, so that
// the samples are exactly as many as the tokens streamed after the first chunk.
func (l *late) add(e *bench.Ended, gaps *bench.GapList, learnt *learnt) {
	if !e.Marks.FirstChunk.OK && !e.Marks.FirstToken.OK {
		return
	}
	at := e.Marks.FirstChunk.At
	if !e.Marks.FirstChunk.OK {
		at = e.Marks.FirstToken.At
	}
	first := max(e.Counts.FirstEvents, 0)
	events := first
	for _, n := range gaps.All() {
		events += n
	}
	if events == 0 {
		return
	}
	perEvent := float64(e.Counts.Streamed()) / float64(events)
	if e.Counts.Source == bench.FromEvents {
		perEvent = learnt.tokensOf(1)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	oldest := int(e.Marks.Ended.At/time.Second) - lookBack
	seen := first
	booked := math.Round(float64(seen) * perEvent)
	var waiting time.Duration
	for gap, n := range gaps.All() {
		at += gap
		waiting += gap
		seen += n
		tokens := math.Round(float64(seen)*perEvent) - booked
		if tokens < 1 {
			continue // its time goes to the next token
		}
		booked += tokens
		l.second(max(int(at/time.Second), oldest)).Add(bench.Millis(waiting)/tokens, int(tokens))
		waiting = 0
	}
}

func (l *late) second(second int) *bench.Histogram {
	if h := l.seconds[second]; h != nil {
		return h
	}
	if l.seconds == nil {
		l.seconds = map[int]*bench.Histogram{}
	}
	h := (*bench.Histogram)(nil)
	if n := len(l.free); n > 0 {
		h, l.free = l.free[n-1], l.free[:n-1]
	} else {
		h = bench.NewHistogram()
	}
	l.seconds[second] = h
	return h
}

// take hands over the seconds up to one: those after cut go into now, the earlier ones are returned in order.
func (l *late) take(cut, second int, now *bench.Histogram) []bench.SecondSketch {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []bench.SecondSketch
	for s, h := range l.seconds {
		if s > second {
			continue
		}
		if s > cut {
			now.AddHistogram(h)
		} else {
			out = append(out, bench.SecondSketch{Start: time.Duration(s) * time.Second, Sketch: h.Sketch()})
		}
		h.Reset()
		delete(l.seconds, s)
		if len(l.free) < 64 {
			l.free = append(l.free, h)
		}
	}
	slices.SortFunc(out, func(a, b bench.SecondSketch) int { return cmp.Compare(a.Start, b.Start) })
	return out
}
