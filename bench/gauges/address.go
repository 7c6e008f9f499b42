package gauges

import (
	"context"
	"net/url"
	"slices"
	"sync"
	"time"

	"redline/bench"
)

const (
	// every is the time from scrape to scrape; phase is when in a second of the run they are. An answer then has most of half a second before its second is
	// folded, and the time between two scrapes is nearly that second.
	every = time.Second
	phase = 700 * time.Millisecond
	// rarely is the time between two tries where there are no metrics; where nothing answers it doubles up to that.
	rarely = 30 * time.Second
	// lost is how many answers must be missing in a row before the gauges have gone.
	lost = 3
	// smooth is how many scrapes a rate or share that is shown as the present one is of: a second alone often has nothing to divide by.
	smooth = 5
	// jumpy is how many of the last scrapes may have found counters that began anew before another explanation is likelier.
	jumpy, jumps = 10, 3
)

// address is one place where metrics are. Its loop is one goroutine, so that never more than one scrape is in flight:
//
//	found                           | state        | next try
//	--------------------------------|--------------|------------------------------------
//	gauges                          | OK           | in the next second
//	no answer, after gauges         | OK           | in the next second, twice more
//	no answer, for the third time   | Unreachable  | in 1, 2, 4 ... 30 s
//	no metrics, no leave, no text   | what it is   | in 30 s, all candidates anew
type address struct {
	s          *Scraper
	candidates []*url.URL
	// at is the candidate that was found, or tried last; missed how many answers were missing in a row.
	at, missed int
	memory     memory
	recent     []growth
	restarts   []bool
	// about is what does not change, once it has been asked for.
	about *facts

	mu       sync.Mutex
	scrape   bench.Scrape
	gathered gathered
	events   []bench.Event
	// told is what was told last of how it goes.
	told bench.Scraping
}

func newAddress(s *Scraper, u *url.URL) *address {
	a := &address{s: s, candidates: candidates(u)}
	a.scrape.URL = shown(a.candidates[0])
	return a
}

// take hands over what was gathered since the last call.
func (a *address) take() (bench.Scrape, gathered, []bench.Event) {
	a.mu.Lock()
	defer a.mu.Unlock()
	g, events := a.gathered, a.events
	a.gathered, a.events = gathered{}, nil
	return a.scrape, g, events
}

// run scrapes until ctx ends.
func (a *address) run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		wait := a.try(ctx)
		if ctx.Err() != nil {
			return
		}
		timer.Reset(wait)
	}
}

// try scrapes once, and says when to try again.
func (a *address) try(ctx context.Context) time.Duration {
	f := a.look(ctx)
	if ctx.Err() != nil {
		return 0
	}
	now := a.s.clock.Now()
	reading := a.scrape.State == bench.ScrapeOK // its own loop alone writes it
	switch {
	case f.state == bench.ScrapeOK:
		a.missed = 0
		g := a.memory.take(f.read, f.of, f.at)
		if a.about == nil || g.restart && !a.restless() {
			about := a.s.learn(ctx, a.candidates[a.at], f.of)
			a.about = &about
		}
		a.tell(f, g)
		return untilNext(a.s.clock.Now())
	case f.state == bench.ScrapeUnreachable && reading && a.missed+1 < lost:
		a.missed++
		a.miss()
		return untilNext(now)
	case f.state == bench.ScrapeUnreachable:
		if a.missed++; reading {
			a.missed = 1
		}
		a.fail(f, reading)
		return min(every<<min(a.missed-1, 10), rarely)
	}
	a.missed = 0
	a.fail(f, reading)
	return rarely
}

// untilNext is the time to the next scrape.
func untilNext(now time.Duration) time.Duration {
	return every - (now+every-phase)%every
}

// look asks the candidate that was found, or each in turn until one has metrics.
func (a *address) look(ctx context.Context) finding {
	if a.scrape.State == bench.ScrapeOK {
		return a.check(a.s.fetch(ctx, a.candidates[a.at]))
	}
	var first finding
	for i, u := range a.candidates {
		f := a.check(a.s.fetch(ctx, u))
		if f.state == bench.ScrapeOK {
			a.at = i
			return f
		}
		if i == 0 {
			a.at, first = 0, f
		}
		if f.state == bench.ScrapeUnreachable || f.state == bench.ScrapeDenied {
			break // the other path is no better
		}
	}
	return first
}

// check reads the text of a finding, so that one which is of no server that is known is none.
func (a *address) check(f finding) finding {
	if f.state != bench.ScrapeOK {
		return f
	}
	e := read(f.text)
	of, name, why := e.tables()
	if why != "" {
		f.state, f.why = bench.ScrapeForeign, why
		if e.lines == 0 {
			f.why = "text, but no metrics"
		}
		return f
	}
	f.read, f.of, f.engine = e, of, name
	return f
}

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
	sc.URL, sc.Engine, sc.State, sc.Why = shown(a.candidates[a.at]), f.engine, bench.ScrapeOK, ""
	if restless {
		sc.Why = "counters jump back and forth, as if several servers answered in turn: name each one's own with --metrics-url"
	}
	sc.At, sc.Took, sc.Size = bench.MarkAt(f.at), f.took, len(f.text)
	sc.Values = a.present(f.of)
	sc.Version, sc.MaxRunning, sc.KVTokens = a.about.version, a.about.maxRunning, a.about.kv
	for _, en := range slices.Backward(f.of) {
		sc.MaxRunning, sc.KVTokens = or(f.read.size(en.maxRunning, en), sc.MaxRunning), or(f.read.size(en.kv, en), sc.KVTokens)
	}
	switch {
	case a.told != bench.ScrapeOK:
		a.event(f.at, bench.ServerCame, f.engine+" tells its gauges")
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
