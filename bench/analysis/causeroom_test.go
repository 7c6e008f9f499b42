package analysis_test

import (
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/analysis"
)

// TestThereIsNoRoomBelowALoadThatBroke: what follows its load has room above it, unless a greater load has shown that it has none.
func TestThereIsNoRoomBelowALoadThatBroke(t *testing.T) {
	promise := []string{"ttft.p95<=100ms"}
	again := func(levels []*bench.Level, more ...*bench.Level) []*bench.Level {
		for i, l := range more {
			l.ID = len(levels) + i
		}
		return append(levels, more...)
	}
	six := func() *bench.Level { return onSlots(6, 6)[0] }
	brief := func(l *bench.Level) *bench.Level {
		l.Span, l.State = 4*time.Second, bench.Moving
		l.Stats[bench.TTFT].N, l.Stats[bench.TTFT].Readiness = 12, bench.Few
		return l
	}
	tried := func(s *bench.Snapshot, load int, level int) *bench.Snapshot {
		s.Ramping = &bench.Ramping{Phase: bench.RampFound, Trials: []bench.Trial{{Load: bench.InFlight(load), Level: level, Holds: bench.Broke}}}
		return s
	}
	for _, c := range []struct {
		because string
		s       *bench.Snapshot
		room    bool
	}{
		{"nothing greater was tried", run(t, promise, onSlots(6, 2, 4, 6)...), true},
		{"eight broke a promise before", run(t, promise, again(onSlots(6, 2, 8), six())...), false},
		{"eight broke none, and brought no more", run(t, nil, again(onSlots(6, 2, 8), six())...), false},
		{"a ramp broke at eight, sooner than the level was ready", tried(run(t, promise, again(onSlots(6, 2), brief(onSlots(6, 8)[0]), six())...), 8, 1), false},
		{"the ramp's level was of another workload", tried(run(t, promise, again(onSlots(6, 2), with(brief(onSlots(6, 8)[0]), func(l *bench.Level) { l.Work = 1 }), six())...), 8, 1), true},
		{"a note lies between", run(t, promise, again(onSlots(6, 8, 2), with(onSlots(6, 2)[0], func(l *bench.Level) { l.Cause, l.Note = bench.CauseNote, "mended" }), six())...), true},
	} {
		if d := analysis.Diagnose(c.s); d.Has(analysis.UnderDriven) != c.room {
			t.Errorf("%s: room %v, want %v: %+v", c.because, d.Has(analysis.UnderDriven), c.room, d.Found)
		}
	}
}

// TestAnOwnQuotaExplainsNoWait: the server knows nothing of it.
func TestAnOwnQuotaExplainsNoWait(t *testing.T) {
	over := func(promises []string, l *bench.Level) *analysis.Diagnosis {
		s := run(t, append(promises, "rpm<=60"), l)
		s.Minute = bench.Use{Attempts: 72, Span: time.Minute}
		return analysis.Diagnose(s)
	}
	slow := func() *bench.Level { return measured(0, 1, 31.9, 1, 700, 10) }
	d := over([]string{"ttft.p95<=500ms"}, slow())
	if !d.Unexplained() || d.First().Grade != analysis.Remark || !strings.HasPrefix(d.Verdict(), "not known without ") {
		t.Errorf("broken with the own quota used up: %+v, %q", d.Found, d.Verdict())
	}
	if got := strings.Join(d.First().Saw, "; "); got != "RPM 72 of your own 60" {
		t.Errorf("saw %q", got)
	}
	if d = over([]string{"ttft.p95<=5s"}, slow()); d.Unexplained() || d.First().Cause != analysis.QuotaBound || d.First().Grade != analysis.Limits {
		t.Errorf("kept: the quota is what limits: %+v", d.Found)
	}
	queued := told(slow(), map[bench.Gauge]float64{bench.ServerWaiting: 1})
	if d = over([]string{"ttft.p95<=500ms"}, queued); d.First().Cause != analysis.Queueing || d.First().Grade != analysis.Alarm {
		t.Errorf("broken by a queue: %+v", d.Found)
	}
	refused := with(slow(), func(l *bench.Level) { l.Tally.Limited = 30 })
	if d = over([]string{"ttft.p95<=5s"}, refused); d.First().Cause != analysis.QuotaBound || d.First().Grade != analysis.Alarm {
		t.Errorf("429 on a third: %+v", d.Found)
	}
}

// TestABusyClientDoesNotHideTheCause that explains a wait which no busy client makes.
func TestABusyClientDoesNotHideTheCause(t *testing.T) {
	for _, c := range []struct {
		because string
		promise string
		busy    [2]int
		want    analysis.Cause
	}{
		{"seconds past the promise", "ttft.p95<=250ms", [2]int{21, 0}, analysis.Queueing},
		{"a saturated client stands before all", "ttft.p95<=250ms", [2]int{21, 6}, analysis.ClientBound},
		{"a few ms past it", "ttft.p95<=1020ms", [2]int{21, 0}, analysis.ClientBound},
	} {
		levels := onSlots(6, 2, 4, 6, 16)
		levels[3].Strained = c.busy
		d := analysis.Diagnose(run(t, []string{c.promise}, levels...))
		if d.First().Cause != c.want || !d.Has(analysis.ClientBound) || !d.Has(analysis.Queueing) {
			t.Errorf("%s: %+v", c.because, d.Found)
		}
	}
}

// TestACruiseAtItsEdgeIsNotUnderDriven.
func TestACruiseAtItsEdgeIsNotUnderDriven(t *testing.T) {
	s := run(t, []string{"ttft.p95<=100ms"}, onSlots(6, 2, 4)...)
	s.Cruising = &bench.Cruising{}
	if d := analysis.Diagnose(s); d.Has(analysis.UnderDriven) {
		t.Errorf("%+v", d.Found)
	}
	if s.Cruising.Ended = bench.MarkAt(time.Minute); !analysis.Diagnose(s).Has(analysis.UnderDriven) {
		t.Error("no room though the cruise is over")
	}
}
