package engine_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/analysis"
	"redline/bench/engine"
	"redline/bench/sim"
)

// promised are thresholds from their texts.
func promised(t *testing.T, texts ...string) (out []bench.Threshold) {
	t.Helper()
	for _, text := range texts {
		one, err := bench.ParseThreshold(text)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, one)
	}
	return out
}

// sought waits until the ramp is over.
func (b *bed) sought(limit time.Duration) *bench.Ramping {
	b.t.Helper()
	for end := b.Snapshot().At + limit; b.Snapshot().At < end; {
		if s := b.after(time.Second); s.Ramping != nil && s.Ramping.Phase.Over() {
			return s.Ramping
		}
	}
	b.t.Fatalf("not over after %v: %+v", limit, b.Snapshot().Ramping)
	return nil
}

// agrees holds the levels of a ramp against its trials: the requests are the same, and so is what they say.
func agrees(t *testing.T, s *bench.Snapshot, r *bench.Ramping) {
	t.Helper()
	seen := map[int]bool{}
	for _, trial := range r.Trials {
		var level *bench.Level
		for _, l := range s.Levels {
			if l.ID == trial.Level {
				level = l
			}
		}
		switch {
		case level == nil || level.Load != trial.Load || level.Begin < trial.Begin || seen[trial.Level]:
			t.Errorf("trial %+v: its level is %+v", trial, level)
			continue
		case trial.Why != "":
			continue
		}
		seen[trial.Level] = true
		if level.Span < analysis.LongEnough {
			t.Errorf("%s (level %d): measured for %v, which is no point of the curve", trial.Load, level.ID, level.Span)
		}
		for _, v := range level.Verdicts {
			if trial.Holds == bench.Kept && v.Known && v.Broken {
				t.Errorf("%s (level %d): kept, and the level breaks %s with %+v", trial.Load, level.ID, v.Threshold, v.Value)
			}
			if v.Threshold != trial.Binding {
				continue
			}
			broken := trial.Holds == bench.Broke
			if v.Known && v.Broken != broken && (level.State == bench.Settled || !broken) {
				t.Errorf("%s (level %d): %s, %d of %d beyond, and the level says broken: %t at %+v", trial.Load, level.ID, trial.Binding, trial.Over, trial.N, v.Broken, v.Value)
			}
			// Requests are judged in the order of their starts, up to the first that still runs: a few of the level's come behind.
			if n := level.Stats[v.Threshold.Metric].N; v.Threshold.Metric != bench.ITL && (trial.N > n+level.Missed.All() || !broken && float64(trial.N) < 0.6*float64(n)-10) {
				t.Errorf("%s (level %d): judged on %d requests, the level has %d", trial.Load, level.ID, trial.N, n)
			}
		}
		t.Logf("%8s level %2d %-9v %v: %d of %d beyond, reached %v, begun %v, ended %v", trial.Load, level.ID, level.State, trial.Holds, trial.Over, trial.N, level.Reached.At, level.Begin, level.Ended.At)
	}
}

func TestARampFindsTheRedlineOfTheSimulatedServer(t *testing.T) {
	if underRace {
		t.Skip("half an hour of tokens; shorter ramps are run")
	}
	for _, loop := range []struct {
		ramp      bench.Ramp
		least     float64
		most      float64
		promise   string
		neighbour float64
	}{
		// In the long run 29 in flight leave 4 % of the streams slower than 40 tokens a second, 30 leave 12 %.
		{bench.Ramp{From: 4, Most: 128, By: 2}, 26, 31, "tps.p5>=40", 1},
		{bench.Ramp{Mode: bench.Open, From: 0.5, Most: 20, By: 2}, 3.6, 4.8, "tps.p5>=40", 0},
		// What no single request has is judged by the level: the gaps of all of its tokens.
		{bench.Ramp{From: 4, Most: 128, By: 2}, 1, 128, "itl.p95<=30ms", 1},
	} {
		overSim(t, func(o *engine.Options, _ *sim.Options) {
			o.Load, o.Run.MaxRate = bench.InFlight(2), 100
			o.Run.Thresholds = promised(t, loop.promise, "errors<=1%")
		}, func(t *testing.T, b *bed) {
			b.after(3 * time.Second)
			b.Post(bench.Seek{Ramp: &loop.ramp})
			r := b.sought(time.Hour)
			if r.Phase != bench.RampFound || r.Found == nil {
				t.Fatalf("%v: %+v", loop.ramp.Mode, r)
			}
			f := r.Found
			if f.Load.Mode != loop.ramp.Mode || f.Load.N < loop.least || f.Load.N > loop.most || f.Above.N <= f.Load.N || f.Bound != promised(t, loop.promise)[0] || !f.AtAbove.OK {
				t.Errorf("found %+v, want a load of %g to %g", f, loop.least, loop.most)
			}
			if loop.neighbour > 0 && f.Above.N != f.Load.N+loop.neighbour {
				t.Errorf("found %s, and %s above: no neighbours", f.Load, f.Above)
			}
			s := b.Snapshot()
			l := s.Level()
			if l.ID != f.Level || l.Cause != bench.CauseRamp || l.Load != f.Load || s.Target != f.Load || s.Ask != nil {
				t.Errorf("level %d at %s, target %s: want the level that confirmed, %d", l.ID, l.Load, s.Target, f.Level)
			}
			if !f.RPM.OK || !f.TPM.OK || !f.Goodput.OK || f.RPM.V != l.Stats[bench.RPM].Mean.V {
				t.Errorf("found %+v at a level of %+v", f, l.Stats[bench.RPM])
			}
			sent := 0
			for _, bucket := range s.Buckets {
				if bucket.End() > 3*time.Second { // after a while they are of ten seconds
					sent += bucket.Sent
				}
			}
			if r.Requests > sent || r.Requests < sent*9/10 || r.Tokens <= 0 {
				t.Errorf("%d requests and %d tokens, the buckets have %d", r.Requests, r.Tokens, sent)
			}
			if r.Ended.At > s.At || len(r.Trials) < 5 {
				t.Errorf("ended %+v with trials %+v", r.Ended, r.Trials)
			}
			agrees(t, s, r)
			again := b.after(30 * time.Second)
			if again.Ramping != s.Ramping || again.Level().ID != l.ID {
				t.Error("it does not stand still when it is over")
			}
		})
	}
}

func TestARampByThePacesOfTokensKeepsNoLoadWhoseLevelBreaksThem(t *testing.T) {
	for _, one := range []struct {
		promises []string
		cap      time.Duration
	}{{[]string{"itl.p95<=22ms"}, 0}, {[]string{"itl.p95<=30ms", "ttft.p95<=2s"}, 6 * time.Second}, {[]string{"itl.p95<=16ms", "errors<=1%"}, 6 * time.Second}} {
		overSim(t, func(o *engine.Options, _ *sim.Options) {
			o.Load, o.Run.Thresholds = bench.InFlight(2), promised(t, one.promises...)
		}, func(t *testing.T, b *bed) {
			b.Post(bench.Seek{Ramp: &bench.Ramp{From: 2, Most: 64, By: 2, Cap: one.cap}})
			r, s := b.sought(time.Hour), b.Snapshot()
			agrees(t, s, r)
			for _, trial := range r.Trials {
				if trial.Binding.Metric == bench.ITL && (trial.Low.OK || trial.High.OK || trial.Over > 0 || trial.N > 10_000) {
					t.Errorf("%+v: no single request keeps or breaks %s", trial, trial.Binding)
				}
			}
			t.Logf("%v: %v, found %+v", one.promises, r.Phase, r.Found)
		})
	}
}

func TestTheHandTakesTheLoadFromARamp(t *testing.T) {
	overSim(t, func(o *engine.Options, _ *sim.Options) {
		o.Run.Thresholds = promised(t, "ttft.p95<=2s")
	}, func(t *testing.T, b *bed) {
		b.Post(bench.Seek{Ramp: &bench.Ramp{From: 2, Most: 64, By: 2}})
		s := b.after(30 * time.Second)
		if r := s.Ramping; r == nil || r.Phase != bench.RampRising || r.Now.Load != s.Target || r.Now.Level != s.Level().ID || r.Now.N == 0 {
			t.Fatalf("ramping %+v at %s", r, s.Target)
		}
		at := s.Target
		b.Post(bench.Add{N: -1})
		s = b.after(20 * time.Second)
		if r := s.Ramping; r.Phase != bench.RampLeft || !strings.Contains(r.Why, "hand") || !r.Ended.OK || r.Now != (bench.Trial{}) || s.Target.N != at.N-1 {
			t.Errorf("ramping %+v at %s", r, s.Target)
		}
	})
}

func TestARampStopsBelowTheLoadThatTheServerLimits(t *testing.T) {
	if underRace {
		t.Skip("minutes of tokens; shorter ramps are run")
	}
	overSim(t, func(o *engine.Options, so *sim.Options) {
		o.Run.Thresholds = promised(t, "ttft.p95<=2s")
		so.RPM = 120
	}, func(t *testing.T, b *bed) {
		b.Post(bench.Seek{Ramp: &bench.Ramp{From: 4, Most: 64, By: 2}})
		r := b.sought(time.Hour)
		// 120 a minute are what about seven in flight ask for.
		if r.Phase != bench.RampFound || r.Found.Why != "429" || r.Found.Load.N < 5 || r.Found.Load.N > 9 {
			t.Errorf("%v, found %+v", r.Phase, r.Found)
		}
		limited := math.Inf(1)
		for _, trial := range r.Trials {
			if trial.Load.N >= limited {
				t.Errorf("tried %s, and %g was limited", trial.Load, limited)
			}
			if trial.Why == "429" {
				limited = trial.Load.N
			}
		}
	})
}

func TestARampThatCannotBeIsNotBegun(t *testing.T) {
	for _, one := range []struct {
		name string
		ramp bench.Ramp
		slos []string
		want string
	}{
		{"there is nothing to break", bench.Ramp{From: 1, Most: 8, By: 2}, []string{"rpm<=600"}, "there is no promise to break"},
		{"the first load is none", bench.Ramp{Most: 8, By: 2}, []string{"ttft.p95<=1s"}, "first load 0"},
		{"the first load is beyond the bounds of the run", bench.Ramp{From: 500, Most: 900, By: 2}, []string{"ttft.p95<=1s"}, "first load 500: at most 256"},
		{"the steps lead nowhere", bench.Ramp{From: 1, Most: 8, By: 1}, []string{"ttft.p95<=1s"}, "factor 1"},
	} {
		overSim(t, func(o *engine.Options, _ *sim.Options) { o.Run.Thresholds = promised(t, one.slos...) }, func(t *testing.T, b *bed) {
			b.Post(bench.Seek{Ramp: &one.ramp})
			s := b.after(time.Second)
			last := s.Events[len(s.Events)-1]
			for i := len(s.Events) - 1; i >= 0 && last.Kind != bench.EventWarn; i-- {
				last = s.Events[i]
			}
			if s.Ramping != nil || last.Kind != bench.EventWarn || !strings.Contains(last.Text, one.want) || s.Target != bench.InFlight(8) {
				t.Errorf("%s: ramping %+v, told %q", one.name, s.Ramping, last.Text)
			}
		})
	}
}
