package ui

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

func TestARiseBeyondTheBoundIsTold(t *testing.T) {
	closed := func(n float64) *bench.Snapshot {
		s := viewtest.Make(viewtest.Running, 0)
		s.Target.N = n
		return s
	}
	rate := func(n float64) *bench.Snapshot {
		s := viewtest.Make(viewtest.Open, 0)
		s.Target.N = n
		return s
	}
	for _, c := range []struct {
		sentence string
		at       *bench.Snapshot
		keys     []string
		want     string
	}{
		{"at the bound there is no more", closed(64), []string{"+"}, "at --max 64, the most that this run allows"},
		{"a step that would go beyond it", closed(62), []string{"+"}, "at --max 64"},
		{"a rate has its own", rate(20), []string{"+"}, "at --max-rate 20/s"},
		{"doubling too", rate(15), []string{">"}, "at --max-rate 20/s"},
		{"what is typed", closed(8), []string{"c", "9", "9", "enter"}, "at --max 64"},
		{"a rise within it says nothing", closed(60), []string{"+"}, ""},
		{"nor does the way down", closed(64), []string{"-"}, ""},
	} {
		m := opened(newFake(func() *bench.Snapshot { return c.at }))
		press(m, c.keys...)
		if got := m.st.Notice; !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: %q, want %q", c.sentence, got, c.want)
		}
	}
}

func TestKeysBecomeCommands(t *testing.T) {
	add, sub := bench.Command(bench.Add{N: 4}), bench.Command(bench.Add{N: -4})
	none := []bench.Command{}
	locked := func(c bench.Command) []bench.Command { return []bench.Command{bench.Locked{Command: c}} }
	for _, c := range []struct {
		scene viewtest.Scene
		keys  string
		want  []bench.Command
	}{
		{viewtest.Running, "+", []bench.Command{add}},
		{viewtest.Running, "=", []bench.Command{add}},
		{viewtest.Running, "＋", []bench.Command{add}},
		{viewtest.Running, "-", []bench.Command{sub}},
		{viewtest.Running, "－", []bench.Command{sub}},
		{viewtest.Running, "_", []bench.Command{sub}},
		{viewtest.Running, "s +", []bench.Command{bench.Add{N: 8}}},
		{viewtest.Running, "s s s +", []bench.Command{bench.Add{N: 1}}},
		{viewtest.Running, ">", []bench.Command{bench.Times{F: 2}}},
		{viewtest.Running, "<", []bench.Command{bench.Times{F: 0.5}}},
		{viewtest.Running, "u", []bench.Command{bench.Undo{}}},
		{viewtest.Running, "U", none},
		{viewtest.Running, "z", []bench.Command{bench.Flip{}}},
		{viewtest.Running, "space", []bench.Command{bench.Toggle{}}},
		{viewtest.Paused, "space", []bench.Command{bench.Toggle{}}},
		{viewtest.Ready, "space", []bench.Command{bench.Toggle{}}},
		{viewtest.Running, "0", []bench.Command{bench.Cancel{}}},
		{viewtest.Running, "x", []bench.Command{bench.Drain{}}},
		{viewtest.Done, "+ - > < 0 x space c 4 enter", none},
		{viewtest.Running, "c 4 8 enter", []bench.Command{bench.Set{N: 48}}},
		{viewtest.Running, "c + 6 enter", []bench.Command{bench.Add{N: 6}}},
		{viewtest.Running, "c x 2 enter", []bench.Command{bench.Times{F: 2}}},
		{viewtest.Running, "c 5 0 % enter", []bench.Command{bench.Times{F: 0.5}}},
		{viewtest.Running, "c 4 8 esc", none},
		{viewtest.Running, "c ４ ８ enter", []bench.Command{bench.Set{N: 48}}},
		{viewtest.Running, "c 9 backspace 4 enter", []bench.Command{bench.Set{N: 4}}},
		{viewtest.Running, "n o k space n o w enter", []bench.Command{bench.Note{Text: "ok now"}}},
		{viewtest.Running, "m", []bench.Command{bench.Switch{}}},
		{viewtest.Running, "L m", none},
		{viewtest.Running, "w", none},
		{viewtest.Works, "w", []bench.Command{bench.NextWork{}}},
		{viewtest.Works, "L w", locked(bench.NextWork{})},
		{viewtest.Open, "+", []bench.Command{bench.Add{N: 1}}},
		{viewtest.Open, "s +", []bench.Command{bench.Add{N: 2}}},
		{viewtest.Open, "s s s s s s +", []bench.Command{bench.Add{N: 0.1}}},
		{viewtest.Open, "c 2 . 5 enter", []bench.Command{bench.Set{N: 2.5}}},
		{viewtest.Open, "c 1 5 0 / m enter", []bench.Command{bench.Set{N: 2.5}}},
		{viewtest.Running, "c 2 . 5 enter", none},
		{viewtest.Running, "r 4 enter", none},
		{viewtest.Running, "r esc +", []bench.Command{add}},
		{viewtest.Running, "r + 1 : 2 0 s", none},
		{viewtest.Profiled, "r enter +", []bench.Command{add}},
		{viewtest.Handheld, "r enter", []bench.Command{bench.Follow{}}},
		{viewtest.Handheld, "L r enter", none},
		{viewtest.Handheld, "r ctrl+c", []bench.Command{bench.Stop{Why: "interrupted"}}},
		{viewtest.Done, "r m w", none},
		{viewtest.Ask, "y", []bench.Command{bench.Answer{ID: 3, Yes: true}}},
		{viewtest.Ask, "enter", []bench.Command{bench.Answer{ID: 3, Yes: true}}},
		{viewtest.Ask, "n", []bench.Command{bench.Answer{ID: 3}}},
		{viewtest.Ask, "esc", []bench.Command{bench.Answer{ID: 3}}},
		{viewtest.Ask, "y y", []bench.Command{bench.Answer{ID: 3, Yes: true}}},
		{viewtest.Ask, "-", []bench.Command{sub}},
		{viewtest.Ask, "L y", none},
		{viewtest.Ask, "L n", locked(bench.Answer{ID: 3})},
		{viewtest.Ask, "?", none},
		{viewtest.Draining, "L space", none},
		{viewtest.Ready, "L space", none},
		{viewtest.Running, "L x", locked(bench.Drain{})},
		{viewtest.Running, "T Q esc", none},
		{viewtest.Running, "T Q up k", []bench.Command{bench.Kill{Why: "quit"}}},
		{viewtest.Running, "y", none},
		{viewtest.Running, "L + = > c 6 4 enter", none},
		{viewtest.Running, "L - < c 2 enter", append(append(locked(sub), locked(bench.Times{F: 0.5})...), locked(bench.Set{N: 2})...)},
		{viewtest.Running, "L u", locked(bench.Undo{})},
		{viewtest.Breach, "L u", locked(bench.Undo{})},
		{viewtest.Paused, "L space", none},
		{viewtest.Running, "L space", locked(bench.Toggle{})},
		{viewtest.Running, "L L +", []bench.Command{add}},
		{viewtest.Running, "q d", []bench.Command{bench.Stop{Why: "quit"}}},
		{viewtest.Running, "q k", []bench.Command{bench.Kill{Why: "quit"}}},
		{viewtest.Running, "q esc", none},
		{viewtest.Running, "q +", none},
		{viewtest.Running, "ctrl+c", []bench.Command{bench.Stop{Why: "interrupted"}}},
		{viewtest.Running, "ctrl+c ctrl+c", []bench.Command{bench.Stop{Why: "interrupted"}, bench.Kill{Why: "interrupted"}}},
		{viewtest.Running, "ctrl+z", []bench.Command{bench.Pause{Why: "suspended"}}},
		{viewtest.Running, "? +", []bench.Command{add}},
		{viewtest.Running, "v p [ ] , . f T ctrl+r ctrl+l ? esc s", none},
	} {
		f := showing(c.scene)
		m := opened(f)
		// A question is on screen for a while before it is answered.
		wait(m, time.Second)
		for _, k := range strings.Fields(c.keys) {
			if k == "space" {
				k = " "
			}
			press(m, k)
		}
		if got := f.commands(); fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", c.want) && !(len(got) == 0 && len(c.want) == 0) {
			t.Errorf("%s, keys %q: %#v, want %#v", c.scene, c.keys, got, c.want)
		}
	}
}

func TestABurstIsThatManySteps(t *testing.T) {
	for name, send := range map[string]func(m *model){
		"one message each": func(m *model) {
			for range 30 {
				press(m, "+")
			}
		},
		"all in one read": func(m *model) {
			m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(strings.Repeat("+", 30))})
		},
	} {
		f := showing(viewtest.Running)
		send(opened(f))
		got := f.commands()
		if len(got) != 30 {
			t.Errorf("%s: %d commands", name, len(got))
		}
		for _, c := range got {
			if c != bench.Command(bench.Add{N: 4}) {
				t.Errorf("%s: %#v", name, c)
			}
		}
	}
}

func TestPasteIsNoCommand(t *testing.T) {
	f := showing(viewtest.Running)
	m := opened(f)
	m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("+++0q"), Paste: true})
	if len(f.posted) != 0 {
		t.Errorf("a paste posted %#v", f.posted)
	}
}

func TestEveryKeyTellsThatSomebodyIsThere(t *testing.T) {
	f := showing(viewtest.Running)
	press(opened(f), "j")
	if !reflect.DeepEqual(f.posted, []bench.Command{bench.Touch{}}) {
		t.Errorf("a key without meaning posted %#v", f.posted)
	}
}

func TestBadLoadsAreNamed(t *testing.T) {
	f := showing(viewtest.Running)
	m := opened(f)
	press(m, "c", "x", "x", "enter")
	if m.st.Entry == nil || !strings.Contains(m.View(), `"xx" is no load`) {
		t.Errorf("the input line does not say what is wrong: %+v", m.st.Entry)
	}
	if got := f.commands(); len(got) != 0 {
		t.Errorf("posted %#v", got)
	}
}

func TestQuitAsksOnlyWhileLoaded(t *testing.T) {
	for scene, asks := range map[viewtest.Scene]bool{viewtest.Running: true, viewtest.Ready: false, viewtest.Done: false, viewtest.Paused: true, viewtest.Down: true} {
		m := opened(showing(scene))
		leaves := press(m, "q")
		if leaves == asks || asks != (m.st.Mode == action.Quitting) {
			t.Errorf("%s: leaves %v, mode %v", scene, leaves, m.st.Mode)
		}
		if asks && !strings.Contains(m.View(), "quit?") {
			t.Errorf("%s: the footer does not ask", scene)
		}
	}
}

func TestQuitWaitsForTheDrainAndLeavesTheFrame(t *testing.T) {
	f := showing(viewtest.Running)
	m := opened(f)
	press(m, "Q", "d")
	m.Update(tick{m.chain})
	if m.leaves {
		t.Fatal("left before the drain was over")
	}
	close(f.done)
	if _, cmd := m.Update(tick{m.chain}); cmd == nil || !m.leaves {
		t.Fatal("stays when the drain is over")
	}
	if r, err := m.result(false, nil); err != nil || r.Killed || r.Frame == "" {
		t.Errorf("killed %v, frame of %d bytes, %v", r.Killed, len(r.Frame), err)
	}
}

func TestSecondInterruptLeavesAtOnce(t *testing.T) {
	m := opened(showing(viewtest.Running))
	if press(m, "ctrl+c") {
		t.Fatal("the first interrupt left")
	}
	if !press(m, "ctrl+c") || !m.exit.wasKilled() {
		t.Fatal("the second interrupt did not leave")
	}
}

func TestSuspendWaitsForTheDrain(t *testing.T) {
	s := viewtest.Make(viewtest.Paused, 0)
	f := newFake(func() *bench.Snapshot { return s })
	m := opened(f)
	press(m, "ctrl+z")
	if cmd := m.suspending(); cmd != nil {
		t.Fatal("suspended with requests in flight")
	}
	wait(m, suspendWait)
	if cmd := m.suspending(); cmd == nil {
		t.Fatal("never suspended")
	}
	m.Update(tea.ResumeMsg{})
	if !strings.Contains(m.View(), "still paused") {
		t.Error("does not say that it is still paused")
	}
}

func TestNobodyThereIsAnnouncedThenPauses(t *testing.T) {
	f := showing(viewtest.Running)
	m := opened(f)
	m.o.IdleLimit = 30 * time.Minute
	wait(m, 29*time.Minute+30*time.Second)
	m.Update(tick{m.chain})
	if !strings.Contains(m.View(), "pauses in 30 s") || len(f.commands()) != 0 {
		t.Errorf("the last minute is not announced:\n%s", m.View())
	}
	wait(m, 31*time.Second)
	m.Update(tick{m.chain})
	if got := f.commands(); len(got) != 1 || got[0] != bench.Command(bench.Pause{Why: "no key for 30 min"}) {
		t.Errorf("posted %#v", got)
	}
}

func TestPanicLeavesInOrder(t *testing.T) {
	f := showing(viewtest.Running)
	m := opened(f)
	f.snap = func() *bench.Snapshot { panic("boom") }
	if _, cmd := m.Update(tick{m.chain}); cmd == nil {
		t.Fatal("a panic does not end the program")
	}
	if r, err := m.result(false, nil); err == nil || !strings.Contains(r.Crash, "boom") {
		t.Errorf("crash %q, error %v", r.Crash, err)
	}
}
