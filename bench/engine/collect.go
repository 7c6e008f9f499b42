package engine

import (
	"net/http"
	"sync/atomic"
	"time"

	"redline/bench"
)

const (
	// downAfter is how many requests in a row must find no target before the target counts as down.
	downAfter = 3
	// overloadedFor is how long a server must have answered nothing but 503 before it counts as down too: one that loads its model is not an
	// outage of the numbers, one that sheds load for a moment is a finding.
	overloadedFor = 10 * time.Second
)

// interruption is the last gap in time, for the collector.
type interruption struct{ from, until time.Duration }

var noInterruption = &interruption{from: -1, until: -1}

// interrupt cuts what is in flight because time has jumped.
func (e *Engine) interrupt(from, until time.Duration) {
	e.jumped.Store(&interruption{from, until})
	e.cut(e.control.ctx, errInterrupted)
}

// collect takes what has ended, in one goroutine, until the channel is closed.
func (e *Engine) collect() {
	var out outage
	for o := range e.ended {
		ended := o.Ended
		// What was spent was spent, whatever time did to the measuring.
		e.ledger.settle(&ended)
		if j := loadInterruption(&e.jumped); ended.Marks.Started.OK && ended.Marks.Started.At < j.until && ended.Marks.Ended.At > j.from {
			if ended.Outcome == bench.Cancelled {
				ended.Outcome = bench.OK
			}
			void(&ended)
		}
		e.worksOf(&ended).Ended(e.clock.Now(), &ended)
		e.book.add(&ended)
		e.reading.end(&ended)
		if e.opt.Recorder != nil {
			e.opt.Recorder.Ended(&ended)
		}
		ended.Answer, ended.Reply, ended.Header, ended.Prompt.History = "", "", nil, nil
		o.probe.End(ended)
		if o.warmup && e.toWarm.Add(-1) == 0 {
			e.mail.post(warm{})
		}
		switch {
		case ended.Outcome == bench.Unauthorized:
			e.mail.post(barred{ended.Message})
		case ended.Outcome == bench.RateLimited && e.opt.PauseOn429:
			e.mail.post(barred{"429: " + ended.Message})
		}
		if from := e.warmFrom.Load(); from > 0 && ended.Outcome == bench.OK && int64(ended.Marks.Started.At) >= from-1 {
			e.mail.post(warm{})
		}
		out.take(&ended, time.Duration(e.alive.Load()))
		switch down := e.down.Load(); {
		case out.is(&ended) && !down:
			e.mail.post(gone{ended.Marks.Ended.At, ended.Outcome.String()})
		case down && ended.Status != 0 && ended.Outcome != bench.Overloaded && !absent(&ended):
			e.mail.post(answered{ended.Marks.Ended.At})
		}
	}
}

// outage counts the requests in a row that found no target. Any other answer, even an error, comes from a target that is there.
type outage struct {
	missing int
	since   time.Duration
	// refusing: some of them found nothing at all, not even a 503.
	refusing bool
}

// absent tells whether a request found no target: nothing that answers, or a gateway that says that there is nothing behind it.
func absent(e *bench.Ended) bool {
	if e.Status == http.StatusBadGateway || e.Status == http.StatusGatewayTimeout {
		return true
	}
	return e.Outcome.TargetDown() && e.Status == 0 && !e.Marks.FirstToken.OK
}

// take counts a request that has ended; alive is when the target last gave a first token. A request that began before that says nothing about
// what is now.
func (o *outage) take(e *bench.Ended, alive time.Duration) {
	absent := absent(e)
	if o.missing > 0 && o.since < alive {
		*o = outage{}
	}
	switch {
	case e.Outcome.Withdrawn():
	case (absent || e.Outcome == bench.Overloaded) && e.Marks.Started.At < alive:
	case !absent && e.Outcome != bench.Overloaded:
		*o = outage{}
	default:
		if o.missing == 0 {
			o.since = e.Marks.Ended.At
		}
		o.missing++
		o.refusing = o.refusing || absent
	}
}

// is tells whether the target is down, now that a request has ended.
func (o *outage) is(e *bench.Ended) bool {
	return o.missing >= downAfter && (o.refusing || e.Marks.Ended.At-o.since >= overloadedFor)
}

// worksOf is the workload that made a request's prompt; the warm-up's learns with it.
func (e *Engine) worksOf(ended *bench.Ended) Prompts { return e.works[ended.Prompt.Work] }

func loadInterruption(p *atomic.Pointer[interruption]) *interruption {
	if j := p.Load(); j != nil {
		return j
	}
	return noInterruption
}
