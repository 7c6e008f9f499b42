package gauges

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"redline/bench"
)

// stale is how old a text may be to be compared with: what lies longer back was under another load.
const stale = 5 * time.Second

// maxSeries bounds what is kept of a text for the next: beyond it only what the newest text has.
const maxSeries = 50_000

// memory is what is kept of the texts of one address, so that the next shows how much counters have grown. It is not safe for concurrent use.
type memory struct {
	// at is the instant of the newest text; absent before the first.
	at bench.Mark
	// last are the values of counters by name and labels. One that was missing in between is still known: it did not begin anew.
	last map[string]float64
	// began is when the server's process began, where it says.
	began bench.Value
}

// growth is what a text and the one before it say together.
type growth struct {
	gauges [bench.NumGauges]bench.Amount
	now    [bench.NumGauges]bench.Value
	// read tells which of them are read as they stand.
	read    [bench.NumGauges]bool
	restart bool
	// ttft, itl and queue are estimates: what a bucket counts lies anywhere in it.
	ttft, itl, queue bench.Sketch
}

// take compares a text with the one before, by the tables of the engines that it is of, and keeps it for the next.
func (m *memory) take(e *exposition, of []*engine, at time.Duration) growth {
	var g growth
	first := !m.at.OK
	span := (at - m.at.At).Seconds()
	g.restart = !first && m.restarted(e)
	usable := !first && !g.restart && span > 0 && span <= stale.Seconds()
	near := byNearness(of)
	for gauge := range bench.NumGauges {
		switch gauge {
		case bench.ServerTTFT, bench.ServerITL, bench.ServerE2E:
			m.gauge(&g, e, near, gauge, span, usable)
		default:
			m.gauge(&g, e, of, gauge, span, usable)
		}
	}
	if usable {
		g.ttft = m.histogram(e, near, func(en *engine) []histogram { return en.ttft })
		g.itl = m.histogram(e, near, func(en *engine) []histogram { return en.itl })
		g.queue = m.histogram(e, of, func(en *engine) []histogram { return en.queue })
	}
	m.keep(e, g.restart, at)
	return g
}

// gauge fills in one gauge from the first source of the first engine that tells it.
func (m *memory) gauge(g *growth, e *exposition, of []*engine, gauge bench.Gauge, span float64, usable bool) {
	for _, en := range of {
		for i := range en.gauges[gauge] {
			s := &en.gauges[gauge][i]
			if s.form == reading {
				v, ok := e.read(s, en, gauge.Additive())
				if !ok || v.value < 0 {
					continue // -1 is how some say that they do not know
				}
				g.read[gauge] = true
				if g.now[gauge] = bench.Some(v.value); g.now[gauge].OK && bench.Some(v.most).OK {
					g.gauges[gauge] = bench.Amount{Sum: v.value, Weight: 1, Max: v.most}
				}
				return
			}
			if !e.holds(s) {
				continue
			}
			if !usable {
				return
			}
			part, whole := m.grown(e, s.of, en)*s.scale, span
			if s.form == share {
				whole = m.grown(e, s.per, en)
			}
			if whole > 0 {
				g.gauges[gauge] = bench.Amount{Sum: part, Weight: whole, Max: part / whole}
				g.now[gauge] = bench.Some(part / whole)
			}
			return
		}
	}
}

// grown is by how much counters have grown together. One that was not there before began at 0: many are made when they first count something.
func (m *memory) grown(e *exposition, of []term, by *engine) float64 {
	sum := 0.0
	for _, t := range of {
		name := e.counter(t.name)
		for _, s := range e.choose(name, t, by) {
			sum += max(s.value-m.last[name+"\xff"+s.key(nil)], 0)
		}
	}
	return sum
}

// restarted tells whether counters have begun anew: one has become less, or the server says that its process is another. The sum of a histogram proves
// nothing: a clock that was set, or instants of two threads, can make a time less than 0, and the sum less by it. Its count cannot shrink.
func (m *memory) restarted(e *exposition) bool {
	if began := e.began(); began.OK && m.began.OK && math.Abs(began.V-m.began.V) > 1 {
		return true
	}
	for name, all := range e.series {
		if !growing[name] || strings.HasSuffix(name, "_sum") {
			continue
		}
		for i := range all {
			// A number of seconds may lose its last digits on the way.
			if last, known := m.last[name+"\xff"+all[i].key(nil)]; known && all[i].value < last-1e-9*math.Abs(last) {
				return true
			}
		}
	}
	return false
}

// began is when the server's process began, by the wall clock, in seconds. Several in one text say nothing of a restart.
func (e *exposition) began() bench.Value {
	if all := e.series[started]; len(all) == 1 {
		return bench.Some(all[0].value)
	}
	return bench.Value{}
}

// keep keeps a text's counters for the next.
func (m *memory) keep(e *exposition, anew bool, at time.Duration) {
	m.at, m.began = bench.MarkAt(at), e.began()
	if m.last == nil || anew || len(m.last) > maxSeries {
		m.last = map[string]float64{}
	}
	for name, all := range e.series {
		if !growing[name] {
			continue
		}
		for i := range all {
			m.last[name+"\xff"+all[i].key(nil)] = all[i].value
		}
	}
}

// histogram is what has been added to the first of several histograms that a text has, with the sum that the server tells: the mean is exact.
func (m *memory) histogram(e *exposition, of []*engine, list func(*engine) []histogram) bench.Sketch {
	for _, en := range of {
		for _, h := range list(en) {
			name := h.name + "_bucket"
			if len(e.series[name]) == 0 {
				continue
			}
			s := estimate(m.buckets(e, name, en), h.scale)
			if sum := m.grown(e, terms(h.name+"_sum"), en) * h.scale; s.N > 0 && sum > 0 {
				s.Sum = sum
			}
			return s
		}
	}
	return bench.Sketch{}
}

// bucket is how many values were added up to a bound, those of the buckets below among them.
type bucket struct{ bound, upTo float64 }

// buckets are those of a histogram's growth, added up over its series, in the order of their bounds.
func (m *memory) buckets(e *exposition, name string, by *engine) []bucket {
	var out []bucket
	for _, s := range e.choose(name, term{}, by) {
		bound, err := strconv.ParseFloat(s.label("le"), 64)
		if err != nil || math.IsNaN(bound) {
			continue
		}
		n := max(s.value-m.last[name+"\xff"+s.key(nil)], 0)
		if i := slices.IndexFunc(out, func(b bucket) bool { return b.bound == bound }); i >= 0 {
			out[i].upTo += n
		} else {
			out = append(out, bucket{bound, n})
		}
	}
	slices.SortFunc(out, func(a, b bucket) int {
		switch {
		case a.bound < b.bound:
			return -1
		case a.bound > b.bound:
			return 1
		}
		return 0
	})
	return out
}

// points is how many places within a bucket its values are spread over.
const points = 32

// estimate is a distribution of which only buckets are known: the values of each are spread evenly over it; those above the last bound are put there.
func estimate(buckets []bucket, scale float64) bench.Sketch {
	h := bench.NewHistogram()
	low, seen := 0.0, 0.0
	for _, b := range buckets {
		n := int(math.Round(min(b.upTo-seen, 1e9)))
		seen = max(seen, b.upTo)
		high := b.bound
		if math.IsInf(high, 1) {
			high = low
		}
		if n > 0 && high >= 0 {
			places := min(n, points)
			for i := range places {
				each := n / places
				if i < n%places {
					each++
				}
				h.Add((low+(high-low)*(float64(i)+0.5)/float64(places))*scale, each)
			}
		}
		low = max(high, 0)
	}
	return h.Sketch()
}
