package load

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"redline/bench"
)

// gapsOf are the first gaps of a plan at a rate that is set in the middle of nowhere, in mean gaps.
func gapsOf(a bench.Arrivals, seed uint64, n int) []float64 {
	const rate = 5
	p := NewPlan(a, seed, nil)
	last := 3 * time.Second
	p.Set(last, rate)
	out := make([]float64, n)
	for i := range out {
		due, _ := p.Due()
		out[i] = (due - last).Seconds() * rate
		last = due
		p.Take()
	}
	return out
}

// below is the share of gaps that are shorter than x: the distribution functions in their closed forms.
var below = []struct {
	a  bench.Arrivals
	at func(x float64) float64
}{
	{bench.Arrivals{Shape: bench.Poisson}, func(x float64) float64 { return 1 - math.Exp(-x) }},
	{bench.Arrivals{Shape: bench.Gamma, Burstiness: 0.25}, func(x float64) float64 { return lowerGamma(0.25, 0.25*x) }},
	{bench.Arrivals{Shape: bench.Gamma, Burstiness: 0.5}, func(x float64) float64 { return math.Erf(math.Sqrt(0.5 * x)) }},
	{bench.Arrivals{Shape: bench.Gamma, Burstiness: 1}, func(x float64) float64 { return 1 - math.Exp(-x) }},
	{bench.Arrivals{Shape: bench.Gamma, Burstiness: 2}, func(x float64) float64 { return 1 - math.Exp(-2*x)*(1+2*x) }},
	{bench.Arrivals{Shape: bench.Gamma, Burstiness: 7.5}, func(x float64) float64 { return lowerGamma(7.5, 7.5*x) }},
}

// lowerGamma is the regularised incomplete gamma function, by its series.
func lowerGamma(k, x float64) float64 {
	if x <= 0 {
		return 0
	}
	log, _ := math.Lgamma(k + 1)
	term := math.Exp(k*math.Log(x) - x - log)
	sum := term
	for n := 1.0; term > sum*1e-17; n++ {
		term *= x / (k + n)
		sum += term
	}
	return min(sum, 1)
}

func TestGapsHaveTheirDistribution(t *testing.T) {
	const n = 20_000
	for _, c := range below {
		for seed := range uint64(3) {
			t.Run(fmt.Sprint(c.a, "/", seed), func(t *testing.T) {
				gaps := gapsOf(c.a, seed, n)
				slices.Sort(gaps)
				// Kolmogorov and Smirnov: the greatest distance is below 1.95/√n in all but one of a thousand samples.
				worst := 0.0
				for i, x := range gaps {
					f := c.at(x)
					worst = max(worst, math.Abs(f-float64(i)/n), math.Abs(f-float64(i+1)/n))
				}
				// Gaps are whole nanoseconds, which matters to the many of a strongly bursty process that are shorter: at five a second
				// a share of at most (5e-9·k)^k.
				if allowed := 1.95/math.Sqrt(n) + c.at(5e-9); worst > allowed {
					t.Errorf("%v: the distribution is off by %.4f, want at most %.4f", c.a, worst, allowed)
				}
				// Chi-square over fifty classes that are equally likely: 49 degrees of freedom, 85.4 in one of a thousand samples.
				counts := [50]float64{}
				for _, x := range gaps {
					counts[min(int(c.at(x)*50), 49)]++
				}
				chi := 0.0
				for _, o := range counts {
					chi += (o - n/50) * (o - n/50) / (n / 50)
				}
				if chi > 85.4 {
					t.Errorf("%v: chi-square %.1f, want at most 85.4", c.a, chi)
				}
			})
		}
	}
}

func TestMeanAndSpreadOfGaps(t *testing.T) {
	const n = 200_000
	for _, k := range []float64{0.01, 0.1, 0.25, 0.5, 0.99, 1, 2, 10, 100} {
		g, rng := newGamma(k), rand.New(rand.NewPCG(11, 13))
		sum, squares := 0.0, 0.0
		for range n {
			x := g.draw(rng)
			if !(x >= 0) || math.IsInf(x, 0) {
				t.Fatalf("shape %v: a gap of %v", k, x)
			}
			sum += x
			squares += (x - 1) * (x - 1)
		}
		// The variance is 1/k; that of the estimate of it (6/k³ + 2/k²)/n.
		if off := math.Abs(sum/n - 1); off > 4*math.Sqrt(1/k/n) {
			t.Errorf("shape %v: mean off by %v", k, off)
		}
		if off := math.Abs(squares/n - 1/k); off > 4*math.Sqrt((6/(k*k*k)+2/(k*k))/n) {
			t.Errorf("shape %v: variance %v, want %v", k, squares/n, 1/k)
		}
	}
}

// TestIndexOfDispersion counts arrivals in windows: the variance of the counts over their mean is 1 for independent users, and tends to 1/k for gaps of
// shape k as windows grow.
func TestIndexOfDispersion(t *testing.T) {
	const window, windows, rate = 20 * time.Second, 2000, 10
	for _, c := range []struct {
		a    bench.Arrivals
		want float64
	}{
		{bench.Arrivals{Shape: bench.Poisson}, 1}, {bench.Arrivals{Shape: bench.Gamma, Burstiness: 0.25}, 4}, {bench.Arrivals{Shape: bench.Gamma, Burstiness: 0.5}, 2},
		{bench.Arrivals{Shape: bench.Gamma, Burstiness: 2}, 0.5}, {bench.Arrivals{Shape: bench.Gamma, Burstiness: 10}, 0.1}, {constant, 0},
	} {
		p := NewPlan(c.a, 42, nil)
		p.Set(0, rate)
		sum, squares := 0.0, 0.0
		mean := rate * window.Seconds()
		for w := range time.Duration(windows) {
			n := float64(until(t, p, (w+1)*window))
			sum += n
			squares += (n - mean) * (n - mean)
		}
		if got := sum / windows; math.Abs(got/mean-1) > 0.02 {
			t.Errorf("%v: %v arrivals in a window, want %v", c.a, got, mean)
		}
		if got := squares / windows / mean; math.Abs(got-c.want) > 0.1*c.want+0.01 {
			t.Errorf("%v: index of dispersion %.3f, want %v", c.a, got, c.want)
		}
	}
}

// TestPoissonCountsUnderARamp checks that a change of rate leaves independent users independent: counts in windows of equal operational time are Poisson.
func TestPoissonCountsUnderARamp(t *testing.T) {
	const runs, windows = 400, 10
	sum, squares := [windows]float64{}, [windows]float64{}
	for seed := range uint64(runs) {
		p := NewPlan(bench.Arrivals{}, seed, nil)
		p.Ramp(0, 0, 20, 100*time.Second)
		for w := range windows {
			// A tenth of 1000 arrivals ends at the root of its share.
			n := float64(until(t, p, time.Duration(100e9*math.Sqrt(float64(w+1)/windows))))
			sum[w] += n
			squares[w] += (n - 100) * (n - 100)
		}
	}
	for w := range windows {
		mean, dispersion := sum[w]/runs, squares[w]/runs/100
		if math.Abs(mean-100) > 4*10/math.Sqrt(runs) || math.Abs(dispersion-1) > 4*math.Sqrt(2.0/runs) {
			t.Errorf("window %d: mean %.2f, dispersion %.2f, want 100 and 1", w, mean, dispersion)
		}
	}
}

func TestSeedsAreIndependent(t *testing.T) {
	const n = 10_000
	for _, a := range []bench.Arrivals{{Shape: bench.Poisson}, {Shape: bench.Gamma, Burstiness: 2}} {
		if !slices.Equal(gapsOf(a, 1, n), gapsOf(a, 1, n)) {
			t.Errorf("%v: the same seed gives other gaps", a)
		}
		for seed := range uint64(8) {
			x, y := gapsOf(a, seed, n), gapsOf(a, seed+1, n)
			for lag := range 3 {
				if r := correlation(x[lag:], y[:n-lag]); math.Abs(r) > 4/math.Sqrt(n) {
					t.Errorf("%v: seeds %d and %d are correlated by %.3f at a lag of %d", a, seed, seed+1, r, lag)
				}
				if r := correlation(x[lag+1:], x[:n-lag-1]); math.Abs(r) > 4/math.Sqrt(n) {
					t.Errorf("%v: gaps of seed %d are correlated by %.3f at a lag of %d", a, seed, r, lag+1)
				}
			}
		}
		// The first gap of a run too is another for each seed.
		first := make([]float64, 0, n)
		for seed := range uint64(n) {
			first = append(first, gapsOf(a, seed, 1)[0])
		}
		if r := correlation(first[1:], first[:n-1]); math.Abs(r) > 4/math.Sqrt(n) {
			t.Errorf("%v: first gaps of seeds that follow one another are correlated by %.3f", a, r)
		}
	}
}

func correlation(x, y []float64) float64 {
	n, sx, sy := float64(len(x)), 0.0, 0.0
	for i := range x {
		sx, sy = sx+x[i], sy+y[i]
	}
	xy, xx, yy := 0.0, 0.0, 0.0
	for i := range x {
		dx, dy := x[i]-sx/n, y[i]-sy/n
		xy, xx, yy = xy+dx*dy, xx+dx*dx, yy+dy*dy
	}
	return xy / math.Sqrt(xx*yy)
}
