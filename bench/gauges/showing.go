package gauges

import (
	"slices"
	"time"

	"redline/bench"
)

// tell keeps what a scrape has shown.
func (a *address) tell(f finding, g growth) {
	a.recent = append(a.recent, g)
	if g.restart {
		a.recent = a.recent[len(a.recent)-1:]
	}
	a.recent = a.recent[max(len(a.recent)-smooth, 0):]
	a.restarts = append(a.restarts, g.restart)
	a.restarts = a.restarts[max(len(a.restarts)-jumpy, 0):]
	restless := a.restless()

	a.mu.Lock()
	defer a.mu.Unlock()
	a.gathered.add(&g)
	sc := &a.scrape
	came := f.engine + " tells its gauges"
	if sc.At.OK {
		came += " again"
		if g.restart {
			came += ": the server was restarted"
		}
	}
	sc.URL, sc.Engine, sc.State, sc.Why = shown(a.candidates[a.at]), f.engine, bench.ScrapeOK, ""
	if restless {
		sc.Why = "counters jump back and forth, as if several servers answered in turn: name each one's own with --metrics-url"
	}
	sc.Late = slices.ContainsFunc(f.of, func(en *engine) bool { return en.late })
	sc.At, sc.Took, sc.Size = bench.MarkAt(f.at), f.took, len(f.text)
	sc.Values = a.present(f.of)
	sc.Version, sc.MaxRunning, sc.KVTokens = a.about.version, a.about.maxRunning, a.about.kv
	for _, en := range slices.Backward(f.of) {
		sc.MaxRunning, sc.KVTokens = or(f.read.size(en.maxRunning, en), sc.MaxRunning), or(f.read.size(en.kv, en), sc.KVTokens)
	}
	switch {
	case a.told != bench.ScrapeOK:
		a.event(f.at, bench.ServerCame, came)
	case g.restart && !restless:
		a.event(f.at, bench.ServerRestarted, f.engine+" began its counters anew: the server was restarted")
	}
	a.told = bench.ScrapeOK
}

// restless tells whether counters begin anew so often that no restart explains it.
func (a *address) restless() bool {
	n := 0
	for _, r := range a.restarts {
		if r {
			n++
		}
	}
	return n > jumps
}

func or(a, b bench.Value) bench.Value {
	if a.OK {
		return a
	}
	return b
}

// present are the gauges as they are shown: what is read as it was last, rates and shares over the last few scrapes.
func (a *address) present(of []*engine) (out [bench.NumGauges]bench.Value) {
	last := &a.recent[len(a.recent)-1]
	for g := range bench.NumGauges {
		if out[g] = last.now[g]; last.read[g] {
			continue
		}
		var sum, weight float64
		for i := range a.recent {
			sum, weight = sum+a.recent[i].gauges[g].Sum, weight+a.recent[i].gauges[g].Weight
		}
		if weight > 0 {
			out[g] = bench.Some(sum / weight)
		}
	}
	return out
}

// miss notes an answer that did not come.
func (a *address) miss() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.gathered.missed++
}

// fail notes that there are no gauges, or none any more.
func (a *address) fail(f finding, reading bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	sc := &a.scrape
	sc.State, sc.Why, sc.Values = f.state, f.why, [bench.NumGauges]bench.Value{}
	if reading {
		a.gathered.missed++
	}
	switch {
	case a.told == f.state:
	case a.told == bench.ScrapeOK:
		a.event(a.s.clock.Now(), bench.ServerWent, "no gauges any more: "+f.why)
	case !a.s.opt.Guessed:
		a.event(a.s.clock.Now(), bench.ServerWent, "no gauges: "+f.why)
	}
	a.told = f.state
}

// event tells of something; where there are several addresses it says of which. The caller holds the lock.
func (a *address) event(at time.Duration, what int, text string) {
	if len(a.s.addresses) > 1 {
		text += bench.ServerAt + a.candidates[a.at].Host
	}
	a.events = append(a.events, bench.Event{At: at, Kind: bench.EventServer, N: what, Text: text})
}
