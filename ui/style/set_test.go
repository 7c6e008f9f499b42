package style

import (
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"redline/bench"
	"redline/themes"
)

func load(t *testing.T, name string) *themes.Theme {
	t.Helper()
	theme, err := themes.Load(name, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	return theme
}

func TestWithoutColourNoColourIsWritten(t *testing.T) {
	for _, name := range themes.Names(func(string) string { return "" }) {
		set := New(load(t, name), Attrs, Unicode)
		for look := range NumTokens {
			for _, code := range strings.Split(strings.TrimSuffix(strings.TrimPrefix(set.Start(look), "\x1b["), "m"), ";") {
				if len(code) > 1 || strings.ContainsAny(code, "3589") {
					t.Errorf("%s: look %d is %q", name, look, set.Start(look))
				}
			}
		}
		if set.Start(Select) == "" || set.Start(Bad) == "" || set.Start(Bad) == set.Start(Warn) {
			t.Errorf("%s: selection and verdicts vanish without colour", name)
		}
	}
}

func TestMonoThemeHasNoColourInAnyProfile(t *testing.T) {
	set := New(themes.Mono(), True, Unicode)
	for look := range NumTokens {
		if strings.ContainsAny(set.Start(look), "3589") {
			t.Errorf("look %d is %q", look, set.Start(look))
		}
	}
}

func TestSelectionStandsOutInEveryProfile(t *testing.T) {
	for _, name := range themes.Names(func(string) string { return "" }) {
		for _, p := range []Profile{Attrs, ANSI16, ANSI256, True} {
			if set := New(load(t, name), p, Unicode); set.Start(Select) == set.Start(FG) {
				t.Errorf("%s in %s: the chosen row looks like any other", name, p)
			}
		}
	}
}

func TestChangeIsTheShortestPlainWay(t *testing.T) {
	for _, c := range []struct {
		why      string
		from, to ink
		want     string
	}{
		{"the same", ink{"", ";36", ""}, ink{"", ";36", ""}, ""},
		{"another colour", ink{"", ";36", ""}, ink{"", ";31", ""}, "\x1b[31m"},
		{"an attribute more", ink{"", ";36", ""}, ink{";1", ";36", ""}, "\x1b[1m"},
		{"an attribute less", ink{";1", ";36", ""}, ink{"", ";36", ""}, "\x1b[0;36m"},
		{"back to plain", ink{"", ";36", ""}, ink{}, "\x1b[m"},
		{"the ground stays", ink{"", ";36", ";40"}, ink{"", ";31", ";40"}, "\x1b[31m"},
	} {
		if got := c.from.change(c.to); got != c.want {
			t.Errorf("%s: %q, want %q", c.why, got, c.want)
		}
	}
}

func TestGlyphsAreOneCell(t *testing.T) {
	for _, g := range []*Glyphs{Unicode, ASCII} {
		v := reflect.ValueOf(*g)
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			var glyphs []string
			switch f := v.Field(i); f.Kind() {
			case reflect.String:
				glyphs = []string{f.String()}
			case reflect.Slice:
				glyphs = f.Interface().([]string)
			}
			for _, s := range glyphs {
				if w := ansi.StringWidth(s); w != 1 && (name != "OK" || !g.ASCII) {
					t.Errorf("%s: %q is %d cells", name, s, w)
				}
				if g.ASCII && strings.ContainsFunc(s, func(r rune) bool { return r > '~' }) {
					t.Errorf("%s: %q is not ASCII", name, s)
				}
			}
		}
	}
}

func TestEveryLaneHasALook(t *testing.T) {
	seen := map[Token]bool{}
	for _, m := range bench.Lanes {
		seen[Lane(m)] = true
	}
	if len(seen) != len(bench.Lanes) || Lane(bench.E2E) != Accent {
		t.Errorf("lanes share looks: %v", seen)
	}
}
