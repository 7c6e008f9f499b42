package view

import (
	"strings"
	"testing"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

// TestALaneIsHitWhereItIsDrawn: at every density the row that begins with a lane's name is that lane's.
func TestALaneIsHitWhereItIsDrawn(t *testing.T) {
	s := viewtest.Make(viewtest.Running, 0)
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 15}, {40, 8}, {200, 60}} {
		v, st := NewScreen(), state("plain", size[0], size[1])
		rows := v.Rows(s, st)
		seen := map[bench.Metric]bool{}
		for y, row := range rows {
			h := v.Hit(3, y)
			for _, m := range bench.Lanes {
				if strings.HasPrefix(row, " "+m.String()+" ") {
					if h.Spot != OnLane || h.Metric != m {
						t.Errorf("%v: %s in row %d is hit as %+v", size, m, y, h)
					}
					seen[m] = true
				}
			}
		}
		if len(seen) != len(bench.Lanes) {
			t.Errorf("%v: found the lanes %v", size, seen)
		}
		if h := v.Hit(3, 0); h.Spot != Nothing {
			t.Errorf("%v: the first row is %+v", size, h)
		}
	}
}

func TestAHitIsChosen(t *testing.T) {
	st := State{View: action.Log}
	if !st.ChooseHit(Hit{Spot: OnRow, Index: 4}) || st.Row[action.Log] != 4 {
		t.Errorf("row %d", st.Row[action.Log])
	}
	if st.ChooseHit(Hit{Spot: OnAction, Action: action.Raise}) {
		t.Error("a key of the footer is chosen like a row")
	}
}
