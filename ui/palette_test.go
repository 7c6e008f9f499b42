package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view"
	"redline/ui/view/viewtest"
)

// command types a line into the palette and sends it.
func command(m *model, line string) {
	press(m, ":")
	for _, r := range line {
		press(m, string(r))
	}
	press(m, "enter")
}

// notable is what the operator would see of what an action did.
func notable(m *model) string {
	st := m.st
	entry := "none"
	if st.Entry != nil {
		entry = fmt.Sprintf("%+v", *st.Entry)
	}
	return fmt.Sprintln(st.Mode, st.View, st.Metric, st.Chosen, st.Expanded, st.Log, st.Cursor, st.Private, st.Mouse, st.Row, st.Inspecting, st.Filter, st.Sort, st.Reversed, st.Across, st.Window,
		st.Percentile, st.Scope, st.Reference != nil, st.Step, st.Locked, st.Frozen, st.Sheet != nil, st.Picker != nil, st.Set.Name, st.Notice, entry, m.leaves)
}

// TestThePaletteDoesWhatTheKeyDoes: every action that has a name is found by it, and does what its key does; one that does not work now says why.
func TestThePaletteDoesWhatTheKeyDoes(t *testing.T) {
	if raced {
		t.Skip("it draws for long, in one goroutine")
	}
	t.Chdir(t.TempDir())
	for _, v := range []action.View{action.Live, action.Requests} {
		for _, locked := range []bool{false, true} {
			for _, b := range action.Table {
				if b.Name == "" || b.Action == action.Palette {
					continue
				}
				byName, byKey := showing(viewtest.Running), showing(viewtest.Running)
				m, twin := opened(byName), opened(byKey)
				for _, each := range []*model{m, twin} {
					each.st.View, each.st.Locked = v, locked
				}
				why := m.st.Keys.Why(&b, m.driving())
				if b.Action == action.Threshold && v == action.Requests {
					// There a promise that names its metric can be put in force all the same.
					why = "want one of ttft.p95<=500ms, tps.p5>=20, errors<=1%"
				}
				command(m, b.Name)
				if why != "" {
					if e := m.st.Entry; e == nil || e.Problem != b.Name+": "+why || m.st.Palette == nil || len(byName.commands()) > 0 {
						t.Errorf("%s in %s (%s) does not say so: %+v", b.Name, v, why, e)
					}
					continue
				}
				twin.hear(twin.st.Keys.Row(b.Action), twin.driving())
				twin.draw()
				if got, want := notable(m), notable(twin); got != want {
					t.Errorf("%s in %s:\n%s\nby its key:\n%s", b.Name, v, got, want)
				}
				if got, want := fmt.Sprintf("%#v", append([]bench.Command{}, byName.commands()...)), fmt.Sprintf("%#v", append([]bench.Command{}, byKey.commands()...)); got != want {
					t.Errorf("%s in %s posts %s, its key %s", b.Name, v, got, want)
				}
				if m.st.Palette != nil {
					t.Errorf("%s leaves the palette open", b.Name)
				}
			}
		}
	}
}

func TestThePaletteTakesArguments(t *testing.T) {
	for _, c := range []struct {
		line string
		want []bench.Command
		see  func(*model) bool
	}{
		{line: "load 48", want: []bench.Command{bench.Set{N: 48}}},
		{line: "load +6", want: []bench.Command{bench.Add{N: 6}}},
		{line: "loa x2", want: []bench.Command{bench.Times{F: 2}}},
		{line: "note Größe ＋ 7", want: []bench.Command{bench.Note{Text: "Größe ＋ 7"}}},
		{line: "step 4", see: func(m *model) bool { return m.st.Step == 4 }},
		{line: "percentile p99", see: func(m *model) bool { return m.st.Percentile == bench.P99 }},
		{line: "scope run", see: func(m *model) bool { return m.st.Scope == view.Run }},
		{line: "window 5m", see: func(m *model) bool { return m.st.Window.Minutes() == 5 && !m.st.Growing }},
		{line: "window all", see: func(m *model) bool { return m.st.Window == 0 }},
		{line: "theme okabe-dark", see: func(m *model) bool { return m.looks.theme.Name == "okabe-dark" }},
		{line: "view heat", see: func(m *model) bool { return m.st.View == action.Heat }},
		{line: "view 6", see: func(m *model) bool { return m.st.View == action.Log }},
		{line: "heat", see: func(m *model) bool { return m.st.View == action.Heat }},
		{line: "lane rpm", see: func(m *model) bool { return m.st.Metric == bench.RPM && m.st.Chosen }},
		{line: "lock on", see: func(m *model) bool { return m.st.Locked }},
		{line: "lock off", see: func(m *model) bool { return !m.st.Locked }},
		{line: "clear", want: []bench.Command{bench.Clear{}}},
	} {
		f := showing(viewtest.Running)
		m := opened(f)
		command(m, c.line)
		if m.st.Palette != nil || m.st.Entry != nil || m.st.Mode != action.Driving {
			t.Errorf("%q: the palette stays open: %+v", c.line, m.st.Entry)
		}
		if got := f.commands(); fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", c.want) && len(got)+len(c.want) > 0 {
			t.Errorf("%q posts %#v", c.line, got)
		}
		if c.see != nil && !c.see(m) {
			t.Errorf("%q has no effect", c.line)
		}
	}
	m := opened(showing(viewtest.Running))
	command(m, "promise ttft.p99<=500ms")
	if got := m.engine.(*fake).commands(); len(got) < 1 || fmt.Sprintf("%T", got[0]) != "bench.Promise" {
		t.Errorf("a promise posts %#v", got)
	}
}

func TestWhatThePaletteCanNotDoStaysOpenAndSaysWhy(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"load lots", `load: "lots" is no load: type 48, +6`},
		{"load", ""},
		{"step 3", `step: "3" is no step: want one of 1, 2, 4, 8, 16`},
		{"percentile p42", `percentile: "p42" is none: want one of p50, p95, p99, max`},
		{"scope all", `scope: "all" is none: want one of level, window, run`},
		{"window 7m", `window: "7m" is no window: want one of 30s, 1m`},
		{"window", "window: want one of 30s, 1m"},
		{"theme nope", `theme: no theme "nope" (there are ansi`},
		{"view nope", `view: "nope" is none: want one of live, curve`},
		{"lane nope", `lane: "nope" is none here: want one of ttft, itl`},
		{"lock perhaps", `lock: "perhaps" is neither: want on or off`},
		{"filter x", "filter: only in Requests and Log"},
		{"redo", "redo: nothing to redo"},
		{"qqq", "no action has this name"},
	} {
		f := showing(viewtest.Running)
		m := opened(f)
		command(m, c.line)
		if c.want == "" {
			continue
		}
		if e := m.st.Entry; m.st.Palette == nil || e == nil || !strings.HasPrefix(e.Problem, c.want) || e.Text != c.line {
			t.Errorf("%q: %+v, want %q", c.line, m.st.Entry, c.want)
		}
		if !strings.Contains(m.View(), c.want) {
			t.Errorf("%q is not seen:\n%s", c.want, m.View())
		}
		press(m, "backspace")
		if e := m.st.Entry; e == nil || e.Problem != "" {
			t.Errorf("%q: the problem stays while it is mended", c.line)
		}
	}
}

func TestThePaletteIsNoWayAroundTheLock(t *testing.T) {
	for _, line := range []string{"raise", "double", "load 64", "load +1", "load x2", "loop", "profile 8:5s, 32:5s"} {
		f := showing(viewtest.Running)
		m := opened(f)
		m.st.Locked = true
		command(m, line)
		if got := f.commands(); len(got) > 0 {
			t.Errorf("%q posts %#v", line, got)
		}
		if e := m.st.Entry; e == nil || !strings.Contains(e.Problem, "locked") {
			t.Errorf("%q does not tell of the lock: %+v", line, e)
		}
	}
}

func TestThePaletteIsGoneAboutIn(t *testing.T) {
	m := opened(showing(viewtest.Running))
	press(m, ":")
	first := m.st.Palette.Found[0].Name
	press(m, "down", "down")
	if m.st.Palette.Row != 2 {
		t.Errorf("row %d", m.st.Palette.Row)
	}
	press(m, "up", "up", "up")
	if m.st.Palette.Row != len(m.st.Palette.Found)-1 {
		t.Errorf("above the first is row %d", m.st.Palette.Row)
	}
	press(m, "z")
	if m.st.Palette.Row != 0 || m.st.Palette.Found[0].Name == first {
		t.Errorf("what is typed does not search anew: %+v", m.st.Palette.Row)
	}
	press(m, "esc")
	if m.st.Palette != nil || m.st.Entry != nil || m.st.Mode != action.Driving {
		t.Error("esc does not leave")
	}
}

func TestAPasteIsTextInAnOpenLine(t *testing.T) {
	f := showing(viewtest.Running)
	m := opened(f)
	paste := func(text string) { m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true}) }
	press(m, "n")
	paste("max_num_seqs\n256\x1b[2J\r\n")
	if m.st.Entry == nil || m.st.Entry.Text != "max_num_seqs 256[2J" {
		t.Errorf("a note holds %+v", m.st.Entry)
	}
	press(m, "esc", ":")
	paste("undo\n")
	if m.st.Palette == nil || m.st.Palette.Found[0].Name != "undo" {
		t.Error("a paste into the palette does not search")
	}
	press(m, "esc")
	paste("q")
	if got := f.commands(); len(got) > 0 || m.st.Mode != action.Driving {
		t.Errorf("a paste is a command: %#v, %v", got, m.st.Mode)
	}
}

func TestTheEmergencyStopWorksInALine(t *testing.T) {
	f := showing(viewtest.Running)
	o, _, tty := Options{Engine: f, Env: env}.filled()
	keys, faults := action.Bind([]action.Choice{{Name: "stop-all", Keys: []string{"f12", "0"}}})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	o.Keys = keys
	for _, open := range []string{"c", "n", ":", "r", "T", "q", "?"} {
		m := newModel(o, tty, &exit{engine: f})
		m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
		press(m, open)
		m.Update(tea.KeyMsg{Type: tea.KeyF12})
		if got := f.commands(); len(got) != 1 || got[0] != bench.Command(bench.Cancel{}) {
			t.Errorf("with %q open: %#v", open, got)
		}
	}
}

func TestKeysOfTheKeypadAreTheirCharacters(t *testing.T) {
	f := showing(viewtest.Running)
	m := opened(f)
	half := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("O"), Alt: true}
	m.Update(half)
	press(m, "k")
	m.Update(half)
	press(m, "m")
	m.Update(half)
	press(m, "q")
	if got := fmt.Sprintf("%#v", f.commands()); got != "[]bench.Command{bench.Add{N:4}, bench.Add{N:-4}}" || m.st.Mode != action.Driving {
		t.Errorf("posted %s, mode %v", got, m.st.Mode)
	}
	m.Update(half)
	wait(m, keypadGap*2)
	press(m, "x")
	if got := f.commands(); len(got) != 1 || got[0] != bench.Command(bench.Drain{}) {
		t.Errorf("a letter long after alt+O posts %#v", got)
	}
}

func TestThemesAreTriedOnAndTakenOff(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "redline", "themes")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"aaa.toml": "accent = [", "zzz.toml": "name = \"zzz\"\ninherits = \"ansi\"\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f := showing(viewtest.Running)
	o, _, tty := Options{Engine: f, Color: 4, Env: func(name string) string { return map[string]string{"XDG_CONFIG_HOME": home}[name] }}.filled()
	m := newModel(o, tty, &exit{engine: f})
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
	before := m.st.Set.Name
	press(m, "T")
	first := m.st.Set.Name
	if m.st.Picker == nil || first == before {
		t.Fatalf("T opens nothing, or shows no other theme: %s", first)
	}
	if got := m.View(); !strings.Contains(got, "aaa") || !strings.Contains(got, "zzz") || !strings.Contains(got, "yours") {
		seen := false
		for range m.st.Picker.Themes {
			press(m, "j")
			seen = seen || strings.Contains(m.View(), "aaa.toml")
		}
		if !seen {
			t.Errorf("the operator's themes are not listed, or not with their problem:\n%s", got)
		}
	}
	press(m, "esc")
	if m.st.Set.Name != before || m.st.Mode != action.Driving || m.st.Picker != nil {
		t.Errorf("esc goes to %s", m.st.Set.Name)
	}
	seen := map[string]bool{}
	press(m, "T")
	for range m.st.Picker.Themes {
		seen[m.st.Set.Name] = true
		press(m, "T")
	}
	if !seen["zzz"] || seen["aaa"] || len(seen) != len(m.st.Picker.Themes)-1 {
		t.Errorf("T T T goes through %v", seen)
	}
	now := m.st.Set.Name
	press(m, "enter")
	if m.st.Set.Name != now || m.st.Mode != action.Driving || !strings.Contains(m.st.Notice, "theme "+now) {
		t.Errorf("enter keeps %s, says %q", m.st.Set.Name, m.st.Notice)
	}
	if got := f.commands(); len(got) > 0 {
		t.Errorf("themes post %#v", got)
	}
}

func TestWithoutColoursTheListOfThemesSaysSo(t *testing.T) {
	f := showing(viewtest.Running)
	o, _, tty := Options{Engine: f, Env: env, Color: 1}.filled()
	m := newModel(o, tty, &exit{engine: f})
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
	press(m, "T")
	if !strings.Contains(m.View(), "colours are off") {
		t.Errorf("does not say that colours are off:\n%s", m.View())
	}
}

func TestHelpIsSearchedAndTurned(t *testing.T) {
	m := opened(showing(viewtest.Running))
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	press(m, "?", "/", "e", "m", "e", "r", "g")
	if got := m.View(); !strings.Contains(got, "emergency stop") || strings.Contains(got, "one step more") {
		t.Errorf("does not narrow:\n%s", got)
	}
	press(m, "enter")
	if m.st.Entry != nil || m.st.HelpWords != "emerg" {
		t.Error("enter does not keep the words")
	}
	press(m, "esc")
	if m.st.HelpWords != "" || m.st.Mode != action.Helping {
		t.Error("the first esc does not show all again")
	}
	press(m, "j")
	if m.st.HelpPage != 1 || m.st.Chosen {
		t.Errorf("j turns to page %d", m.st.HelpPage)
	}
	press(m, "k", "esc")
	if m.st.Mode != action.Driving {
		t.Error("the second esc does not close")
	}
	press(m, "?", "/", "q", "q", "q", "q")
	if !strings.Contains(m.View(), "nothing here has these words") {
		t.Errorf("an empty help says nothing:\n%s", m.View())
	}
}

func TestThePaletteSortsByAColumnsName(t *testing.T) {
	for _, c := range []struct {
		what, line string
		in         action.View
		sort       view.Sort
		problem    bool
	}{
		{"by what the action does there", "sort e2e", action.Requests, view.ByE2E, false},
		{"by the action's name", "arrange ttft", action.Requests, view.ByTTFT, false},
		{"by one word of two", "sort gap", action.Requests, view.ByGap, false},
		{"by both", "sort max gap", action.Requests, view.ByGap, false},
		{"in capitals", "sort TPOT", action.Requests, view.ByITL, false},
		{"back", "sort newest", action.Requests, view.ByNewest, false},
		{"by what is no column", "sort colour", action.Requests, view.ByOutput, true},
		{"where nothing is sorted", "sort e2e", action.Live, view.ByOutput, true},
		{"an axis that the metric does not have", "arrange position", action.Heat, view.ByOutput, true},
		{"one that it has", "arrange prompt", action.Heat, view.ByOutput, false},
	} {
		m := opened(showing(viewtest.Running))
		m.st.View, m.st.Sort = c.in, view.ByOutput
		command(m, c.line)
		if m.st.Sort != c.sort || (m.st.Entry != nil && m.st.Entry.Problem != "") != c.problem {
			t.Errorf("%s: %q sorts by %v: %+v", c.what, c.line, m.st.Sort, m.st.Entry)
		}
		if want := c.line == "arrange prompt"; (m.st.Across == view.OverPrompt) != want {
			t.Errorf("%s: %q puts %v across", c.what, c.line, m.st.Across)
		}
	}
}
