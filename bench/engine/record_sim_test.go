package engine_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/engine"
	"redline/bench/record"
	"redline/bench/sim"
)

// keeper hands what it is given on, and keeps the snapshots.
type keeper struct {
	*record.Track
	shown []*bench.Snapshot
}

func (k *keeper) Seconds(batches []*bench.Batch, s *bench.Snapshot) {
	k.shown = append(k.shown, s)
	k.Track.Seconds(batches, s)
}

func TestEverySnapshotOfARunIsThatOfItsReplay(t *testing.T) {
	type change func(*engine.Options, *sim.Options)
	ttft := bench.Threshold{Metric: bench.TTFT, At: bench.P95, Limit: 2000}
	for _, run := range []struct {
		name   string
		change change
		do     func(b *bed)
	}{
		{"a load that is changed, a note, a pause and a cancel", nil, func(b *bed) {
			time.Sleep(15 * time.Second)
			b.Post(bench.Add{N: 8})
			time.Sleep(70 * time.Second)
			b.Post(bench.Note{Text: "flags <b>\"&\""})
			time.Sleep(5 * time.Second)
			b.Post(bench.Pause{Why: "tea"})
			time.Sleep(4 * time.Second)
			b.Post(bench.Resume{})
			time.Sleep(3 * time.Second)
			b.Post(bench.Cancel{})
			time.Sleep(2 * time.Second)
		}},
		{"promises that are changed, and all forgotten", func(o *engine.Options, _ *sim.Options) { o.Run.Thresholds = []bench.Threshold{ttft} }, func(b *bed) {
			time.Sleep(12 * time.Second)
			b.Post(bench.Promise{Threshold: bench.Threshold{Metric: bench.TTFT, At: bench.P95, Limit: 1}})
			b.Post(bench.Promise{Threshold: bench.Threshold{Metric: bench.TPS, At: bench.P5, Floor: true, Limit: 20}})
			time.Sleep(30 * time.Second)
			b.Post(bench.Forget{})
			time.Sleep(40 * time.Second)
			b.Post(bench.Promise{Threshold: ttft, Drop: true})
			time.Sleep(20 * time.Second)
		}},
		{"failures of all kinds", func(_ *engine.Options, so *sim.Options) {
			so.Faults = sim.Faults{Error: 0.1, StreamError: 0.1, Cut: 0.1, Stall: 0.1, StallFor: 3 * time.Second}
			so.RPM = 300
		}, func(b *bed) { time.Sleep(100 * time.Second) }},
		{"an open loop that is asked too much", func(o *engine.Options, _ *sim.Options) { o.Load, o.Run.Max = bench.PerSecond(20), 12 }, func(b *bed) {
			time.Sleep(70 * time.Second)
			b.Post(bench.Set{N: 2.5})
			time.Sleep(20 * time.Second)
		}},
		{"a profile", nil, func(b *bed) {
			profile, err := bench.NewProfile("there and back", bench.Closed, []bench.Stage{{From: 4, To: 16, Span: 10 * time.Second}, {From: 16, To: 16, Span: 60 * time.Second}}, 2)
			if err != nil {
				b.t.Fatal(err)
			}
			b.Post(bench.Follow{Profile: profile})
			time.Sleep(100 * time.Second)
		}},
		{"a ramp", func(o *engine.Options, _ *sim.Options) { o.Run.Thresholds = []bench.Threshold{ttft} }, func(b *bed) {
			b.Post(bench.Seek{Ramp: &bench.Ramp{From: 2, Most: 32, Rise: bench.RiseTimes, By: 2}})
			time.Sleep(130 * time.Second)
		}},
		{"a cruise", func(o *engine.Options, _ *sim.Options) { o.Run.Thresholds = []bench.Threshold{ttft} }, func(b *bed) {
			b.Post(bench.Steer{Cruise: &bench.Cruise{Threshold: ttft, Least: 1, Most: 40}})
			time.Sleep(130 * time.Second)
		}},
	} {
		t.Run(run.name, func(t *testing.T) { replays(t, run.change, run.do) })
	}
}

// replays records a run, and holds what its file gives against what was shown: step by step, at instants here and there, and as if the recorder had been killed.
func replays(t *testing.T, change func(*engine.Options, *sim.Options), do func(b *bed)) {
	path := filepath.Join(t.TempDir(), "run")
	k := &keeper{}
	var r *record.Recorder
	overSim(t, func(o *engine.Options, so *sim.Options) {
		if change != nil {
			change(o, so)
		}
		var err error
		if r, err = record.Create(path, record.Header{Tracks: []record.TrackHeader{{Run: &o.Run}}}, nil); err != nil {
			t.Fatal(err)
		}
		k.Track = r.Track(0)
		o.Recorder = k
	}, func(t *testing.T, b *bed) {
		do(b)
		b.Post(bench.Kill{})
		<-b.Done()
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	f, err := record.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p := f.Player()
	defer p.Close()
	for i, want := range k.shown {
		if more, err := p.Step(); err != nil || !more {
			t.Fatalf("snapshot %d of %d: %v, more %v", i, len(k.shown), err, more)
		}
		same(t, i, p.Snapshot(), want)
	}
	for i := 0; i < len(k.shown); i += 17 {
		n := (i * 7) % len(k.shown)
		if err := p.Seek(k.shown[n].Folded); err != nil {
			t.Fatal(err)
		}
		same(t, n, p.Snapshot(), k.shown[n])
		j, err := p.Journal()
		if err != nil {
			t.Fatal(err)
		}
		if tally := &k.shown[n].Total.Tally; len(j.Ended)+j.Gone < tally.OK+tally.Failed+tally.Limited+tally.Cancelled {
			t.Errorf("snapshot %d: the journal has %d and %d of %+v", n, len(j.Ended), j.Gone, tally)
		}
	}
	killed(t, path, k.shown)
}

// killed holds against what was shown what is left of a file when its recorder is killed.
func killed(t *testing.T, path string, shown []*bench.Snapshot) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data[:len(data)*3/4], 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := record.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	last, err := f.Final()
	if err != nil || f.Complete || len(f.Damage) > 0 {
		t.Fatalf("killed: %v, complete %v, %v", err, f.Complete, f.Damage)
	}
	for i, s := range shown {
		if s.Folded == last.Folded {
			same(t, i, last, s)
			return
		}
	}
	t.Errorf("killed: nobody saw %s", last.Folded)
}

// same holds a snapshot of a replay against the live one.
func same(t *testing.T, i int, snapshot, want *bench.Snapshot) {
	t.Helper()
	got := *snapshot
	got.Run = want.Run
	if reflect.DeepEqual(&got, want) {
		return
	}
	a, b := reflect.ValueOf(got), reflect.ValueOf(*want)
	for f := range a.NumField() {
		if !reflect.DeepEqual(a.Field(f).Interface(), b.Field(f).Interface()) {
			t.Errorf("%s: %.900v\nwant %.900v", a.Type().Field(f).Name, a.Field(f).Interface(), b.Field(f).Interface())
		}
	}
	t.Fatalf("snapshot %d differs", i)
}
