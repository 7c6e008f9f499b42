package replay

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/pilot/plant"
	"redline/bench/record"
	"redline/bench/sim/model"
)

// TestTheOtherTargetIsLookedAt: of a recording of two, each may be looked at, whichever was driven then, with its own numbers and its own requests; nothing is driven by it.
func TestTheOtherTargetIsLookedAt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run")
	var plants []*plant.Plant
	h := record.Header{Schema: record.Schema, Began: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	for i := range 2 {
		p, err := plant.New(plant.Options{Model: model.Preset(0).Params(), Seed: uint64(7 + i), Load: bench.InFlight(4 + 4*i), Folds: true})
		if err != nil {
			t.Fatal(err)
		}
		run := *p.Snapshot().Run
		run.Model = "planted"
		plants, h.Tracks = append(plants, p), append(h.Tracks, record.TrackHeader{Name: bench.Letter(i), Run: &run})
	}
	r, err := record.Create(path, h, func() (int, bool) { return 0, false })
	if err != nil {
		t.Fatal(err)
	}
	var last [2]*bench.Snapshot
	for range 40 {
		for i, p := range plants {
			b := p.Second()
			last[i] = p.Snapshot()
			r.Track(i).Seconds([]*bench.Batch{b}, last[i])
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	played(t, path, Options{Paused: true, Speed: 1, At: 40 * time.Second}, func(t *testing.T, d *stepped) {
		loads := func() []float64 {
			d.Journal(false)
			d.turn()
			var out []float64
			for _, l := range d.Snapshot().Levels {
				out = append(out, l.Load.N)
			}
			return out
		}
		var lists [2]int
		for turn, k := range []int{0, 1, 0, 1} {
			if got := loads(); !slices.Equal(got, []float64{float64(4 + 4*k)}) {
				t.Errorf("turn %d: the loads are %v", turn, got)
			}
			s, p := d.Snapshot(), d.Playback()
			if s.Rivals == nil || s.Rivals.Shown != k || s.Total.Tally != last[k].Total.Tally || p.Watched != (k == 1) {
				t.Errorf("turn %d: %+v of %+v, want %+v; watched %v", turn, s.Total.Tally, s.Rivals, last[k].Total.Tally, p.Watched)
			}
			if n := len(d.Journal(false).Ended); turn < 2 {
				lists[k] = n
			} else if n != lists[k] || n == 0 || lists[0] == lists[1] {
				t.Errorf("turn %d: %d requests, they were %v", turn, n, lists)
			}
			d.Post(bench.Other{})
			d.turn()
		}
		if d.Playback().Words > 0 {
			t.Errorf("it says %q", d.Playback().Said)
		}
	})
}

func TestOfOneTargetThereIsNoOther(t *testing.T) {
	r := planted(t, 5)
	r.end(t)
	played(t, r.path, Options{Paused: true, Speed: 1}, func(t *testing.T, d *stepped) {
		d.Post(bench.Locked{Command: bench.Other{}})
		d.turn()
		if p := d.Playback(); p.Said != "this recording has one target" || p.Watched {
			t.Errorf("it says %q", p.Said)
		}
	})
}
