package load

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"redline/bench"
)

var constant = bench.Arrivals{Shape: bench.Constant}

// until takes all arrivals before an instant, and counts them.
func until(t *testing.T, p *Plan, end time.Duration) (n int) {
	t.Helper()
	for last := time.Duration(math.MinInt64); ; n++ {
		due, ok := p.Due()
		if !ok || due >= end {
			return n
		}
		if due < last {
			t.Fatalf("arrival %d at %v, after one at %v", n, due, last)
		}
		last = due
		p.Take()
	}
}

func TestConstantArrivalsAreCountedExactly(t *testing.T) {
	const s = time.Second
	type step struct {
		at       time.Duration
		from, to float64
		span     time.Duration
	}
	for _, c := range []struct {
		what  string
		steps []step
		end   time.Duration
		want  int
	}{
		{"500 a second for a minute", []step{{0, 500, 500, 0}}, 60 * s, 30_000},
		{"a rate that is no fraction of two", []step{{0, 0.1, 0.1, 0}}, 1000 * s, 100},
		{"a third of a second", []step{{0, 3, 3, 0}}, 100 * s, 300},
		{"steps", []step{{0, 4, 4, 0}, {20 * s, 16, 16, 0}, {40 * s, 0.1, 0.1, 0}}, 60 * s, 80 + 320 + 2},
		{"steps in the middle of gaps", []step{{0, 1, 1, 0}, {1500 * time.Millisecond, 2, 2, 0}, {1750 * time.Millisecond, 1, 1, 0}}, 2 * s, 3},
		{"a pause in the middle of a gap", []step{{0, 1, 1, 0}, {1500 * time.Millisecond, 0, 0, 0}, {100 * s, 1, 1, 0}}, 102 * s, 4},
		{"a ramp up from nothing", []step{{0, 0, 10, 10 * s}}, 10 * s, 50},
		{"a ramp up and a plateau", []step{{0, 0, 10, 10 * s}}, 20 * s, 150},
		{"a ramp down to nothing ends", []step{{0, 10, 0, 10 * s}}, 1000 * s, 50},
		{"a ramp down that starts beside a whole number never reaches the next", []step{{0, 10, 0, 9900 * time.Millisecond}}, 1000 * s, 50},
		{"a ramp up, and down from where it has come to", []step{{0, 2, 8, 60 * s}, {60 * s, 8, 2, 60 * s}}, 120 * s, 600},
		{"a ramp that another one takes over", []step{{0, 0, 10, 10 * s}, {5 * s, 5, 5, 0}}, 10 * s, 38},
		{"a ramp to the same rate", []step{{0, 5, 5, 10 * s}}, 20 * s, 100},
		{"a ramp of no length is a step", []step{{0, 5, 10, 0}}, 10 * s, 100},
		{"nothing", []step{{0, 0, 0, 0}}, 1000 * s, 0},
		{"rates below 0, or no numbers, are none", []step{{0, -3, math.NaN(), 10 * s}}, 1000 * s, 0},
	} {
		p := NewPlan(constant, 1, nil)
		n := 0
		for _, step := range c.steps {
			n += until(t, p, step.at)
			if step.span > 0 {
				p.Ramp(step.at, step.from, step.to, step.span)
			} else {
				p.Set(step.at, step.to)
			}
		}
		if n += until(t, p, c.end); n != c.want {
			t.Errorf("%s: %d arrivals, want %d", c.what, n, c.want)
		}
	}
}

func TestArrivalsOfARampLieWhereItsFormulaSays(t *testing.T) {
	// Of a ramp from a to b in T the k-th arrival is the root of a·t + (b−a)·t²/2T = k.
	for _, c := range []struct{ a, b, span float64 }{{0, 10, 10}, {10, 0, 10}, {1, 64, 120}, {64, 1, 120}, {1000, 1000.001, 30}, {0.01, 0.02, 3600}} {
		p := NewPlan(constant, 1, nil)
		p.Ramp(7*time.Second, c.a, c.b, time.Duration(c.span*1e9))
		for k := 0; float64(k) < (c.a+c.b)/2*c.span-1e-6; k++ {
			low, high := 0.0, c.span
			for range 100 {
				mid := (low + high) / 2
				if c.a*mid+(c.b-c.a)*mid*mid/(2*c.span) < float64(k) {
					low = mid
				} else {
					high = mid
				}
			}
			due, ok := p.Due()
			if !ok || math.Abs((due-7*time.Second).Seconds()-low) > 1e-6 {
				t.Fatalf("from %v to %v: arrival %d at %v (%v), want at 7 s + %v s", c.a, c.b, k, due, ok, low)
			}
			p.Take()
		}
	}
}

func TestPlanDoesNotDrift(t *testing.T) {
	// A run of 10^8 arrivals at 10,000 a second may be off by a microsecond, and a tenth of it by a tenth: errors add up evenly at worst. Thirds add up
	// badly, and give their own exact sum.
	const n = 10_000_000
	const third = 1.0 / 3
	p := NewPlan(bench.Arrivals{Shape: bench.Recorded}, 1, func() float64 { return third })
	p.Set(time.Second, 10_000)
	// Take does no more than these two.
	for range n {
		p.advance()
	}
	p.plan()
	due, _ := p.Due()
	want := time.Second + time.Duration(math.Round(float64(n+1)*third/10_000*1e9))
	if off := (due - want).Abs(); off >= time.Microsecond/10 {
		t.Errorf("after %d arrivals the next is off by %v", n, off)
	}
}

func TestChangesOfRateKeepWhatHasPassedOfAGap(t *testing.T) {
	p := NewPlan(constant, 1, nil)
	p.Set(0, 1)
	p.Take()
	// A quarter of the gap passes at 1 a second, a quarter at 10, none while paused; half is left.
	p.Set(250*time.Millisecond, 10)
	p.Set(275*time.Millisecond, 0)
	if due, ok := p.Due(); ok {
		t.Errorf("an arrival at %v while the rate is 0", due)
	}
	p.Set(100*time.Second, 0.5)
	if due, ok := p.Due(); !ok || due != 101*time.Second {
		t.Errorf("the next arrival at %v %v, want 101 s", due, ok)
	}
	// A thousand changes to the same rate change nothing.
	for i := range 1000 {
		p.Set(100*time.Second+time.Duration(i)*time.Millisecond, 0.5)
	}
	if due, _ := p.Due(); (due - 101*time.Second).Abs() > 1 {
		t.Errorf("the next arrival at %v, want 101 s", due)
	}
}

// TestALateCallLosesNothing changes the rate after arrivals were taken past the instant of the change: what was taken too early is not taken again.
func TestALateCallLosesNothing(t *testing.T) {
	for _, rates := range [][2]float64{{4, 16}, {16, 4}, {100, 0}, {5, 5}} {
		p := NewPlan(constant, 1, nil)
		p.Set(0, rates[0])
		n := until(t, p, 20300*time.Millisecond)
		p.Set(20*time.Second, rates[1])
		n += until(t, p, 60*time.Second)
		want := int(20*rates[0] + 40*rates[1])
		if rates[1] == 0 {
			want += int(0.3 * rates[0]) // gone before anybody knew
		}
		if n != want {
			t.Errorf("from %v to %v a second: %d arrivals, want %d", rates[0], rates[1], n, want)
		}
	}
}

func TestArrivalsInAJumpOfTimeAreSkipped(t *testing.T) {
	for _, a := range []bench.Arrivals{constant, {Shape: bench.Poisson}, {Shape: bench.Gamma, Burstiness: 0.5}, {Shape: bench.Recorded}} {
		p := NewPlan(a, 1, func() float64 { return 1 })
		p.Set(0, 100)
		until(t, p, 10*time.Second)
		// The machine slept for an hour.
		p.Set(time.Hour, 100)
		if due, ok := p.Due(); !ok || due < time.Hour {
			t.Fatalf("%v: the next arrival at %v %v, want none before 1 h", a, due, ok)
		}
		if n := until(t, p, time.Hour+time.Minute); n < 5000 || n > 7000 {
			t.Errorf("%v: %d arrivals in the minute after, want about 6000", a, n)
		}
	}
}

func TestFirstArrival(t *testing.T) {
	for _, c := range []struct {
		what   string
		a      bench.Arrivals
		atOnce bool
	}{
		{"equal gaps begin with an arrival", constant, true},
		{"independent users with a gap", bench.Arrivals{Shape: bench.Poisson}, false},
		{"bursts with a gap", bench.Arrivals{Shape: bench.Gamma, Burstiness: 2}, false},
		{"a trace with the gap that it gives", bench.Arrivals{Shape: bench.Recorded}, false},
	} {
		p := NewPlan(c.a, 3, func() float64 { return 0.5 })
		if _, ok := p.Due(); ok {
			t.Errorf("%s: an arrival before there is a rate", c.what)
		}
		p.Take()
		p.Set(time.Second, 0)
		p.Set(2*time.Second, 4)
		if due, ok := p.Due(); !ok || (due == 2*time.Second) != c.atOnce {
			t.Errorf("%s: the first at %v %v", c.what, due, ok)
		}
	}
}

func TestDueIsTheNearestNanosecond(t *testing.T) {
	p := NewPlan(constant, 1, nil)
	p.Set(0, 3)
	for _, want := range []time.Duration{0, 333333333, 666666667, 1000000000} {
		if due, _ := p.Due(); due != want {
			t.Errorf("an arrival at %d ns, want %d", due, want)
		}
		p.Take()
	}
}

func TestAChangeBeforeTheLastOneComesWithIt(t *testing.T) {
	p := NewPlan(constant, 1, nil)
	p.Set(10*time.Second, 1)
	p.Set(5*time.Second, 2)
	p.Take()
	if due, ok := p.Due(); !ok || due != 10500*time.Millisecond {
		t.Errorf("the next arrival at %v %v, want 10.5 s", due, ok)
	}
}

func TestRateOfAPlan(t *testing.T) {
	p := NewPlan(constant, 1, nil)
	if got := p.Rate(0); got != 0 {
		t.Errorf("rate %v before any is set", got)
	}
	p.Ramp(10*time.Second, 2, 4, 10*time.Second)
	for at, want := range map[time.Duration]float64{0: 2, 10: 2, 15: 3, 20: 4, 100: 4} {
		if got := p.Rate(at * time.Second); got != want {
			t.Errorf("rate %v at %v s, want %v", got, int(at), want)
		}
	}
	p.Set(15*time.Second, math.Inf(1))
	if got := p.Rate(15 * time.Second); got != mostRate {
		t.Errorf("rate %v, want %v", got, float64(mostRate))
	}
}

func TestHugeAndSmallRates(t *testing.T) {
	p := NewPlan(constant, 1, nil)
	p.Set(0, 1e9)
	for range 1000 {
		p.Take()
	}
	if due, ok := p.Due(); !ok || due != 1000 {
		t.Errorf("arrival 1000 at %v %v, want 1 µs", due, ok)
	}
	p.Set(1000, 1e-3)
	p.Take()
	if due, ok := p.Due(); !ok || due != 1000+1000*time.Second {
		t.Errorf("at a thousandth a second the next at %v %v, want 1000 s after the one before", due, ok)
	}
	for _, rate := range []float64{1e-12, 1e-300, math.SmallestNonzeroFloat64} {
		p.Set(1000, rate)
		if due, ok := p.Due(); ok {
			t.Errorf("rate %v: an arrival at %v, in a time that no clock can tell", rate, due)
		}
		p.Ramp(1000, 0, rate, time.Hour)
		if due, ok := p.Due(); ok {
			t.Errorf("a ramp to %v: an arrival at %v", rate, due)
		}
	}
	p.Set(time.Second, 1)
	if due, ok := p.Due(); !ok || due < time.Second || due > 2*time.Second {
		t.Errorf("back at 1 a second the next at %v %v", due, ok)
	}
}

func TestRecordedGapsThatAreNoneDoNoHarm(t *testing.T) {
	// No number and less than none are none; a gap without end is the longest that counts.
	gaps := []float64{math.NaN(), math.Inf(1), -1, 0, math.Inf(-1), 0.5}
	i := -1
	p := NewPlan(bench.Arrivals{Shape: bench.Recorded}, 1, func() float64 { i++; return gaps[i%len(gaps)] })
	p.Set(0, 1e6)
	n := until(t, p, 10_000*time.Second)
	// A round of six takes 1000 s and half a microsecond.
	if due, ok := p.Due(); !ok || n != 55 || due != 10_000*time.Second+4500 {
		t.Errorf("after %d arrivals the next at %v %v", n, due, ok)
	}
}

// TestDueNeverGoesBack puts random changes to random plans: no arrival is before the one before it, or before the change in force.
func TestDueNeverGoesBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	rates := []float64{0, 0, 1e-9, 0.01, 0.5, 1, 3, 100, 1e4, 1e9, math.Inf(1), math.NaN(), -1}
	shapes := []bench.Arrivals{constant, {}, {Shape: bench.Gamma, Burstiness: 0.25}, {Shape: bench.Gamma, Burstiness: 4}, {Shape: bench.Gamma, Burstiness: math.NaN()}}
	for round := range 500 {
		p := NewPlan(shapes[round%len(shapes)], uint64(round), nil)
		now, last := time.Duration(0), time.Duration(0)
		for range 40 {
			now += time.Duration(rng.ExpFloat64() * 1e9)
			rate := rates[rng.IntN(len(rates))]
			if rng.IntN(2) == 0 {
				p.Set(now, rate)
			} else {
				p.Ramp(now, rate, rates[rng.IntN(len(rates))], time.Duration(rng.ExpFloat64()*3e9)-time.Second/2)
			}
			last = max(last, now)
			for range 20 {
				due, ok := p.Due()
				if r := p.Rate(now); math.IsNaN(r) || r < 0 || r > mostRate {
					t.Fatalf("round %d: rate %v", round, r)
				}
				if !ok {
					break
				}
				if due < last {
					t.Fatalf("round %d: an arrival at %v, after %v", round, due, last)
				}
				if due > now+10*time.Second {
					break
				}
				last = due
				now = max(now, due)
				p.Take()
			}
		}
	}
}

// TestCountsFollowTheRate changes the rate at random, and holds the number of arrivals against the integral of the rate.
func TestCountsFollowTheRate(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 200 {
		p := NewPlan(constant, 1, nil)
		now, area, n := time.Duration(0), 0.0, 0
		for range 30 {
			span := time.Duration(1 + rng.IntN(3e9))
			from, to := float64(rng.IntN(50)), float64(rng.IntN(50))
			p.Ramp(now, from, to, span)
			area += (from + to) / 2 * span.Seconds()
			now += span
			n += until(t, p, now)
		}
		if math.Abs(float64(n)-area) > 1 {
			t.Fatalf("round %d: %d arrivals, want %v", round, n, area)
		}
	}
}

func BenchmarkTake(b *testing.B) {
	for _, a := range []bench.Arrivals{constant, {}, {Shape: bench.Gamma, Burstiness: 0.5}} {
		b.Run(a.String(), func(b *testing.B) {
			p := NewPlan(a, 1, nil)
			p.Ramp(0, 1, 1e6, time.Hour)
			b.ReportAllocs()
			for b.Loop() {
				p.Take()
			}
		})
	}
}
