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
	} {
		if got := (&Snapshot{Levels: c.levels}).LevelBefore(); got != c.want {
			t.Errorf("%s: %+v", c.what, got)
		}
	}
}
