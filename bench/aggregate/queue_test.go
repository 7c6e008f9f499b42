package aggregate

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"sort"
	"testing"
	"time"

	"redline/bench"
)

// busyUntil are the instants at which servers become free, in seconds.
type busyUntil []float64

func (b busyUntil) Len() int           { return len(b) }
func (b busyUntil) Less(i, j int) bool { return b[i] < b[j] }
func (b busyUntil) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func (b *busyUntil) Push(x any)        { *b = append(*b, x.(float64)) }
func (b *busyUntil) Pop() any {
	old := *b
	last := old[len(old)-1]
	*b = old[:len(old)-1]
	return last
}

// queue is a plain simulation: Poisson arrivals at a rate, service times drawn, so many servers (0: as many as are asked for), first come first
// served. It returns when each request came and went, in seconds, up to an instant.
func queue(rng *rand.Rand, rate float64, servers int, service func(*rand.Rand) float64, until float64) (came, went []float64) {
	var free busyUntil
	for at := rng.ExpFloat64() / rate; at < until; at += rng.ExpFloat64() / rate {
		begin := at
		if servers > 0 && len(free) == servers {
			begin = max(at, heap.Pop(&free).(float64))
		}
		end := begin + service(rng)
		if servers > 0 {
			heap.Push(&free, end)
		}
		came, went = append(came, at), append(went, end)
	}
	return came, went
}

// measured is the level of the open loop that a meter and a fold make of such a run, at its end.
func measuredRun(rate float64, came, went []float64, seconds int) *bench.Level {
	type step struct {
		at  float64
		i   int
		end bool
	}
	var steps []step
	for i := range came {
		steps = append(steps, step{came[i], i, false}, step{went[i], i, true})
	}
	sort.Slice(steps, func(i, j int) bool { return steps[i].at < steps[j].at })
	m, s := NewMeter(1, 0), NewState(&bench.Run{})
	instant := func(at float64) time.Duration { return time.Duration(at * float64(time.Second)) }
	probes := make([]*Probe, len(came))
	for second := range seconds {
		for ; len(steps) > 0 && steps[0].at < float64(second+1); steps = steps[1:] {
			at, i := instant(steps[0].at), steps[0].i
			if !steps[0].end {
				probes[i] = m.Probe(&bench.Request{ID: uint64(i), Level: 1, Scheduled: bench.MarkAt(at)}, at)
				continue
			}
			e := over(instant(came[i]), at, bench.OK)
			e.Level, e.ID = 1, uint64(i)
			probes[i].End(e)
		}
		b := m.Cut(second)
		b.Active, b.Target = b.Span, bench.PerSecond(rate)
		if second == 0 {
			b.Events = []bench.Event{{Kind: bench.EventOpen, Level: 1, Cause: bench.CauseStart, To: bench.PerSecond(rate)}, reach(0, 1)}
		}
		s.Fold(b)
	}
	return s.Snapshot().Level()
}

// TestRateOfTheOpenLoopIsWhatTheServerFinishes: in flight is not bounded there. With servers to spare, the rate is that of the arrivals; with too
// few, it is what they can do, however many requests wait.
func TestRateOfTheOpenLoopIsWhatTheServerFinishes(t *testing.T) {
	constant := func(*rand.Rand) float64 { return 3 }
	exponential := func(rng *rand.Rand) float64 { return 3 * rng.ExpFloat64() }
	skewed := func(rng *rand.Rand) float64 { return 3 * math.Exp(rng.NormFloat64()-0.5) }
	for _, c := range []struct {
		sentence string
		rate     float64
		servers  int
		service  func(*rand.Rand) float64
		want     float64 // a second
	}{
		{"all are served at once, alike", 10, 0, constant, 10},
		{"all are served at once, differently", 10, 0, exponential, 10},
		{"all are served at once, very differently", 10, 0, skewed, 10},
		{"few arrivals", 1, 0, skewed, 1},
		{"a little too many for thirty servers", 11, 30, constant, 10},
		{"twice as many as they can do", 20, 30, exponential, 10},
		{"four times as many", 40, 30, skewed, 10},
	} {
		const runs, seconds = 12, 60
		sum := 0.0
		for seed := range uint64(runs) {
			came, went := queue(rand.New(rand.NewPCG(seed, 9)), c.rate, c.servers, c.service, seconds)
			l := measuredRun(c.rate, came, went, seconds)
			sum += l.RPS.V
			if math.Abs(l.Stats[bench.RPM].Mean.V-60*l.RPS.V) > 1e-6 {
				t.Fatalf("%s: %v a minute, %v a second", c.sentence, l.Stats[bench.RPM].Mean.V, l.RPS.V)
			}
			if l.Offered != l.Achieved || math.Abs(l.Offered.V/c.rate-1) > 5/math.Sqrt(c.rate*seconds) {
				t.Errorf("%s: offered %v, achieved %v", c.sentence, l.Offered, l.Achieved)
			}
		}
		// Five standard errors of a Poisson count, and what the first seconds lack where service times differ.
		if got := sum / runs; math.Abs(got/c.want-1) > 0.03+5/math.Sqrt(c.want*seconds*runs) {
			t.Errorf("%s: %.2f a second, want %v", c.sentence, got, c.want)
		}
	}
}
