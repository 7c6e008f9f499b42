package replay

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/pilot/plant"
	"redline/bench/record"
	"redline/bench/sim/model"
)

// taped is a run of some seconds in a file, with the snapshots as they were shown: at 8 in flight, from a third on at 16, from two thirds on at 12 and with failures.
type taped struct {
	path     string
	recorder *record.Recorder
	plant    *plant.Plant
	shown    []*bench.Snapshot
}

func planted(t *testing.T, seconds int) *taped {
	t.Helper()
	p, err := plant.New(plant.Options{Model: model.Preset(0).Params(), Seed: 7, Load: bench.InFlight(8), Folds: true})
	if err != nil {
		t.Fatal(err)
	}
	out := &taped{path: filepath.Join(t.TempDir(), "run"), plant: p}
	run := *p.Snapshot().Run
	run.Model = "planted"
	out.recorder, err = record.Create(out.path, record.Header{Schema: record.Schema, Began: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Tracks: []record.TrackHeader{{Run: &run}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range seconds {
		switch i {
		case seconds / 3:
			p.Set(bench.InFlight(16), bench.CauseLoad)
		case 2 * seconds / 3:
			p.Set(bench.InFlight(12), bench.CauseLoad)
			p.Fail(0.2)
		}
		out.second()
	}
	return out
}

// second records one more.
func (r *taped) second() {
	b := r.plant.Second()
	s := r.plant.Snapshot()
	r.shown = append(r.shown, s)
	r.recorder.Track(0).Seconds([]*bench.Batch{b}, s)
}

// end ends the recording.
func (r *taped) end(t *testing.T) {
	t.Helper()
	if err := r.recorder.Close(); err != nil {
		t.Fatal(err)
	}
}

// stepped is a deck whose time is the test's, and which is where it is told to be when a call returns.
type stepped struct {
	*Deck
	at time.Time
}

// pass lets time go by.
func (d *stepped) pass(span time.Duration) {
	for ; span > 0; span -= beat {
		d.at = d.at.Add(min(span, beat))
		d.turn()
	}
}

// played runs a test against a deck with the file in it.
func played(t *testing.T, path string, o Options, test func(t *testing.T, d *stepped)) {
	t.Helper()
	f, err := record.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	d := &stepped{at: time.Now()}
	d.Deck = newDeck(f, o, func() time.Time { return d.at })
	defer d.tape.close()
	test(t, d)
}

// asShown fails when a snapshot is not the one that was shown live.
func asShown(t *testing.T, got, want *bench.Snapshot, what string) {
	t.Helper()
	one := *got
	one.Run = want.Run
	if reflect.DeepEqual(&one, want) {
		return
	}
	a, b := reflect.ValueOf(one), reflect.ValueOf(*want)
	for i := range a.NumField() {
		if !reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
			t.Errorf("%s: %s: %.300v\nwant %.300v", what, a.Type().Field(i).Name, a.Field(i).Interface(), b.Field(i).Interface())
		}
	}
}

func TestEverySecondIsShownAsItWas(t *testing.T) {
	r := planted(t, 90)
	r.end(t)
	played(t, r.path, Options{Speed: 1}, func(t *testing.T, d *stepped) {
		d.pass(50 * time.Millisecond)
		for i := range 89 {
			d.pass(time.Second)
			got := *d.Snapshot()
			if ago := got.At - got.Folded; ago < 0 || ago >= 1100*time.Millisecond {
				t.Fatalf("second %d: at %s, folded to %s", i, got.At, got.Folded)
			}
			got.At = got.Folded
			asShown(t, &got, r.shown[i], got.Folded.String())
		}
	})
}

func TestASeekShowsWhatWasShownThenFromWhereverItComes(t *testing.T) {
	r := planted(t, 150)
	r.end(t)
	played(t, r.path, Options{Paused: true, Speed: 1}, func(t *testing.T, d *stepped) {
		rng := rand.New(rand.NewPCG(3, 4))
		for range 60 {
			i := rng.IntN(150)
			d.Seek(time.Duration(i+1) * time.Second)
			d.turn()
			asShown(t, d.Snapshot(), r.shown[i], "second")
			if p := d.Playback(); p.Seeking || p.At != time.Duration(i+1)*time.Second || p.Playing {
				t.Fatalf("%+v", p)
			}
		}
	})
}

func TestALeapThatIsAskedForBeforeTheEventsAreKnownIsDone(t *testing.T) {
	r := planted(t, 60)
	r.end(t)
	played(t, r.path, Options{Paused: true, Speed: 1}, func(t *testing.T, d *stepped) {
		d.Leap(+1)
		d.pass(300 * time.Millisecond)
		if p := d.Playback(); p.At == 0 || p.Said != "" {
			t.Errorf("at %s, said %q", p.At, p.Said)
		}
	})
}

func TestTimeGoesOnAtTheSpeedThatIsAskedFor(t *testing.T) {
	r := planted(t, 40)
	r.end(t)
	near := func(t *testing.T, d *stepped, want time.Duration) {
		t.Helper()
		if at := d.Playback().At; at > want || want-at > 1100*time.Millisecond {
			t.Errorf("at %s, want %s", at, want)
		}
		if s := d.Snapshot(); s.At < s.Folded || s.At < d.Playback().At {
			t.Errorf("the run is at %s, its clock at %s", d.Playback().At, s.At)
		}
	}
	played(t, r.path, Options{Speed: 1}, func(t *testing.T, d *stepped) {
		d.pass(5 * time.Second)
		near(t, d, 5*time.Second)
		d.SetSpeed(10)
		d.pass(time.Second)
		near(t, d, 15*time.Second)
		d.Play(false)
		d.pass(time.Minute)
		near(t, d, 15*time.Second)
		d.Play(true)
		d.SetSpeed(1)
		d.pass(2 * time.Second)
		near(t, d, 17*time.Second)
		d.SetSpeed(bench.AtOnce)
		d.turn()
		if p := d.Playback(); p.At != 40*time.Second || d.Snapshot().Folded != 40*time.Second || p.Playing {
			t.Errorf("at once: %+v", p)
		}
		// At the end it begins anew, at a speed at which there is something to see.
		d.Play(true)
		d.pass(3 * time.Second)
		near(t, d, 3*time.Second)
	})
}

// TestTheClockMovesOnSmoothlyBetweenSeconds, so that ages and deadlines live as they did.
func TestTheClockMovesOnSmoothlyBetweenSeconds(t *testing.T) {
	r := planted(t, 10)
	r.end(t)
	played(t, r.path, Options{Speed: 1}, func(t *testing.T, d *stepped) {
		was := d.Snapshot().At
		moves := 0
		for range 80 {
			d.pass(100 * time.Millisecond)
			now := d.Snapshot().At
			if now < was || now-was > 250*time.Millisecond {
				t.Fatalf("from %s to %s", was, now)
			}
			if now > was {
				moves++
			}
			was = now
		}
		if moves < 70 {
			t.Errorf("%d moves in 8 s", moves)
		}
	})
}

func TestTheNewestRequestWins(t *testing.T) {
	r := planted(t, 60)
	r.end(t)
	played(t, r.path, Options{Paused: true, Speed: 1}, func(t *testing.T, d *stepped) {
		for i := range 200 {
			d.Seek(time.Duration(i*7919%60) * time.Second)
		}
		d.Seek(21 * time.Second)
		d.turn()
		if s := d.Snapshot(); s.Folded != 21*time.Second {
			t.Errorf("at %s", s.Folded)
		}
		// Leaps add up, whether or not the one before has been reached.
		for range 3 {
			d.Skip(5 * time.Second)
		}
		d.Skip(-time.Second)
		d.turn()
		if at := d.Playback().At; at != 35*time.Second {
			t.Errorf("three leaps of 5 s and one back lead to %s", at)
		}
		for at, want := range map[time.Duration]time.Duration{-time.Hour: 0, time.Hour: 60 * time.Second} {
			d.Seek(at)
			d.turn()
			if got := d.Playback().At; got != want {
				t.Errorf("%s leads to %s", at, got)
			}
		}
	})
}

func TestEventsAreGoneToAndSeen(t *testing.T) {
	r := planted(t, 90)
	r.end(t)
	played(t, r.path, Options{Paused: true, Speed: 1}, func(t *testing.T, d *stepped) {
		d.pass(time.Second)
		marks := d.Playback().Landmarks
		failures := 0
		for _, e := range marks {
			if e.Kind == bench.EventFailure {
				failures++
			}
			if e.Text != "" {
				t.Errorf("a landmark has a text: %+v", e)
			}
		}
		if failures == 0 {
			t.Fatalf("no failure among %+v", marks)
		}
		seen := 0
		for range len(marks) + 2 {
			was := d.Playback().At
			d.Leap(+1)
			d.turn()
			s, p := d.Snapshot(), d.Playback()
			if p.At == was {
				if p.Said != "no event after this instant" {
					t.Errorf("at the end it says %q", p.Said)
				}
				break
			}
			seen++
			last := false
			for i := range s.Events {
				last = last || s.Events[i].Landmark() && s.Events[i].At > was-time.Second && s.Events[i].At <= s.Folded
			}
			if !last {
				t.Errorf("at %s no landmark is seen", p.At)
			}
		}
		back := 0
		for range len(marks) + 2 {
			was := d.Playback().At
			d.Leap(-1)
			d.turn()
			if d.Playback().At == was {
				break
			}
			back++
		}
		if seen < 2 || back != seen && back != seen-1 {
			t.Errorf("%d events on the way there, %d back", seen, back)
		}
	})
}

func TestWhatDrivesIsRefusedInWords(t *testing.T) {
	r := planted(t, 20)
	r.end(t)
	played(t, r.path, Options{Paused: true, Speed: 1, At: 5 * time.Second}, func(t *testing.T, d *stepped) {
		before, words := d.Snapshot(), d.Playback().Words
		for _, c := range []bench.Command{bench.Add{N: 4}, bench.Set{N: 9}, bench.Cancel{}, bench.Drain{}, bench.Clear{}, bench.Locked{Command: bench.Add{N: 1}}, bench.Promise{}} {
			d.Post(c)
			d.turn()
			if p := d.Playback(); p.Words != words+1 || !strings.Contains(p.Said, "recording") {
				t.Errorf("%#v: %q", c, p.Said)
			}
			words = d.Playback().Words
		}
		for _, c := range []bench.Command{bench.Touch{}, bench.Stop{}, bench.Kill{}} {
			d.Post(c)
		}
		d.turn()
		if d.Playback().Words != words || d.Snapshot().Folded != before.Folded {
			t.Error("what a screen posts by itself is answered")
		}
		d.Post(bench.Toggle{})
		d.pass(2 * time.Second)
		if at := d.Playback().At; at < 6*time.Second {
			t.Errorf("it does not play: %s", at)
		}
		select {
		case <-d.Done():
		default:
			t.Error("a recorded run is not over")
		}
	})
}

func TestARunThatIsStillWrittenIsFollowed(t *testing.T) {
	r := planted(t, 40)
	r.end(t)
	data, err := os.ReadFile(r.path)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "growing")
	if err := os.WriteFile(path, data[:len(data)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	played(t, path, Options{Speed: bench.AtOnce}, func(t *testing.T, d *stepped) {
		was := d.Playback().Length
		const parts = 12
		rest := data[len(data)/2:]
		for i := range parts - 1 {
			if _, err := out.Write(rest[len(rest)*i/parts : len(rest)*(i+1)/parts]); err != nil {
				t.Fatal(err)
			}
			d.pass(time.Second)
			d.Play(true)
			d.pass(beat)
			if p := d.Playback(); p.Length < was || !p.Growing || p.Cut || p.At != p.Length {
				t.Fatalf("with %d more parts: %+v", i+1, p)
			}
			was = d.Playback().Length
		}
		d.Annotate(time.Second, "too early")
		d.turn()
		if p := d.Playback(); !strings.HasPrefix(p.Said, "not noted: ") || len(d.tape.notes) > 0 {
			t.Errorf("a note is answered by %q", p.Said)
		}
		// Whoever writes may be gone for good.
		d.pass(10 * time.Second)
		if p := d.Playback(); p.Growing || !p.Cut || p.Playing {
			t.Errorf("after a while without news: %+v", p)
		}
		if _, err := out.Write(rest[len(rest)*(parts-1)/parts:]); err != nil {
			t.Fatal(err)
		}
		d.pass(10 * time.Second)
		d.Seek(time.Hour)
		d.turn()
		if p := d.Playback(); p.Growing || p.Cut || p.Playing || p.At != 40*time.Second {
			t.Errorf("at its end: %+v", p)
		}
		asShown(t, d.Snapshot(), r.shown[39], "the last second")
	})
}

func TestADamagedRunSaysWhereAndGoesOn(t *testing.T) {
	r := planted(t, 200)
	r.end(t)
	data, err := os.ReadFile(r.path)
	if err != nil {
		t.Fatal(err)
	}
	at := len(data) * 2 / 5
	for i := range 300 {
		data[at+i] ^= 0x5a
	}
	if err := os.WriteFile(r.path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	played(t, r.path, Options{Speed: 10}, func(t *testing.T, d *stepped) {
		was := time.Duration(0)
		for range 210 {
			d.pass(100 * time.Millisecond)
			s := d.Snapshot()
			if s.Folded < was {
				t.Fatalf("from %s back to %s", was, s.Folded)
			}
			was = s.Folded
		}
		p := d.Playback()
		if !strings.Contains(p.Damage, "at byte ") {
			t.Errorf("the damage is told as %q", p.Damage)
		}
		if p.At != 200*time.Second || p.Playing {
			t.Errorf("it does not come to its end: %+v", p)
		}
	})
}

func TestANoteIsAddedToTheFileAndBeginsNoLevel(t *testing.T) {
	r := planted(t, 60)
	r.end(t)
	played(t, r.path, Options{Paused: true, Speed: 1, At: 30 * time.Second}, func(t *testing.T, d *stepped) {
		d.pass(time.Second)
		levels, marks := len(d.Snapshot().Levels), len(d.Playback().Landmarks)
		d.Annotate(25*time.Second, "the cache was cold")
		d.Post(bench.Note{Text: "and here it was warm"})
		d.turn()
		s, p := d.Snapshot(), d.Playback()
		if len(s.Levels) != levels || len(p.Landmarks) != marks+2 || p.Said != "noted at 00:30 in the recording" {
			t.Errorf("%d levels, was %d; %d landmarks, was %d; it says %q", len(s.Levels), levels, len(p.Landmarks), marks, p.Said)
		}
		notes := func() (out []string) {
			for _, e := range d.Snapshot().Events {
				if e.Kind == bench.EventAnnotation {
					out = append(out, e.At.String()+" "+e.Text)
				}
			}
			return out
		}
		if got := strings.Join(notes(), ", "); got != "25s the cache was cold, 30s and here it was warm" {
			t.Errorf("shown are %q", got)
		}
		d.Seek(26 * time.Second)
		d.turn()
		if got := notes(); len(got) != 1 {
			t.Errorf("before the second note there are %q", got)
		}
		// They are gone to like any event.
		d.Leap(+1)
		d.turn()
		if at := d.Playback().At; at != 30*time.Second {
			t.Errorf("the next event is at %s", at)
		}
	})
	f, err := record.Open(r.path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if len(f.Notes) != 2 || f.Notes[0].Text != "the cache was cold" || !f.Complete {
		t.Errorf("the file has %+v", f.Notes)
	}
}

func TestRequestsAreThoseOfThePosition(t *testing.T) {
	r := planted(t, 60)
	r.end(t)
	played(t, r.path, Options{Paused: true, Speed: 1, At: 30 * time.Second}, func(t *testing.T, d *stepped) {
		for _, at := range []time.Duration{40 * time.Second, 20 * time.Second} {
			d.Seek(at)
			d.Journal(false)
			d.turn()
			j := d.Journal(false)
			if j.At != at || len(j.Ended) == 0 {
				t.Fatalf("at %s: %d requests of %s", at, len(j.Ended), j.At)
			}
			for _, e := range j.Ended {
				if e.Marks.Ended.At > at {
					t.Errorf("at %s one has ended at %s", at, e.Marks.Ended.At)
				}
			}
		}
	})
}

// TestManyMayAskAtOnce: all but Run may be called from anywhere, and what is handed out is whole.
func TestManyMayAskAtOnce(t *testing.T) {
	r := planted(t, 80)
	r.end(t)
	f, err := record.Open(r.path)
	if err != nil {
		t.Fatal(err)
	}
	d := New(f, Options{Speed: 10})
	ctx, stop := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go func() { ran <- d.Run(ctx) }()
	var asking sync.WaitGroup
	for k := range 4 {
		asking.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(k), 1))
			for range 200 {
				switch rng.IntN(7) {
				case 0:
					d.Seek(time.Duration(rng.IntN(90)) * time.Second)
				case 1:
					d.Skip(time.Duration(rng.IntN(20)-10) * time.Second)
				case 2:
					d.Leap(rng.IntN(2)*2 - 1)
				case 3:
					d.Play(rng.IntN(2) == 0)
				case 4:
					d.SetSpeed(bench.Tempos[rng.IntN(3)])
				case 5:
					d.Post(bench.Add{N: 1})
				}
				if s := d.Snapshot(); s == nil || s.Run == nil || s.Folded > 80*time.Second {
					t.Errorf("%+v", s)
				}
				if p, j := d.Playback(), d.Journal(true); p == nil || j == nil || p.At < 0 || p.At > p.Length {
					t.Errorf("%+v, %v", p, j)
				}
			}
		})
	}
	asking.Wait()
	stop()
	if err := <-ran; err != nil {
		t.Error(err)
	}
}
