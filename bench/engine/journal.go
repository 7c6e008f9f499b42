package engine

import (
	"time"

	"redline/bench"
)

// Journal is what is known of single requests. It may be called from any goroutine, waits for none of the run, and what it hands out never changes.
// Of the requests in flight it lists the oldest: those that hang are among them, and a row stays where it is until its request ends. With read the
// text of one stream is followed until this has not been asked for a while.
func (e *Engine) Journal(read bool) *bench.Journal {
	now := e.instant()
	j := &bench.Journal{At: now}
	perEvent := e.perEvent()
	watches := e.older.oldest(make([]*watch, 0, min(e.older.count(), bench.JournalFlights)), bench.JournalFlights)
	j.Flights = make([]bench.Flight, len(watches))
	n := 0
	for _, t := range watches {
		if t.flight(&j.Flights[n], perEvent) {
			n++
		}
	}
	j.Flights = j.Flights[:n:n]
	j.Flying = max(e.older.count(), n)
	j.Ended, j.Gone = e.book.list()
	j.Reading = e.reading.show(now, read, perEvent)
	return j
}

// instant is the present one; the clock stands still once the run is over.
func (e *Engine) instant() time.Duration {
	e.live.Lock()
	defer e.live.Unlock()
	if g := &e.live.gauges; g.State == bench.Done {
		return g.Since
	}
	return e.clock.Now()
}

// perEvent is how many tokens an event holds, as far as was learned.
func (e *Engine) perEvent() float64 {
	if n, _ := e.meter.PerEvent(); n > 0 {
		return n
	}
	return 1
}
