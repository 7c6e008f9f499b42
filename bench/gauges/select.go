package gauges

import (
	"slices"
	"strconv"
	"strings"

	"redline/bench"
)

// counter is a counter's name as it stands in a text: with _total where there is one of that name.
func (e *exposition) counter(name string) string {
	if len(e.series[name+"_total"]) > 0 {
		return name + "_total"
	}
	return name
}

// choose are the series of a term, each thing once, by the rules of an engine's labels.
func (e *exposition) choose(name string, t term, by *engine) []series {
	all := e.series[name]
	if t.label != "" {
		all = slices.DeleteFunc(slices.Clone(all), func(s series) bool { return s.label(t.label) != t.value })
	}
	for _, l := range by.totals {
		if slices.ContainsFunc(all, func(s series) bool { return s.label(l.name) == l.value }) {
			all = slices.DeleteFunc(slices.Clone(all), func(s series) bool { return s.label(l.name) != l.value })
		}
	}
	switch {
	case len(all) < 2:
		return all
	case len(by.same) > 0:
		return once(all, func(s *series) string { return s.values(by.same) }, func(a, b *series) bool { return false })
	case len(by.repeats) > 0:
		return once(all, func(s *series) string { return s.key(by.repeats) }, func(a, b *series) bool { return a.before(b, by.repeats) })
	}
	return all
}

// values are those of labels, in the order of the names.
func (s *series) values(of []string) string {
	var out []string
	for _, name := range of {
		out = append(out, s.label(name))
	}
	return strings.Join(out, "\xff")
}

// before tells whether a series has the lesser ranks.
func (s *series) before(o *series, ranks []string) bool {
	for _, name := range ranks {
		a, _ := strconv.Atoi(s.label(name))
		b, _ := strconv.Atoi(o.label(name))
		if a != b {
			return a < b
		}
	}
	return false
}

// once is one series for each key: the first, unless another goes before it.
func once(all []series, key func(*series) string, before func(a, b *series) bool) []series {
	var out []series
	at := map[string]int{}
	for i := range all {
		k := key(&all[i])
		j, known := at[k]
		switch {
		case !known:
			at[k] = len(out)
			out = append(out, all[i])
		case before(&all[i], &out[j]):
			out[j] = all[i]
		}
	}
	return out
}

// level is what readings come to: their sum where they add up, else their mean; and the greatest of them.
type level struct{ value, most float64 }

// read is a source of the form reading; absent where the text does not have all of it.
func (e *exposition) read(s *source, by *engine, adds bool) (level, bool) {
	if s.same != nil {
		by = &engine{same: s.same}
	}
	sum, n, most, ok := e.total(s.of, by)
	if !ok {
		return level{}, false
	}
	if len(s.per) > 0 {
		per, _, _, ok := e.total(s.per, by)
		if !ok || per <= 0 {
			return level{}, false
		}
		return level{sum / per * s.scale, sum / per * s.scale}, true
	}
	if adds {
		return level{sum * s.scale, sum * s.scale}, true
	}
	return level{sum / float64(n) * s.scale, most * s.scale}, true
}

// total is the sum over all series of terms, how many there are, and the greatest; absent where one of the terms has none.
func (e *exposition) total(of []term, by *engine) (sum float64, n int, most float64, ok bool) {
	for _, t := range of {
		all := e.choose(t.name, t, by)
		if len(all) == 0 {
			return 0, 0, 0, false
		}
		for i := range all {
			sum += all[i].value
			if most = max(most, all[i].value); n == 0 {
				most = all[i].value
			}
			n++
		}
	}
	return sum, n, most, true
}

// holds tells whether a text has all series of a source of counters.
func (e *exposition) holds(s *source) bool {
	for _, t := range append(slices.Clone(s.of), s.per...) {
		if len(e.choose(e.counter(t.name), t, &engine{})) == 0 {
			return false
		}
	}
	return true
}

// size is the first of several capacities that a text tells.
func (e *exposition) size(of []capacity, by *engine) bench.Value {
	for _, c := range of {
		if c.info != "" {
			if v := e.sizeOf(c, by); v.OK {
				return v
			}
			continue
		}
		product, ok := 1.0, true
		for _, t := range c.of {
			v, _, _, there := e.total([]term{t}, by)
			product, ok = product*v, ok && there
		}
		if ok && product > 0 {
			return bench.Some(product)
		}
	}
	return bench.Value{}
}

// sizeOf is a capacity that the labels of a series tell.
func (e *exposition) sizeOf(c capacity, by *engine) bench.Value {
	sum := 0.0
	all := e.choose(c.info, term{}, by)
	for i := range all {
		product := 1.0
		for _, name := range c.labels {
			v, err := strconv.ParseFloat(all[i].label(name), 64)
			if err != nil || !(v > 0) {
				return bench.Value{}
			}
			product *= v
		}
		sum += product
	}
	if sum == 0 {
		return bench.Value{}
	}
	return bench.Some(sum)
}
