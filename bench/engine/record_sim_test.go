package engine_test

import (
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
	path := filepath.Join(t.TempDir(), "run")
	k := &keeper{}
	var r *record.Recorder
	overSim(t, func(o *engine.Options, so *sim.Options) {
		var err error
		if r, err = record.Create(path, record.Header{Tracks: []record.TrackHeader{{Run: &o.Run}}}, nil); err != nil {
			t.Fatal(err)
		}
		k.Track = r.Track(0)
		o.Recorder = k
	}, func(t *testing.T, b *bed) {
		time.Sleep(20 * time.Second)
		b.Post(bench.Add{N: 8})
		time.Sleep(20 * time.Second)
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
	if len(k.shown) < 40 {
		t.Fatalf("%d snapshots of 40 s", len(k.shown))
	}
	p := f.Player()
	for i, want := range k.shown {
		if more, err := p.Step(); err != nil || !more {
			t.Fatalf("snapshot %d: %v, more %v", i, err, more)
		}
		got := *p.Snapshot()
		got.Run = want.Run
		if !reflect.DeepEqual(&got, want) {
			a, b := reflect.ValueOf(got), reflect.ValueOf(*want)
			for i := range a.NumField() {
				if !reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
					t.Errorf("%s: %.900v\nwant %.900v", a.Type().Field(i).Name, a.Field(i).Interface(), b.Field(i).Interface())
				}
			}
			t.Fatalf("snapshot %d of %d differs", i, len(k.shown))
		}
	}
}
