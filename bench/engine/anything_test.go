package engine

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"redline/bench"
)

// anything is a command that an operator could give.
func anything(t *testing.T, rng *rand.Rand) bench.Command {
	profiles := []string{"1:3s, ramp 1..9 in 4s, spike 12 for 2s", "ramp ..5 in 2s, 0:1s", "3:1s, 1:1s, repeat 3"}
	promises := []string{"ttft.p95<=100ms", "ttft.p95<=250ms", "itl.p95<=50ms", "tps.p5>=20", "errors<=1%", "rpm<=40", "rpm<=4000", "tpm<=100k", "e2e.p95<=1s", "tps.p50>=8"}
	switch rng.IntN(21) {
	case 0, 1:
		return bench.Add{N: float64(rng.IntN(9) - 4)}
	case 2:
		return bench.Set{N: rng.Float64() * 12}
	case 3:
		return bench.Times{F: rng.Float64() * 3}
	case 4:
		return bench.Undo{}
	case 5:
		return bench.Redo{}
	case 6:
		return bench.Flip{}
	case 7, 8:
		return bench.Switch{}
	case 9:
		return bench.NextWork{}
	case 10:
		return bench.Follow{Profile: profile(t, profiles[rng.IntN(len(profiles))], bench.Mode(rng.IntN(2)))}
	case 11:
		return bench.Follow{}
	case 12:
		return bench.Toggle{}
	case 13:
		return bench.Drain{}
	case 14:
		return bench.Cancel{}
	case 15, 16, 17:
		return bench.Promise{Threshold: threshold(t, promises[rng.IntN(len(promises))]), Drop: rng.IntN(3) == 0}
	case 18:
		return bench.Clear{}
	case 19:
		return bench.Agreed{Command: anything(t, rng)}
	}
	return bench.Note{Text: "here"}
}

// TestWhateverTheOperatorDoesTheBooksAreRight plays random commands against a target that fails and vanishes at times.
func TestWhateverTheOperatorDoesTheBooksAreRight(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 3))
		o := opened(2, bench.Arrivals{Shape: bench.Gamma, Burstiness: 0.5})
		if seed%2 == 0 {
			o.Load = bench.InFlight(3)
		}
		o.Run.Max, o.Run.MaxRate, o.Run.Warmup = 10, 12, int(seed%4)
		o.Run.Works = []bench.Workload{{}, {Rate: 1}, {}}
		inBubble(t, o, func(t *testing.T, r *run) {
			for range 150 {
				switch rng.IntN(20) {
				case 0:
					r.server.fail.Store(int32([]bench.Outcome{bench.Refused, bench.RateLimited, bench.ServerError}[rng.IntN(3)]))
				case 1, 2:
					r.server.fail.Store(int32(bench.OK))
				default:
					command := anything(t, rng)
					if rng.IntN(4) == 0 {
						command = bench.Locked{Command: command}
					}
					r.post(command)
				}
				if ask := r.Snapshot().Ask; ask != nil && rng.IntN(2) == 0 {
					r.post(bench.Answer{ID: ask.ID, Yes: rng.IntN(4) > 0})
				}
				r.after(time.Duration(rng.IntN(1500)) * time.Millisecond)
				r.check(&o.Run)
				r.checkSums()
				if t.Failed() {
					break
				}
			}
			r.server.fail.Store(int32(bench.OK))
			r.post(bench.Kill{})
			<-r.finished
			s := r.Snapshot()
			var levels int
			for _, l := range s.Levels {
				levels += l.Tally.Sent
			}
			if y := s.Total.Tally; levels > y.Sent || y.Sent != y.OK+y.Failed+y.Limited+y.Cancelled {
				t.Errorf("seed %d: levels sent %d of %+v", seed, levels, y)
			}
			if j := r.Journal(false); j.Flying != 0 || len(j.Flights) != 0 {
				t.Errorf("seed %d: %d in flight at the end", seed, j.Flying)
			}
		})
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// check holds what is always true of a run.
func (r *run) check(run *bench.Run) {
	r.t.Helper()
	s := r.Snapshot()
	most := float64(run.Max)
	if s.Target.Mode == bench.Open {
		most = run.MaxRate
	}
	if n := int(r.server.inFlight.Load()); n > run.Max || s.InFlight != n || s.Target.N < 0 || s.Target.N > most || s.Target != s.Target.Round() {
		r.t.Fatalf("at %v: %d in flight (shown %d), load %s", s.At, n, s.InFlight, s.Target)
	}
	if f := s.Following; f != nil && (f.At < 0 || f.At > f.Profile.Length()) {
		r.t.Fatalf("at %v: %v into a profile of %v", s.At, f.At, f.Profile.Length())
	}
	// A profile may have come down to 0 just now.
	if sending := s.State == bench.Running; sending && s.Following == nil && s.Target.N == 0 && s.InFlight > 0 && s.Target.Mode == bench.Open && s.Since+10*time.Second < s.At && s.Changed.OK && s.Changed.At+10*time.Second < s.At {
		r.t.Fatalf("at %v: %d in flight at a rate of 0", s.At, s.InFlight)
	}
}

// checkSums holds that the parts of a run's numbers make up the whole, whatever was forgotten and judged anew, and that no number is what it cannot be.
func (r *run) checkSums() {
	r.t.Helper()
	s := r.Snapshot()
	y := s.Total.Tally
	if open := y.Sent - y.OK - y.Failed - y.Limited - y.Cancelled; open < 0 || open > s.Run.Max {
		r.t.Errorf("at %v: %d in flight by %+v", s.At, open, y)
	}
	sane := func(what string, m *bench.Summary) {
		for name, v := range map[string]bench.Value{"goodput": m.Goodput, "good rate": m.GoodPerMinute, "rps": m.RPS, "output": m.OutputRate, "in flight": m.InFlight} {
			if v.OK && !(v.V >= 0 && v.V < 1e9) || name == "goodput" && v.V > 100 {
				r.t.Errorf("at %v: %s, %s %v", s.At, what, name, v)
			}
		}
		if m.Ungraded < 0 || m.Ungraded > m.Tally.Owed() {
			r.t.Errorf("at %v: %s, %d ungraded of %d", s.At, what, m.Ungraded, m.Tally.Owed())
		}
	}
	sane("total", &s.Total)
	for i, l := range s.Levels {
		if sane(fmt.Sprintf("level %d", l.ID), &l.Summary); i > 0 && l.ID <= s.Levels[i-1].ID {
			r.t.Errorf("at %v: level %d behind %d", s.At, l.ID, s.Levels[i-1].ID)
		}
	}
	var sum bench.Facts
	for i, b := range s.Buckets {
		if sum.Add(&b.Facts); i > 0 && b.Start < s.Buckets[i-1].End() || b.Ungraded > b.Tally().Owed() || b.Good > b.Ended[bench.OK] {
			r.t.Errorf("at %v: bucket %+v", s.At, b)
		}
	}
	if sum.Ended[bench.OK] != y.OK || sum.Unsent != y.Unsent {
		r.t.Errorf("at %v: the buckets have %d ok and %d unsent, the total %+v", s.At, sum.Ended[bench.OK], sum.Unsent, y)
	}
}
