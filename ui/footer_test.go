package ui

import (
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view"
	"redline/ui/view/viewtest"
)

// stocked is a fake engine with requests.
type stocked struct {
	*fake
	journal *bench.Journal
}

func (l *stocked) Journal(bool) *bench.Journal { return l.journal }

// inView is a dashboard that shows a view of a scene.
func inView(scene viewtest.Scene, v action.View, w, h int, keys ...string) (*model, *stocked) {
	s := viewtest.Make(scene, 0)
	e := &stocked{newFake(func() *bench.Snapshot { return s }), viewtest.Journal(s)}
	if s.State == bench.Done {
		close(e.done)
	}
	o, _, tty := Options{Engine: e, Env: env, Step: 4}.filled()
	m := newModel(o, tty, &exit{engine: e})
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	press(m, string(rune('1'+v)))
	press(m, keys...)
	e.commands()
	return m, e
}

// hears sends the key that an action has first.
func hears(m *model, a action.Action) {
	k := m.st.Keys.Row(a).Keys[0]
	for t := tea.KeyType(-100); t < 130; t++ {
		if t != tea.KeyRunes && (tea.KeyMsg{Type: t}).String() == k {
			m.Update(tea.KeyMsg{Type: t})
			return
		}
	}
	press(m, map[bool]string{true: " ", false: k}[k == "space"])
}

// offered are the actions whose keys the footer names.
func offered(m *model) []action.Action {
	var out []action.Action
	for x := range m.st.W {
		if h := m.screen.Hit(x, m.st.H-1); h.Spot == view.OnAction && !slices.Contains(out, h.Action) {
			out = append(out, h.Action)
		}
	}
	return out
}

// TestTheFooterNamesOnlyKeysThatDoSomething, in every view, of every kind of run, whether something is chosen or not.
func TestTheFooterNamesOnlyKeysThatDoSomething(t *testing.T) {
	if raced {
		t.Skip("it draws for long, in one goroutine")
	}
	for _, scene := range []viewtest.Scene{viewtest.Ready, viewtest.Warmup, viewtest.Knee, viewtest.Done} {
		for _, size := range [][2]int{{120, 36}, {80, 24}} {
			for v := range action.NumViews {
				for _, keys := range [][]string{nil, {"down"}, {"down", "enter"}} {
					if keys != nil && (v == action.Live || size[0] != 120) {
						continue
					}
					onlyWhatDoesSomething(t, scene, v, size, keys)
				}
			}
		}
	}
}

func onlyWhatDoesSomething(t *testing.T, scene viewtest.Scene, v action.View, size [2]int, keys []string) {
	t.Helper()
	m, _ := inView(scene, v, size[0], size[1], keys...)
	if m.st.Entry != nil || m.st.Notice != "" {
		return
	}
	all := offered(m)
	if len(all) < 3 {
		t.Errorf("%s, %s at %v after %q: the footer names %d keys", scene, v, size, keys, len(all))
	}
	for _, a := range all {
		twin, e := inView(scene, v, size[0], size[1], keys...)
		before := twin.frame
		same := func() bool { return twin.frame == before && len(e.commands()) == 0 && !twin.leaves }
		if hears(twin, a); same() {
			// Of two that share their place one may be at its end.
			b := twin.st.Keys.Row(a)
			if b.Pair != action.None {
				hears(twin, b.Pair)
			}
			if same() {
				t.Errorf("%s, %s at %v after %q: %s does nothing; the footer is%s", scene, v, size, keys, b.Name, m.frame[strings.LastIndex(m.frame, "\n")+1:])
			}
		}
	}
}

// TestEnterInCurveChoosesALoadAndThenAsksForIt; when the run is over it asks for none.
func TestEnterInCurveChoosesALoadAndThenAsksForIt(t *testing.T) {
	m, _ := inView(viewtest.Knee, action.Curve, 120, 36, "enter")
	if m.st.Row[action.Curve] == 0 || m.st.Entry != nil {
		t.Errorf("the first enter: row %d, line %+v", m.st.Row[action.Curve], m.st.Entry)
	}
	if press(m, "enter"); m.st.Entry == nil || m.st.Entry.For != view.ForLoad {
		t.Errorf("the second enter opens %+v", m.st.Entry)
	}
	over := viewtest.Make(viewtest.Knee, 0)
	over.State = bench.Done
	e := &stocked{newFake(func() *bench.Snapshot { return over }), nil}
	close(e.done)
	m = opened(e.fake)
	press(m, "2", "enter", "enter", "enter")
	if got := e.commands(); m.st.Entry != nil || len(got) > 0 || !strings.Contains(m.st.Notice, "over") {
		t.Errorf("a run that is over: line %+v, posted %#v, notice %q", m.st.Entry, got, m.st.Notice)
	}
}
