package view

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"redline/bench"
	"redline/themes"
	"redline/ui/action"
	"redline/ui/style"
	"redline/ui/view/viewtest"
)

// fronts are what can be open in front of a view.
var fronts = map[string]func(*bench.Snapshot, *State){
	"palette": func(s *bench.Snapshot, st *State) { typed(s, st, "", "") },
	"palette-typed": func(s *bench.Snapshot, st *State) {
		typed(s, st, "re", "")
		st.Palette.Row = 3
	},
	"palette-problem": func(s *bench.Snapshot, st *State) {
		typed(s, st, "theme nope", `theme: no theme "nope" (there are ansi, contrast, mono, okabe-dark, okabe-light, redline-dark, redline-light)`)
	},
	"picker": func(s *bench.Snapshot, st *State) { listed(st) },
	"help": func(s *bench.Snapshot, st *State) {
		st.Mode, st.BytesPerSecond = action.Helping, 4200
	},
	"help-requests": func(s *bench.Snapshot, st *State) {
		st.Mode, st.View, st.BytesPerSecond = action.Helping, action.Requests, 4200
	},
	"help-search": func(s *bench.Snapshot, st *State) {
		st.Mode, st.HelpWords, st.Entry = action.Helping, "load", &Entry{For: ForHelp, Prompt: "/", Text: "load", Hint: "words that help shall have; esc shows all"}
	},
}

func typed(s *bench.Snapshot, st *State, text, problem string) {
	found, argument := st.Keys.Search(text, ActionState(s, false, false, action.Driving))
	st.Mode, st.Palette = action.Commanding, &Palette{Found: found, Argument: argument}
	st.Entry = &Entry{For: ForCommand, Prompt: ":", Text: text, Hint: "a name, a key or a word; enter does it, esc leaves", Problem: problem}
}

func listed(st *State) {
	nowhere := func(string) string { return "" }
	p := &Picker{Row: 2}
	for _, name := range []string{"ansi", "contrast", "mono", "okabe-dark", "okabe-light", "redline-dark", "redline-light"} {
		t, err := themes.Load(name, nowhere)
		if err != nil {
			panic(err)
		}
		p.Themes = append(p.Themes, Theme{Name: name, Variant: t.Variant.String(), Set: style.New(t, st.Set.Profile, st.Set.Glyphs)})
	}
	p.Themes = append(p.Themes, Theme{Name: "zebra", Own: true, Problem: "zebra.toml:3: accent: want a colour"})
	st.Mode, st.Picker = action.Picking, p
}

// TestGoldenFronts compares what is open in front of a view with what was looked at and found good.
func TestGoldenFronts(t *testing.T) {
	for name, open := range fronts {
		for _, look := range []string{"plain", "ascii"} {
			var b strings.Builder
			for _, size := range sizes {
				s, st := viewtest.Make(viewtest.Running, 0), state(look, size[0], size[1])
				open(s, st)
				fmt.Fprintf(&b, "== %d×%d\n%s\n", size[0], size[1], strings.Join(NewScreen().Rows(s, st), "\n"))
			}
			path := filepath.Join("testdata", "front", look, name+".txt")
			if *update {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				continue
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got := b.String(); got != string(want) {
				t.Errorf("%s differs (run with -update after looking):\n%s", path, difference(string(want), got))
			}
		}
	}
}

func TestWhatIsInFrontFitsAtEverySize(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for seed := range 60 {
		s := viewtest.Random(uint64(seed))
		for name, open := range fronts {
			for _, look := range []string{"ansi", "ascii", "mono", "plain"} {
				w, h := 1+rng.IntN(200), 1+rng.IntN(60)
				st := state(look, w, h)
				st.View = action.View(rng.IntN(int(action.NumViews)))
				open(s, st)
				if p := st.Palette; p != nil && len(p.Found) > 0 {
					p.Row = rng.IntN(len(p.Found))
				}
				v := NewScreen()
				check(t, v.Rows(s, st), w, h, name)
				for range 20 {
					v.Hit(rng.IntN(w+2)-1, rng.IntN(h+2)-1)
				}
			}
		}
	}
}

// TestTheChosenRowIsSeen: however long the list and low the screen.
func TestTheChosenRowIsSeen(t *testing.T) {
	s := viewtest.Make(viewtest.Running, 0)
	for _, size := range sizes[:5] {
		st := state("plain", size[0], size[1])
		typed(s, st, "", "")
		for i, v := range st.Palette.Found {
			st.Palette.Row = i
			if got := strings.Join(NewScreen().Rows(s, st), "\n"); !strings.Contains(got, "› "+v.Name) {
				t.Fatalf("%v: %s is not seen:\n%s", size, v.Name, got)
			}
		}
	}
}

// TestTheFooterOfEachViewHoldsItsOwnKeys: load, help and quit everywhere, and before others the keys of the view.
func TestTheFooterOfEachViewHoldsItsOwnKeys(t *testing.T) {
	for v, want := range map[action.View][]string{
		action.Live:  {"+/- load", "c set", "u undo", "spc pause", "? help", "q quit"},
		action.Curve: {"+/- load", "tab metric", "enter choose", "up down choose", "esc back"}, action.Heat: {"+/- load", "enter choose", "tab metric", "a across", "esc back"},
		action.Requests: {"+/- load", "enter inspect", "/ filter", "a sort", "up down choose", "esc back"}, action.Server: {"+/- load", "spc pause", "esc back"},
		action.Log: {"+/- load", "/ filter", "enter see it", "esc back"}, action.Diagnosis: {"+/- load", "spc pause", "esc back"},
	} {
		for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 15}, {40, 8}} {
			st := state("plain", size[0], size[1])
			st.View, st.Journal = v, viewtest.Journal(viewtest.Make(viewtest.Running, 0))
			rows := NewScreen().Rows(viewtest.Make(viewtest.Running, 0), st)
			foot := rows[len(rows)-1]
			if testing.Verbose() {
				fmt.Printf("%-10s %4d %s\n", v, size[0], foot)
			}
			if !strings.Contains(foot, "+/- load") || !strings.Contains(foot, "? help") || !strings.Contains(foot, "q quit") {
				t.Errorf("%s at %v: %q", v, size, foot)
			}
			for _, w := range want {
				if size[0] >= 120 && !strings.Contains(foot, w) {
					t.Errorf("%s at %v: %q is not in %q", v, size, w, foot)
				}
			}
		}
	}
}
