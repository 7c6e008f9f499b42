package gauges

import (
	"context"
	"net/url"
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
