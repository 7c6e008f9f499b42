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
	last map[string]counted
	// held are names whose growth is kept for the next text: there is nothing yet that it is a share of.
	held map[string]bool
	// began is when the server's process began, where it says.
	began bench.Value
}

// counted is a counter as it stood at an instant.
type counted struct {
	value float64
	at    time.Duration
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
	m.held = nil
	near := byNearness(of)
	for gauge := range bench.NumGauges {
		switch gauge {
		case bench.ServerTTFT, bench.ServerITL, bench.ServerE2E:
			m.gauge(&g, e, near, gauge, at, usable)
		default:
			m.gauge(&g, e, of, gauge, at, usable)
		}
	}
	if usable {
		g.ttft = m.histogram(e, near, at, func(en *engine) []histogram { return en.ttft })
		g.itl = m.histogram(e, near, at, func(en *engine) []histogram { return en.itl })
		g.queue = m.histogram(e, of, at, func(en *engine) []histogram { return en.queue })
	}
	m.keep(e, g.restart, at)
	return g
}

// gauge fills in one gauge from the first source of the first engine that tells it.
func (m *memory) gauge(g *growth, e *exposition, of []*engine, gauge bench.Gauge, at time.Duration, usable bool) {
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
			part, whole := m.ratio(e, s, en, at)
			if whole > 0 {
				g.gauges[gauge] = bench.Amount{Sum: part, Weight: whole, Max: part / whole}
				g.now[gauge] = bench.Some(part / whole)
			}
			return
		}
	}
}

// ratio is by how much a counter has grown, and in how many seconds, or for how much of what it is a share of; nothing by nothing where that is not known.
func (m *memory) ratio(e *exposition, s *source, en *engine, at time.Duration) (part, whole float64) {
	part, span := m.grown(e, s.of, en, at)
	if s.form == rate {
		return part * s.scale, span
	}
	whole, other := m.grown(e, s.per, en, at)
	if span > 0 && other > 0 {
		// One of the two may have been missing from the text before.
		part *= other / span
	}
	if within(s) && part > 0 && whole <= part {
		// Some count prompts and what their cache gave at different instants. Of no prompt alone everything would be a hit.
		for _, t := range s.of {
			m.held = also(m.held, e.counter(t.name))
		}
		return 0, 0
	}
	if span == 0 || other == 0 {
		return 0, 0
	}
	return part * s.scale, whole
}

// within tells whether what a share is of has its part as a term of its own: the others are the rest.
func within(s *source) bool {
	return len(s.per) > len(s.of) && !slices.ContainsFunc(s.of, func(t term) bool { return !slices.Contains(s.per, t) })
}

func also(names map[string]bool, name string) map[string]bool {
	if names == nil {
		names = map[string]bool{}
	}
	names[name] = true
	return names
}

// grown is by how much counters have grown together, and in how many seconds; 0 and 0 where one has not been seen for too long. One that was not there before
// began at 0: many are made when they first count something. Where some have been missing, all are brought down to the shortest of their spans.
func (m *memory) grown(e *exposition, of []term, by *engine, at time.Duration) (sum, span float64) {
	shortest := (at - m.at.At).Seconds()
	first := true
	for pass := range 2 {
		for _, t := range of {
			name := e.counter(t.name)
			for _, s := range e.choose(name, t, by) {
				last, known := m.last[name+"\xff"+s.key(nil)]
				if !known {
					last.at = m.at.At
				}
				own := (at - last.at).Seconds()
				switch {
				case own > stale.Seconds():
					return 0, 0
				case pass == 1:
					sum += max(s.value-last.value, 0) * shortest / own
				case first || own < shortest:
					shortest, first = own, false
				}
			}
		}
	}
	return sum, shortest
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
			if last, known := m.last[name+"\xff"+all[i].key(nil)]; known && all[i].value < last.value-1e-9*math.Abs(last.value) {
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
		m.last = map[string]counted{}
	}
	for name, all := range e.series {
		if !growing[name] {
			continue
		}
		for i := range all {
			key := name + "\xff" + all[i].key(nil)
			value := all[i].value
			if last, known := m.last[key]; known && m.held[name] {
				value = last.value
			}
			m.last[key] = counted{value, at}
		}
	}
}

// histogram is what has been added to the first of several histograms that a text has, with the sum that the server tells: the mean is exact, and what the
// bins alone would make of it tells how good the estimate is.
func (m *memory) histogram(e *exposition, of []*engine, at time.Duration, list func(*engine) []histogram) bench.Sketch {
	for _, en := range of {
		for _, h := range list(en) {
			name := h.name + "_bucket"
			if len(e.series[name]) == 0 {
				continue
			}
			s := estimate(m.buckets(e, name, en), h.scale)
			if sum, _ := m.grown(e, terms(h.name+"_sum"), en, at); s.N > 0 && sum > 0 {
				s.Sum = sum * h.scale
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
		n := max(s.value-m.last[name+"\xff"+s.key(nil)].value, 0)
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
