package view

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

// pageScene is a view in a state that it must show: a scene of the run, what the operator has chosen, and what was done since.
type pageScene struct {
	// name is its golden file: testdata/pages/NAME.txt.
	name  string
	scene viewtest.Scene
	view  action.View
	// set changes what dressed gives, act goes about in the screen once it was drawn; either may be nil.
	set func(s *bench.Snapshot, st *State)
	act func(v *Screen, s *bench.Snapshot, st *State)
}

// pageScenes are the frames of all views, drawn at every size. A view adds its own in an init of its test file.
var pageScenes []pageScene

// pageLooks are the looks that pages are kept in; with colours and with attributes alone it is one or two scenes of each view.
var (
	pageLooks = []string{"plain", "ansi", "mono", "ascii"}
	painted   = []string{"curve-knee", "curve-chosen", "heat", "heat-cell", "requests-newest", "requests-stall", "server-quotas", "log-chosen", "diagnosis-breach", "live-cursor", "live-open-tps"}
)

// drawn are the rows of a scene at a size.
func (p *pageScene) drawn(look string, w, h int) []string {
	s, st := dressed(p.scene, look, w, h)
	st.View, st.Log = p.view, Logarithmic
	if p.set != nil {
		p.set(s, st)
	}
	v := NewScreen()
	rows := v.Rows(s, st)
	if p.act != nil {
		p.act(v, s, st)
		rows = v.Rows(s, st)
	}
	return rows
}

// TestGoldenPages compares every page scene at every size with the frames that were looked at and found good.
func TestGoldenPages(t *testing.T) {
	if raced {
		t.Skip("it draws for long, in one goroutine")
	}
	for _, p := range pageScenes {
		for _, look := range pageLooks {
			if (look == "ansi" || look == "mono") && !slices.Contains(painted, p.name) {
				continue
			}
			t.Run(look+"/"+p.name, func(t *testing.T) {
				var b strings.Builder
				for _, size := range sizes {
					fmt.Fprintf(&b, "== %d×%d\n", size[0], size[1])
					for _, row := range p.drawn(look, size[0], size[1]) {
						b.WriteString(strings.ReplaceAll(row, "\x1b", "␛") + "\n")
					}
				}
				golden(t, filepath.Join("testdata", "pages", look, p.name+".txt"), b.String())
			})
		}
	}
}

// golden compares a text with the file that keeps it, or writes it with -update.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (run with -update after looking):\n%s", path, difference(string(want), got))
	}
}

// TestShowPages prints every page scene: go test -run ShowPages -v ./ui/view
func TestShowPages(t *testing.T) {
	if raced {
		t.Skip("it draws for long, in one goroutine")
	}
	if !testing.Verbose() {
		t.Skip("for the eye only: needs -v")
	}
	for _, p := range pageScenes {
		for _, size := range sizes {
			fmt.Printf("== %s %d×%d\n%s\n", p.name, size[0], size[1], strings.Join(p.drawn("plain", size[0], size[1]), "\n"))
		}
	}
}

// chances bring what the operator may have chosen into a random state. A view adds its own in an init of its test file.
var chances = []func(r *rand.Rand, s *bench.Snapshot, st *State){
	func(r *rand.Rand, s *bench.Snapshot, st *State) {
		some := func() bool { return r.IntN(2) == 0 }
		st.View, st.Metric, st.Chosen, st.Expanded = action.View(r.IntN(int(action.NumViews))), bench.Metric(r.IntN(int(bench.NumMetrics))), some(), some()
		for v := range st.Log {
			st.Log[v], st.Row[v] = some(), r.IntN(2000)-5
		}
		if r.IntN(3) == 0 {
			st.Cursor = bench.MarkAt(time.Duration(r.Int64N(int64(s.At + time.Second))))
		}
		if n := len(s.Levels); n > 0 && some() {
			st.Ghost = s.Levels[r.IntN(n)]
		}
		st.Private, st.Mouse, st.Inspecting, st.Reversed = some(), some(), some(), some()
		st.Request, st.Sort, st.Across = r.Uint64N(2000), Sort(r.IntN(int(numSorts))), Across(r.IntN(3))
		st.Cell = Cell{Column: r.IntN(200) - 2, Bucket: r.IntN(200) - 2, OK: some()}
		if r.IntN(3) == 0 {
			st.Filter[st.View] = []string{"slo", "接続 \x07", "a very long filter that goes on and on", "(", "load 4"}[r.IntN(5)]
		}
	},
}

// TestRandomPagesNeverBreakARow: whatever the snapshot, the state and the keys, every view keeps to the screen.
func TestRandomPagesNeverBreakARow(t *testing.T) {
	if raced {
		t.Skip("it draws for long, in one goroutine")
	}
	rng := rand.New(rand.NewPCG(3, 4))
	names := []string{"ansi", "ascii", "mono", "plain"}
	for seed := range 300 {
		s := viewtest.Random(uint64(1000 + seed))
		screen := NewScreen()
		for range 4 {
			w, h := 1+rng.IntN(220), 1+rng.IntN(70)
			st := state(names[rng.IntN(len(names))], w, h)
			st.Window, st.Scope = Windows[rng.IntN(len(Windows))], Scope(rng.IntN(3))
			for _, chance := range chances {
				chance(rng, s, st)
			}
			for range 3 {
				check(t, screen.Rows(s, st), w, h, st.View.String())
				for range rng.IntN(6) {
					screen.Move(s, st, Motion(rng.IntN(6)))
				}
				screen.ChosenEvent(s, st)
				screen.ChosenLevel(s, st)
			}
		}
	}
}

// TestEveryPageFillsTheScreen: a view other than Live has as many rows as the screen, and its keys in the last.
func TestEveryPageFillsTheScreen(t *testing.T) {
	for v := action.Curve; v < action.NumViews; v++ {
		for _, size := range sizes[:5] {
			st := state("plain", size[0], size[1])
			st.View = v
			rows := NewScreen().Rows(viewtest.Make(viewtest.Running, 0), st)
			if len(rows) != size[1] {
				t.Errorf("%s at %v: %d rows", v, size, len(rows))
			} else if last := rows[len(rows)-1]; !strings.Contains(last, "quit") {
				t.Errorf("%s at %v: the last row is %q", v, size, last)
			}
		}
	}
}
