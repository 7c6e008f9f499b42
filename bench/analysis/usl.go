package analysis

import (
	"math"
	"math/rand/v2"
	"slices"

	"redline/bench"
)

// Sighting is the output rate X, in tokens a second, that was seen with N requests in flight on average, give or take Error (a standard error).
type Sighting struct{ N, X, Error float64 }

// USL are the parameters of the Universal Scalability Law (Gunther, 1993): X(N) = Rate × N ÷ (1 + Contention × (N−1) + Coherency × N × (N−1)). Rate is what one
// request in flight yields, above 0; Contention the part of the work that is serial, Coherency what requests cost each other; both 0 or more.
type USL struct{ Rate, Contention, Coherency float64 }

// At is the output rate at so many requests in flight.
func (u USL) At(n float64) float64 {
	return u.Rate * n / (1 + u.Contention*(n-1) + u.Coherency*n*(n-1))
}

// Peak is the load at which the output rate is greatest; +Inf where it never falls.
func (u USL) Peak() float64 {
	if u.Contention >= 1 {
		return 1
	}
	return math.Sqrt((1 - u.Contention) / u.Coherency)
}

// Ceiling is the output rate that is approached where it never falls; +Inf without contention.
func (u USL) Ceiling() float64 { return u.Rate / u.Contention }

// Carried tells whether sightings carry a fit.
type Carried uint8

const (
	// FewLoads: fewer than five loads; Near: they span less than a factor of eight.
	FewLoads Carried = iota
	Near
	// Scattered: the law explains less than 95 % of the variance, misses a load by more than noise, or fits no better than one that only stops growing: another law
	// holds, as with a fixed number of slots.
	Scattered
	// Loose: the law fits, but neither where it peaks nor what it approaches is known to within a factor of two.
	Loose
	// ToPeak: it peaks, and where is known. ToCeiling: it approaches a ceiling, which is known.
	ToPeak
	ToCeiling
)

// Bounded is a number with the bounds of its 95 % interval.
type Bounded struct{ V, Low, High float64 }

// within tells whether the bounds lie closer than a factor of two.
func (b Bounded) within() bool { return b.Low > 0 && b.High < 2*b.Low }

// Fit is the law as it fits sightings best.
type Fit struct {
	USL
	Carried Carried
	// R2 is the share of the variance that it explains, at most 1.
	R2 float64
	// Loads are how many it rests on, From and To the least and the greatest of them.
	Loads    int
	From, To float64
	// Peak is the load of the greatest output rate, and Top that rate (ToPeak); or Top is the ceiling (ToCeiling).
	Peak, Top Bounded
	// Contended and Coherent bound Contention and Coherency.
	Contended, Coherent Bounded
	// drawn are fits of what might as well have been seen.
	drawn []USL
}

// Shown tells whether the fit is good enough to be shown.
func (f *Fit) Shown() bool { return f.Carried >= ToPeak }

const (
	// leastLoads and leastSpan are how many loads a fit takes, and how far apart they have to be, as a factor.
	leastLoads = 5
	leastSpan  = 8
	// explained is the least share of the variance, missed how far, as a share of it, an output rate may lie off whatever its error.
	explained = 0.95
	missed    = 0.08
	// refits is how often what might have been seen is fitted anew.
	refits = 200
	// beyond is how many times the greatest load a peak may lie away; past it there is none to speak of.
	beyond = 10
)

// FitUSL fits the law to sightings in any order, at most one for each load; those that are not numbers above 0 are left out. Each is weighted by its error, and by a
// percent of itself, since no server follows a law to the last token. The intervals come from fits to 200 sets of sightings that might have been seen: too
// few loads are measured for drawing among them.
func FitUSL(seen []Sighting) Fit {
	seen = solid(seen)
	f := Fit{Loads: len(seen)}
	if len(seen) < leastLoads {
		return f
	}
	if f.From, f.To = seen[0].N, seen[len(seen)-1].N; f.To < leastSpan*f.From {
		f.Carried = Near
		return f
	}
	f.USL = solve(seen, f.To)
	f.Carried = Scattered
	var scale float64
	var fits bool
	if f.R2, scale, fits = f.explains(seen); !fits || f.R2 < explained || stopsAlike(seen, misfit(f.USL, seen)) {
		return f
	}
	f.draw(seen, scale)
	f.conclude()
	return f
}

// solid are the sightings that can be fitted, by load, with errors of a percent at least.
func solid(seen []Sighting) []Sighting {
	var out []Sighting
	for _, s := range seen {
		if s.N > 0 && s.X > 0 && s.Error >= 0 && !math.IsInf(s.N+s.X+s.Error, 0) {
			out = append(out, Sighting{s.N, s.X, math.Hypot(s.Error, 0.01*s.X)})
		}
	}
	slices.SortStableFunc(out, func(a, b Sighting) int {
		if a.N < b.N {
			return -1
		}
		if a.N > b.N {
			return 1
		}
		return 0
	})
	return out
}

// explains is the share of the variance that the law explains, by how much sightings lie further off than their errors say, at least 1, and whether none lies
// too far off.
func (u USL) explains(seen []Sighting) (r2, scale float64, fits bool) {
	mean, left, all, chi := 0.0, 0.0, 0.0, 0.0
	for _, s := range seen {
		mean += s.X / float64(len(seen))
	}
	fits = true
	for _, s := range seen {
		off := s.X - u.At(s.N)
		left += off * off
		all += (s.X - mean) * (s.X - mean)
		chi += (off / s.Error) * (off / s.Error)
		fits = fits && math.Abs(off) <= max(3*s.Error, missed*s.X)
	}
	if all == 0 {
		return 0, 1, false
	}
	return 1 - left/all, math.Sqrt(max(chi/float64(len(seen)-3), 1)), fits
}

// draw fits what might as well have been seen: the law's own output rates, off by errors. So near to the law its linear form does, which costs a hundredth.
func (f *Fit) draw(seen []Sighting, scale float64) {
	r := rand.New(rand.NewPCG(uint64(len(seen)), 1))
	again := make([]Sighting, len(seen))
	for range refits {
		for i, s := range seen {
			again[i] = Sighting{s.N, max(f.At(s.N)+scale*s.Error*r.NormFloat64(), 0.01*s.X), s.Error}
		}
		f.drawn = append(f.drawn, guess(again))
	}
}

// conclude finds out what is known well enough.
func (f *Fit) conclude() {
	f.Contended = f.between(func(u USL) float64 { return u.Contention })
	f.Coherent = f.between(func(u USL) float64 { return u.Coherency })
	peak := f.between(USL.Peak)
	ceiling := f.between(USL.Ceiling)
	switch {
	case peak.V <= beyond*f.To && peak.within():
		f.Carried, f.Peak = ToPeak, peak
		f.Top = f.between(func(u USL) float64 { return u.At(u.Peak()) })
	case peak.V > beyond*f.To && ceiling.within():
		f.Carried, f.Top = ToCeiling, ceiling
	default:
		f.Carried = Loose
	}
}

// between is a number of the law with its interval.
func (f *Fit) between(of func(USL) float64) Bounded {
	all := make([]float64, 0, len(f.drawn))
	for _, u := range f.drawn {
		all = append(all, of(u))
	}
	slices.Sort(all)
	return Bounded{of(f.USL), all[len(all)/40], all[len(all)-1-len(all)/40]}
}

// Predict is the output rate at so many requests in flight, with its interval; absent where the fit is not shown.
func (f *Fit) Predict(n float64) (v, low, high bench.Value) {
	if !f.Shown() || !(n > 0) {
		return v, low, high
	}
	b := f.between(func(u USL) float64 { return u.At(n) })
	return bench.Some(b.V), bench.Some(b.Low), bench.Some(b.High)
}
