package engine

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
	"redline/bench/pilot"
)

// plan is a pilot that does what it was told, second by second, and keeps what it hears.
type plan struct {
	first pilot.Order
	// then are the orders of the seconds in which the run sends; after them the load stays.
	mu      sync.Mutex
	then    []pilot.Order
	seconds []pilot.Second
	ended   []string
	load    bench.Setpoint
}

func (p *plan) Begin(_ time.Duration, load bench.Setpoint) pilot.Order {
	if p.load = load; p.first.Level {
		p.load = p.first.Load
	}
	return pilot.Order{Load: p.load, Level: p.first.Level, Ramping: &bench.Ramping{Why: "begun"}}
}

func (p *plan) Second(s *pilot.Second) pilot.Order {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seconds = append(p.seconds, *s)
	o := pilot.Order{Load: p.load}
	if s.Sending() && len(p.then) > 0 {
		o, p.then = p.then[0], p.then[1:]
		p.load = o.Load
	}
	return o
}

// goOn gives orders for the seconds to come.
func (p *plan) goOn(orders ...pilot.Order) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.then = orders
}

func (p *plan) End(_ time.Duration, why string) pilot.Order {
	p.ended = append(p.ended, why)
	return pilot.Order{Ramping: &bench.Ramping{Why: why}, Events: []bench.Event{{Kind: bench.EventRamp, N: int(bench.RampLeft), Text: why}}}
}

func at(n int) pilot.Order    { return pilot.Order{Load: bench.InFlight(n), Level: true} }
func small(n int) pilot.Order { return pilot.Order{Load: bench.InFlight(n)} }

// fly gives the load to a pilot.
func (r *run) fly(p pilot.Pilot) {
	r.mail.post(&pilotage{pilot: p, cause: bench.CauseRamp, name: "ramp"})
	synctest.Wait()
}

func TestAPilotIsToldOfEverySecondAndSetsTheLoad(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4)}, func(t *testing.T, r *run) {
		r.after(5200 * time.Millisecond)
		p := &plan{first: at(2), then: []pilot.Order{at(2), at(12), small(13), at(13), {Load: bench.InFlight(6), Level: true, Over: true}, at(9)}}
		r.fly(p)
		r.wantLoad(bench.InFlight(2))
		r.after(6 * time.Second)
		r.wantLoad(bench.InFlight(6))
		if len(p.seconds) != 5 || len(p.ended) != 0 {
			t.Fatalf("%d seconds told and ends %v, want five, and no end: it was over by itself", len(p.seconds), p.ended)
		}
		var levels []int
		for i, s := range p.seconds {
			if len(s.Batches) != 1 || s.Batches[0].Start != time.Duration(5+i)*time.Second || s.Snapshot.Folded != s.Batches[0].Start+time.Second || s.Now < s.Snapshot.Folded {
				t.Errorf("second %d: told at %v of %d batches up to %v", i, s.Now, len(s.Batches), s.Snapshot.Folded)
			}
			levels = append(levels, s.Level)
		}
		if want := []int{2, 3, 4, 5, 6}; !slices.Equal(levels, want) {
			t.Errorf("levels %v, want %v: each order began its own", levels, want)
		}
		if got, want := r.loads(), []string{"4", "2", "2", "12", "13", "13", "6"}; !slices.Equal(got, want) {
			t.Errorf("levels at %v, want %v", got, want)
		}
		if r.count(bench.EventAsk) != 0 {
			t.Error("a rise of the pilot was asked for")
		}
		for _, l := range r.Snapshot().Levels[1:] {
			if l.Cause != bench.CauseRamp || !l.Committed.OK || l.Committed.At != l.Begin {
				t.Errorf("level %d: cause %v, begun at %v, committed %+v: want it committed at once", l.ID, l.Cause, l.Begin, l.Committed)
			}
		}
		r.post(bench.Undo{}, bench.Undo{})
		r.wantLoad(bench.InFlight(12))
	})
}

func TestAnythingElseThatSetsTheLoadEndsThePilotAtOnce(t *testing.T) {
	for _, one := range []struct {
		name    string
		command bench.Command
		why     string
		load    bench.Setpoint
	}{
		{"a step up", bench.Add{N: 1}, byHand, bench.InFlight(9)},
		{"a step down", bench.Add{N: -1}, byHand, bench.InFlight(7)},
		{"a rise that is asked for: the load stays meanwhile", bench.Set{N: 100}, byHand, bench.InFlight(8)},
		{"the load as it is", bench.Set{N: 8}, byHand, bench.InFlight(8)},
		{"back in the history, to the load before the pilot's", bench.Undo{}, byHand, bench.InFlight(4)},
		{"the emergency stop", bench.Cancel{}, byHand, bench.InFlight(0)},
		{"a profile", bench.Follow{Profile: profile(t, "3:1m", bench.Closed)}, "a profile took over", bench.InFlight(3)},
		{"giving the load back", bench.Seek{}, "ended by hand", bench.InFlight(8)},
		{"another workload", bench.NextWork{}, "another workload is in force", bench.InFlight(8)},
		{"the end of the run", bench.Stop{Why: "enough"}, "the run ends", bench.InFlight(8)},
	} {
		inBubble(t, Options{Load: bench.InFlight(4), Run: bench.Run{Works: make([]bench.Workload, 2)}}, func(t *testing.T, r *run) {
			r.after(3 * time.Second)
			p := &plan{first: at(8)}
			r.fly(p)
			r.after(5 * time.Second)
			told := len(p.seconds)
			r.post(one.command)
			r.wantLoad(one.load)
			s := r.Snapshot()
			if !slices.Equal(p.ended, []string{one.why}) || s.Ramping == nil || s.Ramping.Why != one.why || r.count(bench.EventRamp) != 1 {
				t.Errorf("%s: ended by %q, shown %+v, want %q, told once", one.name, p.ended, s.Ramping, one.why)
			}
			if r.after(5 * time.Second); len(p.seconds) != told {
				t.Errorf("%s: it was told of %d seconds more", one.name, len(p.seconds)-told)
			}
		})
	}
}

func TestAPilotTakesTheLoadFromAProfileWhichCanGetItBack(t *testing.T) {
	inBubble(t, Options{Profile: profile(t, "4:10s, ramp 4..16 in 12s, 16:20s", bench.Closed)}, func(t *testing.T, r *run) {
		r.after(15 * time.Second)
		p := &plan{first: at(3)}
		r.fly(p)
		r.after(30 * time.Second)
		r.wantLoad(bench.InFlight(3))
		if f := r.Snapshot().Following; !f.Held || f.At != 15*time.Second {
			t.Errorf("following %+v, want it held 15 s in", f)
		}
		if got, want := r.loads(), []string{"4", "3"}; !slices.Equal(got, want) {
			t.Errorf("levels at %v, want %v: what lies between two plateaus is none", got, want)
		}
		r.post(bench.Follow{})
		if len(p.ended) != 1 || r.Snapshot().Following.Held {
			t.Errorf("ended %v, following %+v", p.ended, r.Snapshot().Following)
		}
		r.after(10 * time.Second)
		r.wantLoad(bench.InFlight(16))
	})
}

func TestAPilotStandsStillWhileTheRunDoes(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4)}, func(t *testing.T, r *run) {
		p := &plan{first: at(8), then: []pilot.Order{at(9), at(10)}}
		r.fly(p)
		r.post(bench.Pause{})
		r.after(time.Minute)
		r.wantLoad(bench.InFlight(8))
		if n := len(p.seconds); n < 59 {
			t.Errorf("told of %d seconds while paused, want all of them", n)
		}
		r.post(bench.Resume{})
		r.after(3 * time.Second)
		r.want(10, 10)
		if len(p.ended) > 0 {
			t.Errorf("ended by %v", p.ended)
		}
	})
}

func TestAPilotKeepsToTheBoundsAndNeverRaisesUnderTheLock(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4), Run: bench.Run{Max: 20}}, func(t *testing.T, r *run) {
		r.fly(&plan{first: at(100)})
		r.wantLoad(bench.InFlight(20))
		r.post(bench.Locked{Command: bench.Seek{Ramp: &bench.Ramp{}}}, bench.Locked{Command: bench.Steer{Cruise: &bench.Cruise{}}})
		if n := r.count(bench.EventWarn); n != 2 {
			t.Errorf("%d refusals, want two", n)
		}
		r.post(bench.Locked{Command: bench.Seek{}})
		if s := r.Snapshot(); s.Ramping.Why != "ended by hand" {
			t.Errorf("%+v: the lock must let it be ended", s.Ramping)
		}
	})
}

func TestASmallMoveBeginsALevelAndIsNoStepOfTheHistory(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4)}, func(t *testing.T, r *run) {
		p := &plan{first: at(20)}
		r.fly(p)
		r.after(10 * time.Second)
		back := r.Snapshot().CanUndo
		p.goOn(small(21), small(20), small(20), small(22))
		r.after(10 * time.Second)
		r.want(22, 22)
		if got, want := r.loads(), []string{"4", "20", "21", "20", "22"}; !slices.Equal(got, want) {
			t.Errorf("levels at %v, want %v: a level has one load", got, want)
		}
		if s := r.Snapshot(); s.CanUndo != back || !s.Level().Reached.OK {
			t.Errorf("%d steps back, %d before the moves; %+v", s.CanUndo, back, s.Level().Reached)
		}
		r.post(bench.Add{N: 1})
		r.after(time.Second)
		r.post(bench.Undo{})
		r.wantLoad(bench.InFlight(22))
		r.post(bench.Undo{})
		r.wantLoad(bench.InFlight(20))
	})
}

func TestAPilotMayChangeTheLoop(t *testing.T) {
	o := opened(3, evenly)
	inBubble(t, o, func(t *testing.T, r *run) {
		r.after(3 * time.Second)
		r.fly(&plan{first: at(5)})
		r.wantLoad(bench.InFlight(5))
		if r.count(bench.EventMode) != 1 {
			t.Errorf("events %v", r.kinds())
		}
	})
}

func TestWithoutAnOperatorTheRunEndsWithItsPilot(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4), Unmanned: true}, func(t *testing.T, r *run) {
		r.fly(&plan{first: at(5), then: []pilot.Order{{Load: bench.InFlight(5), Over: true}}})
		r.after(7 * time.Second)
		if s := r.Snapshot(); s.State != bench.Done || s.Why != "the ramp is over" {
			t.Errorf("state %v: %s", s.State, s.Why)
		}
	})
}
