package record

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
	"redline/bench/aggregate"
)

// sick is a disk that fails as it is told. Its files are in memory until they are laid down.
type sick struct {
	mu    sync.Mutex
	files map[string]*sickFile
	// refuse is what every attempt to write, or to make a file, meets; room is how many bytes there are, below 0 for no bound.
	refuse error
	room   int
	// hang is closed when writes go on; nil while they do not hang.
	hang chan struct{}
	// broken makes every write panic.
	broken bool
}

type sickFile struct {
	d    *sick
	path string
	data []byte
}

func newSick() *sick { return &sick{files: map[string]*sickFile{}, room: -1} }

func (d *sick) set(change func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change()
}

func (d *sick) create(path string) (target, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.refuse != nil {
		return nil, d.refuse
	}
	if d.files[path] != nil {
		return nil, fs.ErrExist
	}
	f := &sickFile{d: d, path: path}
	d.files[path] = f
	return f, nil
}

func (d *sick) same(path string, t target) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.files[path] == t
}

func (f *sickFile) Write(b []byte) (int, error) {
	f.d.mu.Lock()
	hang := f.d.hang
	f.d.mu.Unlock()
	if hang != nil {
		<-hang
	}
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if f.d.broken {
		panic("broken")
	}
	if f.d.refuse != nil {
		return 0, f.d.refuse
	}
	n := len(b)
	if f.d.room >= 0 {
		n = min(n, f.d.room)
		f.d.room -= n
	}
	f.data = append(f.data, b[:n]...)
	if n < len(b) {
		return n, &fs.PathError{Op: "write", Path: f.path, Err: syscall.ENOSPC}
	}
	return n, nil
}

func (f *sickFile) cut(to int64) error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if int(to) > len(f.data) {
		return errors.New("cut behind the end")
	}
	f.data = f.data[:to]
	return nil
}

func (f *sickFile) sync() error  { return nil }
func (f *sickFile) Close() error { return nil }

// kept is a run that is being kept, second by second.
type kept struct {
	t     *testing.T
	disk  *sick
	r     *Recorder
	state *aggregate.State
	at    int
	told  []string
	mu    sync.Mutex
	shown []*bench.Snapshot
	jobs  chan func()
}

// outside runs f out of the bubble: what reads files is shared among tests.
func (k *kept) outside(f func()) {
	k.jobs <- f
	// It is taken once f has returned.
	k.jobs <- func() {}
}

// keeping tests a recorder in virtual time.
func keeping(t *testing.T, change func(*Options, *sick), test func(k *kept)) {
	t.Helper()
	jobs := make(chan func())
	defer close(jobs)
	go func() {
		for job := range jobs {
			job()
		}
	}()
	synctest.Test(t, func(t *testing.T) {
		k := &kept{t: t, disk: newSick(), jobs: jobs}
		run := &bench.Run{Host: "gpu-7", Model: "m", Start: time.Now().Round(0)}
		o := Options{Path: "/runs/a", Header: Header{Began: run.Start, Tracks: []TrackHeader{{Run: run}}}, disk: k.disk, Tell: func(text string) {
			k.mu.Lock()
			defer k.mu.Unlock()
			k.told = append(k.told, text)
		}}
		if change != nil {
			change(&o, k.disk)
		}
		k.state = aggregate.NewState(run)
		k.r = Begin(o)
		synctest.Wait()
		test(k)
	})
}

// seconds lets the run go on, with so many requests that end in each second.
func (k *kept) seconds(n, requests int) {
	k.t.Helper()
	track := k.r.Track(0)
	for range n {
		start := time.Duration(k.at) * time.Second
		b := &bench.Batch{Start: start, Span: time.Second, Active: time.Second, Target: bench.InFlight(4)}
		if k.at == 0 {
			b.Events = []bench.Event{{Kind: bench.EventOpen, Level: 1, To: bench.InFlight(4)}, {Kind: bench.EventCommit, Level: 1, To: bench.InFlight(4)}}
		}
		for i := range requests {
			e := ended(uint64(k.at*1000+i), start+time.Duration(i)*time.Millisecond)
			track.Ended(&e)
			e.Gaps = bench.GapList{}
			b.Ended = append(b.Ended, e)
			b.Facts.Ended[e.Outcome]++
		}
		k.state.Fold(b)
		s := *k.state.Snapshot()
		s.Gauges.At = start + time.Second
		track.Seconds([]*bench.Batch{b}, &s)
		k.shown = append(k.shown, &s)
		k.at++
		time.Sleep(time.Second)
		synctest.Wait()
	}
}

// ended is a request that ended at an instant, with some gaps.
func ended(id uint64, at time.Duration) bench.Ended {
	e := bench.Ended{Request: bench.Request{ID: id, Level: 1, Load: bench.InFlight(4), Prompt: bench.Prompt{Text: "what is it?", InputTokens: 9, MaxTokens: 9}}, Status: 200, Finish: "stop", Reply: "it is"}
	e.Marks.Started, e.Marks.Ended = bench.MarkAt(at), bench.MarkAt(at+time.Millisecond)
	e.Marks.FirstToken, e.Marks.LastToken = bench.MarkAt(at+500*time.Microsecond), bench.MarkAt(at+900*time.Microsecond)
	for range 20 {
		e.Gaps.Add(20*time.Microsecond, 1)
	}
	return e
}

func (k *kept) standing(phase Phase, why string) {
	k.t.Helper()
	if s := k.r.Standing(); s.Phase != phase || s.Why != why {
		k.t.Errorf("after %d s it stands %+v; want phase %d, %q", k.at, s, phase, why)
	}
}

// heard are the sentences that were told, which must begin with those.
func (k *kept) heard(want ...string) {
	k.t.Helper()
	k.mu.Lock()
	defer k.mu.Unlock()
	ok := len(want) == len(k.told)
	for i := range want {
		ok = ok && strings.HasPrefix(k.told[i], "recording: "+want[i])
	}
	if !ok {
		k.t.Errorf("after %d s: told %q, want %q", k.at, k.told, want)
	}
}

// opened lays a file down and opens it.
func (k *kept) opened(path string) *File {
	k.t.Helper()
	k.disk.mu.Lock()
	f := k.disk.files[path]
	k.disk.mu.Unlock()
	if f == nil {
		k.t.Fatalf("there is no file %s", path)
	}
	real := filepath.Join(k.t.TempDir(), "run")
	if err := os.WriteFile(real, f.data, 0o600); err != nil {
		k.t.Fatal(err)
	}
	var out *File
	var err error
	k.outside(func() { out, err = Open(real) })
	if err != nil {
		k.t.Fatalf("%d bytes: %v", len(f.data), err)
	}
	k.t.Cleanup(func() { _ = out.Close() })
	return out
}

// final holds the end of a file against the end of the run.
func (k *kept) final(f *File) {
	k.t.Helper()
	var got *bench.Snapshot
	var err error
	if k.outside(func() { got, err = f.Final() }); err != nil {
		k.t.Fatal(err)
	}
	want := k.shown[len(k.shown)-1]
	if got.Folded != want.Folded || got.Total.Tally != want.Total.Tally || got.Gauges.At != want.Gauges.At {
		k.t.Errorf("the file ends with %v and %+v; want %v and %+v", got.Folded, got.Total.Tally, want.Folded, want.Total.Tally)
	}
}

func TestARunIsKeptWhole(t *testing.T) {
	keeping(t, func(o *Options, _ *sick) { o.Header.Texts = true }, func(k *kept) {
		k.standing(Recording, "")
		k.seconds(150, 5)
		k.standing(Recording, "")
		f := k.opened("/runs/a")
		if f.Complete || f.Length < 149*time.Second {
			t.Errorf("while it is written: complete %v, %v long", f.Complete, f.Length)
		}
		if err := k.r.Close(); err != nil {
			t.Error(err)
		}
		k.standing(Saved, "")
		k.heard()
		f = k.opened("/runs/a")
		if !f.Complete || f.Length != 150*time.Second || len(f.Damage) > 0 {
			t.Errorf("complete %v, %v long, damage %v", f.Complete, f.Length, f.Damage)
		}
		k.final(f)
		n := 0
		var err error
		k.outside(func() {
			err = f.Requests(0, func(e *bench.Ended) bool {
				gaps := 0
				for range e.Gaps.All() {
					gaps++
				}
				if n++; e.Prompt.Text != "what is it?" || e.Reply != "it is" || gaps != 20 {
					t.Errorf("a request: %+v", e)
					return false
				}
				return true
			})
		})
		if n != 750 || err != nil {
			t.Errorf("%d requests, %v", n, err)
		}
	})
}

func TestADiskThatFailsHealsWithWhatWasLostNamed(t *testing.T) {
	for _, row := range []struct {
		sentence string
		fail     func(*sick)
		heal     func(*sick)
		why      string
	}{
		{"full", func(d *sick) { d.room = 10 }, func(d *sick) { d.room = -1 }, whyFull},
		{"read-only", func(d *sick) { d.refuse = syscall.EROFS }, func(d *sick) { d.refuse = nil }, whyRead},
		{"one that forbids", func(d *sick) { d.refuse = fs.ErrPermission }, func(d *sick) { d.refuse = nil }, whyDenied},
		{"one with a quota", func(d *sick) { d.refuse = syscall.EDQUOT }, func(d *sick) { d.refuse = nil }, whyQuota},
		{"one that is bad", func(d *sick) { d.refuse = syscall.EIO }, func(d *sick) { d.refuse = nil }, whyDisk},
	} {
		keeping(t, nil, func(k *kept) {
			k.seconds(10, 3)
			k.disk.set(func() { row.fail(k.disk) })
			k.seconds(30, 3)
			k.standing(Failing, row.why)
			k.heard(row.why + ", the run is not kept")
			if f := k.opened("/runs/a"); f.Length < 9*time.Second || f.Length > 11*time.Second {
				t.Errorf("%s: the file has %v of it meanwhile", row.sentence, f.Length)
			}
			k.disk.set(func() { row.heal(k.disk) })
			k.seconds(15, 3)
			k.standing(Recording, "")
			k.heard(row.why+", the run is not kept", "the run is kept again; from 10s to ")
			k.seconds(20, 3)
			if err := k.r.Close(); err != nil {
				t.Errorf("%s: %v", row.sentence, err)
			}
			if lost := k.r.Standing().Lost; lost < 30*time.Second || lost > 42*time.Second {
				t.Errorf("%s: %v are lost", row.sentence, lost)
			}
			f := k.opened("/runs/a")
			n := 0
			k.outside(func() { _ = f.Requests(0, func(*bench.Ended) bool { n++; return true }) })
			if all := f.Lost(); len(all) != 1 || all[0].To-all[0].From != k.r.Standing().Lost || all[0].Requests+n != f.Ended || f.Ended != 75*3 || !strings.Contains(f.Missing(), "could not be written, from 10s to ") {
				t.Errorf("%s: %d of %d requests are in the file, and %+v is lost: %s", row.sentence, n, f.Ended, all, f.Missing())
			}
			if !f.Complete || f.Length != 75*time.Second {
				t.Errorf("%s: complete %v, %v long, damage %v", row.sentence, f.Complete, f.Length, f.Damage)
			}
			k.final(f)
		})
	}
}

func TestAFileThatCannotBeMadeIsMadeLater(t *testing.T) {
	keeping(t, func(_ *Options, d *sick) { d.refuse = fs.ErrPermission }, func(k *kept) {
		k.standing(Failing, whyDenied)
		k.seconds(25, 2)
		k.disk.set(func() { k.disk.refuse = nil })
		k.seconds(15, 2)
		k.standing(Recording, "")
		k.heard(whyDenied+", the run is not kept", "the run is kept again; from 0s to ")
		if err := k.r.Close(); err != nil {
			t.Error(err)
		}
		k.final(k.opened("/runs/a"))
	})
}

func TestAFileThatIsTakenAwayIsMadeAnew(t *testing.T) {
	keeping(t, nil, func(k *kept) {
		k.seconds(15, 2)
		k.disk.set(func() { delete(k.disk.files, "/runs/a") })
		k.seconds(30, 2)
		k.standing(Recording, "")
		if lost := k.r.Standing().Lost; lost < 15*time.Second || lost > 45*time.Second {
			t.Errorf("%v of 45 s are lost, want what is not in the new file", lost)
		}
		k.heard(whyGone+", the run is not kept", "the run is kept again; from 0s to ")
		if err := k.r.Close(); err != nil {
			t.Error(err)
		}
		k.final(k.opened("/runs/a"))
	})
}

func TestASlowDiskHoldsNothingUp(t *testing.T) {
	keeping(t, nil, func(k *kept) {
		k.seconds(5, 3)
		hang := make(chan struct{})
		k.disk.set(func() { k.disk.hang = hang })
		began := time.Now()
		k.seconds(180, 3)
		if took := time.Since(began); took != 180*time.Second {
			t.Errorf("180 s took %v", took)
		}
		k.standing(Failing, whySlow)
		k.heard(whySlow + ", the run is not kept")
		k.disk.set(func() { k.disk.hang = nil })
		close(hang)
		k.seconds(5, 3)
		k.standing(Recording, "")
		k.heard(whySlow+", the run is not kept", "the run is kept again")
		if err := k.r.Close(); err != nil {
			t.Error(err)
		}
		// What had room while the disk hung is not lost.
		if s := k.r.Standing(); s.Lost != 0 {
			t.Errorf("%v are lost", s.Lost)
		}
		f := k.opened("/runs/a")
		if !f.Complete || f.Length != 190*time.Second {
			t.Errorf("complete %v, %v long", f.Complete, f.Length)
		}
		k.final(f)
	})
}

func TestWhatADiskDoesNotTakeIsBounded(t *testing.T) {
	keeping(t, nil, func(k *kept) {
		k.seconds(2, 1)
		hang := make(chan struct{})
		k.disk.set(func() { k.disk.hang = hang })
		k.seconds(1, 1)
		k.r.press.mu.Lock()
		k.r.press.boxed += boxedBytes // as if there were that much
		k.r.press.mu.Unlock()
		k.seconds(20, 1)
		k.standing(Failing, whySlow)
		if n := len(k.r.press.box); n > 3 {
			t.Errorf("%d chunks wait", n)
		}
		k.r.press.mu.Lock()
		k.r.press.boxed -= boxedBytes
		k.r.press.mu.Unlock()
		k.disk.set(func() { k.disk.hang = nil })
		close(hang)
		k.seconds(15, 1)
		k.standing(Recording, "")
		k.heard(whySlow+", the run is not kept", "the run is kept again; from ")
		if err := k.r.Close(); err != nil {
			t.Error(err)
		}
		k.final(k.opened("/runs/a"))
	})
}

func TestADiskThatHangsDoesNotHoldUpTheEnd(t *testing.T) {
	keeping(t, nil, func(k *kept) {
		k.seconds(5, 3)
		hang := make(chan struct{})
		k.disk.set(func() { k.disk.hang = hang })
		k.seconds(2, 3)
		began := time.Now()
		err := k.r.Close()
		if took := time.Since(began); err == nil || took > patience || !strings.Contains(err.Error(), "may lack its end") {
			t.Errorf("closed after %v: %v", took, err)
		}
		k.standing(Failing, whySlow)
		close(hang)
		time.Sleep(time.Minute)
	})
}

func TestAFailingDiskIsTriedOnceMoreAtTheEnd(t *testing.T) {
	for _, heals := range []bool{true, false} {
		keeping(t, nil, func(k *kept) {
			k.seconds(5, 3)
			k.disk.set(func() { k.disk.refuse = syscall.ENOSPC })
			k.seconds(2, 3)
			k.disk.set(func() {
				if heals {
					k.disk.refuse = nil
				}
			})
			began := time.Now()
			err := k.r.Close()
			if took := time.Since(began); took > 2*time.Second || (err == nil) != heals {
				t.Errorf("heals %v: closed after %v: %v", heals, took, err)
			}
			if f := k.opened("/runs/a"); f.Complete != heals || f.Length < 4*time.Second {
				t.Errorf("heals %v: complete %v, %v long", heals, f.Complete, f.Length)
			}
		})
	}
}

func TestAPanicEndsTheRecordingAndNothingElse(t *testing.T) {
	var traces []string
	trace := func(o *Options, _ *sick) {
		o.Panic = func(reason any, stack []byte) { traces = append(traces, fmt.Sprintf("%v\n%s", reason, stack)) }
	}
	keeping(t, trace, func(k *kept) {
		k.seconds(3, 1)
		k.disk.set(func() { k.disk.broken = true })
		k.seconds(5, 1)
		if len(traces) != 1 || !strings.HasPrefix(traces[0], "broken\n") || !strings.Contains(traces[0], "recorder_test.go:") {
			t.Errorf("told of %q: want what broke, and where, once", traces)
		}
		k.standing(Failing, whyBroken)
		k.heard(whyBroken + ", the run is kept no further")
		if err := k.r.Close(); err == nil {
			t.Error("closed as if it were whole")
		}
	})
	keeping(t, nil, func(k *kept) {
		k.seconds(3, 1)
		// A target that is none.
		k.r.Track(7).Seconds([]*bench.Batch{{Span: time.Second}}, &bench.Snapshot{})
		k.seconds(5, 1)
		k.standing(Failing, whyBroken)
		if err := k.r.Close(); err == nil {
			t.Error("closed as if it were whole")
		}
	})
}

func TestAFileNearItsBoundHasLessAndLess(t *testing.T) {
	keeping(t, func(o *Options, _ *sick) { o.Most = 60 << 10 }, func(k *kept) {
		k.seconds(1800, 10)
		k.heard("the file is half as large as it may be", "the file is as large as it may be")
		if s := k.r.Standing(); s.Phase != Recording || s.Short != whySparse || s.Bytes > 100<<10 {
			t.Errorf("it stands %+v", s)
		}
		if err := k.r.Close(); err != nil {
			t.Error(err)
		}
		f := k.opened("/runs/a")
		if !f.Complete || f.Length < 1200*time.Second {
			t.Errorf("complete %v, %v long", f.Complete, f.Length)
		}
	})
}

func TestWhatHasNoRoomInMemoryEndsTheRecording(t *testing.T) {
	keeping(t, nil, func(k *kept) {
		k.seconds(2, 1)
		b := &bench.Batch{Start: 2 * time.Second, Span: time.Second, Ended: make([]bench.Ended, handedBytes/500)}
		k.r.Track(0).Seconds([]*bench.Batch{b}, &bench.Snapshot{})
		k.seconds(2, 1)
		k.standing(Failing, whyBusy)
		_ = k.r.Close()
		if f := k.opened("/runs/a"); f.Length != 2*time.Second {
			t.Errorf("%v long", f.Length)
		}
	})
}
