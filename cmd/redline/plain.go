package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"redline/bench"
)

// run is what plain output and the summary need of an engine.
type run interface {
	Snapshot() *bench.Snapshot
	Post(bench.Command)
	Done() <-chan struct{}
}

// plain shows a run as lines: one a second with the same numbers and names as the screen, always in the same order, and each event on a
// line of its own. It is for pipes, logs and screen readers.
type plain struct {
	out  io.Writer
	run  run
	last bench.Event
	any  bool
}

// show writes a line for each tick until the run is over, ctx ends, or nobody takes the lines any more: then the run is ended, since a load
// that nobody watches does only harm. A run that has paused by itself ends too: there is nobody who could resume it.
func (p *plain) show(ctx context.Context, ticks <-chan time.Time) error {
	for {
		select {
		case <-p.run.Done():
			return p.step(p.run.Snapshot())
		case <-ctx.Done():
			return nil
		case <-ticks:
		}
		s := p.run.Snapshot()
		if err := p.step(s); err != nil {
			p.run.Post(bench.Kill{Why: "output is gone"})
			return err
		}
		if s.State == bench.Paused {
			p.run.Post(bench.Stop{Why: s.Why})
		}
	}
}

// step writes what is new: events, then the numbers, unless the run is over, whose summary follows.
func (p *plain) step(s *bench.Snapshot) error {
	var b strings.Builder
	for _, e := range p.news(s.Events) {
		if words := sentence(e); words != "" {
			fmt.Fprintf(&b, "%s event %s\n", stamp(e.At), words)
		}
	}
	if s.State != bench.Done {
		b.WriteString(plainLine(s))
		b.WriteByte('\n')
	}
	_, err := io.WriteString(p.out, b.String())
	return err
}

// news are the events after the last one that was told.
func (p *plain) news(events []bench.Event) []bench.Event {
	if len(events) == 0 {
		return nil
	}
	fresh := events
	if p.any {
		for i := len(events) - 1; i >= 0; i-- {
			if events[i] == p.last {
				fresh = events[i+1:]
				break
			}
		}
	}
	p.last, p.any = events[len(events)-1], true
	return fresh
}

// plainLine is the state of a run in one line: names as --slo writes them, units in the name's order, absent numbers as "-".
func plainLine(s *bench.Snapshot) string {
	var level bench.Level
	if l := s.Level(); l != nil {
		level = *l
	}
	var b strings.Builder
	state := strings.ReplaceAll(s.State.String(), " ", "-")
	fmt.Fprintf(&b, "%s %s level=%d/%s load=%d inflight=%d held=%d", stamp(s.At), state, level.ID, level.State, s.Target, s.InFlight, s.Held)
	for _, m := range []bench.Metric{bench.TTFT, bench.ITL} {
		for _, at := range []bench.Percentile{bench.P50, bench.P95, bench.P99} {
			fmt.Fprintf(&b, " %s.%s=%s", strings.ToLower(m.String()), at, with(figure(&level.Stats[m], at), "ms"))
		}
	}
	for _, at := range []bench.Percentile{bench.P50, bench.P5, bench.P1} {
		fmt.Fprintf(&b, " tps.%s=%s", at, figure(&level.Stats[bench.TPS], at))
	}
	fmt.Fprintf(&b, " rpm=%s tpm=%s out/s=%s errors=%s", figure(&level.Stats[bench.RPM], bench.Mean), figure(&level.Stats[bench.TPM], bench.Mean),
		number(level.OutputRate), share(level.Tally.ErrorShare()))
	t := s.Total.Tally
	fmt.Fprintf(&b, " sent=%d ok=%d failed=%d limited=%d cancelled=%d", t.Sent, t.OK, t.Failed, t.Limited, t.Cancelled)
	fmt.Fprintf(&b, " tokens=%d", s.Spend.In+s.Spend.Out)
	if s.Spend.Cost.OK {
		fmt.Fprintf(&b, " cost=%s", money(s.Spend.Cost.V))
	}
	if s.Health.Busy {
		b.WriteString(" client-busy")
	}
	return b.String()
}

// with puts a unit behind a number, not behind its absence.
func with(text, unit string) string {
	if text == absent {
		return text
	}
	return text + unit
}
