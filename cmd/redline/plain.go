package main

import (
	"context"
	"io"
	"time"

	"redline/bench"
	"redline/bench/report"
)

// run is what plain output and the summary need of an engine.
type run interface {
	Snapshot() *bench.Snapshot
	Post(bench.Command)
	Done() <-chan struct{}
}

// plain shows a run as lines while it lasts.
type plain struct {
	out io.Writer
	run run
	// blockedLimit ends the run when the reader has taken nothing for so long; 0 is no limit.
	blockedLimit time.Duration
	// halted tells whether the run pauses because somebody asked for it who may let it go on; nil where there is nobody.
	halted func() bool
	told   report.Lines
}

// show writes a line for each tick until the run is over, ctx ends, or nobody takes the lines any more: then the run is ended, since a load
// that nobody watches does only harm. A run that has paused by itself ends too: there is nobody who could resume it. A reader that is slow holds
// up only the return.
func (p *plain) show(ctx context.Context, ticks <-chan time.Time) error {
	text := newPrinter(p.out)
	paused := false
	for {
		select {
		case <-p.run.Done():
			text.put(p.told.Step(p.run.Snapshot()))
			return text.close()
		case <-ctx.Done():
			return text.close()
		case err := <-text.failed:
			p.run.Post(bench.Kill{Why: "output is gone"})
			return err
		case <-ticks:
		}
		s := p.run.Snapshot()
		text.put(p.told.Step(s))
		if limit := p.blockedLimit; limit > 0 && text.blockedFor(time.Now()) >= limit && !paused {
			paused = true
			p.run.Post(bench.Pause{Why: "the output took nothing for " + limit.String()})
		}
		if s.State == bench.Paused && (p.halted == nil || !p.halted()) {
			p.run.Post(bench.Stop{Why: s.Why})
		}
	}
}
