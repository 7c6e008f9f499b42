package view

import (
	"redline/bench"
	"redline/bench/analysis"
	"redline/ui/style"
)

// confirmed is the redline that the last ramp found, as long as it answers what the Curve asks; nil else. Where every promise is kept at the greatest load that may
// be set, nothing was found.
func (f *frame) confirmed() *bench.Redline {
	r := ramped(f.live)
	if r == nil || r.Phase != bench.RampFound || r.Found == nil || r.Found.Load.Mode != f.curveMode() || f.otherSince(r.Ended.At) {
		return nil
	}
	return r.Found
}

// redlineX is the load of the redline on the axis; 0 where there is none.
func (f *frame) redlineX() float64 {
	if r := f.confirmed(); r != nil {
		return r.Load.N
	}
	return 0
}

// redlineParts are the mark and the load of the redline, and what is to say of it, for the legend; nil where there is none.
func (f *frame) redlineParts() []part {
	r := f.confirmed()
	if r == nil {
		return nil
	}
	out := []part{{style.Accent2, pad(f, f.drawn().Redline, 2)}, {style.Dim, "redline "}, {style.Strong, about(r.Rough) + named(r.Load)}, {style.Dim, " confirmed"}}
	// A level that broke a promise at this load, or below, says something else than the ramp did; both are shown.
	if l := &f.loads.limit; (l.Bound == analysis.Between || l.Bound == analysis.Below) && l.Broken.N <= r.Load.N {
		return append(out, part{style.Warn, ", but level at " + named(l.Broken) + " broke"})
	}
	switch {
	case r.Why != "":
		out = append(out, part{style.Dim, ", stopped by " + r.Why})
	case r.Bound.Limit > 0:
		out = append(out, part{style.Dim, ", bound by " + subject(r.Bound)})
	default:
		return out
	}
	if r.Above.N > 0 {
		out = append(out, part{style.Dim, " at " + named(r.Above)})
	}
	return out
}
