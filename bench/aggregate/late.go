package aggregate

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"time"

	"redline/bench"
)

// lookBack is how far back, in seconds, corrections are sent to their own second; older ones to their ten seconds.
const lookBack = 900

// late gathers what ended requests say of the inter-token latencies of earlier seconds: those that got their weight only then, those that were
// booked under a weight that the request's own usage has proved wrong, and those of requests that failed in the end.
type late struct {
	// mu guards all of it; streams that end wait here, streams that run never do.
	mu sync.Mutex
	// right and wrong are by the second in which the gap ended, wrongGap too; decoded is what the second's decode tokens lack, spare what its decode
	// seconds do.
	right, wrong, wrongGap map[int]*bench.Histogram
	decoded, spare         map[int]float64
	free                   []*bench.Histogram
}

func newLate() late {
	return late{right: map[int]*bench.Histogram{}, wrong: map[int]*bench.Histogram{}, wrongGap: map[int]*bench.Histogram{},
		decoded: map[int]float64{}, spare: map[int]float64{}}
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
		l.in(l.right, secondOf(at, e)).Add(bench.Millis(waiting)/tokens, int(tokens))
		waiting = 0
	}
}

// takeBack takes out the latencies of a stream that were booked as if each event were a token, but where the server had counted.
func (l *late) takeBack(e *bench.Ended, gaps *bench.GapList) {
	at, waiting := e.Marks.FirstChunk.At, time.Duration(0)
	l.mu.Lock()
	defer l.mu.Unlock()
	for gap, n := range gaps.AllTokens() {
		at += gap
		if waiting += gap; n > 0 {
			l.in(l.wrong, secondOf(at, e)).Add(bench.Millis(waiting)/float64(n), n)
			waiting = 0
		}
	}
}

// secondOf is the second to which something of an ended request is sent back. What is long past lies in spans of ten seconds or more, of which the
// first second stands for all.
func secondOf(at time.Duration, e *bench.Ended) int {
	second := int(at / time.Second)
	if second < int(e.Marks.Ended.At/time.Second)-lookBack {
		second -= second % 10
	}
	return second
}

// redecode spreads what a stream's own usage adds to its decode tokens over the seconds in which they came; booked is what was counted for all
// of them.
func (l *late) redecode(e *bench.Ended, gaps *bench.GapList, booked float64) {
	events := 0
	for _, n := range gaps.All() {
		events += n
	}
	if events == 0 {
		return
	}
	lack := e.Counts.PerEvent() - booked/float64(events)
	if math.Abs(lack) < 1e-9 {
		return
	}
	at := e.Marks.FirstChunk.At
	l.mu.Lock()
	defer l.mu.Unlock()
	for gap, n := range gaps.All() {
		at += gap
		l.decoded[secondOf(at, e)] += lack * float64(n)
	}
}

// in is the histogram of a second.
func (l *late) in(seconds map[int]*bench.Histogram, second int) *bench.Histogram {
	if h := seconds[second]; h != nil {
		return h
	}
	h := (*bench.Histogram)(nil)
	if n := len(l.free); n > 0 {
		h, l.free = l.free[n-1], l.free[:n-1]
	} else {
		h = bench.NewHistogram()
	}
	seconds[second] = h
	return h
}

// take hands over the seconds up to one: those after cut are applied to now, the earlier ones are returned in order.
func (l *late) take(cut, second int, now *cell) []bench.SecondSketch {
	l.mu.Lock()
	defer l.mu.Unlock()
	earlier := map[int]*bench.SecondSketch{}
	of := func(s int) *bench.SecondSketch {
		if earlier[s] == nil {
			earlier[s] = &bench.SecondSketch{Start: time.Duration(s) * time.Second}
		}
		return earlier[s]
	}
	each := func(seconds map[int]*bench.Histogram, apply func(bench.Sketch), put func(*bench.SecondSketch, bench.Sketch)) {
		for s, h := range seconds {
			switch {
			case s > second:
				continue
			case s > cut:
				apply(h.Sketch())
			default:
				put(of(s), h.Sketch())
			}
			l.release(seconds, s)
		}
	}
	each(l.wrong, func(s bench.Sketch) { now.itl.Subtract(s) }, func(to *bench.SecondSketch, s bench.Sketch) { to.Wrong = s })
	each(l.wrongGap, func(s bench.Sketch) { now.gap.Subtract(s) }, func(to *bench.SecondSketch, s bench.Sketch) { to.WrongGap = s })
	each(l.right, now.itl.AddSketch, func(to *bench.SecondSketch, s bench.Sketch) { to.Sketch = s })
	sums := func(seconds map[int]float64, apply *float64, put func(*bench.SecondSketch, float64)) {
		for s, lack := range seconds {
			switch {
			case s > second:
				continue
			case s > cut:
				*apply += lack
			default:
				put(of(s), lack)
			}
			delete(seconds, s)
		}
	}
	sums(l.decoded, &now.facts.DecodeFix, func(to *bench.SecondSketch, lack float64) { to.DecodeFix = lack })
	sums(l.spare, &now.facts.DecodeSpare, func(to *bench.SecondSketch, lack float64) { to.DecodeSpare = lack })
	var out []bench.SecondSketch
	for _, s := range earlier {
		out = append(out, *s)
	}
	slices.SortFunc(out, func(a, b bench.SecondSketch) int { return cmp.Compare(a.Start, b.Start) })
	return out
}

// release gives a second's histogram back.
func (l *late) release(seconds map[int]*bench.Histogram, second int) {
	h := seconds[second]
	h.Reset()
	delete(seconds, second)
	if len(l.free) < 64 {
		l.free = append(l.free, h)
	}
}
