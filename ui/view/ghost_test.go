package view

import (
	"strings"
	"testing"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/chart"
	"redline/ui/view/viewtest"
)

func TestGhostsGoFromTheReferenceToEarlierLevelsToNone(t *testing.T) {
	s, st := dressed(viewtest.Running, "plain", 120, 36)
	var seen []int
	for range len(s.Levels) {
		st.NextGhost(s)
		if st.Ghost == nil {
			seen = append(seen, -1)
			continue
		}
		seen = append(seen, st.Ghost.ID)
	}
	for i, id := range seen {
		if want := len(s.Levels) - 2 - i; id != max(want, -1) {
			t.Errorf("the ghosts are %v", seen)
			break
		}
	}
	st.Reference, st.Ghost = s.Levels[0], nil
	if st.NextGhost(s); st.Ghost != s.Levels[0] {
		t.Errorf("the first ghost is %v, not the pinned level", st.Ghost)
	}
}

// TestAGhostHidesNothing: where it is drawn there was nothing before.
func TestAGhostHidesNothing(t *testing.T) {
	s, st := dressed(viewtest.Running, "plain", 120, 36)
	v := NewScreen()
	v.Rows(s, st)
	st.NextGhost(s)
	f := v.frame(s, st)
	f.measure()
	for i := range bench.Lanes {
		lane := f.lane(i)
		for y := range lane.Rows {
			lane.Draw(f.start(), y)
			with := []rune(f.row.String())
			for k := range lane.Columns {
				lane.Columns[k].HasGhost = false
			}
			lane.Draw(f.start(), y)
			without := []rune(f.row.String())
			for x := range with {
				if with[x] != without[x] && (without[x] != ' ' || with[x] != '·') {
					t.Errorf("%s, row %d: %q in place of %q", bench.Lanes[i], y, with[x], without[x])
				}
			}
			lane = f.lane(i)
		}
	}
	if rows := strings.Join(v.Rows(s, st), "\n"); !strings.Contains(rows, "ghost: 48 at 03:14") || !strings.Contains(rows, "·····") {
		t.Errorf("nobody says whose ghost it is, or it is not there:\n%s", rows)
	}
}

// TestALogarithmicScaleIsHonest: its lower end is named and is not 0, nothing that is plotted lies below it, and the threshold is on it.
func TestALogarithmicScaleIsHonest(t *testing.T) {
	for _, scene := range []viewtest.Scene{viewtest.Running, viewtest.Breach, viewtest.Settling} {
		s, st := dressed(scene, "plain", 120, 36)
		st.Log[action.Live] = true
		f := NewScreen().frame(s, st)
		f.measure()
		for i, m := range bench.Lanes {
			lane := f.lane(i)
			if m != bench.TTFT && m != bench.ITL {
				if lane.Scale.Log {
					t.Errorf("%s: %s is logarithmic", scene, m)
				}
				continue
			}
			low := lane.Scale.Base()
			if !lane.Scale.Log || !(low > 0) || low > lane.Scale.Ceil/10*(1+1e-9) {
				t.Errorf("%s: %s from %v to %v", scene, m, low, lane.Scale.Ceil)
			}
			for _, c := range lane.Columns {
				if c.OK && c.V < low {
					t.Errorf("%s: %s has %v below %v", scene, m, c.V, low)
				}
			}
			if lane.Threshold < low {
				t.Errorf("%s: the threshold of %s lies below the scale", scene, m)
			}
			lane.Label(f.start(), lane.Rows-1, 10)
			if text := f.row.String(); !strings.Contains(text, chart.TickMillis(low)) {
				t.Errorf("%s: the lower end of %s is %q, not %v", scene, m, text, low)
			}
		}
	}
}
