package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

// fakeDeck is a deck that writes down what it is told.
type fakeDeck struct {
	*fake
	is   bench.Playback
	told []string
}

func (d *fakeDeck) tell(format string, args ...any) {
	d.told = append(d.told, fmt.Sprintf(format, args...))
}
func (d *fakeDeck) Playback() *bench.Playback           { p := d.is; return &p }
func (d *fakeDeck) Play(on bool)                        { d.tell("play %v", on); d.is.Playing = on }
func (d *fakeDeck) Seek(at time.Duration)               { d.tell("seek %s", at) }
func (d *fakeDeck) Skip(by time.Duration)               { d.tell("skip %s", by) }
func (d *fakeDeck) Leap(by int)                         { d.tell("leap %d", by) }
func (d *fakeDeck) SetSpeed(s bench.Tempo)              { d.tell("speed %s", s); d.is.Speed = s }
func (d *fakeDeck) Annotate(at time.Duration, s string) { d.tell("note %s %s", at, s) }

// heard is what was told since the last call.
func (d *fakeDeck) heard() string {
	out := strings.Join(d.told, ", ")
	d.told = nil
	return out
}

// recording is a dashboard of 120×37 over a recording of a scene, at its instant.
func recording(scene viewtest.Scene) (*model, *fakeDeck) {
	f := showing(scene)
	if scene != viewtest.Done {
		close(f.done)
	}
	s := f.snap()
	d := &fakeDeck{fake: f, is: bench.Playback{At: s.At, Length: 2 * s.At, Speed: 1, Began: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}}
	o, _, tty := Options{Engine: d, Deck: d, Env: env}.filled()
	m := newModel(o, tty, &exit{engine: d})
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 37})
	return m, d
}

func TestKeysGoAboutInARecording(t *testing.T) {
	m, d := recording(viewtest.Running)
	at := d.is.At
	for _, c := range []struct {
		key  tea.KeyMsg
		want string
	}{
		{message(" "), "play true"}, {message(" "), "play false"},
		{tea.KeyMsg{Type: tea.KeyLeft}, "skip -5s"}, {tea.KeyMsg{Type: tea.KeyRight}, "skip 5s"},
		{tea.KeyMsg{Type: tea.KeyShiftLeft}, "skip -1m0s"}, {message(")"), "skip 1m0s"},
		{tea.KeyMsg{Type: tea.KeyCtrlRight}, "leap 1"}, {message("b"), "leap -1"}, {message("w"), "leap 1"},
		{tea.KeyMsg{Type: tea.KeyHome}, "seek 0s"}, {tea.KeyMsg{Type: tea.KeyEnd}, "seek " + (2 * at).String()},
		{message(">"), "speed 10×"}, {message(">"), "speed max"}, {message("<"), "speed 10×"},
	} {
		m.Update(c.key)
		if got := d.heard(); got != c.want {
			t.Errorf("%s: %q, want %q", c.key, got, c.want)
		}
	}
	if got := d.commands(); len(got) > 0 {
		t.Errorf("commands went to the engine: %v", got)
	}
}

// TestNoKeyOfARecordingDrives, in any view: what would in a run says in one line that this is a recording.
func TestNoKeyOfARecordingDrives(t *testing.T) {
	for v := range action.NumViews {
		m, d := recording(viewtest.Running)
		m.st.View = v
		for _, b := range action.Table {
			lost := (*action.Map)(nil).Recording().Row(b.Action) == nil
			for _, k := range b.Keys {
				if b.Mode != action.Driving || !lost || (*action.Map)(nil).Recording().Find(k, m.st.Action(m.snap)) != nil {
					continue
				}
				m.st.Notice = ""
				m.key(message(k))
				if len(message(k).Runes) == 1 && (!strings.Contains(m.st.Notice, "this is a recording: "+b.Name) || m.st.Entry != nil || m.st.Sheet != nil) {
					t.Errorf("%s in %v says %q", k, v, m.st.Notice)
				}
			}
		}
		for _, k := range []string{"enter", "e", "y", "A", "v", "p", "tab", "up", "down"} {
			press(m, k)
		}
		if got := slices.DeleteFunc(d.commands(), func(c bench.Command) bool { return c == bench.Command(bench.Touch{}) }); len(got) > 0 {
			t.Errorf("in %v: %v", v, got)
		}
	}
}

func TestANoteIsOfTheInstantAtWhichItsTypingBegan(t *testing.T) {
	m, d := recording(viewtest.Running)
	at := d.is.At
	d.is.Playing = true
	press(m, "n", "c", "o", "l", "d")
	d.is.At += 7 * time.Second
	press(m, "enter")
	if got := d.heard(); got != fmt.Sprintf("note %s cold", at) {
		t.Errorf("%q", got)
	}
	d.is.Said, d.is.Words = "not noted: it is still being written", 1
	m.look()
	if m.st.Notice != d.is.Said {
		t.Errorf("what became of it is not said: %q", m.st.Notice)
	}
}

func TestAQuestionOfThenIsNotAskedAgain(t *testing.T) {
	m, d := recording(viewtest.Ask)
	m.look()
	press(m, "y", "n", "esc")
	if m.st.Mode == action.Asked || len(d.commands()) > 0 {
		t.Error("a recorded question is asked")
	}
}

func TestARecordingIsLeftAtOnce(t *testing.T) {
	for _, k := range []string{"q", "Q", "ctrl+c"} {
		m, d := recording(viewtest.Running)
		if !press(m, k) || len(d.commands()) > 0 {
			t.Errorf("%s does not leave", k)
		}
	}
}

// TestTheScreenOfARecordingNeverRestsForGood: what is over is gone about in all the same.
func TestTheScreenOfARecordingNeverRestsForGood(t *testing.T) {
	m, _ := recording(viewtest.Done)
	for range 20 {
		if m.look() == nil || m.rests {
			t.Fatal("it looks no more")
		}
	}
}

func TestThePaletteGoesAboutInARecording(t *testing.T) {
	for text, want := range map[string]string{"seek 12m30s": "seek 12m30s", "seek 1:02:03": "seek 1h2m3s", "seek +1m": "skip 1m0s", "seek -5s": "skip -5s", "speed 10": "speed 10×", "speed max": "speed max", "play": "play true"} {
		m, d := recording(viewtest.Running)
		press(m, ":")
		for _, r := range text {
			press(m, string(r))
		}
		press(m, "enter")
		if got := d.heard(); got != want {
			t.Errorf("%s: %q, want %q (%+v)", text, got, want, m.st.Entry)
		}
	}
	m, d := recording(viewtest.Running)
	press(m, ":", "s", "e", "e", "k", " ", "x", "enter")
	if m.st.Entry == nil || !strings.Contains(m.st.Entry.Problem, "no instant") || d.heard() != "" {
		t.Errorf("nonsense is taken: %+v", m.st.Entry)
	}
}

func TestTheTitleOfARecordingSaysSo(t *testing.T) {
	m, _ := recording(viewtest.Running)
	if got := m.windowTitle(); !strings.HasPrefix(got, "redline REPLAY · 2026-03-01 12:00 · ") {
		t.Errorf("%q", got)
	}
}

func TestALevelOfTheCurveIsGoneTo(t *testing.T) {
	m, d := recording(viewtest.Running)
	press(m, "2", "enter", "enter")
	if got := d.heard(); !strings.HasPrefix(got, "seek ") || m.st.Entry != nil {
		t.Errorf("%q, %+v", got, m.st.Entry)
	}
}
