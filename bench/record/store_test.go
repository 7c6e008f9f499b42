package record

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"redline/bench"
)

var someday = time.Date(2026, 11, 30, 18, 51, 21, 0, time.UTC)

func TestAFileIsCalledByItsInstantAndItsModel(t *testing.T) {
	for _, row := range []struct{ sentence, model, want string }{
		{"a plain name", "qwen2.5-7b", "qwen2.5-7b"},
		{"an owner", "Qwen/Qwen2.5-7B", "Qwen-Qwen2.5-7B"},
		{"a path of the server's machine", "/srv/models/llama.gguf", "llama.gguf"},
		{"one of Windows", `C:\models\llama.gguf`, "llama.gguf"},
		{"a way out of the folder", "../../etc/passwd", "etc-passwd"},
		{"dots alone", "..", "run"},
		{"nothing", "", "run"},
		{"control characters and a line end", "a\x1b[31m\nb", "a-31m-b"},
		{"another script", "模型", "run"},
		{"a name without end", strings.Repeat("x", 500), strings.Repeat("x", nameBytes)},
	} {
		got := Name(someday, row.model)
		if want := "2026-11-30T18-51-21Z-" + row.want + Extension; got != want || !runName.MatchString(got) {
			t.Errorf("%s: %q, want %q", row.sentence, got, want)
		}
	}
}

func TestNoFileIsEverWrittenOver(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	seen := map[string]bool{}
	for range 12 {
		path, err := Free(dir, someday, "m")
		if err != nil || seen[path] || !runName.MatchString(filepath.Base(path)) {
			t.Fatalf("%q, %v after %v", path, err, seen)
		}
		seen[path] = true
		touch(t, path, 1, someday)
	}
	if info, err := os.Stat(dir); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("the folder: %v, %v", info.Mode(), err)
	}
}

func touch(t *testing.T, path string, size int, at time.Time) {
	t.Helper()
	if err := os.WriteFile(path, make([]byte, size), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

func TestTheOldestRunsGoUntilTheFolderFits(t *testing.T) {
	for _, row := range []struct {
		sentence string
		keep     Keep
		held     []int
		own      int
		want     []int
	}{
		{"no bound", Keep{}, nil, -1, []int{0, 1, 2, 3, 4}},
		{"room for all", Keep{Bytes: 500}, nil, -1, []int{0, 1, 2, 3, 4}},
		{"room for two and a half", Keep{Bytes: 250}, nil, -1, []int{3, 4}},
		{"three runs", Keep{Runs: 3}, nil, -1, []int{2, 3, 4}},
		{"the older bound holds", Keep{Bytes: 400, Runs: 2}, nil, -1, []int{3, 4}},
		{"no room at all", Keep{Bytes: 1}, nil, -1, nil},
		{"the oldest is being written", Keep{Bytes: 250}, []int{0}, -1, []int{0, 4}},
		{"all are being written", Keep{Bytes: 1}, []int{0, 1, 2, 3, 4}, -1, []int{0, 1, 2, 3, 4}},
		{"the present run alone is too large", Keep{Bytes: 50}, nil, 4, []int{4}},
	} {
		dir := t.TempDir()
		var paths []string
		for i := range 5 {
			path, err := Free(dir, someday.Add(time.Duration(i)*time.Hour), "m")
			if err != nil {
				t.Fatal(err)
			}
			touch(t, path, 100, someday)
			paths = append(paths, path)
		}
		// None of these is a run of this folder.
		others := []string{"notes.txt", "mine" + Extension, "2026-11-30T18-51-21Z-m.jsonl"}
		for _, name := range others {
			touch(t, filepath.Join(dir, name), 1000, someday)
		}
		outside := filepath.Join(t.TempDir(), Name(someday, "m"))
		touch(t, outside, 1000, someday)
		if err := os.Symlink(outside, filepath.Join(dir, Name(someday.Add(-time.Hour), "m"))); err != nil {
			t.Skip(err)
		}
		if err := os.Mkdir(filepath.Join(dir, Name(someday.Add(-2*time.Hour), "m")), 0o700); err != nil {
			t.Fatal(err)
		}
		var locks []lock
		for _, i := range row.held {
			locks = append(locks, hold(paths[i]))
		}
		own := ""
		if row.own >= 0 {
			own = paths[row.own]
		}
		removed, freed, err := row.keep.Clear(dir, own, someday.Add(24*time.Hour))
		var left []int
		for i, p := range paths {
			if _, err := os.Stat(p); err == nil {
				left = append(left, i)
			}
		}
		if err != nil || !slices.Equal(left, row.want) || removed != len(paths)-len(left) || (freed > 0) != (removed > 0) {
			t.Errorf("%s: %v are left, %d removed, %v; want %v", row.sentence, left, removed, err, row.want)
		}
		for _, l := range locks {
			l.release()
		}
		for _, path := range append(others, outside) {
			if !filepath.IsAbs(path) {
				path = filepath.Join(dir, path)
			}
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s: %v", row.sentence, err)
			}
		}
	}
}

func TestALockTellsWhetherAFileIsBeingWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run")
	touch(t, path, 1, someday)
	if Writing(path) || Writing(path+"x") {
		t.Error("nobody writes")
	}
	l := hold(path)
	if !l.held() || !Writing(path) || !Writing(path) {
		t.Error("somebody writes")
	}
	if other := hold(path); other.held() {
		t.Error("two write")
	}
	l.release()
	if Writing(path) {
		t.Error("nobody writes any more")
	}
}

func TestARunIsFoundByWhateverNamesItAlone(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"2026-11-29T10-00-00Z-m", "2026-11-30T18-51-21Z-m", "2026-11-30T18-51-21Z-m-2", "zz"} {
		touch(t, filepath.Join(dir, name+Extension), 1, someday)
	}
	elsewhere := filepath.Join(t.TempDir(), "run")
	touch(t, elsewhere, 1, someday)
	for _, row := range []struct{ sentence, word, want, problem string }{
		{"a path", elsewhere, elsewhere, ""},
		{"a path that leads nowhere", elsewhere + "/x", "", "not a directory"},
		{"a folder", dir, "", "is a folder"},
		{"the last", "last", "2026-11-30T18-51-21Z-m-2" + Extension, ""},
		{"a whole name", "2026-11-30T18-51-21Z-m" + Extension, "2026-11-30T18-51-21Z-m" + Extension, ""},
		{"a name that others begin with", "2026-11-30T18-51-21Z-m", "2026-11-30T18-51-21Z-m" + Extension, ""},
		{"a unique beginning", "2026-11-29", "2026-11-29T10-00-00Z-m" + Extension, ""},
		{"a beginning of two", "2026-11-30", "", `2 runs begin with "2026-11-30": 2026-11-30T18-51-21Z-m-2, 2026-11-30T18-51-21Z-m`},
		{"a name of one's own", "zz", "zz" + Extension, ""},
		{"none", "2025", "", `no run is called "2025"; there are 2026-11-30T18-51-21Z-m-2`},
		{"no word", "", "", "no run was named"},
	} {
		got, err := Find(dir, row.word)
		if row.want != "" && !filepath.IsAbs(row.want) {
			row.want = filepath.Join(dir, row.want)
		}
		if got != row.want || (err == nil) != (row.problem == "") || err != nil && !strings.Contains(err.Error(), row.problem) {
			t.Errorf("%s: %q, %v; want %q, %q", row.sentence, got, err, row.want, row.problem)
		}
	}
	for _, dir := range []string{filepath.Join(dir, "none"), ""} {
		if _, err := Find(dir, "last"); err == nil || !strings.Contains(err.Error(), "there is no run in") {
			t.Errorf("in %q: %v", dir, err)
		}
	}
}

func TestAListSaysOfEachRunWhatItsFileSays(t *testing.T) {
	dir := t.TempDir()
	if all, err := List(filepath.Join(dir, "none")); len(all) != 0 || err != nil {
		t.Errorf("no folder: %v, %v", all, err)
	}
	path := filepath.Join(dir, Name(someday, "m"))
	r, err := Create(path, Header{Schema: Schema, Began: someday, Tracks: []TrackHeader{{Run: &bench.Run{Host: "gpu-7", Model: "m", Start: someday}}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Track(0).Seconds([]*bench.Batch{{Span: time.Second, Active: time.Second, Facts: bench.Facts{Ended: [bench.NumOutcomes]int{3}},
		Events: []bench.Event{{Kind: bench.EventOpen, Level: 1}}}}, &bench.Snapshot{})
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	touch(t, filepath.Join(dir, Name(someday.Add(time.Hour), "m")), 7, someday)
	all, err := List(dir)
	if err != nil || len(all) != 2 {
		t.Fatalf("%v, %v", all, err)
	}
	a, b := all[0], all[1]
	if a.Err != nil || a.Path != path || !a.Began.Equal(someday) || a.Length != time.Second || !slices.Equal(a.Targets, []string{"gpu-7"}) || a.Model != "m" ||
		a.Levels != 1 || a.Requests != 3 || !a.Complete || a.Writing || a.Size == 0 {
		t.Errorf("a run: %+v", a)
	}
	if b.Err == nil || b.Size != 7 || !b.Began.Equal(someday.Add(time.Hour)) {
		t.Errorf("no run: %+v", b)
	}
}
