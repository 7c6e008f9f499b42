package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/ui"
	"redline/ui/view/viewtest"
)

const hostMarker = "corp-gpu-9"

var savedAt = time.Date(2026, 11, 30, 14, 15, 0, 0, time.UTC)

func saverIn(dir string) *saver {
	return &saver{dir: dir, clean: func(s string) string { return strings.ReplaceAll(s, testKey, "***") }, now: func() time.Time { return savedAt }}
}

func TestASavedSetIsWholeOrNotThereAndNeverWritesOver(t *testing.T) {
	dir := t.TempDir()
	v := saverIn(dir)
	s := story()
	s.At = 4*time.Minute + 12*time.Second
	f := ui.Frame{Text: "a frame\n", ANSI: "\x1b[1ma frame\x1b[m\n", Snapshot: s}
	first, err := v.save(f)
	if err != nil || first != filepath.Join(dir, "redline-20261130-141500-0412")+" .txt .ansi .json .md" {
		t.Fatalf("%q, %v", first, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "redline-20261130-141500-0412-2.md"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if third, err := v.save(f); err != nil || !strings.Contains(third, "0412-3 ") {
		t.Errorf("%q, %v", third, err)
	}
	names, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(names) != 9 {
		t.Errorf("files %q", names)
	}
	for _, name := range names {
		if i, err := os.Stat(name); err != nil || i.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, i.Mode(), err)
		}
	}
	for ending, want := range map[string]string{".txt": f.Text, ".ansi": f.ANSI, "-2.md": "mine"} {
		if got, _ := os.ReadFile(filepath.Join(dir, "redline-20261130-141500-0412"+ending)); string(got) != want {
			t.Errorf("%s: %q", ending, got)
		}
	}
	for sentence, path := range map[string]string{"no such folder": filepath.Join(dir, "none"), "a file in its place": names[0]} {
		if where, err := saverIn(path).save(f); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %q, %v", sentence, where, err)
		}
	}
	if err := writeSet(filepath.Join(dir, "part"), []part{{".a", "x"}, {"/none/b", "y"}}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if there(filepath.Join(dir, "part.a")) {
		t.Error("part of a set is left behind")
	}
	// A link is not followed, wherever it leads.
	if err := os.Symlink(filepath.Join(dir, "elsewhere"), filepath.Join(dir, "link.a")); err == nil {
		if err := writeSet(filepath.Join(dir, "link"), []part{{".a", "x"}}); !errors.Is(err, fs.ErrExist) || there(filepath.Join(dir, "elsewhere")) {
			t.Errorf("a link: %v", err)
		}
	}
}

func TestClocksInNames(t *testing.T) {
	for at, want := range map[time.Duration]string{0: "0000", -1: "0000", 4*time.Minute + 12*time.Second: "0412", time.Hour + 61*time.Second: "1h0101", 30 * time.Hour: "30h0000"} {
		if got := runClock(at); got != want {
			t.Errorf("%v: %q, want %q", at, got, want)
		}
	}
}

func TestTheSummaryAsJSONSaysNothingThatIsNotKnown(t *testing.T) {
	r := reportOf(story(), false, savedAt)
	data, err := r.json()
	if err != nil {
		t.Fatal(err)
	}
	var back map[string]any
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if back["schema"] != reportSchema || back["saved_at"] != "2026-11-30T14:15:00Z" || back["private"] != false {
		t.Errorf("%s", data[:400])
	}
	// Every run has the same fields, whatever happened in it.
	empty, err := reportOf(viewtest.Make(viewtest.Ready, 0), false, savedAt).json()
	if err != nil {
		t.Fatal(err)
	}
	var none map[string]any
	if err := json.Unmarshal(empty, &none); err != nil {
		t.Fatal(err)
	}
	for key := range back {
		if _, ok := none[key]; !ok {
			t.Errorf("an empty run has no %q", key)
		}
	}
	for key, v := range none {
		if list, ok := back[key].([]any); ok && v == nil {
			t.Errorf("%q is null, and a list of %d elsewhere", key, len(list))
		}
	}
	if none["total"].(map[string]any)["ttft_ms"] != nil {
		t.Error("a run without a request has a TTFT")
	}
}

func TestNoNumberOfASummaryIsNone(t *testing.T) {
	for seed := range uint64(300) {
		s := viewtest.Random(seed)
		data, err := reportOf(s, false, savedAt).json()
		if err != nil || !json.Valid(data) || strings.ContainsRune(string(data), '\x1b') {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if text := markdown(s, ending{}, savedAt); strings.ContainsAny(text, "\x1b\x00\x07") {
			t.Fatalf("seed %d: %s", seed, text)
		}
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if finite(v) != nil {
			t.Errorf("%v is a number", v)
		}
	}
}

func TestMarkdownIsATableWhateverStandsInIt(t *testing.T) {
	s := story()
	s.Run.Model = "org/model|x <img src=x> @team #12 `a` [l](http://x)"
	s.Levels[0].Note = "a | note\nof two lines ``` end"
	s.Failures = append(s.Failures, bench.Ended{Outcome: bench.ServerError, Message: "``` <script> |"})
	text := markdown(s, ending{}, savedAt)
	wide := 0
	for _, line := range strings.Split(text, "\n") {
		if !strings.HasPrefix(line, "| ") {
			wide = 0
			continue
		}
		n := strings.Count(line, "|") - strings.Count(line, "\\|")
		if wide != 0 && n != wide {
			t.Errorf("%d bars in a table of %d: %s", n, wide, line)
		}
		wide = n
	}
	head, _, _ := strings.Cut(text, "\n")
	for _, bad := range []string{" <img", "@team", "#12", " `a`", "[l](h"} {
		if strings.Contains(head, bad) {
			t.Errorf("%q is obeyed in %q", bad, head)
		}
	}
	for _, want := range []string{"## Levels", "## Promises", "| remarks |", "requests  ", "```"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
}

func TestNothingPrivateIsWritten(t *testing.T) {
	s, _ := viewtest.Planted(hostMarker)
	open := summaryOf(t, s, 0)
	if !strings.Contains(open, hostMarker) {
		t.Fatal("nothing is planted")
	}
	var veil bench.Veil
	v := veil.Snapshot(s)
	data, err := reportOf(v, true, savedAt).json()
	if err != nil {
		t.Fatal(err)
	}
	p := plain{run: nil}
	for name, text := range map[string]string{"summary": summaryOf(t, v, 0), "JSON": string(data), "Markdown": markdown(v, ending{}, savedAt), "lines": p.step(v)} {
		if strings.Contains(text, hostMarker) {
			t.Errorf("%s tells what is private:\n%s", name, text)
		}
	}
	if text := conceal("Get \"http://corp-gpu-9:8000/v1/models\": dial tcp 10.1.2.3:8000", "http://corp-gpu-9:8000/v1", "10.1.2.3"); strings.Contains(text, "corp-gpu-9") || strings.Contains(text, "10.1.2.3") {
		t.Errorf("an error tells: %s", text)
	}
}

func TestAPrivateRunTellsNoHost(t *testing.T) {
	url := simulated(t, nil)
	host := hostOf(url)
	o := start(t, nil, small(url, "--requests", "10", "-c", "2", "--private")...)
	if code := o.run(t); code != exitOK {
		t.Fatalf("exit code %d\n%s", code, o.errs.String())
	}
	clean(t, o)
	if text := o.out.String() + o.errs.String(); strings.Contains(text, host) || strings.Contains(text, "127.0.0.1") || !strings.Contains(text, "at (hidden)") {
		t.Errorf("the host is told:\n%s", text)
	}
	o = start(t, nil, "--url", "http://127.0.0.1:9", "--model", "m", "--private")
	if code := o.run(t); code != exitUsage || strings.Contains(o.errs.String(), "127.0.0.1") {
		t.Errorf("exit code %d, %s", code, o.errs.String())
	}
}
