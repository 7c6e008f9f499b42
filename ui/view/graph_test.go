package view

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/chart"
	"redline/ui/view/viewtest"
)

func init() {
	for _, mode := range []chart.Mode{chart.Block, chart.Braille, chart.Ramp} {
		as := func(more func(*bench.Snapshot, *State)) func(*bench.Snapshot, *State) {
			return func(s *bench.Snapshot, st *State) {
				st.Graph = mode
				if more != nil {
					more(s, st)
				}
			}
		}
		name := "graph-" + mode.String() + "-"
		pageScenes = append(pageScenes,
			pageScene{name: name + "live", scene: viewtest.Breach, view: action.Live, set: as(nil)},
			pageScene{name: name + "curve", scene: viewtest.Knee, view: action.Curve, set: as(nil)},
			pageScene{name: name + "heat", scene: viewtest.Tail, view: action.Heat, set: as(nil)},
			pageScene{name: name + "sheet", scene: viewtest.Sheet, view: action.Live, set: as(nil)},
		)
	}
}

// foreign are the characters of what a mode draws that it must not need. The point in big digits is a letter.
func foreign(mode chart.Mode, c rune) bool {
	braille, block := c >= 0x2800 && c <= 0x28ff, c >= 0x2580 && c <= 0x259f && c != '▖'
	return mode != chart.Braille && braille || mode == chart.Ramp && block
}

func TestAModeOfDrawingRulesAllThatIsDrawn(t *testing.T) {
	if raced {
		t.Skip("it draws for long, in one goroutine")
	}
	seen := [3]bool{}
	for _, mode := range []chart.Mode{chart.Block, chart.Braille, chart.Ramp} {
		for _, p := range pageScenes {
			set := p.set
			p.set = func(s *bench.Snapshot, st *State) {
				if set != nil {
					set(s, st)
				}
				st.Graph = mode
			}
			for _, size := range [...][2]int{{200, 60}, {80, 24}, {60, 15}} {
				for i, row := range p.drawn("mono", size[0], size[1]) {
					for _, c := range ansi.Strip(row) {
						if foreign(mode, c) {
							t.Fatalf("%s, %s at %d×%d, row %d: %q in %q", mode, p.name, size[0], size[1], i, c, ansi.Strip(row))
						}
						seen[mode] = seen[mode] || foreign((mode+2)%3, c)
					}
				}
			}
		}
	}
	if !seen[chart.Block] || !seen[chart.Braille] {
		t.Error("nothing was drawn at all")
	}
}

func TestWhatAPlanHasAheadIsToldFromWhatWas(t *testing.T) {
	for _, mode := range []chart.Mode{chart.Block, chart.Braille, chart.Ramp} {
		s, st := dressed(viewtest.Sheet, "plain", 120, 36)
		st.Graph = mode
		rows := NewScreen().Rows(s, st)
		// The lowest row of the sketch is full before and after the present instant.
		row := []rune(rows[len(rows)-5])
		at := strings.LastIndexAny(string(row), "┊|")
		if at < 0 {
			t.Fatalf("%s: no present instant in %q", mode, string(row))
		}
		now := len([]rune(string(row)[:at]))
		if row[now-2] == row[now+6] && row[now-3] == row[now+5] {
			t.Errorf("%s: %q", mode, string(row))
		}
	}
}
