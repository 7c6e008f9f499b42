package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/cobra"

	"redline/bench"
	"redline/bench/record"
)

func TestReplayWithoutATerminalPrintsTheSummaryOfTheRun(t *testing.T) {
	path := storedRun(t, "a.run", 3, 1, 4, 8)
	out, errs, code := ran(t, "replay", path)
	if code != exitOK || errs != "" || !strings.Contains(out, "qwen2.5-7b at gpu-7:8000, 2m\n") || !strings.Contains(out, "requests  ") {
		t.Errorf("code %d, %q\n%s", code, errs, out)
	}
	early, _, code := ran(t, "replay", path, "--at", "1:00", "--speed", "max")
	if code != exitOK || !strings.Contains(early, "qwen2.5-7b at gpu-7:8000, 1m\n") {
		t.Errorf("at a minute: code %d\n%s", code, early)
	}
	private, _, code := ran(t, "replay", path, "--private")
	if code != exitOK || strings.Contains(private, "gpu-7") {
		t.Errorf("in private: code %d\n%s", code, private)
	}
}

// TestReplayPrintsTheLinesOfTheRun where they are asked for: as many as it has seconds, then the summary; at an instant, those up to it; in private, without hosts.
func TestReplayPrintsTheLinesOfTheRun(t *testing.T) {
	path := storedRun(t, "a.run", 3, 1, 4, 8)
	seconds := func(out string) int { return strings.Count(out, " RUNNING level=") }
	out, errs, code := ran(t, "replay", path, "--plain")
	lines, summary := strings.Index(out, "00:02:00 RUNNING level=2/"), strings.Index(out, "qwen2.5-7b at gpu-7:8000, 2m\n")
	if code != exitOK || errs != "" || seconds(out) != 120 || lines < 0 || summary < lines || !strings.Contains(out, " event load ") {
		t.Errorf("code %d, %q, %d lines\n%s", code, errs, seconds(out), out)
	}
	early, _, code := ran(t, "replay", path, "--plain", "--at", "1:00")
	if code != exitOK || seconds(early) != 60 || !strings.Contains(early, "qwen2.5-7b at gpu-7:8000, 1m\n") {
		t.Errorf("at a minute: code %d, %d lines", code, seconds(early))
	}
	if at := strings.Index(early, "\nredline "); at < 0 || !strings.HasPrefix(out, early[:at]) {
		t.Error("the lines up to a minute are others than the first ones of the run")
	}
	private, _, code := ran(t, "replay", path, "--plain", "--private")
	if code != exitOK || seconds(private) != 120 || strings.Contains(private, "gpu-7") {
		t.Errorf("in private: code %d, %d lines", code, seconds(private))
	}
}

// TestLinesOfARunComeAsFastAsTheyAreAskedFor: a speed paces them, and without one they come at once.
func TestLinesOfARunComeAsFastAsTheyAreAskedFor(t *testing.T) {
	path := storedRun(t, "a.run", 3, 1, 4, 8)
	for speed, want := range map[string]time.Duration{"": 0, "1": 2 * time.Minute, "10": 12 * time.Second, "max": 0} {
		synctest.Test(t, func(t *testing.T) {
			f, err := record.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			p := &replaying{speed: bench.Tempos[0], paced: speed != ""}
			if p.paced {
				if p.speed, err = bench.ParseTempo(speed); err != nil {
					t.Fatal(err)
				}
			}
			began := time.Now()
			r := &session{Main: &Main{Stdout: io.Discard}}
			if err := r.printSeconds(t.Context(), f, p, f.Length); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); took != want {
				t.Errorf("at speed %q they took %v, want %v", speed, took, want)
			}
		})
	}
}

func TestReplayNamesWhatIsWrong(t *testing.T) {
	path := storedRun(t, "a.run", 3, 1, 4)
	garbage := filepath.Join(t.TempDir(), "garbage")
	if err := os.WriteFile(garbage, []byte("this is no run\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		sentence string
		args     []string
		want     string
	}{
		{"no such speed", []string{path, "--speed", "3"}, "want 1, 10 or max"},
		{"no instant", []string{path, "--at", "noon"}, "want an instant of the run"},
		{"no such theme", []string{path, "--theme", "nope"}, "nope"},
		{"all at once", []string{path, "--speed", "3", "--at", "noon"}, "want an instant of the run"},
		{"an instant behind its end", []string{path, "--at", "99m"}, "--at 1:39:00: the recording ends at 01:00"},
		{"two files", []string{path, path}, "want one run file"},
		{"no file", []string{filepath.Join(t.TempDir(), "none.run")}, "none.run"},
		{"no run file", []string{garbage}, "no run file"},
	} {
		out, errs, code := ran(t, append([]string{"replay"}, c.args...)...)
		if code != exitUsage || out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("%s: code %d, %q, %q", c.sentence, code, out, errs)
		}
	}
}

// TestReplayTakesWhatTheSettingsSayOfTheScreen, and leaves alone what they say of runs that are driven.
func TestReplayTakesWhatTheSettingsSayOfTheScreen(t *testing.T) {
	path := storedRun(t, "a.run", 3, 1, 4)
	file := filepath.Join(t.TempDir(), "redline.toml")
	if err := os.WriteFile(file, []byte("private = true\nspeed = 3\nurl = \"http://llm.example.com/v1\"\nconcurrency = 8\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, errs, code := ran(t, "replay", path, "--config", file)
	if code != exitOK || errs != "" || strings.Contains(out, "gpu-7") {
		t.Errorf("code %d, %q\n%s", code, errs, out)
	}
}

// TestTheShellIsToldOfTheRunsThatAreKept: the newest first, by the names that other verbs take.
func TestTheShellIsToldOfTheRunsThatAreKept(t *testing.T) {
	base := storedRun(t, "2026-11-30T18-51-00Z-qwen"+record.Extension, 1, 1, 4)
	state := filepath.Dir(filepath.Dir(base))
	m := &Main{Env: func(name string) (string, bool) { return state, name == "XDG_STATE_HOME" }}
	if words, _ := m.completeRuns(nil, nil, ""); len(words) > 0 {
		t.Errorf("without a run: %q", words)
	}
	into(t, base, m.runsFolder())
	for prefix, want := range map[string]string{"": "last|2026-11-30T18-51-00Z-qwen", "l": "last", "2026-11": "2026-11-30T18-51-00Z-qwen", "zebra": ""} {
		words, how := m.completeRuns(nil, nil, prefix)
		var names []string
		for _, w := range words {
			name, _, _ := strings.Cut(w, "\t")
			names = append(names, name)
		}
		if got := strings.Join(names, "|"); got != want || how != cobra.ShellCompDirectiveDefault {
			t.Errorf("%q: %q, want %q", prefix, got, want)
		}
	}
	for _, args := range [][]string{{"replay"}, {"report"}, {"compare"}, {"--ghost"}, {"replay", "--ghost"}, {"report", "--format"}} {
		out, errs, code := ran(t, append(append([]string{"__complete"}, args...), "")...)
		if code != exitOK || !strings.Contains(out, ":") {
			t.Errorf("%q: code %d, %q, %q", args, code, out, errs)
		}
	}
}

// TestAGhostWithoutAScreenIsSaid: who asks for one is told that there is none to stand on.
func TestAGhostWithoutAScreenIsSaid(t *testing.T) {
	path := storedRun(t, "a.run", 3, 1, 4)
	if _, errs, code := ran(t, "replay", path, "--plain", "--ghost", path); code != exitOK || !strings.Contains(errs, "--ghost: "+noScreen) {
		t.Errorf("code %d, %q", code, errs)
	}
	r := &session{set: &settings{screen: screen{plain: true, ghost: "last"}}}
	if err := r.findGhost(nil); err != nil || r.ghostless != noScreen {
		t.Errorf("%v, %q", err, r.ghostless)
	}
}
