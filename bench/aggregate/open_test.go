package aggregate

import (
	"math"
	"testing"
	"time"

	"redline/bench"
)

// owed is what a level, or the run, must say of the open loop, by plain counting over the plan's requests and drops.
type owed struct {
	unsent                 int
	missed                 bench.Missed
	lag, dueTTFT, dueE2E   []float64
	sent, arrived, seconds int
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// owedBy counts for a level that was reached, and ended, at instants.
func owedBy(p *plan, level int, reached, ended time.Duration) owed {
	var o owed
	from, to := (reached + sec - 1).Truncate(sec), ended.Truncate(sec)
	o.seconds = int((to - from) / sec)
	inside := func(at time.Duration) bool { return at >= from && at < to }
	for _, d := range p.drops {
		if d.Level == level {
			if o.unsent++; d.At >= reached {
				o.missed.Unsent++
			}
		}
		if inside(d.At) {
			o.arrived++
		}
	}
	for _, e := range p.whole {
		at := e.Marks.Started.At
		if inside(at) {
			o.sent++
			o.arrived++
			if e.Scheduled.OK {
				o.lag = append(o.lag, bench.Millis(at-e.Scheduled.At))
			}
		}
		if e.Level != level || at < reached {
			continue
		}
		if e.Outcome.Failed() {
			o.missed.Failed++
		}
		if due, ok := e.DueTTFT(); ok && !e.Outcome.Broken() && e.Marks.FirstToken.At <= ended {
			o.dueTTFT = append(o.dueTTFT, bench.Millis(due))
		}
		if due, ok := e.DueE2E(); ok && e.Outcome == bench.OK {
			o.dueE2E = append(o.dueE2E, bench.Millis(due))
		}
	}
	return o
}

func TestOpenLoopComesOutAsPlainCountingSays(t *testing.T) {
	for seed := range uint64(3) {
		p := newPlan(seed, 5*time.Minute, false)
		for i := range p.steps {
			p.steps[i].slow = false
		}
		reached, ended := map[int]time.Duration{}, map[int]time.Duration{}
		for _, e := range p.events {
			switch e.Kind {
			case bench.EventOpen:
				ended[e.Level-1] = e.At
			case bench.EventReach:
				reached[e.Level] = e.At
			}
		}
		chars := 0
		for _, s := range p.steps {
			if s.chunk != nil {
				chars += s.chunk.Chars
			}
		}
		s, folded := NewState(testRun()), time.Duration(0)
		drive(p, NewMeter(4, time.Second), func(_ *run, b *bench.Batch) { s.Fold(b); folded = b.Start + b.Span })
		snap := s.Snapshot()
		for _, l := range snap.Levels {
			end, over := ended[l.ID]
			if !over {
				end = folded
			}
			checkOwed(t, l, owedBy(p, l.ID, reached[l.ID], end))
		}
		var sum bench.Facts
		for _, b := range snap.Buckets {
			sum.Add(&b.Facts)
		}
		if y := snap.Total.Tally; sum.Chars != chars || y.Unsent != len(p.drops) || y.Unsent == 0 || y.Apart.Unsent == 0 {
			t.Errorf("seed %d: %d characters and %+v; want %d and %d unsent", seed, sum.Chars, y, chars, len(p.drops))
		}
		all := owedBy(p, 0, 0, folded)
		if int(sum.Lag.N) != len(all.lag) || snap.Total.Lag.N != len(all.lag) {
			t.Errorf("seed %d: %d lags in the columns, %d in all; want %d", seed, sum.Lag.N, snap.Total.Lag.N, len(all.lag))
		}
		due, whole := 0, 0
		for _, e := range p.whole {
			if _, ok := e.DueTTFT(); ok && !e.Outcome.Broken() {
				due++
			}
			if _, ok := e.DueE2E(); ok && e.Outcome == bench.OK {
				whole++
			}
		}
		if int(sum.DueTTFT.N) != due || snap.Total.DueTTFT.N != due {
			t.Errorf("seed %d: %d first tokens since they were due in the columns, %d in all; want %d", seed, sum.DueTTFT.N, snap.Total.DueTTFT.N, due)
		}
		if int(sum.DueE2E.N) != whole || snap.Total.DueE2E.N != whole {
			t.Errorf("seed %d: %d answers since they were due in the columns, %d in all; want %d", seed, sum.DueE2E.N, snap.Total.DueE2E.N, whole)
		}
	}
}

func checkOwed(t *testing.T, l *bench.Level, want owed) {
	t.Helper()
	if l.Tally.Unsent != want.unsent || l.Missed != want.missed {
		t.Errorf("level %d: %d unsent, missed %+v; want %d, %+v", l.ID, l.Tally.Unsent, l.Missed, want.unsent, want.missed)
	}
	for what, c := range map[string]struct {
		got  bench.Stat
		want []float64
	}{"lag": {l.Lag, want.lag}, "TTFT since due": {l.DueTTFT, want.dueTTFT}, "E2E since due": {l.DueE2E, want.dueE2E}} {
		if c.got.N != len(c.want) || c.got.Mean.OK && math.Abs(c.got.Mean.V-mean(c.want)) > 1e-6 {
			t.Errorf("level %d: %s %+v; want %d samples of mean %v", l.ID, what, c.got, len(c.want), mean(c.want))
		}
	}
	for _, m := range []bench.Metric{bench.TTFT, bench.TTFA, bench.E2E, bench.TPOT, bench.TPS} {
		if st := l.Stats[m]; st.P50.OK && st.Missing != want.missed.All() {
			t.Errorf("level %d: %v misses %d, want %d", l.ID, m, st.Missing, want.missed.All())
		}
	}
	if itl := l.Stats[bench.ITL]; itl.N > 0 && (itl.Missing > 0) != (want.missed.All() > 0) {
		t.Errorf("level %d: ITL misses %d tokens of %d requests", l.ID, itl.Missing, want.missed.All())
	}
	open := l.Load.Mode == bench.Open
	if l.Offered.OK != open || open && (math.Abs(l.Offered.V-float64(want.arrived)/float64(want.seconds)) > 1e-9 ||
		math.Abs(l.Achieved.V-float64(want.sent)/float64(want.seconds)) > 1e-9) {
		t.Errorf("level %d at %v: offered %v, achieved %v; want %d and %d in %d s", l.ID, l.Load, l.Offered, l.Achieved, want.arrived, want.sent, want.seconds)
	}
	if open && l.Goodput.OK {
		// What was never sent is in the share of good ones as what failed is.
		good := l.Goodput.V / 100 * float64(l.Missed.All()+l.Stats[bench.E2E].N)
		if math.Abs(good-math.Round(good)) > 1e-6 {
			t.Errorf("level %d: goodput %v is no share of %d", l.ID, l.Goodput, l.Missed.All()+l.Stats[bench.E2E].N)
		}
	}
}
