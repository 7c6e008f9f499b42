package analysis

import (
	"slices"

	"redline/bench"
)

// Model is the law that a curve's levels follow, as far as they carry one.
type Model struct {
	Fit
	// Left is where the server left the curve that it had followed up to there: the fit is of the lesser loads. Nil where it did not.
	Left *Departure
}

// Departure is a level whose output rate lies below all that the law of the lesser loads lets expect.
type Departure struct {
	Level *bench.Level
	// Output is its output rate, Predicted what was to be expected, and Low the lower bound of that, in tokens a second.
	Output, Predicted, Low float64
}

const (
	// falls is by how much, as a share, an output rate must lie below the prediction to be news.
	falls = 0.05
	// leftMost is how many of the greatest loads may lie past the end of a curve.
	leftMost = 3
)

// shown is a level as a sighting.
type shown struct {
	Sighting
	level *bench.Level
}

// shownBy is what a level shows of the law: the requests that were in flight on average, whatever the loop, and the output rate.
func shownBy(l *bench.Level) (shown, bool) {
	if !l.InFlight.OK || !l.OutputRate.OK || !(l.InFlight.V > 0 && l.OutputRate.V > 0) {
		return shown{}, false
	}
	return shown{Sighting{l.InFlight.V, l.OutputRate.V, outputError(l)}, l}, true
}

// unknownError is the standard error of an output rate of which too few batches are known, as a share of it.
const unknownError = 0.05

// outputError is the standard error of a level's output rate.
func outputError(l *bench.Level) float64 {
	s := newRatio(l.Batches, lasting(l.Batches), outputRate)
	if s == nil || s.batches() < leastBatches {
		return unknownError * l.OutputRate.V
	}
	return s.deviation()
}

// modelOf fits the law; where it does not fit all loads, perhaps it fits those before the server left it.
func modelOf(seen []shown) Model {
	slices.SortStableFunc(seen, func(a, b shown) int {
		switch {
		case a.N < b.N:
			return -1
		case a.N > b.N:
			return 1
		}
		return 0
	})
	all := make([]Sighting, len(seen))
	for i, s := range seen {
		all[i] = s.Sighting
	}
	whole := FitUSL(all)
	if whole.Carried != Scattered {
		return Model{Fit: whole}
	}
	for n := len(all) - 1; n >= max(len(all)-leftMost, leastLoads); n-- {
		f := FitUSL(all[:n])
		v, low, _ := f.Predict(all[n].N)
		if next := all[n]; v.OK && next.X+2*next.Error < low.V && next.X < v.V*(1-falls) {
			return Model{f, &Departure{seen[n].level, next.X, v.V, low.V}}
		}
	}
	return Model{Fit: whole}
}

// Models remembers the law of the curve that was asked for last, so that it is fitted anew only when its levels have changed. The zero value is ready.
type Models struct {
	seen  []shown
	model *Model
}

// Of is the law of a curve. Its levels are those behind the knee.
func (m *Models) Of(c *Curve) *Model {
	if m.model == nil || !slices.Equal(m.seen, c.seen) {
		model := modelOf(slices.Clone(c.seen))
		m.seen, m.model = c.seen, &model
	}
	return m.model
}
