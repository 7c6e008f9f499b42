package bench

import (
	"testing"
	"time"
)

func TestLevelBeforeIsOneThatWasMeasured(t *testing.T) {
	level := func(id int, state Settling, span time.Duration, ready bool) *Level {
		l := &Level{ID: id, State: state}
		l.Span = span
		if ready {
			l.Stats[ITL].Readiness = Ready
		}
		return l
	}
	settled := level(1, Settled, 30*time.Second, true)
	touched := level(2, Settles, time.Second, true)
	short := level(3, Settles, 8*time.Second, true)
	empty := level(4, Unsettled, time.Minute, false)
	now := level(9, Reaching, 0, false)
	kind := func(l *Level, mode Mode, work int) *Level {
		l.Load.Mode, l.Work = mode, work
		return l
	}
	opened, openedShort := kind(level(5, Settled, time.Minute, true), Open, 0), kind(level(6, Unsettled, time.Minute, true), Open, 0)
	nowOpen, touchedOpen := kind(level(9, Reaching, 0, false), Open, 0), kind(level(8, Settles, time.Second, true), Open, 0)
	longer := kind(level(7, Settled, time.Minute, true), Closed, 1)
	for _, c := range []struct {
		what   string
		levels []*Level
		want   *Level
	}{
		{"no level at all", nil, nil},
		{"the first level has none before it", []*Level{now}, nil},
		{"a settled one beats those touched on the way", []*Level{settled, touched, now}, settled},
		{"a settled one beats a later one that never settled", []*Level{settled, short, now}, settled},
		{"without a settled one, one that was measured for a while", []*Level{touched, short, touched, now}, short},
		{"never one that was only touched", []*Level{touched, now}, nil},
		{"nor one without a number", []*Level{empty, now}, nil},
		{"when the mode has just changed, the other mode is what it is compared with", []*Level{openedShort, settled, nowOpen}, settled},
		{"though it was in this mode before", []*Level{opened, settled, nowOpen}, settled},
		{"a load that moves on in its mode is compared within it", []*Level{opened, settled, touchedOpen, nowOpen}, opened},
		{"even with one that never settled", []*Level{openedShort, settled, touchedOpen, nowOpen}, openedShort},
		{"but not with one that was only touched", []*Level{settled, touchedOpen, nowOpen}, settled},
		{"when the workload has just changed, the other workload is", []*Level{longer, now}, longer},
		{"and a load that moves on is compared within its workload", []*Level{settled, longer, touched, now}, settled},
	} {
		if got := (&Snapshot{Levels: c.levels}).LevelBefore(); got != c.want {
			t.Errorf("%s: %+v", c.what, got)
		}
	}
}

func TestArrivalsAreRecordedWhereTheWorkloadHasTimes(t *testing.T) {
	works := []Workload{{Name: "trace", Rate: 2.5}, {Name: "fixed"}}
	bursts := Arrivals{Shape: Gamma, Burstiness: 0.5}
	for _, c := range []struct {
		sentence string
		set      Arrivals
		work     int
		want     Arrivals
	}{
		{"a trace has its times", Arrivals{Shape: Recorded}, 0, Arrivals{Shape: Recorded}},
		{"a workload without times has independent users", Arrivals{Shape: Recorded}, 1, Arrivals{}},
		{"no workload has none either", Arrivals{Shape: Recorded}, 2, Arrivals{}},
		{"nor one before the first", Arrivals{Shape: Recorded}, -1, Arrivals{}},
		{"another spread is that of every workload", bursts, 0, bursts},
		{"with or without times", bursts, 1, bursts},
	} {
		if got := (&Run{Works: works, Arrivals: c.set}).ArrivalsOf(c.work); got != c.want {
			t.Errorf("%s: %v, want %v", c.sentence, got, c.want)
		}
	}
}
