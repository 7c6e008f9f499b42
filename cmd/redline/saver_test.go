package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/client"
	"redline/bench/report/reporttest"
	"redline/ui"
)

var writtenAt = time.Date(2026, 11, 30, 14, 15, 0, 0, time.UTC)

func saverIn(dir string) *saver {
	return &saver{dir: dir, clean: func(s string) string { return strings.ReplaceAll(s, testKey, "***") }, now: func() time.Time { return writtenAt }}
}

func TestASavedSetIsWholeOrNotThereAndNeverWritesOver(t *testing.T) {
	dir := t.TempDir()
	v := saverIn(dir)
	s := reporttest.Story()
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

// savedWith are the files that are saved of a run whose key is a given one, by their endings.
func savedWith(t *testing.T, s *bench.Snapshot, key string) map[string]string {
	t.Helper()
	c, err := client.New(client.Options{URL: "http://127.0.0.1:9/v1", Model: "m", Key: client.NewSecret(key)})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	dir := t.TempDir()
	v := &saver{dir: dir, clean: c.Clean, now: func() time.Time { return writtenAt }}
	if _, err := v.save(ui.Frame{Text: "a frame\n", ANSI: "a frame\n", Snapshot: s}); err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) != 4 {
		t.Fatal(names, err)
	}
	out := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Ext(name)] = string(text)
	}
	return out
}

// A key may be any word: null, a number, the name of a field.
func TestASavedSummaryKeepsItsFormWhateverTheKey(t *testing.T) {
	fields := func(text string) (names []string) {
		for line := range strings.Lines(text) {
			if name, _, ok := strings.Cut(line, `": `); ok {
				names = append(names, strings.TrimSpace(name))
			}
		}
		return names
	}
	whole := savedWith(t, reporttest.Story(), "a key of no words")[".json"]
	want := fields(whole)
	var usual map[string]any
	if err := json.Unmarshal([]byte(whole), &usual); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"null", "true", "1234", "none", "token", "test", "redline", "requests", "level", "2026", "0.1976", "units"} {
		text := savedWith(t, reporttest.Story(), key)[".json"]
		var back map[string]any
		if err := json.Unmarshal([]byte(text), &back); err != nil {
			t.Errorf("%s: %v", key, err)
		} else if got := fields(text); back["schema"] != usual["schema"] || back["about"] != usual["about"] || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: schema %v, fields %.300q", key, back["schema"], got)
		}
	}
}

func TestNoFileHasTheKeyWhereverItStood(t *testing.T) {
	const key = "sk_live_A1b2_C3d4E5f6"
	s := reporttest.Story()
	s.Following = &bench.Following{Profile: &bench.Profile{Mode: bench.Closed, Stages: []bench.Stage{{}}}}
	s.Quotas = []bench.Quota{{}}
	for kind := range bench.EventEnd {
		s.Events = append(s.Events, bench.Event{Kind: kind})
	}
	// Every text of the snapshot holds it.
	var plant func(v reflect.Value)
	plant = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			if v.CanSet() {
				v.SetString("with " + key + ".")
			}
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				plant(v.Elem())
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				plant(v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				plant(v.Field(i))
			}
		}
	}
	plant(reflect.ValueOf(s))
	s.Run.Version = "dev"
	for ending, text := range savedWith(t, s, key) {
		flat := strings.NewReplacer("\\", "", "&#35;", "#", "&#64;", "@").Replace(text)
		if i := strings.Index(flat, key); i >= 0 {
			t.Errorf("%s has the key: %.90q", ending, flat[max(0, i-40):])
		}
	}
	if !strings.Contains(s.Run.Model, key) || !strings.Contains(s.Levels[0].Note, key) || !strings.Contains(s.Events[0].Text, key) {
		t.Error("the snapshot itself was cleaned")
	}
}

func TestAnErrorTellsNothingPrivate(t *testing.T) {
	if text := conceal("Get \"http://corp-gpu-9:8000/v1/models\": dial tcp 10.1.2.3:8000", "http://corp-gpu-9:8000/v1", "10.1.2.3"); strings.Contains(text, "corp-gpu-9") || strings.Contains(text, "10.1.2.3") {
		t.Errorf("an error tells: %s", text)
	}
}
