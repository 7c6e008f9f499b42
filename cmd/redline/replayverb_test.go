package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
