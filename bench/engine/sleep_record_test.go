package engine

import (
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/record"
)

// keeping hands on what a recorder is given, and keeps what was shown.
type keeping struct {
	*record.Track
	shown []*bench.Snapshot
}

func (k *keeping) Seconds(batches []*bench.Batch, s *bench.Snapshot) {
	k.shown = append(k.shown, s)
	k.Track.Seconds(batches, s)
}

// A machine that slept in the middle of a run is replayed as it was shown: requests that span the gap are interrupted, and nothing of them is in any number.
func TestARunWhoseTimeHasJumpedIsReplayedAsItWas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run")
	k := &keeping{}
	o := Options{Load: bench.InFlight(6), Run: bench.Run{Model: "m"}}
	r, err := record.Create(path, record.Header{Tracks: []record.TrackHeader{{Run: &bench.Run{Model: "m"}}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	k.Track = r.Track(0)
	o.Recorder = k
	jumps := 0
	inBubble(t, o, func(t *testing.T, b *run) {
		b.after(9 * time.Second)
		for range 3 {
			b.server.slept.Add(int64(time.Hour))
			b.after(33300 * time.Millisecond)
		}
		b.server.slept.Add(-int64(20 * time.Minute)) // the clock is set back
		b.after(8 * time.Second)
		jumps = b.count(bench.EventGap)
	})
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if jumps < 3 {
		t.Fatalf("time has jumped %d times: nothing is tested", jumps)
	}
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
		got := *p.Snapshot()
		got.Run = want.Run
		a, b := reflect.ValueOf(got), reflect.ValueOf(*want)
		for f := range a.NumField() {
			if !reflect.DeepEqual(a.Field(f).Interface(), b.Field(f).Interface()) {
				t.Fatalf("snapshot %d, %s: %.600v\nwant %.600v", i, a.Type().Field(f).Name, a.Field(f).Interface(), b.Field(f).Interface())
			}
		}
	}
}
