package view

import (
	"strings"
	"time"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/layout"
	"redline/ui/style"
)

// staleAfter is how old a reading may be before its age is told.
const staleAfter = 3 * time.Second

// metricsAddress is where a server's metrics are, without the scheme; nothing in private.
func (f *frame) metricsAddress(s *bench.Scrape) string {
	if f.st.Private || s.URL == bench.Hidden {
		return "a hidden address"
	}
	if _, rest, ok := strings.Cut(s.URL, "://"); ok {
		return rest
	}
	return s.URL
}

// engine is who answers, with its version.
func engine(s *bench.Scrape) string {
	if s.Engine == "" {
		return "an unknown engine"
	}
	return strings.TrimSpace(s.Engine + " " + s.Version)
}

// scrapeFault is why nothing is read at an address, in a sentence with what would help.
func (f *frame) scrapeFault(s *bench.Scrape) string {
	at := f.metricsAddress(s)
	text, cure := "", ": set --metrics-url"
	switch s.State {
	case bench.ScrapeOK:
		return ""
	case bench.ScrapeUnknown:
		return "no metrics read yet at " + at
	case bench.ScrapeAbsent:
		text = "no metrics at " + at
	case bench.ScrapeDenied:
		text, cure = "the metrics at "+at+" want a key", ""
	case bench.ScrapeUnreachable:
		text = "no answer from " + at
	case bench.ScrapeForeign:
		text = "no Prometheus text at " + at
	default:
		text, cure = "the metrics at "+at+" are more than is read", ""
	}
	if s.Why != "" && !f.st.Private && s.Why != bench.Hidden {
		text += " (" + s.Why + ")"
	}
	if strings.Contains(s.Why, "--metrics-") {
		cure = ""
	}
	return text + cure
}

// scrapeHead is the line over the gauges: who answers, where, and how fresh it is.
func (f *frame) scrapeHead() {
	r := f.start().Blank(1)
	all := f.s.Server
	read, fault := 0, ""
	var first *bench.Scrape
	for i := range all {
		if all[i].State != bench.ScrapeOK {
			if fault == "" {
				fault = f.scrapeFault(&all[i])
			}
			continue
		}
		if read++; first == nil {
			first = &all[i]
		}
	}
	var parts []ranked
	switch {
	case first == nil:
		// The gauges are those of before, if there are any; what is wrong is said.
		parts = append(parts, ranked{part{style.Warn, fault}, 0})
	case len(all) == 1:
		parts = append(parts, ranked{part{style.Strong, engine(first)}, 0}, ranked{part{style.FG, " · " + f.metricsAddress(first)}, 1})
		parts = append(parts, f.freshness(first)...)
	default:
		names := make([]string, 0, len(all))
		for i := range all {
			if name := engine(&all[i]); all[i].State == bench.ScrapeOK && !hasWord(names, name) {
				names = append(names, name)
			}
		}
		parts = append(parts, ranked{part{style.Strong, strings.Join(names, ", ")}, 0}, ranked{part{style.FG, " · " + count(read) + " of " + count(len(all)) + " addresses read"}, 1})
		if fault == "" {
			parts = append(parts, f.freshness(first)...)
		}
	}
	for _, p := range f.fitting(parts, r.Left()-1) {
		r.Put(p.look, p.text)
	}
	switch {
	case first == nil && r.Cells() < 2:
		r.Cut(style.Warn, fault, r.Left()-1)
	case first != nil && fault != "" && r.Left() > 12:
		r.Cut(style.Warn, " · "+fault, r.Left()-1)
	}
	f.end()
}

func hasWord(all []string, word string) bool {
	for _, w := range all {
		if w == word {
			return true
		}
	}
	return false
}

// freshness is how old the last reading is, where that is worth words, and what it took.
func (f *frame) freshness(s *bench.Scrape) []ranked {
	age := f.s.At - s.At.At
	if s.At.OK && age >= staleAfter && !resting(f.s) {
		return []ranked{{part{style.Warn, " · last read " + length(age) + " ago"}, 2}}
	}
	return []ranked{{part{style.Dim, " · read every second"}, 2}}
}

// serverAddresses are the addresses of metrics one by one: who answers at each, and what is wrong where nobody does.
func (f *frame) serverAddresses() section {
	s := section{title: "its own metrics"}
	for i := range f.s.Server {
		c := &f.s.Server[i]
		if c.State != bench.ScrapeOK {
			f.say(&s, "not read", style.Warn, f.scrapeFault(c))
			continue
		}
		f.say(&s, "read", style.FG, engine(c)+" at "+f.metricsAddress(c))
		text := plural(c.Size, "byte")
		if c.Size >= 1000 {
			text = chart.Tick(float64(c.Size)) + "B"
		}
		took := bench.Millis(c.Took)
		if f.Density > layout.List {
			f.say(&s, "", style.Dim, text+" in "+chart.Num(bench.Some(roundTo(took)))+" ms")
		}
	}
	if t := f.s.Total.Server; t != nil && t.Missed+t.Restarts > 0 {
		text := count(t.Missed) + " of " + count(t.Scrapes+t.Missed) + " readings failed"
		if t.Restarts > 0 {
			text += ", its counters began anew " + plural(t.Restarts, "time")
		}
		f.say(&s, "missed", style.Warn, text)
	}
	return s
}

// roundTo is a time in ms in steps that do not flicker.
func roundTo(ms float64) float64 {
	if ms < 1 {
		return 1
	}
	return roundUp(ms)
}
