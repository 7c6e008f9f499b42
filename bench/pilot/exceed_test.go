package pilot

import (
	"math"
	"math/rand/v2"
	"testing"

	"redline/bench"
)

func TestTheSequentialTestDecidesAsWaldsDoes(t *testing.T) {
	even := risk{broken: 0.10, kept: 0.10}
	for _, one := range []struct {
		name  string
		x     exceedances
		allow float64
		want  bench.Holds
		need  int
	}{
		{"nothing yet", exceedances{}, 0.05, bench.NotYet, 0},
		{"41 without one are one too few: each is worth ln(0.97/0.92), and it takes ln 9", exceedances{41, 0, 41}, 0.05, bench.NotYet, 1},
		{"42 without one keep a p95", exceedances{42, 0, 42}, 0.05, bench.Kept, 0},
		{"3 of 10 break it", exceedances{10, 3, 10}, 0.05, bench.Broke, 0},
		{"3 of 15 do not: 2.94 less 12 times 0.053 are 2.31, 3 of 20 are 2.04", exceedances{20, 3, 20}, 0.05, bench.NotYet, 3},
		{"100 that are worth 20 are 20 without one", exceedances{100, 0, 20}, 0.05, bench.NotYet, 108},
		{"in between it takes for ever", exceedances{1000, 51, 1000}, 0.05, bench.NotYet, 0},
		{"a median is decided by few", exceedances{4, 0, 4}, 0.5, bench.Kept, 0},
		{"a p99 by many", exceedances{42, 0, 42}, 0.01, bench.NotYet, 174},
		{"a maximum breaks at once", exceedances{300, 1, 300}, 0, bench.Broke, 0},
		{"a maximum is kept after sixty", exceedances{60, 0, 60}, 0, bench.Kept, 0},
		{"a maximum is not known after fifty", exceedances{50, 0, 50}, 0, bench.NotYet, 10},
	} {
		holds, need := one.x.decide(one.allow, even)
		if holds != one.want || one.need > 0 && (need < one.need*9/10 || need > one.need*11/10+1) {
			t.Errorf("%s: %v, %d more; want %v, about %d", one.name, holds, need, one.want, one.need)
		}
	}
}

func TestTheSequentialTestIsAsOftenWrongAsItSays(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	for _, truth := range []struct {
		share float64
		wrong bench.Holds
	}{{0.03, bench.Broke}, {0.08, bench.Kept}} {
		wrong := 0
		for range 2000 {
			x := exceedances{}
			for holds := bench.NotYet; holds == bench.NotYet; {
				x.n++
				if chance.Float64() < truth.share {
					x.over++
				}
				x.worth = float64(x.n)
				if holds, _ = x.decide(0.05, halvingRisk); holds == truth.wrong {
					wrong++
				}
			}
		}
		if share := float64(wrong) / 2000; share > 0.11 {
			t.Errorf("a true share of %g is taken for the other in %.1f %% of the cases, want at most 10 %%", truth.share, 100*share)
		}
	}
}

func TestIntervalsAreWilsons(t *testing.T) {
	// 5 of 100: 2.15 to 11.18 %, by any table. Half as many independent ones say less.
	low, high := (exceedances{100, 5, 100}).between()
	if math.Abs(low.V-0.0215) > 1e-4 || math.Abs(high.V-0.1118) > 1e-4 {
		t.Errorf("5 of 100: %v to %v", low, high)
	}
	if l, h := (exceedances{100, 5, 50}).between(); l.V >= low.V || h.V <= high.V {
		t.Errorf("5 of 100 that are worth 50: %v to %v", l, h)
	}
	if low, high = (exceedances{}).between(); low.OK || high.OK {
		t.Errorf("none: %v to %v, want nothing", low, high)
	}
}

// drawn are values of an autoregressive process with a correlation of neighbours.
func drawn(n int, rho float64, seed uint64) (out []outcome) {
	chance := rand.New(rand.NewPCG(seed, 7))
	v := chance.NormFloat64()
	for range n {
		out = append(out, outcome{value: bench.Some(100 + v)})
		v = rho*v + math.Sqrt(1-rho*rho)*chance.NormFloat64()
	}
	return out
}

func TestRequestsThatAreAlikeAreWorthLess(t *testing.T) {
	worth := func(rho float64) (mean float64) {
		for seed := range uint64(20) {
			mean += count(drawn(300, rho, seed), false).worth / 20
		}
		return mean
	}
	alone, alike, same := worth(0), worth(0.8), worth(0.95)
	// With 0.8 the exceedances of a 95th percentile have correlations of about 0.45, 0.26, 0.15, 0.06: one is worth 1/2.9.
	if alone < 280 || alike < 75 || alike > 150 || same > 60 {
		t.Errorf("300 requests are worth %.0f, %.0f and %.0f", alone, alike, same)
	}
	constant := make([]outcome, 50)
	for i := range constant {
		constant[i].value = bench.Some(7)
	}
	if x := count(constant, false); x.worth != 50 {
		t.Errorf("fifty equal ones are worth %g", x.worth)
	}
}

func TestWhatNeverCameIsWorst(t *testing.T) {
	all := []outcome{{value: bench.Some(1)}, {value: bench.Some(2)}, {over: true}, {value: bench.Some(3)}}
	if s := scores(all, false); s[2] <= s[3] || s[3] <= s[1] || s[1] <= s[0] {
		t.Errorf("of a ceiling: %v", s)
	}
	if s := scores(all, true); s[2] <= s[0] || s[0] <= s[1] || s[1] <= s[3] {
		t.Errorf("of a floor: %v", s)
	}
	p95, max, p5 := promised(t, "ttft.p95<=1s"), promised(t, "ttft.p50<=1s"), promised(t, "tps.p50>=1")
	if v := quantile(all, p95); v.OK {
		t.Errorf("the 95th percentile lies among what never came: %v", v)
	}
	if v := quantile(all, max); v != bench.Some(2) {
		t.Errorf("the median of a ceiling is %v, want 2", v)
	}
	if v := quantile(all, p5); v != bench.Some(1) {
		t.Errorf("the median of a floor is %v, want 1: one below never came", v)
	}
	if v := worst(all, false); v.OK {
		t.Errorf("the worst never came: %v", v)
	}
}

func TestADriftIsSeenInItsDirectionAlone(t *testing.T) {
	ramp := func(by float64) (out []outcome) {
		for i, o := range drawn(100, 0, 3) {
			out = append(out, outcome{value: bench.Some(o.value.V + by*float64(i))})
		}
		return out
	}
	for _, one := range []struct {
		name  string
		by    float64
		floor bool
		want  bool
	}{
		{"times that stay", 0, false, false},
		{"times that grow by half", 0.5, false, true},
		{"times that shrink", -0.5, false, false},
		{"speeds that grow", 0.5, true, false},
		{"speeds that shrink", -0.5, true, true},
		{"a growth that is sure, and of no account", 0.05, false, false},
	} {
		if all := ramp(one.by); drifts(all, one.floor, float64(len(all))) != one.want {
			t.Errorf("%s: want %v", one.name, one.want)
		}
	}
}
