package analysis

import (
	"testing"
	"time"

	"redline/bench"
)

func TestARampAndTheLevelsMayContradict(t *testing.T) {
	at := func(n float64) bench.Setpoint { return bench.Setpoint{N: n} }
	for _, c := range []struct {
		sentence            string
		load, above         float64
		kept, broken        float64
		phase               bench.RampPhase
		promised, elsewhere bool
		want                bool
	}{
		{"a level broke where the ramp found all kept", 15, 16, 8, 12, bench.RampFound, false, false, true},
		{"or at the very load", 12, 16, 8, 12, bench.RampFound, false, false, true},
		{"a level kept what broke in the ramp", 15, 16, 16, 32, bench.RampFound, false, false, true},
		{"the two are of one mind", 15, 16, 15, 16, bench.RampFound, false, false, false},
		{"levels that are coarser", 15, 16, 8, 16, bench.RampFound, false, false, false},
		{"nothing broke, and the ramp went no further", 15, 0, 15, 0, bench.RampOpen, false, false, false},
		{"a ramp that was left found nothing", 15, 16, 8, 12, bench.RampLeft, false, false, false},
		{"promises that have become others", 15, 16, 8, 12, bench.RampFound, true, false, false},
		{"levels of another workload", 15, 16, 8, 12, bench.RampFound, false, true, false},
	} {
		l := &bench.Level{ID: 3, Load: at(c.load)}
		s := &bench.Snapshot{Levels: []*bench.Level{l}}
		s.Ramping = &bench.Ramping{Phase: c.phase, Ended: bench.MarkAt(time.Minute), Found: &bench.Redline{Load: at(c.load), Above: at(c.above), Level: 3}}
		if c.promised {
			s.Events = []bench.Event{{At: 2 * time.Minute, Kind: bench.EventPromise}}
		}
		if c.elsewhere {
			l.Work = 1
		}
		if got := Against(Redline(s, Kind{}), at(c.kept), at(c.broken)); got != c.want {
			t.Errorf("%s: %v", c.sentence, got)
		}
	}
}
