package aggregate

import (
	"fmt"
	"hash/fnv"
	"math"
	"reflect"
	"testing"
	"time"

	"redline/bench"
)

// drive runs a plan to its end and calls back with every frame.
func drive(p *plan, meter *Meter, frame func(r *run, b *bench.Batch)) *run {
	r := &run{plan: p, meter: meter, probes: map[int]*Probe{}}
	for n := 0; len(p.steps) > 0 || len(r.late) > 0; n++ {
		frame(r, r.second(n))
	}
	return r
}

func testRun() *bench.Run {
	r := &bench.Run{}
	for _, s := range []string{"ttft.p95<=600ms", "tps.p5>=10", "errors<=5%", "rpm<=1000", "e2e.p95<=8s"} {
		t, err := bench.ParseThreshold(s)
		if err != nil {
			panic(err)
		}
		r.Thresholds = append(r.Thresholds, t)
	}
	return r
}

func TestEveryFrameKeepsTheIdentities(t *testing.T) {
	for seed := range uint64(2) {
		s := NewState(testRun())
		var flight float64
		r := drive(newPlan(seed, 2*time.Minute, false), NewMeter(4, time.Second), func(r *run, b *bench.Batch) {
			s.Fold(b)
			flight += b.Facts.InFlight
			snap := s.Snapshot()
			checkTally(t, r, snap)
			if want := residence(r, snap.Folded); math.Abs(flight-want) > 1e-6*(1+want) {
				t.Fatalf("%v: %v slot-seconds in flight, clipped residence times sum to %v", snap.Folded, flight, want)
			}
			if len(snap.Buckets)%20 == 3 {
				checkSane(t, snap)
			}
			checkPeaks(t, snap)
		})
		snap := s.Snapshot()
		checkSane(t, snap)
		var sum bench.Facts
		for _, b := range snap.Buckets {
			sum.Add(&b.Facts)
		}
		if in, out := sum.In+sum.InFix, sum.Out+sum.OutFix; in != r.in || out != r.out {
			t.Errorf("seed %d: %d prompt and %d output tokens, usage says %d and %d", seed, in, out, r.in, r.out)
		}
		if sum.Late == 0 {
			t.Error("nothing was late, so that lateness was not tested")
		}
		// Little's law on the whole run: every residence time lies inside it.
		if got := snap.Total.InFlight.V * snap.Total.Span.Seconds(); math.Abs(got-flight) > 1e-6*flight {
			t.Errorf("mean in flight × span = %v, want %v", got, flight)
		}
		if got := snap.Total.Residence.V * float64(sum.Completions()); math.Abs(got-flight) > 1e-6*flight {
			t.Errorf("mean residence × completions = %v, want %v", got, flight)
		}
	}
}

func checkTally(t *testing.T, r *run, snap *bench.Snapshot) {
	t.Helper()
	tally, flying := snap.Total.Tally, len(r.since)-len(r.until)
	if tally.Sent != len(r.since) || tally.By != r.by {
		t.Fatalf("%v: sent %d by outcome %v, want %d and %v", snap.Folded, tally.Sent, tally.By, len(r.since), r.by)
	}
	if tally.Sent != tally.OK+tally.Failed+tally.Limited+tally.Cancelled+flying {
		t.Fatalf("%v: %+v does not add up with %d in flight", snap.Folded, tally, flying)
	}
	var sent, ended int
	for _, l := range snap.Levels {
		sent += l.Tally.Sent
		ended += l.Tally.OK + l.Tally.Failed + l.Tally.Limited + l.Tally.Cancelled
		if l.Ended.OK && l.Unfinished > l.Tally.Sent {
			t.Fatalf("level %d: %d of %d unfinished", l.ID, l.Unfinished, l.Tally.Sent)
		}
	}
	if sent != tally.Sent || ended != tally.Sent-flying {
		t.Fatalf("%v: the levels sent %d and ended %d, the run %d and %d", snap.Folded, sent, ended, tally.Sent, tally.Sent-flying)
	}
}

// residence sums the times in flight of all requests, as told so far, clipped at now.
func residence(r *run, now time.Duration) float64 {
	var sum time.Duration
	for _, at := range r.since {
		sum += now - at
	}
	for _, at := range r.until {
		sum -= now - at
	}
	return sum.Seconds()
}

func checkPeaks(t *testing.T, snap *bench.Snapshot) {
	t.Helper()
	scopes := []*bench.Summary{&snap.Total}
	for _, l := range snap.Levels {
		scopes = append(scopes, &l.Summary)
	}
	for _, sum := range scopes {
		for _, m := range []bench.Metric{bench.TTFT, bench.ITL, bench.E2E, bench.TPOT, bench.TTFA} {
			s := sum.Stats[m]
			if s.Mean.OK && (s.Max.V < s.Mean.V*(1-1e-12) || s.Max.V < s.P99.V || s.P99.V < s.P95.V || s.P95.V < s.P50.V) {
				t.Fatalf("%v: out of order: %+v", m, s)
			}
		}
	}
	var peak float64
	for _, b := range snap.Buckets {
		if b.Active > 0 {
			peak = max(peak, float64(b.Out)/b.Active.Seconds())
		}
	}
	if snap.Total.OutputRate.V > peak*(1+1e-12) {
		t.Fatalf("mean output rate %v above its peak %v", snap.Total.OutputRate.V, peak)
	}
}

// checkSane walks everything that a snapshot points to.
func checkSane(t *testing.T, snap *bench.Snapshot) {
	t.Helper()
	walk(reflect.ValueOf(snap), "snapshot", func(path string, v reflect.Value) {
		if v.Kind() == reflect.Float64 || v.Kind() == reflect.Float32 {
			if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
				t.Fatalf("%s is %v", path, f)
			}
		}
	})
}

func walk(v reflect.Value, path string, visit func(string, reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			walk(v.Elem(), path, visit)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			walk(v.Field(i), path+"."+v.Type().Field(i).Name, visit)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			walk(v.Index(i), path, visit)
		}
	default:
		visit(path, v)
	}
}

func digest(snap *bench.Snapshot) uint64 {
	h := fnv.New64a()
	walk(reflect.ValueOf(snap), "", func(path string, v reflect.Value) { fmt.Fprint(h, path, v) })
	return h.Sum64()
}

func TestSnapshotsNeverChange(t *testing.T) {
	s := NewState(testRun())
	snaps, digests := []*bench.Snapshot{}, []uint64{}
	n := 0
	drive(newPlan(7, 90*time.Second, false), NewMeter(2, time.Second), func(_ *run, b *bench.Batch) {
		s.Fold(b)
		if n++; n%17 == 0 {
			snaps, digests = append(snaps, s.Snapshot()), append(digests, digest(s.Snapshot()))
		}
	})
	for i, snap := range snaps {
		if digest(snap) != digests[i] {
			t.Errorf("the snapshot at %v has changed", snap.Folded)
		}
	}
}

func TestSameBatchesGiveTheSameState(t *testing.T) {
	var batches []*bench.Batch
	watched := NewState(testRun())
	drive(newPlan(11, time.Minute, false), NewMeter(3, time.Second), func(_ *run, b *bench.Batch) {
		batches = append(batches, b)
		watched.Fold(b)
		watched.Snapshot()
	})
	replayed := NewState(testRun())
	for _, b := range batches {
		replayed.Fold(b)
	}
	if !reflect.DeepEqual(watched.Snapshot(), replayed.Snapshot()) {
		t.Error("a replay without anyone looking differs from the run that was watched")
	}
	before := digest(replayed.Snapshot())
	replayed.Fold(batches[len(batches)-1])
	if digest(replayed.Snapshot()) != before {
		t.Error("a batch was counted twice")
	}
}

func TestSpeedIsTheInverseOfITL(t *testing.T) {
	m := NewMeter(2, time.Second)
	m.Learn(1, bench.FromUsage)
	s := NewState(testRun())
	drive(newPlan(5, 2*time.Minute, true), m, func(_ *run, b *bench.Batch) {
		s.Fold(b)
		total := s.Snapshot().Total
		// The gaps that are open at the end of a second are in one and not yet in the other.
		if itl := total.Stats[bench.ITL]; itl.N > 2000 && math.Abs(total.Stats[bench.TPS].Mean.V*itl.Mean.V/1000-1) > 0.02 {
			t.Fatalf("%v: TPS %v, ITL %v", s.folded, total.Stats[bench.TPS].Mean.V, itl.Mean.V)
		}
	})
	total := s.Snapshot().Total
	if got := total.Stats[bench.TPS].Mean.V * total.Stats[bench.ITL].Mean.V; math.Abs(got-1000) > 1e-6 {
		t.Errorf("TPS × ITL = %v ms at the end, want 1000", got)
	}
}

func TestLateWeightsGiveOneSampleAToken(t *testing.T) {
	p := newPlan(3, time.Minute, false)
	want := 0
	for _, e := range p.whole {
		if e.Outcome == bench.OK {
			events := float64(e.Counts.Events)
			want += e.Counts.Streamed() - int(math.Round(float64(e.Counts.FirstEvents)*float64(e.Counts.Streamed())/events))
		}
	}
	s := NewState(testRun())
	late := 0
	drive(p, NewMeter(4, time.Second), func(_ *run, b *bench.Batch) {
		late += len(b.LateITL)
		s.Fold(b)
	})
	if got := s.Snapshot().Total.Stats[bench.ITL].N; got != want || late == 0 {
		t.Errorf("%d samples in %d late sketches, want %d", got, late, want)
	}
}
