package view

import (
	"slices"
	"strconv"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/layout"
	"redline/ui/style"
)

// errorsHead is the error share of the scope against its threshold.
func (f *frame) errorsHead(r *style.Row, title string) {
	share := f.scope.Tally.ErrorShare()
	r.Put(style.Strong, title).Put(style.Dim, " "+f.st.Scope.String()+" ")
	t, ok := f.threshold(bench.Errors)
	look := style.FG
	if ok && sound(share) && t.Broken(share.V) {
		look = style.Bad
	}
	r.Put(look, percent(share))
	if ok && sound(share) {
		if look == style.Bad {
			r.Blank(1).Put(look, f.g.Fail)
		} else {
			r.Blank(1).Put(style.Good, f.g.OK)
		}
		r.Put(style.Dim, " "+bound(t)+"%")
	}
}

// class is an outcome and how often it came.
type class struct {
	outcome bench.Outcome
	n       int
}

// classes are the outcomes of the scope that are neither ok nor ours, most frequent first.
func (f *frame) classes() []class {
	var out []class
	for o, n := range f.scope.Tally.By {
		if o := bench.Outcome(o); n > 0 && (o.Failed() || o == bench.RateLimited) {
			out = append(out, class{o, n})
		}
	}
	slices.SortStableFunc(out, func(a, b class) int { return b.n - a.n })
	return out
}

// errors is the error strip: share, classes, the server's own words where there is room, and when the failures came.
func (f *frame) errors() {
	r := f.start().Blank(1)
	title := "ERRORS"
	gap := 3
	if f.Density < layout.Full {
		title, gap = "ERR", 2
	}
	f.errorsHead(r, title)
	strip := min(f.Chart/2, 40)
	if f.Density < layout.Compact {
		strip = 0
	}
	end := f.W - strip - 3
	classes := f.classes()
	if len(classes) == 0 {
		r.Blank(gap).Put(style.Dim, "no failures")
	}
	for _, c := range classes {
		text := c.outcome.String() + " ×" + strconv.Itoa(c.n)
		if r.Cells()+gap+f.st.Set.Width(text) > end {
			break
		}
		look := style.Bad
		if c.outcome == bench.RateLimited {
			look = style.Warn
		}
		r.Blank(gap).Put(look, text)
	}
	if room := end - r.Cells() - gap - 2; len(classes) > 0 && f.s.LastError != "" && room > 12 {
		r.Blank(gap).Cut(style.Dim, f.s.LastError, room)
	}
	if strip > 0 && r.Cells() < end && f.anyFailure() {
		r.To(end + 1)
		chart.Strip(r, style.Bad, f.failures(strip), strip)
	}
	f.end()
}

// anyFailure tells whether the run has failed or limited requests at all.
func (f *frame) anyFailure() bool { return f.s.Total.Tally.Failed+f.s.Total.Tally.Limited > 0 }

// failures are the failed and limited requests of the window in so many columns.
func (f *frame) failures(cells int) []chart.Column {
	f.plot = f.plot[:0]
	sp := over(f.window, f.s.Folded, cells)
	for i := range sp.count {
		from := sp.start(i)
		if from < 0 {
			f.plot = append(f.plot, chart.Column{})
			continue
		}
		n := 0
		buckets := within(f.s.Buckets, from, from+sp.width)
		for _, b := range buckets {
			for o, k := range b.Ended {
				if o := bench.Outcome(o); o.Failed() || o == bench.RateLimited {
					n += k
				}
			}
		}
		for range sp.repeat {
			f.plot = append(f.plot, chart.Column{V: float64(n), OK: len(buckets) > 0, Dim: n == 0})
		}
	}
	return f.plot
}
