package view

import (
	"math"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/style"
)

// gib is a gibibyte.
const gib = 1 << 30

// serverLane is a gauge of the server that has a lane: its name in full and in four cells, its unit, and what a value is multiplied by where it is shown.
type serverLane struct {
	gauge             bench.Gauge
	name, short, unit string
	times             float64
	ink               bench.Metric
}

// serverLanes are they, in the order in which they stand.
var serverLanes = [...]serverLane{
	{bench.ServerRunning, "running", "run", "req", 1, bench.TPS},
	{bench.ServerWaiting, "waiting", "wait", "req", 1, bench.TTFT},
	{bench.KVUsage, "KV", "KV", "%", 100, bench.TPM},
	{bench.Preemptions, "preempt", "pre", "/s", 1, bench.ITL},
	{bench.PrefixHits, "prefix", "hits", "%", 100, bench.RPM},
	{bench.GPUUse, "GPU", "GPU", "%", 100, bench.TPS},
	{bench.GPUMemory, "GPU mem", "mem", "GiB", 1. / gib, bench.TPM},
	{bench.GPUPower, "power", "watt", "W", 1, bench.RPM},
}

// share tells whether the gauge is a share of something.
func (l *serverLane) share() bool { return l.unit == "%" }

// text is a value of the lane with as much of its unit as every value carries.
func (l *serverLane) text(v bench.Value) string {
	if !sound(v) {
		return chart.Absent
	}
	v.V *= l.times
	switch {
	case l.share():
		return percent(v)
	case l.gauge == bench.ServerRunning || l.gauge == bench.ServerWaiting:
		if v.V >= 10 {
			return amount(v.V)
		}
	}
	if v.V == math.Trunc(v.V) && math.Abs(v.V) < 100 {
		return whole(v)
	}
	return chart.Num(v)
}

// gaugeSeries are the gauges in the columns of the lanes, and the scales that they stand on.
type gaugeSeries struct {
	by     gatheredBy
	values [len(serverLanes)][]column
	ranges [len(serverLanes)]chart.Range
}

// amounts are a gauge over some seconds.
func amounts(buckets []*bench.Bucket, g bench.Gauge) bench.Amount {
	var out bench.Amount
	for _, b := range buckets {
		if b.Server == nil {
			continue
		}
		a := &b.Server.Gauges[g]
		out.Sum, out.Weight, out.Max = out.Sum+a.Sum, out.Weight+a.Weight, max(out.Max, a.Max)
	}
	return out
}

// measureGauges brings the columns of the gauges up to date.
func (f *frame) measureGauges() {
	d := &f.gauges
	is := gatheredBy{foldOf(f.s), f.span, bench.Mean, f.per}
	if f.Chart < 1 || d.by == is {
		return
	}
	second := d.by.fold.folded != is.fold.folded || d.by.fold.run != is.fold.run
	if d.by.width != is.width || d.by.count != is.count || d.by.fold.run != is.fold.run || f.forgetful || f.leapt(d.by.fold, is.fold) {
		d.ranges = [len(serverLanes)]chart.Range{}
	}
	d.by = is
	for i := range serverLanes {
		l := &serverLanes[i]
		d.values[i] = d.values[i][:0]
		top := 0.0
		for k := range f.span.count {
			from := f.span.start(k)
			c := column{}
			if v := amounts(within(f.s.Buckets, from, from+f.span.width), l.gauge); from >= 0 && sound(v.Mean()) {
				c.v, c.ok = v.Mean().V*l.times, true
				top = max(top, c.v)
			}
			d.values[i] = append(d.values[i], c)
		}
		step(&d.ranges[i], roundUp(top*headroom), second)
	}
}

// gaugeLane is the plot of a gauge.
func (f *frame) gaugeLane(i, rows int) chart.Lane {
	l := &serverLanes[i]
	f.plot = f.plot[:0]
	for _, c := range f.gauges.values[i] {
		for range f.span.repeat {
			f.plot = append(f.plot, chart.Column{V: c.v, OK: c.ok})
		}
	}
	out := f.plot[min(f.span.over, len(f.plot)):]
	for _, m := range f.marks {
		if at := f.span.cell(m.column); at < len(out) {
			out[at].Marker = true
		}
	}
	f.point(out)
	lane := chart.Lane{Columns: out, Width: f.Chart - f.ahead, Rows: rows, Mode: f.st.Graph, Ink: style.Lane(l.ink), Scale: chart.Scale{Ceil: f.gauges.ranges[i].Ceil()}}
	if l.share() {
		lane.Scale.Ceil = 100
	}
	switch l.gauge {
	case bench.KVUsage:
		lane.Threshold, lane.HasThreshold = 100*kvNearlyFull, true
	case bench.ServerRunning:
		if most := f.batchSize(); sound(most) && most.V > 0 {
			lane.Threshold, lane.HasThreshold = most.V, true
			lane.Scale.Ceil = max(lane.Scale.Ceil, roundUp(most.V*headroom))
		}
	}
	return lane
}

// gaugeNow is what the servers tell of a gauge now, together: a sum, or a mean.
func (f *frame) gaugeNow(g bench.Gauge) bench.Value {
	return together(f.s.Server, g.Additive(), func(s *bench.Scrape) bench.Value { return s.Values[g] })
}

// batchSize is how many requests the servers can work on at once; absent where one of them does not say.
func (f *frame) batchSize() bench.Value {
	for i := range f.s.Server {
		if s := &f.s.Server[i]; s.State == bench.ScrapeOK && sound(s.Values[bench.ServerRunning]) && !sound(s.MaxRunning) {
			return bench.Value{}
		}
	}
	return together(f.s.Server, true, func(s *bench.Scrape) bench.Value { return s.MaxRunning })
}

// together is a value of all servers that are read: their sum, or their mean.
func together(all []bench.Scrape, sum bool, of func(*bench.Scrape) bench.Value) bench.Value {
	total, n := 0.0, 0.0
	for i := range all {
		if v := of(&all[i]); all[i].State == bench.ScrapeOK && sound(v) {
			total, n = total+v.V, n+1
		}
	}
	switch {
	case n == 0:
		return bench.Value{}
	case sum:
		return bench.Some(total)
	}
	return bench.Some(total / n)
}

// gaugeTold tells whether the server has told a gauge in this run.
func (f *frame) gaugeTold(g bench.Gauge) bool {
	return sound(f.gaugeNow(g)) || sound(f.s.Total.Server.Mean(g))
}

// toldLanes are the lanes of which there is anything to show, by their places.
func (f *frame) toldLanes() []int {
	var out []int
	for i := range serverLanes {
		if f.gaugeTold(serverLanes[i].gauge) {
			out = append(out, i)
		}
	}
	return out
}
