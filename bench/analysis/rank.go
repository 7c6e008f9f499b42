package analysis

import (
	"cmp"
	"math"
	"slices"

	"redline/bench"
)

// Place is where a target stands among several.
type Place struct {
	// Target is its place in the order in which the targets were given; Level its best one, nil where nothing was measured.
	Target int
	Level  *bench.Level
	// Kept tells that the level is known to keep every promise; without it there is no Rank.
	Kept bool
	Cost Cost
	// Rank is from 1; those that are not told apart by more than noise share one, and are Tied. 0 is none.
	Rank int
	Tied bool
}

// Contender is a target as it was measured.
type Contender struct {
	Levels []*bench.Level
	Prices bench.Prices
}

// Rank orders targets by what a million output tokens cost at the best load of each at which it is known to keep every promise; where not every target
// has prices, by its output rate there, and byCost is false. Targets that keep none come last, in their own order.
func Rank(all []Contender) (places []Place, byCost bool) {
	byCost = true
	for i, c := range all {
		p := c.best()
		p.Target = i
		byCost = byCost && (p.Level == nil || p.Cost.PerMillion.OK)
		places = append(places, p)
	}
	slices.SortStableFunc(places, func(a, b Place) int {
		switch {
		case a.Kept != b.Kept && a.Kept:
			return -1
		case a.Kept != b.Kept:
			return 1
		case !a.Kept:
			return 0
		case byCost:
			return cmp.Compare(a.Cost.PerMillion.V, b.Cost.PerMillion.V)
		}
		return cmp.Compare(b.Level.OutputRate.V, a.Level.OutputRate.V)
	})
	first := 0
	for i := range places {
		p := &places[i]
		if !p.Kept {
			break
		}
		if i == 0 || apart(&places[first], p, all, byCost) {
			first = i
		} else {
			p.Tied, places[first].Tied = true, true
		}
		p.Rank = first + 1
	}
	return places, byCost
}

// best is the level at which a target does best: of those that keep every promise the cheapest, without prices that with the greatest output rate; where none
// keeps them, the newest.
func (c Contender) best() Place {
	var out Place
	for _, l := range c.Levels {
		if !Measured(l) || !l.Reached.OK {
			continue
		}
		p := Place{Level: l, Kept: keeps(l.Verdicts) && l.OutputRate.OK, Cost: CostOf(&l.Summary, c.Prices)}
		if out.Level == nil || p.Kept && !out.Kept || p.Kept == out.Kept && (!p.Kept || betterThan(&p, &out)) {
			out = p
		}
	}
	return out
}

func betterThan(p, o *Place) bool {
	if p.Cost.PerMillion.OK && o.Cost.PerMillion.OK {
		return p.Cost.PerMillion.V < o.Cost.PerMillion.V
	}
	return p.Level.OutputRate.V > o.Level.OutputRate.V
}

// apart tells whether two targets differ by more than noise in what they are ranked by. By the hour of a GPU a token costs what the output rate makes of it;
// by the token, it is the prices that differ.
func apart(a, b *Place, all []Contender, byCost bool) bool {
	hourly := all[a.Target].Prices.Hourly() > 0 || all[b.Target].Prices.Hourly() > 0
	if byCost {
		far := math.Abs(b.Cost.PerMillion.V-a.Cost.PerMillion.V) > matters*a.Cost.PerMillion.V
		if !hourly || !far {
			return far
		}
		if all[a.Target].Prices.Hourly() != all[b.Target].Prices.Hourly() {
			// The prices differ, whatever the rates do.
			return true
		}
	}
	d := CompareOutput(ScopeOf(a.Level), ScopeOf(b.Level))
	return d.Seen()
}
