package engine

import (
	"sync/atomic"
	"time"

	"redline/bench"
)

// downAfter is how many requests in a row must find no target before the target counts as down.
const downAfter = 3

// interruption is the last gap in time, for the collector.
type interruption struct{ from, until time.Duration }

var noInterruption = &interruption{from: -1, until: -1}

// interrupt cuts what is in flight because time has jumped.
func (e *Engine) interrupt(from, until time.Duration) {
	e.jumped.Store(&interruption{from, until})
	e.cut(errInterrupted)
	e.newFlight(e.control.ctx)
}

// collect takes what has ended, in one goroutine, until the channel is closed.
func (e *Engine) collect() {
	missing := 0
	for o := range e.ended {
		ended := o.Ended
		if j := loadInterruption(&e.jumped); ended.Marks.Started.OK && ended.Marks.Started.At < j.until && ended.Marks.Ended.At > j.from {
			if ended.Outcome == bench.Cancelled {
				ended.Outcome = bench.OK
			}
			void(&ended)
		}
		e.ledger.settle(&ended)
		o.probe.End(ended)
		if ended.Counts.Input > 0 {
			e.prompts.Learn(ended.Prompt.Words, ended.Counts.Input)
		}
		switch {
		case ended.Outcome == bench.Unauthorized:
			e.mail.post(barred{ended.Message})
		case ended.Outcome.TargetDown() && !ended.Marks.FirstToken.OK:
			if missing++; missing >= downAfter && !e.down.Load() {
				e.mail.post(gone{ended.Marks.Ended.At, ended.Outcome.String()})
			}
		case !ended.Outcome.Withdrawn():
			missing = 0
		}
	}
}

func loadInterruption(p *atomic.Pointer[interruption]) *interruption {
	if j := p.Load(); j != nil {
		return j
	}
	return noInterruption
}
