package engine

import (
	"math/rand/v2"
	"testing"
	"time"

	"redline/bench"
)

// anything is a command that an operator could give.
func anything(t *testing.T, rng *rand.Rand) bench.Command {
	profiles := []string{"1:3s, ramp 1..9 in 4s, spike 12 for 2s", "ramp ..5 in 2s, 0:1s", "3:1s, 1:1s, repeat 3"}
	switch rng.IntN(16) {
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
			}
			r.server.fail.Store(int32(bench.OK))
			r.post(bench.Kill{})
			<-r.finished
			s := r.Snapshot()
			var levels int
			for _, l := range s.Levels {
				levels += l.Tally.Sent
			}
			if y := s.Total.Tally; levels > y.Sent {
				t.Errorf("seed %d: levels sent %d of %d", seed, levels, y.Sent)
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
	if sending := s.State == bench.Running; sending && s.Target.N == 0 && s.InFlight > 0 && s.Target.Mode == bench.Open && s.Since+10*time.Second < s.At && s.Changed.OK && s.Changed.At+10*time.Second < s.At {
		r.t.Fatalf("at %v: %d in flight at a rate of 0", s.At, s.InFlight)
	}
}
