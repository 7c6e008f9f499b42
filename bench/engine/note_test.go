package engine

import (
	"testing"
	"time"

	"redline/bench"
	"redline/bench/analysis"
)

// TestANoteNamesTheNextLevelWhereNoneCanBeMeasured: what was noted while the run did not send, or while a profile ramped, parts what was measured before it
// from what is measured after.
func TestANoteNamesTheNextLevelWhereNoneCanBeMeasured(t *testing.T) {
	const some = 20 * time.Second
	ramps := profile(t, "2:20s, ramp 2..8 in 10s, 8:20s", bench.Closed)
	for _, c := range []struct {
		what   string
		o      Options
		do     func(r *run)
		cause  bench.Cause
		note   string
		curves int
	}{
		{"in a pause", Options{}, func(r *run) {
			r.after(some)
			r.post(bench.Pause{}, bench.Note{Text: "fp8"}, bench.Resume{})
		}, bench.CauseResume, "fp8", 2},
		{"two in a pause", Options{}, func(r *run) {
			r.after(some)
			r.post(bench.Pause{}, bench.Note{Text: "fp8"}, bench.Note{Text: "seqs 128"}, bench.Resume{})
		}, bench.CauseResume, "fp8; seqs 128", 2},
		{"while it drains", Options{}, func(r *run) {
			r.after(some)
			r.post(bench.Drain{}, bench.Note{Text: "fp8"})
			r.after(some)
			r.post(bench.Toggle{})
		}, bench.CauseResume, "fp8", 2},
		{"before the start", Options{Paused: true}, func(r *run) {
			r.post(bench.Note{Text: "fp8"}, bench.Resume{})
		}, bench.CauseStart, "fp8", 1},
		{"in a ramp", Options{Profile: ramps}, func(r *run) {
			r.after(some + 5*time.Second)
			r.post(bench.Note{Text: "fp8"})
			r.after(some / 2)
		}, bench.CauseProfile, "fp8", 2},
		{"in a pause within a ramp", Options{Profile: ramps}, func(r *run) {
			r.after(some + 5*time.Second)
			r.post(bench.Pause{}, bench.Note{Text: "fp8"}, bench.Resume{})
			r.after(some / 2)
		}, bench.CauseProfile, "fp8", 2},
		{"in a ramp that the hand ends", Options{Profile: ramps}, func(r *run) {
			r.after(some + 5*time.Second)
			r.post(bench.Note{Text: "fp8"})
			r.rested(bench.Set{N: 3})
		}, bench.CauseLoad, "fp8", 2},
		{"a workload's name is no note", Options{Run: bench.Run{Works: []bench.Workload{{Name: "short"}, {Name: "long"}}}}, func(r *run) {
			r.after(some)
			r.post(bench.NextWork{})
		}, bench.CauseWork, "", 2},
	} {
		c.o.Load = bench.InFlight(2)
		inBubble(t, c.o, func(t *testing.T, r *run) {
			c.do(r)
			r.after(some / 2)
			s := r.Snapshot()
			l := s.Level()
			if l.Cause != c.cause || l.Note != c.note {
				t.Errorf("%s: level %d began by %v with %q, want %v and %q", c.what, l.ID, l.Cause, l.Note, c.cause, c.note)
			}
			if n := len(analysis.Curves(s.Levels, nil, false)); n != c.curves {
				t.Errorf("%s: %d curves, want %d", c.what, n, c.curves)
			}
			r.post(bench.Pause{}, bench.Resume{})
			r.after(some / 2)
			if l := r.Snapshot().Level(); l.Cause == bench.CauseResume && l.Note != "" {
				t.Errorf("%s: the level after it has %q again", c.what, l.Note)
			}
		})
	}
}
