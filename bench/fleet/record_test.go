package fleet

import (
	"context"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
	"redline/bench/engine"
	"redline/bench/record"
)

// keeper hands on what a target's engine gives its recorder, and keeps what was shown of the target then, and how the fleet stood.
type keeper struct {
	*record.Track
	fleet *Fleet
	mu    sync.Mutex
	seen  []seen
}

type seen struct {
	s     *bench.Snapshot
	shown int
	both  bool
}

func (k *keeper) Seconds(batches []*bench.Batch, s *bench.Snapshot) {
	k.mu.Lock()
	k.seen = append(k.seen, seen{s, k.fleet.Shown(), k.fleet.Driven()})
	k.mu.Unlock()
	k.Track.Seconds(batches, s)
}

// recorded runs two targets as do says, and gives what was shown of each, and the file.
func recorded(t *testing.T, both bool, do func(r *run)) (all []*keeper, path string) {
	path = filepath.Join(t.TempDir(), "run")
	synctest.Test(t, func(t *testing.T) {
		r := &run{t: t, clock: bench.NewClock(time.Now())}
		r.Fleet = New([]string{"left", "right"}, both)
		h := record.Header{Began: r.clock.Start()}
		options := make([]engine.Options, 2)
		for i := range options {
			o := closed(4)
			o.Run = bench.Run{Max: 64, MaxRate: 100, Stall: time.Second, Seed: 7, Works: []bench.Workload{{Name: "first"}, {Name: "second"}}, Start: r.clock.Start()}
			o.Paused, o.Watch = i > 0, func(s engine.Standing) { r.Watch(i, s) }
			options[i] = o
			h.Tracks = append(h.Tracks, record.TrackHeader{Name: r.names[i], Run: &options[i].Run})
		}
		keep, err := record.Create(path, h, func() (int, bool) { return r.Shown(), r.Driven() })
		if err != nil {
			t.Fatal(err)
		}
		for i := range options {
			k := &keeper{Track: keep.Track(i), fleet: r.Fleet}
			all = append(all, k)
			options[i].Recorder = k
			s := &server{clock: r.clock, gap: time.Duration(60+40*i) * time.Millisecond}
			r.servers = append(r.servers, s)
			r.Enlist(i, engine.New(options[i], r.clock, s, []engine.Prompts{&prompts{}, &prompts{}}, nil))
		}
		over := make(chan struct{})
		go func() {
			defer close(over)
			if err := r.Run(context.Background()); err != nil {
				t.Error(err)
			}
		}()
		do(r)
		r.Post(bench.Kill{Why: "quit"})
		<-over
		if err := keep.Close(); err != nil {
			t.Error(err)
		}
	})
	return all, path
}

func TestEveryTargetOfARunIsReplayedAsItWas(t *testing.T) {
	for _, row := range []struct {
		sentence string
		both     bool
		do       func(r *run)
	}{
		{"both are driven, at loads that change", true, func(r *run) {
			r.after(7 * time.Second)
			r.post(bench.Add{N: 4})
			r.after(70 * time.Second)
			r.post(bench.Note{Text: "other flags"})
			r.after(5 * time.Second)
		}},
		{"one after the other, then both, then one", false, func(r *run) {
			r.after(6 * time.Second)
			r.post(bench.Other{})
			r.after(65 * time.Second)
			r.post(bench.Both{})
			r.after(10 * time.Second)
			r.servers[1].set(func(s *server) { s.refuses = true })
			r.after(20 * time.Second)
			r.servers[1].set(func(s *server) { s.refuses = false })
			r.after(10 * time.Second)
			r.post(bench.Both{})
			r.post(bench.Other{})
			r.after(5 * time.Second)
		}},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			all, path := recorded(t, row.both, row.do)
			f, err := record.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			p := f.Player()
			defer p.Close()
			matched := []int{0, 0}
			for {
				more, err := p.Step()
				if err != nil {
					t.Fatal(err)
				}
				if !more {
					break
				}
				holds(t, p.Snapshot(), all, matched)
			}
			for i, k := range all {
				if matched[i] < len(k.seen)*9/10 {
					t.Errorf("of target %d %d seconds of %d were replayed", i, matched[i], len(k.seen))
				}
			}
			for at := f.Length; at > 0; at -= 7 * time.Second {
				if err := p.Seek(at); err != nil {
					t.Fatal(err)
				}
				holds(t, p.Snapshot(), all, matched)
			}
		})
	}
}

// holds holds a replayed snapshot against what was shown of each target, and counts the seconds that it met.
func holds(t *testing.T, s *bench.Snapshot, all []*keeper, matched []int) {
	t.Helper()
	if s.Rivals == nil || len(s.Rivals.Of) != 2 || !slices.Equal(s.Rivals.Names, []string{"left", "right"}) {
		t.Fatalf("the rivals are %+v", s.Rivals)
	}
	stands := false
	for i, k := range all {
		got := *s.Rivals.Of[i]
		for _, was := range k.seen {
			if was.s.Folded != got.Folded {
				continue
			}
			stands = stands || was.shown == s.Rivals.Shown && was.both == s.Rivals.Both
			got.Run = was.s.Run
			if d := differing(&got, was.s); d != "" {
				t.Fatalf("target %d at %v differs: %s", i, got.Folded, d)
			}
			matched[i]++
		}
	}
	if !stands && s.Folded > 0 {
		t.Fatalf("at %v target %d is shown, both %v: it was not so", s.Folded, s.Rivals.Shown, s.Rivals.Both)
	}
}

// differing names the fields in which two snapshots are not the same.
func differing(got, want *bench.Snapshot) (names string) {
	a, b := reflect.ValueOf(*got), reflect.ValueOf(*want)
	for i := range a.NumField() {
		if !reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
			names += a.Type().Field(i).Name + " "
		}
	}
	return names
}
