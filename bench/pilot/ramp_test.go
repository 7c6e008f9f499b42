package pilot

import (
	"cmp"
	"slices"
	"strings"
	"testing"
	"time"

	"redline/bench"
)

// bed is a server without chance: each second every slot, or arrival, sends a request that is answered within it, with a first token after ttft of the load; of
// those of a load above limit so many a second are refused with 429.
type bed struct {
	ttft  func(load float64) time.Duration
	limit float64
	// busy tells whether the client is, so long after the level began.
	busy func(since time.Duration) bool
	// late is how late it is then, in ms, and not even that keeps it from sending; 0 where it does not keep up at all. low is the load from which on it is.
	late, low float64
	fails     func(load float64) bool
	// away tells whether there is no target at an instant, which the run knows three seconds later.
	away func(at time.Duration) bool

	ramp     *Ramp
	snapshot *bench.Snapshot
	load     bench.Setpoint
	level    int
	at       time.Duration
	opened   time.Duration
	state    bench.RunState
	events   []bench.Event
	shown    *bench.Ramping
	told     []bench.Event
}

func newBed(t *testing.T, r bench.Ramp, ttft func(float64) time.Duration, promises ...string) *bed {
	t.Helper()
	var all []bench.Threshold
	for _, p := range promises {
		all = append(all, promised(t, p))
	}
	ramp, err := NewRamp(r, all, bench.Prices{})
	if err != nil {
		t.Fatal(err)
	}
	b := &bed{ttft: ttft, ramp: ramp, state: bench.Running, snapshot: &bench.Snapshot{Run: &bench.Run{Thresholds: all}}}
	b.load = bench.Setpoint{Mode: r.Mode, N: 1}
	b.obey(ramp.Begin(0, b.load))
	return b
}

func (b *bed) obey(o Order) {
	b.shown = o.Ramping
	b.told = append(b.told, o.Events...)
	if o.Level {
		b.load = o.Load
		b.open()
	}
}

// open begins a level, which is reached at once.
func (b *bed) open() {
	b.level++
	b.opened = b.at
	b.events = append(b.events, bench.Event{At: b.at, Kind: bench.EventOpen, Level: b.level, To: b.load},
		bench.Event{At: b.at, Kind: bench.EventReach, Level: b.level, To: b.load})
}

func (b *bed) second() {
	batch := &bench.Batch{Start: b.at, Span: time.Second, Active: time.Second, Events: b.events}
	b.events = nil
	n := max(int(b.load.N), 1)
	if b.state != bench.Running {
		n = 0
	}
	for i := range n {
		start := b.at + time.Duration(i)*time.Second/time.Duration(n)
		ttft := b.ttft(b.load.N)
		e := bench.Ended{Request: bench.Request{Level: b.level}, Marks: bench.Marks{Started: bench.MarkAt(start), Ended: bench.MarkAt(start + ttft)}}
		switch {
		case b.away != nil && b.away(start):
			e.Outcome = bench.Refused
		case b.limit > 0 && b.load.N > b.limit && i == 0:
			e.Outcome = bench.RateLimited
		case b.fails != nil && b.fails(b.load.N):
			e.Outcome = bench.ServerError
		default:
			e.Marks.FirstToken, e.Marks.LastToken = e.Marks.Ended, e.Marks.Ended
			batch.FirstTokens = append(batch.FirstTokens, bench.FirstToken{At: start + ttft, Started: start, TTFT: ttft, Level: b.level})
		}
		batch.Ended = append(batch.Ended, e)
	}
	batch.Starts = []bench.Starts{{Level: b.level, Sent: n}}
	batch.Facts.Sent, batch.Facts.InFlight = n, b.load.N
	if b.busy != nil && b.load.N > cmp.Or(b.low, 10) && b.busy(b.at-b.opened) {
		if batch.Health.Strain = bench.Saturated; b.late > 0 {
			batch.Health.Strain, batch.Health.WakeLag = bench.Busy, bench.Some(b.late)
		}
	}
	b.at += time.Second
	b.obey(b.ramp.Second(&Second{Now: b.at, Batches: []*bench.Batch{batch}, Snapshot: b.snapshot, State: b.state, Load: b.load, Level: b.level}))
}

// run goes on until the ramp is over.
func (b *bed) run(t *testing.T) *bench.Ramping {
	t.Helper()
	for range 20000 {
		if b.second(); b.shown.Phase.Over() {
			return b.shown
		}
	}
	t.Fatalf("not over: %+v", b.shown)
	return nil
}

// knee is a first token after 100 ms up to a load, and after 3 s beyond.
func knee(at float64) func(float64) time.Duration {
	return func(load float64) time.Duration {
		if load > at {
			return 3 * time.Second
		}
		return 100 * time.Millisecond
	}
}

func loads(trials []bench.Trial) (out []float64) {
	for _, x := range trials {
		out = append(out, x.Load.N)
	}
	return out
}

func TestARampGoesUpBackAndConfirms(t *testing.T) {
	for _, one := range []struct {
		name  string
		ramp  bench.Ramp
		knee  float64
		phase bench.RampPhase
		found float64
		loads []float64
	}{
		{"doubling, then halving the way back", bench.Ramp{From: 2, Most: 100, By: 2}, 11, bench.RampFound, 11, []float64{2, 4, 8, 16, 12, 10, 11, 11}},
		{"adding", bench.Ramp{From: 2, Most: 100, Rise: bench.RiseAdd, By: 4}, 11, bench.RampFound, 11, []float64{2, 6, 10, 14, 12, 11, 11}},
		{"a list", bench.Ramp{From: 2, Most: 100, Rise: bench.RiseList, Loads: []float64{2, 9, 20}}, 11, bench.RampFound, 11, []float64{2, 9, 20, 14, 11, 12, 11}},
		{"no step is beyond the greatest load", bench.Ramp{From: 2, Most: 7, By: 2}, 50, bench.RampOpen, 7, []float64{2, 4, 7, 7}},
		{"a list that ends", bench.Ramp{From: 2, Most: 100, Rise: bench.RiseList, Loads: []float64{2, 9}}, 50, bench.RampOpen, 9, []float64{2, 9, 9}},
		{"a first load beyond it: what is kept lies below", bench.Ramp{From: 16, Most: 100, By: 2}, 5, bench.RampFound, 5, []float64{16, 8, 4, 6, 5, 5}},
		{"not even one", bench.Ramp{From: 4, Most: 100, By: 2}, 0, bench.RampNone, 0, []float64{4, 2, 1}},
		{"rates are told apart to three percent", bench.Ramp{Mode: bench.Open, From: 10, Most: 100, By: 2}, 33, bench.RampFound, 32.270586, []float64{10, 20, 40, 30, 35, 32.5, 33.75, 33.125, 32.270586}},
		{"from 100 on loads of the closed loop are told apart to two percent", bench.Ramp{From: 100, Most: 1000, By: 2}, 150, bench.RampFound, 150, []float64{100, 200, 150, 175, 162, 156, 153, 150}},
	} {
		b := newBed(t, one.ramp, knee(one.knee), "ttft.p95<=1s")
		r := b.run(t)
		if r.Phase != one.phase || !slices.Equal(loads(r.Trials), one.loads) {
			t.Errorf("%s: %v by way of %v, want %v by way of %v", one.name, r.Phase, loads(r.Trials), one.phase, one.loads)
			continue
		}
		if one.found == 0 {
			if r.Found != nil {
				t.Errorf("%s: found %+v", one.name, r.Found)
			}
			continue
		}
		if f := r.Found; f.Load.N != one.found || f.Level != b.level || b.load != f.Load || f.Rough || (one.phase == bench.RampFound) != (f.AtAbove.OK && f.Bound == b.ramp.promises[0]) {
			t.Errorf("%s: found %+v in level %d, want %g", one.name, f, b.level, one.found)
		}
		if b.told[len(b.told)-1].N != int(one.phase) || !r.Ended.OK || r.Now != (bench.Trial{}) {
			t.Errorf("%s: told %+v, shown %+v", one.name, b.told[len(b.told)-1], r)
		}
	}
}

func TestARampShortensAStepThatWouldOverloadByFar(t *testing.T) {
	// A first token after load² × 2 ms: doubling from 16 leads to 2 s, four times the limit of 500 ms, and from 20 on it is broken anyway.
	square := func(load float64) time.Duration { return time.Duration(load * load * 2 * float64(time.Millisecond)) }
	b := newBed(t, bench.Ramp{From: 2, Most: 1000, By: 4}, square, "ttft.p95<=500ms")
	r := b.run(t)
	if r.Found == nil || r.Found.Load.N != 15 || slices.Max(loads(r.Trials)) > 25 {
		t.Errorf("found %+v by way of %v, want 15, without a load at which the limit is exceeded by far", r.Found, loads(r.Trials))
	}
}

func TestWhatElseStopsARamp(t *testing.T) {
	for _, one := range []struct {
		name   string
		change func(b *bed)
		ramp   bench.Ramp
		why    string
		found  float64
	}{
		{"the server limits requests", func(b *bed) { b.limit = 10 }, bench.Ramp{From: 2, Most: 100, By: 2}, "429", 10},
		{"it may", func(b *bed) { b.limit = 10 }, bench.Ramp{From: 2, Most: 100, By: 2, PastLimits: true}, "", 50},
		{"the client is busy, and stays so", func(b *bed) { b.busy = func(time.Duration) bool { return true } }, bench.Ramp{From: 2, Most: 100, By: 2}, "client busy", 10},
		{"the client keeps up again for a while", func(b *bed) {
			b.busy = func(since time.Duration) bool { return since < 4*time.Second || since > 8*time.Second }
		}, bench.Ramp{From: 2, Most: 100, By: 2}, "client busy twice", 10},
		{"it was something else on the client's machine", func(b *bed) { b.busy = func(since time.Duration) bool { return since < 4*time.Second } },
			bench.Ramp{From: 2, Most: 100, By: 2}, "", 50},
		{"requests fail", func(b *bed) { b.fails = func(load float64) bool { return load > 7 } }, bench.Ramp{From: 2, Most: 100, By: 2}, "", 7},
	} {
		b := newBed(t, one.ramp, knee(50), "ttft.p95<=1s", "errors<=1%")
		one.change(b)
		r := b.run(t)
		if r.Phase != bench.RampFound || r.Found.Load.N != one.found || r.Found.Why != one.why {
			t.Errorf("%s: %v %+v by way of %v, want %g, stopped by %q", one.name, r.Phase, r.Found, loads(r.Trials), one.found, one.why)
		}
	}
}

func TestARampTakesAnOutageForNoLoadsDoing(t *testing.T) {
	for begin := 1; begin < 40; begin++ {
		b := newBed(t, bench.Ramp{From: 2, Most: 100, By: 2}, knee(11), "ttft.p95<=1s", "errors<=1%")
		from := time.Duration(begin)*time.Second - 300*time.Millisecond
		b.away = func(at time.Duration) bool { return at >= from && at < from+9*time.Second }
		for range 2000 {
			if b.second(); b.shown.Phase.Over() {
				break
			}
			switch b.at {
			case time.Duration(begin+2) * time.Second:
				b.state = bench.Down
			case time.Duration(begin+10) * time.Second:
				b.state = bench.Running
				b.open()
			}
		}
		r := b.shown
		if want := []float64{2, 4, 8, 16, 12, 10, 11, 11}; r.Phase != bench.RampFound || r.Found.Load.N != 11 || !slices.Equal(loads(r.Trials), want) {
			t.Errorf("down from %v on: %v %+v by way of %v, want 11 by way of %v", from, r.Phase, r.Found, loads(r.Trials), want)
		}
	}
}

func TestARampThatTheClientStopsAtItsFirstLoadIsLeftThere(t *testing.T) {
	b := newBed(t, bench.Ramp{From: 8, Most: 100, By: 2}, knee(50), "ttft.p95<=1s")
	b.busy, b.low = func(time.Duration) bool { return true }, 0.5
	if r := b.run(t); r.Phase != bench.RampLeft || r.Why != "the client is busy" || !slices.Equal(loads(r.Trials), []float64{8}) {
		t.Errorf("%v, %q by way of %v: want it left at 8, since lower loads find the client as busy", r.Phase, r.Why, loads(r.Trials))
	}
}

func TestLatenessThatTouchesNoPromiseMarksAVerdictAndStopsNothing(t *testing.T) {
	for _, one := range []struct {
		late    float64
		promise string
		least   bool
	}{{26, "ttft.p95<=1s", false}, {49, "ttft.p95<=1s", false}, {26, "ttft.p95<=500ms", true}, {51, "ttft.p95<=1s", true}} {
		b := newBed(t, bench.Ramp{From: 2, Most: 100, By: 2}, knee(20), one.promise)
		b.busy, b.late = func(time.Duration) bool { return true }, one.late
		r := b.run(t)
		if r.Phase != bench.RampFound || r.Found.AtLeast() != one.least {
			t.Errorf("%g ms late at %s: %v %+v", one.late, one.promise, r.Phase, r.Found)
			continue
		}
		if !one.least && (r.Found.Load.N != 20 || r.Found.Lag != bench.Some(one.late) || r.Trials[0].Lag.OK) {
			t.Errorf("%g ms late at %s: found %+v, first trial %+v: want the lateness told where there was one", one.late, one.promise, r.Found, r.Trials[0])
		}
	}
}

func TestARampStandsStillWithTheRunAndTriesAnewInTheLevelThatFollows(t *testing.T) {
	b := newBed(t, bench.Ramp{From: 20, Most: 100, By: 2}, knee(50), "ttft.p95<=1s")
	b.second()
	b.state = bench.Paused
	for range 100 {
		b.second()
	}
	if len(b.shown.Trials) > 0 || b.load.N != 20 || b.shown.Phase != bench.RampRising {
		t.Fatalf("while paused: %+v at %s", b.shown, b.load)
	}
	b.state = bench.Running
	b.open()
	b.second()
	if now := b.shown.Now; now.Level != 2 || now.N > 20 {
		t.Errorf("after the pause: %+v, want a trial that begins anew in level 2", now)
	}
	if r := b.run(t); r.Trials[0].Level != 2 || r.Found.Load.N != 50 {
		t.Errorf("trials %+v", r.Trials)
	}
}

func TestARampIsLeftWhenItsPromisesChange(t *testing.T) {
	b := newBed(t, bench.Ramp{From: 2, Most: 100, By: 2}, knee(50), "ttft.p95<=1s", "rpm<=600")
	b.second()
	b.snapshot = &bench.Snapshot{Run: &bench.Run{Thresholds: []bench.Threshold{promised(t, "ttft.p95<=1s"), promised(t, "rpm<=900")}}}
	if b.second(); b.shown.Phase.Over() {
		t.Fatalf("a quota is no promise: %+v", b.shown)
	}
	b.snapshot = &bench.Snapshot{Run: &bench.Run{Thresholds: []bench.Threshold{promised(t, "ttft.p95<=2s")}}}
	if b.second(); b.shown.Phase != bench.RampLeft || !strings.Contains(b.shown.Why, "promises") {
		t.Errorf("%+v", b.shown)
	}
	if o := b.ramp.End(b.at, "by hand"); o.Ramping.Why != b.shown.Why || len(o.Events) > 0 {
		t.Errorf("what is over was ended again: %+v", o)
	}
}

func TestLevelsOfTheRunAreNotTriedAgain(t *testing.T) {
	level := func(id int, load float64, ttft float32, cause bench.Cause) *bench.Level {
		l := &bench.Level{ID: id, Load: bench.Setpoint{N: load}, Cause: cause, State: bench.Settled, Reached: bench.MarkAt(time.Second), Ended: bench.MarkAt(time.Minute)}
		l.Tally.Sent = 200
		for range 200 {
			l.Sample = append(l.Sample, bench.Sample{TTFT: ttft, E2E: 2 * ttft, TPOT: 10})
		}
		return l
	}
	now, outlived := &bench.Level{ID: 9}, level(3, 8, 100, 0)
	outlived.Unfinished = 50
	for _, one := range []struct {
		name   string
		levels []*bench.Level
		known  int
	}{
		{"none is known", []*bench.Level{now}, 0},
		{"one that is kept, and one that broke", []*bench.Level{level(3, 4, 100, 0), level(4, 16, 3000, 0), now}, 2},
		{"one before a note is of another server", []*bench.Level{level(3, 4, 3000, 0), level(4, 5, 100, bench.CauseNote), now}, 0},
		{"one that most of its requests outlived knows only the short ones", []*bench.Level{outlived, now}, 0},
	} {
		b := newBed(t, bench.Ramp{From: 2, Most: 100, By: 2}, knee(11), "ttft.p95<=1s")
		b.snapshot.Levels = one.levels
		b.level = 8
		b.open()
		r := b.run(t)
		if want := []float64{2, 4, 8, 16, 12, 10, 11, 11}; !slices.Equal(loads(r.Trials), want) || r.Found.Load.N != 11 {
			t.Errorf("%s: found %+v by way of %v", one.name, r.Found, loads(r.Trials))
		}
		known := 0
		for _, x := range r.Trials {
			if x.Level < 9 {
				known++
			}
		}
		if known != one.known {
			t.Errorf("%s: %d of the trials are of levels that were known, want %d", one.name, known, one.known)
		}
	}
}

func TestShownRampsNeverChange(t *testing.T) {
	b := newBed(t, bench.Ramp{From: 2, Most: 100, By: 2}, knee(11), "ttft.p95<=1s")
	for !b.shown.Phase.Over() {
		was, copied := b.shown, *b.shown
		trials := slices.Clone(was.Trials)
		b.second()
		if was.Phase != copied.Phase || was.Requests != copied.Requests || was.Now != copied.Now || !slices.Equal(was.Trials, trials) {
			t.Fatalf("%+v has become %+v", copied, was)
		}
	}
}
