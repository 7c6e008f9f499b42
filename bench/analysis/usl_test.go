package analysis

import (
	"math"
	"math/rand/v2"
	"testing"
)

// seenAt are sightings of a law, each off by a share of itself.
func seenAt(law func(float64) float64, noise float64, seed uint64, loads ...float64) (out []Sighting) {
	r := rand.New(rand.NewPCG(seed, 3))
	for _, n := range loads {
		x := law(n)
		out = append(out, Sighting{n, x * (1 + noise*r.NormFloat64()), noise * x})
	}
	return out
}

// Laws with a peak and with a ceiling.
var (
	// √((1 − 0.04) ÷ 0.0006) = 40; 60 × 40 ÷ (1 + 0.04 × 39 + 0.0006 × 40 × 39) = 2400 ÷ 3.496 = 686.5.
	peaked = USL{60, 0.04, 0.0006}
	// 60 ÷ 0.04 = 1500.
	ceiled = USL{60, 0.04, 0}
	octave = []float64{1, 2, 4, 8, 16, 32, 64}
)

func TestTheLawByHand(t *testing.T) {
	if got := peaked.Peak(); math.Abs(got-40) > 1e-9 {
		t.Errorf("peak at %g, want 40", got)
	}
	if got := peaked.At(40); math.Abs(got-2400/3.496) > 1e-9 {
		t.Errorf("%g at the peak", got)
	}
	if got := ceiled.Ceiling(); math.Abs(got-1500) > 1e-9 || !math.IsInf(ceiled.Peak(), 1) {
		t.Errorf("ceiling %g, peak %g", got, ceiled.Peak())
	}
	if got := peaked.At(1); got != 60 {
		t.Errorf("one request yields %g", got)
	}
}

func TestTheFitFindsTheLawBehind(t *testing.T) {
	for _, c := range []struct {
		what  string
		law   USL
		noise float64
		off   float64
	}{
		{"exactly", peaked, 0, 0.001},
		{"with a ceiling, exactly", ceiled, 0, 0.002},
		{"through two percent of noise", peaked, 0.02, 0.15},
		{"with a ceiling, through two percent of noise", ceiled, 0.02, 0.15},
	} {
		f := FitUSL(seenAt(c.law.At, c.noise, 1, octave...))
		peak, ceiling := f.Peak.V/40-1, f.Top.V/1500-1
		switch {
		case c.law == peaked && (f.Carried != ToPeak || math.Abs(peak) > c.off || math.Abs(f.Rate/60-1) > c.off):
			t.Errorf("%s: %+v", c.what, f.summary())
		case c.law == ceiled && (f.Carried != ToCeiling || math.Abs(ceiling) > c.off):
			t.Errorf("%s: %+v", c.what, f.summary())
		}
	}
}

// summary is the fit without what was drawn for it.
func (f Fit) summary() Fit {
	f.drawn = nil
	return f
}

// TestTheIntervalHoldsTheTruth in about nineteen of twenty fits.
func TestTheIntervalHoldsTheTruth(t *testing.T) {
	held, shown := 0, 0
	const fits = 60
	for seed := range uint64(fits) {
		f := FitUSL(seenAt(peaked.At, 0.02, seed, octave...))
		if f.Carried == ToPeak {
			shown++
			if f.Peak.Low <= 40 && 40 <= f.Peak.High {
				held++
			}
		}
	}
	if shown < 45 || float64(held) < 0.88*float64(shown) {
		t.Errorf("of %d fits %d are shown, and %d hold the truth", fits, shown, held)
	}
}

func TestWhatDoesNotCarryTheLaw(t *testing.T) {
	slots := func(most float64) func(float64) float64 {
		return func(n float64) float64 { return 40 * math.Min(n, most) }
	}
	for _, c := range []struct {
		what string
		seen []Sighting
		want Carried
	}{
		{"nothing", nil, FewLoads},
		{"four loads", seenAt(peaked.At, 0, 1, 1, 4, 16, 64), FewLoads},
		{"of five one is no number", append(seenAt(peaked.At, 0, 1, 1, 4, 16, 64), Sighting{8, math.NaN(), 0}), FewLoads},
		{"loads side by side", seenAt(peaked.At, 0, 1, 16, 24, 32, 40, 48, 56), Near},
		{"sixteen slots, and then a queue", seenAt(slots(16), 0.01, 1, octave...), Scattered},
		{"eight slots, and then a queue", seenAt(slots(8), 0.01, 2, octave...), Scattered},
		{"thirty-two slots, in even steps", seenAt(slots(32), 0.01, 3, 4, 8, 16, 24, 32, 40, 48, 64), Scattered},
		{"all noise", seenAt(peaked.At, 0.4, 4, octave...), Scattered},
		{"a straight line has neither peak nor ceiling", seenAt(slots(1000), 0.01, 5, octave...), Loose},
		{"hardly a bend", seenAt(USL{60, 0.004, 0}.At, 0.03, 6, octave...), Loose},
		{"always the same", seenAt(func(float64) float64 { return 500 }, 0, 7, octave...), Scattered},
	} {
		if f := FitUSL(c.seen); f.Carried != c.want {
			t.Errorf("%s: %v, want %v: %+v", c.what, f.Carried, c.want, f.summary())
		}
	}
}

// TestAFlatServerHasNoPeak: with a fixed number of slots the rate grows up to them and then stands, however well the law's bow hides the corner in wide errors.
func TestAFlatServerHasNoPeak(t *testing.T) {
	for _, wide := range []float64{0, 0.02, 0.05} {
		for _, slots := range []float64{4, 5, 6, 7, 8, 10, 12} {
			for _, slows := range []float64{0, 0.01} {
				for _, loads := range [][]float64{{1, 2, 4, 8, 16}, {1, 2, 4, 8, 9, 10, 12, 16}, {2, 4, 8, 16, 32}, {1, 2, 4, 6, 8, 12, 16}} {
					var seen []Sighting
					for _, n := range loads {
						x := USL{40, slows, 0}.At(math.Min(n, slots))
						seen = append(seen, Sighting{n, x, wide * x})
					}
					if f := FitUSL(seen); f.Carried == ToPeak {
						t.Errorf("%g slots, %g slower each, loads %v, errors of %g: peak %v, coherency %g", slots, slows, loads, wide, f.Peak, f.Coherency)
					}
				}
			}
		}
	}
}

// TestAFlatServerHardlyEverSeemsToPeak, with noise.
func TestAFlatServerHardlyEverSeemsToPeak(t *testing.T) {
	peaks, peaked := 0, 0
	const fits = 200
	for seed := range uint64(fits) {
		slots := 5 + float64(seed%6)
		law := func(n float64) float64 { return USL{40, 0.01, 0}.At(math.Min(n, slots)) }
		if f := FitUSL(seenAt(law, 0.02, seed, 1, 2, 4, 6, 8, 12, 16)); f.Carried == ToPeak {
			peaks++
		}
		if f := FitUSL(seenAt(USL{60, 0.04, 0.0006}.At, 0.01, seed, octave...)); f.Carried == ToPeak {
			peaked++
		}
	}
	if peaks > fits/20 || peaked < fits*8/10 {
		t.Errorf("of %d flat servers %d seem to peak, of as many that peak %d", fits, peaks, peaked)
	}
}

func TestThePredictionIsTheLawsOwn(t *testing.T) {
	f := FitUSL(seenAt(peaked.At, 0.02, 1, octave...))
	v, low, high := f.Predict(48)
	if want := peaked.At(48); !(low.V <= want && want <= high.V) || v.V < low.V || v.V > high.V || high.V > 1.2*low.V {
		t.Errorf("%v, %v to %v, want %g within", v, low, high, want)
	}
	loose := FitUSL(nil)
	if v, _, _ := loose.Predict(48); v.OK {
		t.Errorf("nothing predicts %v", v)
	}
}

func BenchmarkFitUSL(b *testing.B) {
	seen := seenAt(peaked.At, 0.02, 1, 1, 2, 4, 8, 12, 16, 24, 32, 48, 64)
	for range b.N {
		FitUSL(seen)
	}
}
