package engine_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/aggregate"
	"redline/bench/engine"
	"redline/bench/sim"
)

// batches keeps what was folded.
type batches struct{ all []*bench.Batch }

func (k *batches) Ended(*bench.Ended) {}

func (k *batches) Seconds(folded []*bench.Batch, _ *bench.Snapshot) {
	k.all = append(k.all, folded...)
}

func TestARealRunGoesOnFromWhatIsSavedOfIt(t *testing.T) {
	k, run := &batches{}, (*bench.Run)(nil)
	ramp, err := bench.ParseProfile("ramp 2..12 in 12s, 6:6s", bench.Closed)
	if err != nil {
		t.Fatal(err)
	}
	overSim(t, func(o *engine.Options, so *sim.Options) {
		o.Recorder, run = k, &o.Run
		o.Run.Thresholds = []bench.Threshold{{Metric: bench.TTFT, At: bench.P95, Limit: 400}, {Metric: bench.Errors, At: bench.Mean, Limit: 1}}
		o.Gauges = &overNet{}
		so.Faults.Error, so.Faults.Cut, so.Faults.StreamError = 0.05, 0.05, 0.05
		kept := *run
		run = &kept
	}, func(t *testing.T, b *bed) {
		for _, c := range []bench.Command{
			bench.Add{N: 8}, bench.Note{Text: "an “other” <batch>"}, bench.Match{Load: bench.PerSecond(4)}, bench.Set{N: 9}, bench.Match{Load: bench.InFlight(6)}, bench.Follow{Profile: ramp}, bench.Promise{Threshold: bench.Threshold{Metric: bench.TTFT, At: bench.P95, Limit: 90}},
			bench.Pause{}, bench.Resume{}, bench.Forget{}, bench.Times{F: 2}, bench.Cancel{}, bench.Set{N: 2},
		} {
			time.Sleep(9 * time.Second)
			b.Post(c)
		}
		time.Sleep(9 * time.Second)
	})
	came := map[bench.EventKind]bool{}
	failed := 0
	for _, b := range k.all {
		for _, e := range b.Events {
			came[e.Kind] = true
		}
		failed += b.Facts.Completions() - b.Facts.Ended[bench.OK]
	}
	for _, kind := range []bench.EventKind{bench.EventNote, bench.EventPause, bench.EventCancel, bench.EventMode, bench.EventProfile, bench.EventPromise, bench.EventClear, bench.EventServer} {
		if !came[kind] {
			t.Errorf("there was no %v in the run", kind)
		}
	}
	if failed == 0 {
		t.Error("nothing failed in the run")
	}
	if len(k.all) < 110 {
		t.Fatalf("%d batches", len(k.all))
	}
	s := aggregate.NewState(run)
	var others []*aggregate.State
	for i, b := range k.all {
		s.Fold(b)
		for _, o := range others {
			o.Fold(b)
		}
		text, err := json.Marshal(s.Save())
		if err != nil {
			t.Fatal(err)
		}
		w := &aggregate.Whole{}
		if err := json.Unmarshal(text, w); err != nil {
			t.Fatal(err)
		}
		loaded, err := w.Load(run)
		if err != nil {
			t.Fatal(err)
		}
		if i%10 == 0 {
			others = append(others, loaded)
		}
		for j, o := range append(slices.Clone(others), loaded) {
			if got, want := *o.Snapshot(), *s.Snapshot(); !sameButRun(got, want) {
				t.Fatalf("second %d, from state %d on: %+v\nwant %+v", i, j, got, want)
			}
		}
	}
}

func sameButRun(a, b bench.Snapshot) bool {
	same := reflect.DeepEqual(a.Run.Thresholds, b.Run.Thresholds)
	a.Run, b.Run = nil, nil
	return same && reflect.DeepEqual(a, b)
}
