package view

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

// check fails when a frame has more rows than the screen, or a row more cells.
func check(t *testing.T, rows []string, w, h int, what string) {
	t.Helper()
	if len(rows) > max(h, 0) {
		t.Fatalf("%s at %d×%d: %d rows", what, w, h, len(rows))
	}
	for i, row := range rows {
		if n := ansi.StringWidth(row); n > w {
			t.Fatalf("%s at %d×%d: row %d has %d cells: %q", what, w, h, i, n, ansi.Strip(row))
		}
	}
}

func TestEveryRowFitsAtEverySize(t *testing.T) {
	s := viewtest.Make(viewtest.Limited, 0)
	screens := map[string]*Screen{"ansi": NewScreen(), "ascii": NewScreen()}
	for w := 1; w <= 300; w += 1 + w/40 {
		for h := 1; h <= 100; h += 1 + h/12 {
			for look, screen := range screens {
				check(t, screen.Rows(s, state(look, w, h)), w, h, look)
			}
		}
	}
}

func TestRandomSnapshotsNeverBreakARow(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	names := []string{"ansi", "ascii", "mono", "plain"}
	for seed := range 250 {
		s := viewtest.Random(uint64(seed))
		screen := NewScreen()
		for range 6 {
			w, h := 1+rng.IntN(300), 1+rng.IntN(100)
			st := state(names[rng.IntN(len(names))], w, h)
			st.Window = Windows[rng.IntN(len(Windows))]
			st.Scope, st.Percentile = Scope(rng.IntN(3)), bench.Percentile(rng.IntN(4))
			st.Mode = action.Mode(rng.IntN(5))
			st.Locked, st.Frozen, st.FrozenFor = rng.IntN(2) == 0, rng.IntN(2) == 0, time.Duration(rng.Uint64()>>1)
			if rng.IntN(5) == 0 {
				st.Entry = &Entry{Prompt: "load", Text: "数字数字数字\x1b[31m", Problem: "no 🚦 load"}
			}
			if rng.IntN(3) == 0 {
				st.Sheet = &Sheet{Typed: rng.IntN(2) == 0}
				if s.Following != nil {
					st.Sheet.Plan = s.Following.Profile
				}
			}
			if rng.IntN(5) == 0 {
				st.Notice = "接続 \x07"
			}
			check(t, screen.Rows(s, st), w, h, "seed")
		}
	}
}

func TestNoSizeIsNoFrame(t *testing.T) {
	for _, size := range [][2]int{{0, 0}, {0, 10}, {10, 0}, {-1, -1}} {
		if rows := NewScreen().Rows(viewtest.Make(viewtest.Running, 0), state("plain", size[0], size[1])); len(rows) != 0 {
			t.Errorf("%v: %d rows", size, len(rows))
		}
	}
}

func TestTheFooterIsAlwaysTheLastRow(t *testing.T) {
	for _, size := range sizes[:5] {
		rows := NewScreen().Rows(viewtest.Make(viewtest.Running, 0), state("plain", size[0], size[1]))
		if len(rows) != size[1] {
			t.Errorf("%v: %d rows", size, len(rows))
			continue
		}
		if last := rows[len(rows)-1]; !strings.Contains(last, "load") || !strings.Contains(last, "quit") {
			t.Errorf("%v: the last row is %q", size, last)
		}
	}
}

// TestNoNumberIsCut: whatever the size and however great the numbers, none stands without its last digits or its unit.
func TestNoNumberIsCut(t *testing.T) {
	s := viewtest.Make(viewtest.Limited, 0)
	for i, l := range s.Levels {
		l.Load.N *= 123457
		for m := range l.Stats {
			st := &l.Stats[m]
			st.P50, st.P95, st.P99, st.Mean = bench.Some(1234.4), bench.Some(123456.7), bench.Some(1234567.8), bench.Some(9999.4+float64(i))
		}
	}
	s.Target, s.InFlight, s.Was, s.Run.Max = bench.InFlight(4938280), 4938277, bench.InFlight(3950624), 12345678
	cut := regexp.MustCompile(`\d[…]|\d […]\d`)
	for _, scope := range []Scope{Level, Window, Run} {
		screen := NewScreen()
		for w := 20 + int(scope); w <= 220; w += 3 {
			for _, h := range []int{1, 8, 15, 24, 36, 60} {
				st := state("plain", w, h)
				st.Scope = scope
				for _, row := range screen.Rows(s, st) {
					if got := cut.FindString(row); got != "" {
						t.Fatalf("%d×%d: %q is cut in %q", w, h, got, row)
					}
				}
			}
		}
	}
}
