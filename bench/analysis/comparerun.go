package analysis

import (
	"slices"

	"redline/bench"
)

// Course is a run as another is compared with it: what it drove, and levels of it, as a rule all. Picked tells that its one level was chosen, so that it is compared
// with another one that was, whatever their loads.
type Course struct {
	Run    *bench.Run
	Levels []*bench.Level
	Picked bool
}

// Bout is one load of two runs: the level of each, and every quantity of either.
type Bout struct {
	A, B *bench.Level
	Rows []Row
	// Visits are how many measured visits of this load each run has; the newest is compared.
	Visits [2]int
}

// Row is one quantity in a Bout.
type Row struct {
	Quantity
	Difference
	// Holds tells that the difference is told with all that were looked at in view (see Holding); one that is Seen and does not hold may be chance.
	Holds bool
}

// Comparison is what one run is against another, the first.
type Comparison struct {
	Bouts []Bout
	// OnlyA and OnlyB are the measured levels of a load that the other has not, the newest visit of each.
	OnlyA, OnlyB []*bench.Level
	// Told are the rows with a verdict, Seen those of them that differ by themselves, Held those that hold.
	Told, Seen, Held int
}

// CompareCourses compares two runs load by load, at the same load, mode and workload: the newest visit of each. It costs about a millisecond for each row.
func CompareCourses(a, b Course) Comparison {
	var out Comparison
	if a.Picked && b.Picked && len(a.Levels) == 1 && len(b.Levels) == 1 {
		out.Bouts = []Bout{{A: a.Levels[0], B: b.Levels[0], Visits: [2]int{1, 1}}}
	} else {
		out.meet(a, b)
	}
	for i := range out.Bouts {
		out.Bouts[i].judge(a.Run, b.Run)
	}
	out.hold()
	return out
}

// meet finds the loads that both have, in the order of B's levels.
func (c *Comparison) meet(a, b Course) {
	of := func(all []*bench.Level, run *bench.Run, l *bench.Level, of *bench.Run) (newest *bench.Level, visits int) {
		for _, o := range all {
			if o.Load == l.Load && SameWork(run, o.Work, of, l.Work) && comparable(o) {
				newest, visits = o, visits+1
			}
		}
		return newest, visits
	}
	for _, l := range b.Levels {
		newest, visits := of(b.Levels, b.Run, l, b.Run)
		if newest != l {
			continue
		}
		if with, times := of(a.Levels, a.Run, l, b.Run); with != nil {
			c.Bouts = append(c.Bouts, Bout{A: with, B: l, Visits: [2]int{times, visits}})
		} else {
			c.OnlyB = append(c.OnlyB, l)
		}
	}
	for _, l := range a.Levels {
		if newest, _ := of(a.Levels, a.Run, l, a.Run); newest != l {
			continue
		}
		if with, _ := of(b.Levels, b.Run, l, a.Run); with == nil {
			c.OnlyA = append(c.OnlyA, l)
		}
	}
}

// comparable tells whether a level was measured at its load.
func comparable(l *bench.Level) bool { return Measured(l) && l.Reached.OK }

// SameWork tells whether workloads of two runs, as their places there, are the same by their name and their words.
func SameWork(a *bench.Run, i int, b *bench.Run, k int) bool {
	if a == nil || b == nil || i < 0 || k < 0 || i >= len(a.Works) || k >= len(b.Works) {
		return i == k
	}
	return a.Works[i].Name == b.Works[k].Name && a.Works[i].Words == b.Works[k].Words
}

// LevelLike is the level of a run that was measured at the load, in the mode and with the workload of a level of another: the newest that settled, else the newest; nil
// without one.
func LevelLike(of Course, l *bench.Level, in *bench.Run) *bench.Level {
	var newest *bench.Level
	for _, o := range slices.Backward(of.Levels) {
		switch {
		case o.Load != l.Load || !comparable(o) || !SameWork(of.Run, o.Work, in, l.Work):
		case o.State == bench.Settled:
			return o
		case newest == nil:
			newest = o
		}
	}
	return newest
}

func (b *Bout) judge(from, to *bench.Run) {
	side := func(l *bench.Level, r *bench.Run) Side {
		s := Side{Level: l}
		if r != nil {
			s.Prices = r.Prices
		}
		return s
	}
	x, y := side(b.A, from), side(b.B, to)
	for _, q := range Quantities() {
		if d := CompareRuns(x, y, q); d.From.OK || d.To.OK {
			b.Rows = append(b.Rows, Row{Quantity: q, Difference: d})
		}
	}
}

// hold finds which of all the differences hold though so many were looked at.
func (c *Comparison) hold() {
	var all []*Difference
	var rows []*Row
	for i := range c.Bouts {
		for k := range c.Bouts[i].Rows {
			r := &c.Bouts[i].Rows[k]
			all, rows = append(all, &r.Difference), append(rows, r)
			if r.Contrast != Untold {
				c.Told++
			}
			if r.Seen() {
				c.Seen++
			}
		}
	}
	for i := range Holding(all) {
		rows[i].Holds = true
		c.Held++
	}
}
