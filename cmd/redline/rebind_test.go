package main

import (
	"strings"
	"testing"

	"redline/bench"
	"redline/ui/action"
)

func TestEachProblemWithKeysHasItsPlace(t *testing.T) {
	for _, row := range []struct{ sentence, file, want string }{
		{"all is well", "[keys]\nraise = [\"+\", \"=\", \"kp+\"]\npause = \"f9\"\nlock = []\n", ""},
		{"no table", "keys = \"q\"\n", `redline.toml:1: keys: want a table, as in [keys]`},
		{"an action that is misspelt", "[keys]\nrase = \"+\"\n", "redline.toml:2: keys.rase: there is no such action; raise may be meant"},
		{"an action like no other", "[keys]\n\nlaunch-rockets = \"+\"\n", "redline.toml:3: keys.launch-rockets: want the name of an action, as the palette shows it: raise, lower"},
		{"a key like no other", "[keys]\nraise = \"hyper+q\"\n", `redline.toml:2: keys.raise = "hyper+q": want the name of a key: a character, "space"`},
		{"what may be a secret is not repeated", "[keys]\nraise = \"sk-" + "0123456789abcdef0123\"\n", `redline.toml:2: keys.raise = ***: want the name of a key`},
		{"a number", "[keys]\nraise = 1\n", `redline.toml:2: keys.raise: want a key in quotes, a list of them`},
		{"a list with a number", "[keys]\nraise = [\"+\", 1]\n", `redline.toml:2: keys.raise: want a key in quotes, a list of them`},
		{"a key of another action", "[keys]\nraise = \"u\"\n", `redline.toml:2: keys.raise = "u": want another key, or other keys for undo`},
		{"a key twice", "[keys]\nraise = \"K\"\nhalve = \"K\"\n", `redline.toml:3: keys.halve = "K": want another key, or other keys for raise`},
		{"no way out", "[keys]\nquit = []\n", `redline.toml:2: keys.quit: want at least one key`},
		{"ctrl+c", "[keys]\nquit = [\"q\", \"ctrl+c\"]\n", `redline.toml:2: keys.quit = "ctrl+c": want another key`},
		{"a key that answers", "[keys]\nraise = \"enter\"\nopen = \"e\"\n", `redline.toml:2: keys.raise = "enter": want another key: this one answers questions`},
	} {
		got := strings.Join(reviewed(row.file), "\n")
		if (row.want == "") != (got == "") || !strings.Contains(got, row.want) {
			t.Errorf("%s: %q, want %q", row.sentence, got, row.want)
		}
	}
}

func TestKeysAreTheOperatorsOwn(t *testing.T) {
	pause := func(s *settings) string { return s.screen.keys.Show(action.Pause) }
	mine := own(t, "[keys]\npause = \"f9\"\n")
	s, _, list := resolved(t, t.TempDir(), mine)
	if len(list) > 0 || pause(s) != "F9" {
		t.Errorf("from the operator's own file: %q, %q", pause(s), list)
	}
	dir := stranger(t, "[keys]\npause = \"f10\"\n")
	s, _, list = resolved(t, dir, mine)
	if len(list) != 1 || !strings.Contains(list[0], "redline.toml:1: keys: want it in a file that you have named") || pause(s) != "F9" {
		t.Errorf("from a file of the current folder: %q, %q", pause(s), list)
	}
	for _, way := range []string{"--config ./redline.toml", "your own, " + mine["XDG_CONFIG_HOME"]} {
		if len(list) != 1 || !strings.Contains(list[0], way) {
			t.Errorf("%q does not lead to %q", list, way)
		}
	}
	if s, _, list = resolved(t, dir, nil, "--config", dir+"/redline.toml"); len(list) > 0 || pause(s) != "F10" {
		t.Errorf("from the same file, named: %q, %q", pause(s), list)
	}
	if s, _, _ = resolved(t, t.TempDir(), nil); s.screen.keys != nil || pause(s) != "space" {
		t.Errorf("from nowhere: %q", pause(s))
	}
}

func TestTheMouseIsASetting(t *testing.T) {
	if s, _, list := resolved(t, stranger(t, "mouse = true\n"), nil); !s.screen.mouse || len(list) > 0 {
		t.Errorf("from a file: %v, %q", s.screen.mouse, list)
	}
	if s, _, list := resolved(t, t.TempDir(), map[string]string{"REDLINE_MOUSE": "true"}); !s.screen.mouse || len(list) > 0 {
		t.Errorf("from the environment: %v, %q", s.screen.mouse, list)
	}
}

// TestTheSampleOfKeysCanBeUsed: what init writes of keys as a comment is a table that binds.
func TestTheSampleOfKeysCanBeUsed(t *testing.T) {
	_, sample, ok := strings.Cut(template(), "# [keys]\n")
	if !ok {
		t.Fatal("there is no sample")
	}
	text := "[keys]\n"
	for line := range strings.Lines(sample) {
		line, ok := strings.CutPrefix(line, "# ")
		if !ok {
			break
		}
		text += line
	}
	if got := reviewed(text); len(got) > 0 || !strings.Contains(text, "raise") {
		t.Errorf("%q in\n%s", got, text)
	}
}

func FuzzKeys(f *testing.F) {
	for _, s := range []string{"raise = [\"+\"]", "quit = []", "pause = \"space\"\nlock = \"ctrl+l\"", "raise = 1", "\"\" = \"\""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		found := problems{from: origins{}}
		d := readDocument([]byte("[keys]\n"+text), &document{path: "redline.toml", folder: "."}, &found)
		if d == nil || d.keys == nil {
			return
		}
		before := len(found.list)
		m := d.bind(&found)
		if (m == nil) == (len(found.list) == before) {
			t.Fatalf("%q: %v, %q", text, m != nil, found.list)
		}
		if m == nil {
			return
		}
		s := action.State{Run: bench.Running}
		for _, a := range []action.Action{action.Quit, action.Cancel, action.Interrupt} {
			if b := m.Row(a); len(b.Keys) == 0 || m.Find(b.Keys[0], s) == nil || m.Find(b.Keys[0], s).Action != a {
				t.Errorf("%q: no key is left for %s", text, b.Name)
			}
		}
	})
}
