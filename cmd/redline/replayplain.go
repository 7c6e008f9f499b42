package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"redline/bench"
	"redline/bench/record"
	"redline/bench/report"
)

// printRun prints a run for people: the lines that it had where they were asked for, and its summary.
func (m *Main) printRun(ctx context.Context, f *record.File, s *settings, p *replaying, end *endgame) error {
	at := f.Length
	if p.placed {
		at = min(p.at, f.Length)
	}
	r := &session{Main: m, set: s, private: s.screen.private, ascii: s.screen.ascii}
	if p.lined {
		if err := r.printSeconds(ctx, f, p, at); err != nil {
			return err
		}
	}
	if code := end.code(); code != exitOK {
		return &exit{code: code}
	}
	snap, err := f.At(at)
	if err != nil {
		return err
	}
	d := documentOf(f, snap, r.private)
	if err := d.Text(r.words(), m.width()); err != nil {
		return err
	}
	var wrong harm
	wrong.add(f)
	return wrong.tell(m, false)
}

// printSeconds prints the lines of a run up to an instant: as its plain output had them, and no faster than the speed that was asked for. A run that goes on, or that is not
// known to its end, has no line for what may still grow.
func (r *session) printSeconds(ctx context.Context, f *record.File, p *replaying, until time.Duration) error {
	player := f.Player()
	defer player.Close()
	out, pace := r.words(), newMetronome(p)
	var lines report.Lines
	for ctx.Err() == nil {
		more, err := player.Step()
		if err != nil {
			return fmt.Errorf("%s: %w", shownPath(f.Path), err)
		}
		if !more || player.At() > until {
			return nil
		}
		if !pace.wait(ctx, player.At()) {
			return nil
		}
		snap := player.Snapshot()
		if r.private {
			snap = r.veil.Snapshot(snap)
		}
		if _, err := io.WriteString(out, lines.Step(snap)); err != nil {
			return err
		}
	}
	return nil
}

// metronome lets instants of a run come as fast as they are asked for.
type metronome struct {
	// times is how many times as fast as they were; 0 does not wait at all.
	times int
	began time.Time
}

func newMetronome(p *replaying) *metronome {
	out := &metronome{began: time.Now()}
	if p.paced && p.speed != bench.AtOnce {
		out.times = int(p.speed)
	}
	return out
}

// wait waits until an instant of the run is due; false when ctx ends before.
func (p *metronome) wait(ctx context.Context, at time.Duration) bool {
	if p.times == 0 {
		return ctx.Err() == nil
	}
	due := time.NewTimer(time.Until(p.began.Add(at / time.Duration(p.times))))
	defer due.Stop()
	select {
	case <-due.C:
		return true
	case <-ctx.Done():
		return false
	}
}
