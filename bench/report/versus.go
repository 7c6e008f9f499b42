package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"redline/bench"
	"redline/bench/analysis"
)

// Party is a run, or a part of one, as it is compared with another.
type Party struct {
	// Word is what named it, Letter what stands for it beside others.
	Word, Letter string
	// Began is the wall time of its instant 0, Redline the version that measured it, Options the flags that it was given, Machine the client in words.
	Began            time.Time
	Redline, Machine string
	Options          []string
	// Notes were added when it was over; Complete tells that it was written to its end.
	Notes    []string
	Complete bool
	// Whole is the snapshot of all its targets, Snap that of the one that is compared, and Track its place.
	Whole, Snap *bench.Snapshot
	Track       int
	// Levels are those that are meant: all, as a rule; Picked tells that it is one that was chosen.
	Levels []*bench.Level
	Picked bool
	// Bare is what a veil was laid over; nil without one.
	Bare *Party
}

// Veiled is a run without what is private.
func (p *Party) Veiled() *Party {
	var v, whole bench.Veil
	out := *p
	out.Bare, out.Snap, out.Whole = p, v.Snapshot(p.Snap), whole.Snapshot(p.Whole)
	out.Machine, out.Options = bench.Hidden, []string{bench.Hidden}
	// Folders tell of accounts.
	out.Word = out.Word[strings.LastIndexAny(out.Word, `/\`)+1:]
	return &out
}

func (p *Party) course() analysis.Course {
	return analysis.Course{Run: p.Snap.Run, Levels: p.Levels, Picked: p.Picked}
}

// name is what the run is called at the top: its letter, and what named it.
func (p *Party) name() string { return p.Letter + "  " + Printable(p.Word) }

// Versus is one run against the first.
type Versus struct {
	A, B *Party
	analysis.Comparison
	// differs is what else they differ in; cautions are of the runs as wholes, while those of a load are with it.
	differs  []differing
	cautions []string
}

// Against compares a run, b, with the first.
func Against(a, b *Party) *Versus {
	out := &Versus{A: a, B: b, Comparison: analysis.CompareCourses(a.course(), b.course()), differs: differingOf(a, b)}
	if out.itself() {
		out.cautions = append(out.cautions, a.Letter+" and "+b.Letter+" are the same run: there is nothing to differ")
	}
	for _, p := range []*Party{a, b} {
		if !p.Complete {
			out.cautions = append(out.cautions, p.Letter+" was cut off, or is still being written: what it has is compared")
		}
		if p.Whole.Rivals != nil {
			out.cautions = append(out.cautions, fmt.Sprintf("%s has several targets: %s is compared (--target chooses)", p.Letter, bench.Letter(p.Track)))
		}
	}
	return out
}

// itself tells whether a run is compared with itself.
func (f *Versus) itself() bool {
	return f.A.Began.Equal(f.B.Began) && f.A.Track == f.B.Track && f.A.Snap.Run.Seed == f.B.Snap.Run.Seed &&
		slices.EqualFunc(f.A.Levels, f.B.Levels, func(x, y *bench.Level) bool { return x.ID == y.ID && x.Begin == y.Begin })
}

// Worse tells whether a quantity is worse by so large a share of the first run's or more, at any load, and whether that can be told. It looks at no other
// quantity, so that it holds among its own differences.
func (f *Versus) Worse(q analysis.Quantity, least float64) (worse, told bool) {
	var all []*analysis.Difference
	for i := range f.Bouts {
		for k := range f.Bouts[i].Rows {
			if r := &f.Bouts[i].Rows[k]; r.Quantity == q {
				all, told = append(all, &r.Difference), told || r.Contrast != analysis.Untold
			}
		}
	}
	for i := range analysis.Holding(all) {
		d := all[i]
		share := d.Share(d.By)
		worse = worse || d.Contrast == analysis.Worse && (!share.OK || max(share.V, -share.V) >= least)
	}
	return worse, told
}

// AnyWorse tells whether any number is worse with all that were looked at in view, and whether that can be told: where there is a verdict on the errors and on each number
// that either run promises, at every load.
func (f *Versus) AnyWorse() (worse, told bool) {
	worse = slices.ContainsFunc(f.Bouts, func(b analysis.Bout) bool {
		return slices.ContainsFunc(b.Rows, func(r analysis.Row) bool { return r.Holds && r.Contrast == analysis.Worse })
	})
	return worse, f.Told > 0 && f.Untold() == ""
}

// Untold names what a gate needs and has no verdict, at the first load that lacks it; empty where nothing lacks.
func (f *Versus) Untold() string {
	for _, b := range f.Bouts {
		var names []string
		for _, r := range b.Rows {
			if r.Contrast == analysis.Untold && r.From.OK && r.To.OK && (r.Of == analysis.OfMetric && r.Metric == bench.Errors || promises(b.A, r.Quantity) || promises(b.B, r.Quantity)) {
				names = append(names, r.String())
			}
		}
		if names != nil {
			return strings.Join(names, ", ") + " at " + b.B.Load.String()
		}
	}
	return ""
}

// promises tells whether a level was held to a promise of a number.
func promises(l *bench.Level, q analysis.Quantity) bool {
	return q.Of == analysis.OfMetric && slices.ContainsFunc(l.Verdicts, func(v bench.Verdict) bool {
		return !v.Threshold.Quota() && v.Threshold.Metric == q.Metric && v.Threshold.At == q.At
	})
}
