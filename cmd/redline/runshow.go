package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"redline/bench"
	"redline/bench/report"
)

// streamFormat is the form of what --json writes.
const streamFormat = report.StreamSchema

// downLimit ends a run that has no other end in time when its target has been down for so long: one that starts again loads its model for minutes.
const downLimit = 5 * time.Minute

// barTick is how often the bar is drawn anew, and the run looked at.
const barTick = 250 * time.Millisecond

// objectsLimit bounds what waits for a reader of objects that takes nothing, in bytes: an hour or so of seconds, and every level.
const objectsLimit = 8 << 20

// attendant follows a run without a screen to its end: it writes what is asked for, and ends what nobody could go on with.
type attendant struct {
	run run
	// out takes what tell makes of each snapshot.
	out  io.Writer
	tell func(*bench.Snapshot) []string
	// bar is what is shown meanwhile; nil for none.
	bar *bar
	// halted is as that of plain.
	halted func() bool
	// bounded: the run ends in time, whatever its target does.
	bounded bool
	// blockedLimit is as that of plain; left keeps why the run was ended before its end.
	blockedLimit time.Duration
	left         func(why string)
	json         bool
}

// follow writes what is new at each tick until the run is over, ctx ends, or the output takes nothing any more, which ends the run.
func (a *attendant) follow(ctx context.Context, ticks <-chan time.Time) error {
	lines := newPrinter(a.out)
	if a.json {
		lines.missing, lines.limit = missingObjects, objectsLimit
	}
	defer a.bar.clear()
	ended := false
	for {
		select {
		case <-a.run.Done():
			a.bar.clear()
			a.put(lines, a.run.Snapshot())
			return lines.close()
		case <-ctx.Done():
			return lines.close()
		case err := <-lines.failed:
			a.run.Post(bench.Kill{Why: "output is gone"})
			return err
		case <-ticks:
		}
		s := a.run.Snapshot()
		a.put(lines, s)
		a.bar.draw(s)
		if why := a.hopeless(s, lines.blockedFor(time.Now())); why != "" && !ended {
			ended = true
			a.run.Post(bench.Stop{Why: why})
			a.left(why)
		}
	}
}

// put hands on what is new in a snapshot.
func (a *attendant) put(lines *printer, s *bench.Snapshot) {
	for _, text := range a.tell(s) {
		lines.put(text)
	}
}

// hopeless is why a run has to be ended that nobody is there to go on with; empty while it may go on, or ends by itself.
func (a *attendant) hopeless(s *bench.Snapshot, blocked time.Duration) string {
	switch {
	case a.blockedLimit > 0 && blocked >= a.blockedLimit:
		return "the output took nothing for " + a.blockedLimit.String()
	case s.State == bench.Paused && (a.halted == nil || !a.halted()):
		return s.Why
	case s.State == bench.Down && !a.bounded && s.At-s.Since >= downLimit:
		return "the target is down"
	}
	return ""
}

// missingObjects says in a stream of objects that some were left out.
func missingObjects(n int) string {
	return fmt.Sprintf("{\"type\":\"missing\",\"objects\":%d}\n", n)
}

// showHeadless follows the run to its end.
func (r *session) showHeadless(ctx context.Context) {
	defer r.crash.catch(func() { r.end.stopAll("internal error") })
	h := &r.set.headless
	a := &attendant{run: r.engine, out: r.words(), json: h.json, bounded: r.set.duration > 0, left: r.end.giveUp, bar: r.newBar(), halted: r.door.halted}
	if r.private {
		a.run = &veiled{run: r.engine}
	}
	if r.attended() {
		a.blockedLimit = blockedLimit
	}
	text := func(step func(*bench.Snapshot) string) func(*bench.Snapshot) []string {
		return func(s *bench.Snapshot) []string { return []string{step(s)} }
	}
	switch {
	case h.json:
		r.stream = report.NewStream(r.private)
		a.out = r.Stdout
		a.tell = func(s *bench.Snapshot) []string { return objects(r.stream.News(s)) }
	case h.plain:
		a.tell = text((&report.Lines{}).Step)
	case h.quiet || a.bar != nil && r.onTerminal(r.Stdout):
		a.tell = func(*bench.Snapshot) []string { return nil }
	default:
		a.tell = text((&report.Brief{}).Step)
	}
	tick := time.NewTicker(barTick)
	defer tick.Stop()
	if err := a.follow(ctx, tick.C); err != nil {
		r.end.lost(err)
	}
}

// objects are lines of a stream, each with its end.
func objects(all [][]byte) []string {
	var out []string
	for _, line := range all {
		out = append(out, string(line)+"\n")
	}
	return out
}
