package analysis

import "redline/bench"

// Comparisons remembers comparisons of levels, so that a screen that is drawn many times a second asks for each once. Levels never change, so that an answer
// holds as long as they are asked for; memory is bounded. The zero value is ready; it is not safe for concurrent use.
type Comparisons struct {
	// new are the answers since the last turn, old those of the turn before that were not asked for again.
	new, old map[pair]Difference
}

// pair is what was asked.
type pair struct {
	from, to *bench.Level
	metric   bench.Metric
	at       bench.Percentile
}

// turn is how many answers are kept before those that nobody asks for any more are let go.
const turn = 256

// Compare is Compare of two levels.
func (c *Comparisons) Compare(from, to *bench.Level, m bench.Metric, p bench.Percentile) Difference {
	return c.ask(pair{from, to, m, p}, func() Difference { return Compare(ScopeOf(from), ScopeOf(to), m, p) })
}

// Elsewhere is Compare of a level of another run, and one of this.
func (c *Comparisons) Elsewhere(from, to *bench.Level, m bench.Metric, p bench.Percentile) Difference {
	return c.ask(pair{from, to, m, p}, func() Difference {
		a := ScopeOf(from)
		a.Elsewhere = true
		return Compare(a, ScopeOf(to), m, p)
	})
}

// Output is CompareOutput of two levels.
func (c *Comparisons) Output(from, to *bench.Level) Difference {
	return c.ask(pair{from, to, bench.NumMetrics, bench.Mean}, func() Difference { return CompareOutput(ScopeOf(from), ScopeOf(to)) })
}

func (c *Comparisons) ask(p pair, answer func() Difference) Difference {
	d, ok := c.new[p]
	if ok {
		return d
	}
	if d, ok = c.old[p]; !ok {
		d = answer()
	}
	if c.new == nil || len(c.new) >= turn {
		c.new, c.old = map[pair]Difference{}, c.new
	}
	c.new[p] = d
	return d
}
