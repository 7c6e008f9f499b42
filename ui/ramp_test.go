package ui

import (
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

// sought are the ramps that a fake was asked for; nil for one that was given up.
func sought(t *testing.T, f *fake) []*bench.Ramp {
	t.Helper()
	var out []*bench.Ramp
	for _, c := range f.commands() {
		if l, ok := c.(bench.Locked); ok {
			c = l.Command
		}
		s, ok := c.(bench.Seek)
		if !ok {
			t.Errorf("posted %#v", c)
			continue
		}
		out = append(out, s.Ramp)
	}
	return out
}

func TestEnterBeginsTheRampThatIsOffered(t *testing.T) {
	f := showing(viewtest.Running)
	m := opened(f)
	press(m, "r")
	for _, want := range []string{"ramp to the redline 40..64 x2", "40 → 64 in flight", "TTFT p95 ≤500 ms", "at most 10 steps", "enter start"} {
		if !strings.Contains(m.View(), want) {
			t.Errorf("%q is not in\n%s", want, m.View())
		}
	}
	press(m, "enter")
	got := sought(t, f)
	if len(got) != 1 || got[0].String() != "40..64 x2" || m.st.Sheet != nil || m.st.Mode != action.Driving {
		t.Errorf("begun: %v, the sheet is %v", got, m.st.Sheet)
	}
}

// TestAHeldEnterBeginsOneRampAndOpensNothing: nor does one begin it that was held while the sheet opened.
func TestAHeldEnterBeginsOneRampAndOpensNothing(t *testing.T) {
	f := showing(viewtest.Running)
	m := opened(f)
	press(m, "r", "enter", "enter", "enter")
	if got := sought(t, f); len(got) != 1 || m.st.Expanded {
		t.Errorf("begun: %v, a lane is open: %v", got, m.st.Expanded)
	}
	press(m, ":", "r", "a", "m", "p", "enter", "enter")
	if got := sought(t, f); len(got) != 0 || m.st.Sheet == nil {
		t.Errorf("an Enter that is held begins %v", got)
	}
}

func TestWhatIsTypedIsARampOrAProfile(t *testing.T) {
	for _, c := range []struct {
		sentence, text string
		want           string
		ramp           bool
	}{
		{"a range", "4..32 x2", "4..32 x2", true},
		{"a list", "4,8,16", "4,8,16", true},
		{"rates", "2/s..20/s +2", "2/s..20/s +2", true},
		{"a cap alone", "x1.5 cap 30s", "40..64 x1.5 cap 30s", true},
		{"a profile", "4:1m, 8:1m", "4:1m, 8:1m", false},
		{"a profile's ramp", "ramp 4..32 in 2m", "ramp 4..32 in 2m", false},
	} {
		f := showing(viewtest.Running)
		m := opened(f)
		typing(m, c.text)
		press(m, "enter")
		text := ""
		for _, one := range f.commands() {
			switch one := one.(type) {
			case bench.Seek:
				text = one.Ramp.String()
			case bench.Follow:
				text = one.Profile.Text
			}
			if _, is := one.(bench.Seek); is != c.ramp {
				t.Errorf("%s: posted %#v", c.sentence, one)
			}
		}
		if text != c.want {
			t.Errorf("%s: %q began, want %q; %v", c.sentence, text, c.want, m.st.Entry)
		}
	}
}

func TestWhatCanBeNeitherNamesBoth(t *testing.T) {
	for text, want := range map[string]string{
		"fast":       "want a ramp to the redline, as in 4..64 x2, 1..32 +4, 4,8,16,32 or 2/s..20/s, or a profile, as in 4:1m",
		"ramp 4..64": "want a ramp to the redline, as in",
		"64..4":      "64..4: want a range that rises",
		"4..128":     "want at most 64, it comes to 128 (--max bounds it)",
		"4..64 x":    `"x": want x2 or +4`,
	} {
		f := showing(viewtest.Running)
		m := opened(f)
		typing(m, text)
		press(m, "enter")
		if got := strings.Join(strings.Fields(m.View()), " "); !strings.Contains(got, want) || len(f.commands()) != 0 || m.st.Sheet == nil {
			t.Errorf("%q: %q is not in\n%s", text, want, m.View())
		}
	}
}

func TestWithoutAPromiseNoRampBegins(t *testing.T) {
	s := viewtest.Make(viewtest.Running, 0)
	s.Run.Thresholds = s.Run.Thresholds[3:5]
	f := newFake(func() *bench.Snapshot { return s })
	m := opened(f)
	press(m, "r", "enter")
	if got := sought(t, f); len(got) != 0 || !strings.Contains(m.View(), "no promise is set that a load could break: esc, then t sets one") {
		t.Errorf("begun: %v\n%s", got, m.View())
	}
	press(m, "esc", "g")
	if !strings.Contains(m.View(), "no promise can be kept at its edge") {
		t.Errorf("the cruise says nothing of it:\n%s", m.View())
	}
}

func TestUnderTheLockNeitherRampNorCruiseBegins(t *testing.T) {
	for _, keys := range [][]string{{"r", "enter"}, {"r", "4", ".", ".", "8", "enter"}, {"g", "enter"}} {
		f := showing(viewtest.Running)
		m := opened(f)
		press(m, append([]string{"L"}, keys...)...)
		if !strings.Contains(m.View(), "locked: this may raise the load") || len(f.commands()) != 0 {
			t.Errorf("%v: no word of the lock:\n%s", keys, m.View())
		}
	}
	f := showing(viewtest.Seeking)
	m := opened(f)
	press(m, "L", "r", "X")
	if got := sought(t, f); len(got) != 1 || got[0] != nil {
		t.Errorf("to give up raises nothing: %v", got)
	}
}

func TestTheSheetOfARampInForceShowsWhatItTried(t *testing.T) {
	f := showing(viewtest.Seeking)
	m := opened(f)
	press(m, "r")
	for _, want := range []string{"48  ✗ broke", "32  ✓ kept", "~28 to go", "3.2% (0.9 to 11.0)", "enter go on", "R from the beginning", "X give up"} {
		if !strings.Contains(m.View(), want) {
			t.Errorf("%q is not in\n%s", want, m.View())
		}
	}
	press(m, "enter")
	if got := f.commands(); len(got) != 0 || m.st.Sheet != nil {
		t.Errorf("to go on posts %#v", got)
	}
	wait(m, 2*time.Second)
	press(m, "r", "R")
	if got := sought(t, f); len(got) != 1 || got[0] != m.snap.Ramping.Ramp {
		t.Errorf("from the beginning: %v", got)
	}
	press(m, "r", "X")
	if got := sought(t, f); len(got) != 1 || got[0] != nil {
		t.Errorf("given up: %v", got)
	}
}

func TestTheCruiseKeepsThePromiseThatIsChosen(t *testing.T) {
	for _, c := range []struct {
		sentence, keys, want string
	}{
		{"the first", "g enter", "ttft.p95<=500ms 1..64"},
		{"the next, past ITL, which is of tokens", "g tab enter", "tps.p5>=20 1..64"},
		{"and round", "g tab tab enter", "ttft.p95<=500ms 1..64"},
		{"the one before", "g shift+tab enter", "tps.p5>=20 1..64"},
		{"limits that are typed", "g 4 . . 3 2 enter", "ttft.p95<=500ms 4..32"},
		{"another promise keeps the limits", "g 4 . . 3 2 tab enter", "tps.p5>=20 4..32"},
		{"that of the chosen lane", "tab tab tab g enter", "tps.p5>=20 1..64"},
	} {
		f := showing(viewtest.Running)
		m := opened(f)
		press(m, strings.Fields(c.keys)...)
		got := f.commands()
		if len(got) != 1 {
			t.Errorf("%s: posted %#v", c.sentence, got)
			continue
		}
		if s, ok := got[0].(bench.Steer); !ok || s.Cruise == nil || s.Cruise.Text(bench.Closed) != c.want {
			t.Errorf("%s: posted %#v", c.sentence, got[0])
		}
	}
}

func TestACruiseInForceGoesOnOrLetsGo(t *testing.T) {
	f := showing(viewtest.Cruising)
	m := opened(f)
	press(m, "g")
	if !strings.Contains(m.View(), "capacity 38 ±2") || !strings.Contains(m.View(), "X let go") {
		t.Errorf("the sheet says nothing of it:\n%s", m.View())
	}
	press(m, "enter")
	if got := f.commands(); len(got) != 0 {
		t.Errorf("to go on posts %#v", got)
	}
	wait(m, 2*time.Second)
	press(m, "g", "X")
	if got := f.commands(); len(got) != 1 || got[0] != (bench.Steer{}) {
		t.Errorf("to let go posts %#v", got)
	}
}

func TestThePaletteBeginsAndEndsBoth(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"ramp", "4..32", "seek 4..32 x2"}, {"profile", "4:1m", "follow 4:1m"}, {"ramp", "off", "seek off"},
		{"cruise", "tps 4..32", "steer tps.p5>=20 4..32"}, {"hold", "off", "steer off"},
	} {
		f := showing(viewtest.Running)
		m := opened(f)
		press(m, ":")
		for _, r := range c.name + " " + c.text {
			press(m, string(r))
		}
		press(m, "enter")
		got := ""
		for _, one := range f.commands() {
			switch one := one.(type) {
			case bench.Seek:
				if got = "seek off"; one.Ramp != nil {
					got = "seek " + one.Ramp.String()
				}
			case bench.Steer:
				if got = "steer off"; one.Cruise != nil {
					got = "steer " + one.Cruise.Text(bench.Closed)
				}
			case bench.Follow:
				got = "follow " + one.Profile.Text
			}
		}
		if got != c.want {
			t.Errorf(":%s %s does %q, want %q\n%s", c.name, c.text, got, c.want, m.View())
		}
	}
}

// TestARampThatCannotBeReadIsNamedAtOnce: while it is typed, and without the figures of what was typed before.
func TestARampThatCannotBeReadIsNamedAtOnce(t *testing.T) {
	f := showing(viewtest.Running)
	m := opened(f)
	typing(m, "1..16 x2")
	if got := m.View(); !strings.Contains(got, "at most") || strings.Contains(got, "want") {
		t.Fatalf("a ramp that can be read:\n%s", got)
	}
	for _, r := range " 30" {
		press(m, string(r))
	}
	got := m.View()
	if !strings.Contains(got, "want x2 or +4, cap 30s, cap 200 or past 429 behind the loads") || strings.Contains(got, "→ 16") || strings.Contains(got, "at most") {
		t.Errorf("what cannot be read:\n%s", got)
	}
	press(m, "backspace")
	press(m, "backspace")
	if got := m.View(); !strings.Contains(got, "at most") || strings.Contains(got, "want") {
		t.Errorf("mended:\n%s", got)
	}
}
