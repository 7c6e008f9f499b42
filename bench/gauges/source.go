package gauges

import (
	"fmt"
	"strings"

	"redline/bench"
)

// form is how a number is made of what a server tells.
type form uint8

const (
	// reading is a gauge as it stands; where it is of something, one divided by the other.
	reading form = iota
	// rate is how much a counter has grown, a second.
	rate
	// share is how much one counter has grown for each unit by which another has.
	share
)

// term names what is added up: all series of a name, or those with a label of a value.
type term struct{ name, label, value string }

// terms reads terms as they are written in tables: "name", or "name{label=value}".
func terms(texts ...string) []term {
	var out []term
	for _, text := range texts {
		name, rest, labelled := strings.Cut(text, "{")
		t := term{name: name}
		if labelled {
			t.label, t.value, _ = strings.Cut(strings.TrimSuffix(rest, "}"), "=")
		}
		out = append(out, t)
	}
	return out
}

// source is one way to learn a gauge. Of several the first that a server has stands.
type source struct {
	form form
	// of is added up, and divided by what per adds up to, where there is a per.
	of, per []term
	// scale is what the result is multiplied by to be in the gauge's unit.
	scale float64
	// same is the engine's for this one, where it is another.
	same []string
}

// reads is a gauge as it stands.
func reads(of string) source { return source{form: reading, of: terms(of), scale: 1} }

// counts is a counter's growth.
func counts(of ...string) source { return source{form: rate, of: terms(of...), scale: 1} }

// shares is the part of one counter's growth in that of others.
func shares(of string, per ...string) source {
	return source{form: share, of: terms(of), per: terms(per...), scale: 1}
}

// mean is the mean of a histogram.
func mean(name string) source { return shares(name+"_sum", name+"_count") }

// times is the same in another unit.
func (s source) times(scale float64) source {
	s.scale *= scale
	return s
}

// once counts series that agree in these labels once.
func (s source) once(labels ...string) source {
	s.same = labels
	return s
}

// capacity is how much of something a server has, as it does not change: the product of readings, or of a series' own labels.
type capacity struct {
	of     []term
	info   string
	labels []string
}

// histogram names a histogram, and what its values are multiplied by to be in ms.
type histogram struct {
	name  string
	scale float64
}

// seconds are histograms of seconds.
func seconds(names ...string) []histogram {
	var out []histogram
	for _, name := range names {
		out = append(out, histogram{name, 1000})
	}
	return out
}

// engine is how one kind of server names what it tells.
type engine struct {
	// name is its own spelling; prefix what its names begin with, with '_' for ':'.
	name, prefix string
	// hosts: it may stand before another engine, and then tells some of the same things from further away.
	hosts bool
	// near: of latencies it tells what its users see, and so goes before those that it hosts.
	near bool
	// late: its tokens are counted once the request that they are of has ended.
	late bool
	// repeats are labels whose further values repeat what the first says (ranks that compute one thing together); totals are values of labels that are what
	// the others of the label add up to; same are labels that tell one thing from another, where others repeat it (one GPU that several pods share).
	repeats, same []string
	totals        []label
	// about is where it tells what does not change.
	about *about

	gauges           [bench.NumGauges][]source
	ttft, itl, queue []histogram
	maxRunning, kv   []capacity
}

// wanted are the names that any table asks for; growing those of counters, which only a restart makes less.
var wanted, growing = names(engines)

// started is when a process began, which the client libraries of Prometheus tell.
const started = "process_start_time_seconds"

// names are the names that tables ask for. A counter may be written with _total or without.
func names(of []*engine) (all, counters map[string]bool) {
	all, counters = map[string]bool{started: true}, map[string]bool{}
	add := func(t term, counter bool) {
		all[t.name] = true
		if counter {
			for _, name := range []string{t.name, t.name + "_total"} {
				all[name], counters[name] = true, true
			}
		}
	}
	for _, e := range of {
		for _, sources := range e.gauges {
			for _, s := range sources {
				for _, t := range append(append([]term(nil), s.of...), s.per...) {
					add(t, s.form != reading)
				}
			}
		}
		for _, hists := range [][]histogram{e.ttft, e.itl, e.queue} {
			for _, h := range hists {
				for _, part := range []string{"_bucket", "_sum", "_count"} {
					all[h.name+part], counters[h.name+part] = true, true
				}
			}
		}
		for _, capacities := range [][]capacity{e.maxRunning, e.kv} {
			for _, c := range capacities {
				if c.info != "" {
					all[c.info] = true
				}
				for _, t := range c.of {
					add(t, false)
				}
			}
		}
	}
	for _, e := range of {
		for name := range all {
			if strings.Contains(name, ":") {
				panic(fmt.Sprintf("%s: %s is written with ':'", e.name, name))
			}
		}
	}
	return all, counters
}
