package view

import (
	"slices"
	"strconv"
	"strings"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/layout"
	"redline/ui/style"
)

// errorsHead is the error share of the scope: in a level of the requests that its promise is about, those that started when the load was in force. Against its threshold, which holds for arrivals that were never sent as well, the share with those; it
// tells whether they are named.
func (f *frame) errorsHead(r *style.Row, title string) (unsent bool) {
	share := f.scope.Counted.ErrorShare()
	v, ok := f.errorVerdict()
	look := style.FG
	if ok && v.Known && sound(share) && v.Threshold.Broken(share.V) {
		look = style.Bad
	}
	r.Put(style.Strong, title).Put(style.Dim, " "+f.st.Scope.String()+" ").Put(look, portion(share))
	if !ok {
		return false
	}
	mark, look := f.g.OK, style.Good
	switch {
	case !v.Known:
		mark, look = "", style.FG
	case v.Broken:
		mark, look = f.g.Fail, style.Bad
	}
	if unsent = v.Missed.Unsent > 0; unsent {
		r.Put(style.Dim, " · with ").Put(style.FG, count(v.Missed.Unsent)+" unsent ").Put(look, portion(v.Value))
	}
	if mark != "" {
		r.Blank(1).Put(look, mark)
	}
	r.Put(style.Dim, " "+bound(v.Threshold)+"%")
	return unsent
}

// otherPromises are the promises that no lane shows, each with its value and its verdict: "E2E p95 6.2 s ✗ ≤5 s". One that finds no room is left
// out whole.
func (f *frame) otherPromises(r *style.Row, gap, end int) {
	for i, t := range f.s.Run.Thresholds {
		if t.Quota() || t.Metric == bench.Errors || f.laned(i) {
			continue
		}
		st := &f.scope.Stats[t.Metric]
		v := st.At(t.At)
		out := []part{{style.Dim, t.Metric.String() + " " + t.At.String() + " "}}
		switch g, held := (figure{Stat: st, few: st.Readiness == bench.Few}), t.Judge(f.scope); {
		case held.Known && held.Beyond:
			out = append(out, part{style.Bad, f.g.Fail + " "})
		case !sound(v) || st.Readiness == bench.Absent:
			out = append(out, part{style.FG, "– "})
		case held.Known && held.Broken:
			out = append(out, part{style.Bad, inUnit(g, v, t) + " " + f.g.Fail + " "})
		case !held.Known:
			out = append(out, part{style.FG, inUnit(g, v, t) + " "})
		default:
			out = append(out, part{style.FG, inUnit(g, v, t) + " "}, part{style.Good, f.g.OK + " "})
		}
		out = append(out, part{style.Dim, strings.ReplaceAll(strings.TrimSuffix(inWords(t), " a stream"), " ", "")})
		if r.Cells()+gap+f.width(out) > end {
			continue
		}
		r.Blank(gap)
		for _, p := range out {
			r.Put(p.look, p.text)
		}
	}
}

// laned tells whether a lane shows the run's threshold i: the first of its metric.
func (f *frame) laned(i int) bool {
	t := f.s.Run.Thresholds[i]
	if !slices.Contains(bench.Lanes[:], t.Metric) {
		return false
	}
	for _, before := range f.s.Run.Thresholds[:i] {
		if before.Metric == t.Metric {
			return false
		}
	}
	return true
}

// inUnit is a value beside its threshold, with its unit: times are in milliseconds below a second and in seconds from there on, as limits are.
func inUnit(g figure, v bench.Value, t bench.Threshold) string {
	switch {
	case t.Floor:
		return g.text(v) + " tok/s"
	case v.V >= 999.5:
		v.V /= 1000
		return g.text(v) + " s"
	}
	return g.text(v) + " ms"
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
	told := f.errorsHead(r, title)
	strip := min(f.Chart/2, 40)
	if f.Density < layout.Compact {
		strip = 0
	}
	end := f.W - strip - 3
	if f.Density >= layout.Compact {
		f.otherPromises(r, gap, end)
	}
	classes := f.classes()
	switch n := f.scope.Tally.Unsent; {
	case told:
	case n > 0:
		r.Blank(gap).Put(style.Bad, "unsent ×"+count(n))
	case len(classes) == 0 && f.scope.Malformed == 0:
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
	if n := f.scope.Malformed; n > 0 {
		if text := "malformed events ×" + count(n); r.Cells()+gap+f.st.Set.Width(text) <= end {
			r.Blank(gap).Put(style.Warn, text)
		}
	}
	if room := end - r.Cells() - gap - 2; len(classes) > 0 && f.s.LastError != "" && !f.st.Private && room > 12 {
		r.Blank(gap).Cut(style.Dim, f.s.LastError, room)
	}
	if strip > 0 && r.Cells() < end && f.anyFailure() {
		r.To(end + 1)
		chart.Strip(r, style.Bad, f.failures(strip), strip, f.st.Graph)
	}
	f.end()
}

// anyFailure tells whether the run has failed or limited requests at all.
func (f *frame) anyFailure() bool { return f.s.Total.Tally.Failed+f.s.Total.Tally.Limited > 0 }

// errorStrip is the columns of the error strip, and what they were counted by: counting goes through all buckets of the window, once a second.
type errorStrip struct {
	fold    fold
	span    span
	columns []chart.Column
}

// failures are the failed and limited requests of the window in so many columns.
func (f *frame) failures(cells int) []chart.Column {
	sp, is := f.over(f.pastWindow(), cells), foldOf(f.s)
	if f.mishaps.fold != is || f.mishaps.span != sp {
		f.mishaps = errorStrip{is, sp, f.countFailures(sp, f.mishaps.columns[:0])}
	}
	return f.mishaps.columns
}

func (f *frame) countFailures(sp span, out []chart.Column) []chart.Column {
	for i := range sp.count {
		from := sp.start(i)
		if from < 0 {
			out = append(out, chart.Column{})
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
			out = append(out, chart.Column{V: float64(n), OK: len(buckets) > 0, Dim: n == 0})
		}
	}
	return out
}
