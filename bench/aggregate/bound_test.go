package aggregate

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"redline/bench"
)

func TestSeriesStaysBoundedAndWhole(t *testing.T) {
	s := newSeries()
	const days = 40
	n := 0
	// Forty days, of which most seconds were folded as minutes, as a year would be too slow to walk.
	for at := time.Duration(0); at < days*24*time.Hour; n++ {
		span := sec
		if n%100 > 50 {
			span = time.Minute
		}
		s.add(&bench.Bucket{Start: at, Span: span, Active: span, Facts: bench.Facts{Sent: 1}})
		at += span
	}
	all := s.all()
	if len(all) > 900+540+480+512+100 {
		t.Errorf("%d buckets are kept", len(all))
	}
	sent := 0
	for i, b := range all {
		sent += b.Sent
		if i > 0 && all[i-1].End() != b.Start {
			t.Fatalf("bucket %d starts at %v, the one before ends at %v", i, b.Start, all[i-1].End())
		}
	}
	if sent != n || all[0].Start != 0 {
		t.Errorf("%d of %d seconds are left, from %v", sent, n, all[0].Start)
	}
	if last := all[len(all)-1]; last.Span > time.Minute {
		t.Errorf("the newest bucket spans %v", last.Span)
	}
}

func TestRecentSecondsStaySeconds(t *testing.T) {
	c := newScript()
	for range 5000 {
		c.second()
	}
	all := c.s.Snapshot().Buckets
	for _, b := range all[len(all)-900:] {
		if b.Span != sec {
			t.Fatalf("the bucket at %v spans %v", b.Start, b.Span)
		}
	}
}

func TestSpansJoinInPairs(t *testing.T) {
	var s spans
	for i := range 165 {
		s.add(&bench.Bucket{Start: time.Duration(i) * sec, Span: sec, Active: sec, Facts: bench.Facts{Sent: 1}})
	}
	// 40 → 20 of 2 s, at 80 s → 20 of 4 s, at 160 s → 20 of 8 s; five seconds grow the next.
	if len(s.full) != 20 || s.each != 8 || s.grown != 5 || s.full[19].Sent != 8 {
		t.Errorf("%d spans of %d s, %d growing", len(s.full), s.each, s.grown)
	}
}

func TestIntervalOfARate(t *testing.T) {
	count := func(f *bench.Facts) float64 { return float64(f.Sent) }
	of := func(counts ...int) (out []*bench.Bucket) {
		for _, n := range counts {
			out = append(out, &bench.Bucket{Active: time.Minute, Facts: bench.Facts{Sent: n}})
		}
		return out
	}
	if half(of(1, 2, 3, 4), count).OK {
		t.Error("four means have no interval")
	}
	// Mean 3, variance 2.5, standard error √0.5, t(4) = 2.776.
	near6(t, "half", half(of(1, 2, 3, 4, 5), count).V, 2.776*math.Sqrt(0.5))
}

func TestLevelsStayBounded(t *testing.T) {
	c := newScript()
	for i := range 600 {
		at := time.Duration(i) * sec
		load := 1 + i%300
		c.second(events(open(at, i+1, 0, load), commit(at, i+1, load), reach(at, i+1)), steady(i+1, 2))
	}
	snap := c.s.Snapshot()
	if len(snap.Levels) != maxLevels {
		t.Fatalf("%d levels are kept", len(snap.Levels))
	}
	if last := snap.Level(); last.ID != 600 || last.Tally.Sent != 2 {
		t.Errorf("the present level is %d with %d sent", last.ID, last.Tally.Sent)
	}
	for i, l := range snap.Levels[1:] {
		if snap.Levels[i].ID >= l.ID {
			t.Fatal("the levels are out of order")
		}
	}
}

func TestVisitsOfTheSameLoadMerge(t *testing.T) {
	c := newScript()
	const visits = 300
	for i := range visits {
		at := time.Duration(i) * sec
		c.second(events(open(at, i+1, 0, 1+i%2), commit(at, i+1, 1+i%2), reach(at, i+1)), steady(i+1, 2))
	}
	sent, ended, samples := 0, 0, 0
	for _, l := range c.s.Snapshot().Levels {
		sent += l.Tally.Sent
		ended += l.Tally.OK
		samples += l.Stats[bench.TTFT].N
	}
	// The answers of a second name its own level although they began under the one before, so that none of them counts as measured.
	if sent != 2*visits || ended != 2*(visits-1) || samples != 2*visits {
		t.Errorf("%d sent, %d ended, %d first tokens; want %d, %d, %d", sent, ended, samples, 2*visits, 2*(visits-1), 2*visits)
	}
}

// TestVisitsMergeWithinTheirModeAndWorkload: one in flight, one a second, and one in flight of another workload are three loads.
func TestVisitsMergeWithinTheirModeAndWorkload(t *testing.T) {
	type kind struct {
		load bench.Setpoint
		work int
	}
	kinds := []kind{{bench.InFlight(1), 0}, {bench.PerSecond(1), 0}, {bench.InFlight(1), 1}}
	c, lag := newScript(), bench.SketchOf(3)
	const visits = 390
	for i := range visits {
		k := kinds[i%3]
		c.second(events(bench.Event{At: time.Duration(i) * sec, Kind: bench.EventOpen, Level: i + 1, Cause: bench.CauseWork, To: k.load, Work: k.work},
			reach(time.Duration(i)*sec, i+1)),
			func(b *bench.Batch) {
				b.Starts, b.Facts.Sent = []bench.Starts{{Level: i + 1, Sent: 1 + i%3}}, 1+i%3
				b.Unsent, b.Facts.Unsent = []bench.Unsent{{At: b.Start, Level: i + 1, N: 10 + i%3}}, 10+i%3
				b.Facts.Lag = lag
			})
	}
	sent, unsent, lags, levels := map[kind]int{}, map[kind]int{}, 0, c.s.Snapshot().Levels
	for _, l := range levels {
		k := kind{l.Load, l.Work}
		sent[k] += l.Tally.Sent
		unsent[k] += l.Missed.Unsent
		lags += l.Lag.N
		if l.Tally.Unsent != l.Missed.Unsent {
			t.Fatalf("level %d: %d unsent, %d since it was reached", l.ID, l.Tally.Unsent, l.Missed.Unsent)
		}
	}
	for i, k := range kinds {
		if sent[k] != visits/3*(1+i) || unsent[k] != visits/3*(10+i) {
			t.Errorf("%v: %d sent, %d unsent; want %d and %d", k, sent[k], unsent[k], visits/3*(1+i), visits/3*(10+i))
		}
	}
	if len(levels) != maxLevels || lags != visits {
		t.Errorf("%d levels with %d lags, want %d with %d", len(levels), lags, maxLevels, visits)
	}
}

func TestReservoirDrawsEvenly(t *testing.T) {
	var r reservoir
	const offered = 20 * sampleSize
	for i := range offered {
		r.offer(bench.Sample{Input: int32(i)}, 1)
	}
	sum := 0.0
	for _, s := range r.kept {
		sum += float64(s.Input)
	}
	// The mean of 2,048 even draws is within 3 % of the middle, at five standard errors.
	if mean := sum / sampleSize; len(r.kept) != sampleSize || math.Abs(mean/(offered/2)-1) > 0.07 {
		t.Errorf("%d kept with mean %v of %d", len(r.kept), mean, offered)
	}
}

func FuzzFold(f *testing.F) {
	f.Add([]byte{1, 1, 4, 2, 1, 4, 3, 1, 0, 1, 2, 8})
	f.Add([]byte{1, 255, 0, 1, 0, 0, 12, 9, 9, 200, 7, 7})
	f.Fuzz(func(t *testing.T, script []byte) {
		s := NewState(testRun())
		rng := rand.New(rand.NewPCG(uint64(len(script)), 2))
		for start := time.Duration(0); len(script) >= 3; start += time.Duration(rng.IntN(3)) * sec {
			b := &bench.Batch{Start: start, Span: sec, Active: time.Duration(rng.IntN(2)) * sec}
			for range min(rng.IntN(5), len(script)/3) {
				kind, level, to := script[0], int(script[1])-2, int(script[2])
				script = script[3:]
				at := start + time.Duration(rng.IntN(5)-2)*400*ms
				b.Events = append(b.Events, bench.Event{Kind: bench.EventKind(kind), Level: level, To: bench.Setpoint{Mode: bench.Mode(to & 1), N: float64(to)}, At: at, Cause: bench.Cause(to % 10)})
				e := answered(level, at)
				e.Outcome = bench.Outcome(kind % 30)
				b.Ended = append(b.Ended, e)
				b.Starts = append(b.Starts, bench.Starts{Level: level, Sent: to % 3})
				b.FirstTokens = append(b.FirstTokens, bench.FirstToken{Level: level, At: at, Started: at - time.Duration(to)*ms, TTFT: time.Duration(to) * ms})
				h := bench.NewHistogram()
				h.Add(float64(to), 3)
				b.LateITL = append(b.LateITL, bench.SecondSketch{Start: at, Sketch: h.Sketch()})
				b.Facts.Sent += to % 4
				b.Facts.Ended[kind%byte(bench.NumOutcomes)]++
			}
			s.Fold(b)
			if len(script) < 3 || rng.IntN(100) == 0 {
				checkSane(t, s.Snapshot())
			}
			if start > 200*sec {
				return
			}
		}
	})
}

// busy is a state with so many levels of ten seconds each, of 20 requests a second.
func busy(levels int) (*script, func(*bench.Batch)) {
	c := newScript("ttft.p95<=500ms", "tps.p5>=20", "errors<=1%")
	for i := range levels {
		at := time.Duration(c.n) * sec
		c.s.Fold(batchAt(c, events(open(at, i+1, 0, i), commit(at, i+1, i), reach(at, i+1)), steady(i+1, 20)))
		for range 9 {
			c.s.Fold(batchAt(c, steady(i+1, 20)))
		}
	}
	return c, steady(levels, 20)
}

func batchAt(c *script, fill ...func(*bench.Batch)) *bench.Batch {
	b := &bench.Batch{Start: time.Duration(c.n) * sec, Span: sec, Active: sec}
	for _, f := range fill {
		f(b)
	}
	c.n++
	return b
}

func BenchmarkFold(b *testing.B) {
	c, fill := busy(256)
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		batch := batchAt(c, fill)
		b.StartTimer()
		c.s.Fold(batch)
	}
}

func BenchmarkSnapshot(b *testing.B) {
	c, fill := busy(256)
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		c.s.Fold(batchAt(c, fill))
		b.StartTimer()
		c.s.Snapshot()
	}
}

// BenchmarkHour folds an hour of busy seconds.
func BenchmarkHour(b *testing.B) {
	for b.Loop() {
		c, fill := busy(1)
		for range 3600 {
			c.s.Fold(batchAt(c, fill))
		}
	}
}
