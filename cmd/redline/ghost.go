package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"redline/bench"
	"redline/bench/record"
	"redline/ui/view"
)

// openGhost opens the run that stands behind the lanes: a run file, or its level at a load, or one of its levels.
func (m *Main) openGhost(word string) (*view.Earlier, error) {
	p, err := m.openPart(word, "")
	if err != nil {
		return nil, err
	}
	out := &view.Earlier{Snap: p.Whole}
	if p.Picked {
		out.Snap, out.Only = p.Snap, p.Levels[0]
	}
	return out, nil
}

// noScreen is why a ghost that was asked for is not shown.
const noScreen = "a ghost stands on the screen, and there is none"

// raceLast tells whether the ghost is the last run of the target, which has to answer before it is known what else it was.
func raceLast(word string) bool {
	return word == record.Last || strings.HasPrefix(word, record.Last+"@") || strings.HasPrefix(word, record.Last+"#")
}

// openGhost opens the ghost that was named, before anything begins.
func (s *settings) openGhost(m *Main, found *problems) {
	word := s.screen.ghost
	if word == "" || raceLast(word) {
		return
	}
	past, err := m.openGhost(word)
	if err != nil {
		found.add("ghost", word, "want a run file, or one with @LOAD or #LEVEL behind it ("+err.Error()+")")
		return
	}
	s.screen.past = past
}

// lastGhost finds the last run that is kept of the same target and model, and began before another one did where an instant is given; false where there is none.
func (m *Main) lastGhost(word string, run *bench.Run, before time.Time) (*view.Earlier, bool, error) {
	all, err := record.List(m.runsFolder())
	if err != nil {
		return nil, false, err
	}
	for _, e := range slices.Backward(all) {
		same := e.Model == run.Model && (e.Demo && run.Demo || !e.Demo && !run.Demo && slices.Contains(e.Targets, run.Host))
		if e.Err != nil || e.Writing || e.Requests == 0 || !same || !before.IsZero() && !e.Began.Before(before) {
			continue
		}
		past, err := m.openGhost(e.Path + strings.TrimPrefix(word, record.Last))
		return past, err == nil, err
	}
	return nil, false, nil
}

// findGhost finds the last run of the target, now that it is known.
func (r *session) findGhost(conn *connection) error {
	s := &r.set.screen
	if s.plain && s.ghost != "" {
		r.ghostless = noScreen
		return nil
	}
	if !raceLast(s.ghost) {
		return nil
	}
	report := conn.report
	past, ok, err := r.lastGhost(s.ghost, &bench.Run{Model: report.Model, Host: hostOf(report.URL), Demo: r.target.demo}, time.Time{})
	if err != nil {
		return err
	}
	if s.past = past; !ok {
		r.ghostless = "no earlier run of this target and model is kept: there is no ghost yet"
	}
	return nil
}

// replayGhost opens the ghost of a run that is shown again: the last one is that before it.
func (m *Main) replayGhost(f *record.File, s *screen) (err error) {
	switch {
	case s.ghost == "" || s.plain:
	case !raceLast(s.ghost):
		s.past, err = m.openGhost(s.ghost)
	case len(f.Header.Tracks) > 0 && f.Header.Tracks[0].Run != nil:
		var ok bool
		if s.past, ok, err = m.lastGhost(s.ghost, f.Header.Tracks[0].Run, f.Header.Began.Truncate(time.Second)); err == nil && !ok {
			err = fmt.Errorf("--ghost %s: no earlier run of this target and model is kept", s.ghost)
		}
	}
	return err
}
