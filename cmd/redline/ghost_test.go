package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/record"
)

// TestAGhostIsOpenedBeforeAnythingBegins: a file that cannot be one is an error of its flag.
func TestAGhostIsOpenedBeforeAnythingBegins(t *testing.T) {
	path := storedRun(t, "base.run", 1, 1, 4, 12)
	m := &Main{Env: func(string) (string, bool) { return "", false }, Folder: t.TempDir()}
	for _, c := range []struct {
		what, word string
		only       float64
		wrong      bool
	}{
		{"a whole run", path, 0, false},
		{"its level at a load", path + "@12", 12, false},
		{"one of its levels", path + "#1", 4, false},
		{"a load that it has not", path + "@5", 0, true},
		{"a file that is not there", path + "x", 0, true},
	} {
		s, found := defaults(), problems{}
		s.screen.ghost = c.word
		s.openGhost(m, &found)
		switch past := s.screen.past; {
		case (found.err() != nil) != c.wrong || (past == nil) != c.wrong:
			t.Errorf("%s: %v, %v", c.what, past, found.err())
		case c.wrong && !strings.Contains(found.err().Error(), "--ghost"):
			t.Errorf("%s: %v names no flag", c.what, found.err())
		case !c.wrong && (past.Only == nil) != (c.only == 0) || !c.wrong && c.only > 0 && past.Only.Load.N != c.only:
			t.Errorf("%s: %+v", c.what, past.Only)
		}
	}
}

// TestTheLastGhostIsOfTheSameTargetAndModel, and of a run that has something in it.
func TestTheLastGhostIsOfTheSameTargetAndModel(t *testing.T) {
	base := storedRun(t, "2026-11-30T18-51-00Z-qwen"+record.Extension, 1, 1, 4)
	state := filepath.Dir(filepath.Dir(base))
	m := &Main{Env: func(name string) (string, bool) { return state, name == "XDG_STATE_HOME" }}
	into(t, base, m.runsFolder())
	for _, c := range []struct {
		what        string
		model, host string
		demo        bool
		before      time.Time
		want        bool
	}{
		{"the same", "qwen2.5-7b", "gpu-7:8000", false, time.Time{}, true},
		{"another model", "llama", "gpu-7:8000", false, time.Time{}, false},
		{"another host", "qwen2.5-7b", "gpu-8:8000", false, time.Time{}, false},
		{"the simulated server is another target", "qwen2.5-7b", "gpu-7:8000", true, time.Time{}, false},
		{"one that began later", "qwen2.5-7b", "gpu-7:8000", false, time.Date(2026, 11, 30, 18, 0, 0, 0, time.UTC), false},
	} {
		past, ok, err := m.lastGhost(record.Last, &bench.Run{Model: c.model, Host: c.host, Demo: c.demo}, c.before)
		if err != nil || ok != c.want || (past != nil) != c.want {
			t.Errorf("%s: %v %v %v", c.what, past, ok, err)
		}
	}
}

// into moves a file into a folder that is made.
func into(t *testing.T, path, folder string) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path, filepath.Join(folder, filepath.Base(path))); err != nil {
		t.Fatal(err)
	}
}
