package record

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Entry is a run of a folder, by what its file says at its two ends.
type Entry struct {
	Path string
	// Began is the wall time of its instant 0, Length the end of the last second that it holds.
	Began  time.Time
	Length time.Duration
	// Targets are the hosts, or the names that they had beside one another; Model is that of the first.
	Targets []string
	Model   string
	Demo    bool
	// Levels and Requests are how many there were: of all targets the requests, of the first the levels.
	Levels, Requests int
	// Size is the file's, in bytes. Complete tells that it has its end, Writing that it is being written.
	Size              int64
	Complete, Writing bool
	// Lost is how much of it was not written.
	Lost time.Duration
	// Err is why it could not be opened; nothing but Path, Size and Began, by the file's name, is known then.
	Err error
}

// List gives the runs of a folder, oldest first: every run file in it, whatever it is called. A folder that is not there has none.
func List(dir string) ([]Entry, error) {
	all, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []Entry
	for _, e := range all {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && strings.HasSuffix(e.Name(), Extension) {
			out = append(out, entryOf(filepath.Join(dir, e.Name()), info.Size()))
		}
	}
	slices.SortStableFunc(out, func(a, b Entry) int { return a.Began.Compare(b.Began) })
	return out, nil
}

// entryOf opens a run file for what it says of itself.
func entryOf(path string, size int64) Entry {
	e := Entry{Path: path, Size: size, Writing: Writing(path)}
	if at, err := time.Parse("2006-01-02T15-04-05Z", firstOf(filepath.Base(path), len("2006-01-02T15-04-05Z"))); err == nil {
		e.Began = at
	}
	f, err := Open(path)
	if err != nil {
		e.Err = err
		return e
	}
	defer f.Close()
	e.Began, e.Length, e.Complete = f.Header.Began, f.Length, f.Complete && !e.Writing
	for i, t := range f.Header.Tracks {
		if t.Run == nil {
			continue
		}
		name := t.Name
		if name == "" {
			name = t.Run.Host
		}
		e.Targets = append(e.Targets, name)
		if i == 0 {
			e.Model, e.Demo = t.Run.Model, t.Run.Demo
		}
	}
	e.Levels, e.Requests = f.Levels, f.Ended
	for _, l := range f.Lost() {
		e.Lost += l.To - l.From
	}
	return e
}

func firstOf(text string, n int) string { return text[:min(n, len(text))] }

// Last is the word for the run that began last.
const Last = "last"

// Find is the path of a run that was named by a path, by its name in a folder (with its extension or without), by a unique beginning of that, or as the last one.
// An error names what there is.
func Find(dir, word string) (string, error) {
	if word == "" {
		return "", errors.New("no run was named")
	}
	if info, err := os.Stat(word); err == nil && !info.IsDir() {
		return word, nil
	} else if strings.ContainsAny(word, `/\`) {
		if err == nil {
			return "", fmt.Errorf("%s is a folder; want a run file", word)
		}
		return "", err
	}
	names, err := namesIn(dir)
	if err != nil {
		return "", err
	}
	if word == Last {
		if len(names) == 0 {
			return "", fmt.Errorf("there is no run in %s", orUnknown(dir))
		}
		return filepath.Join(dir, names[len(names)-1]), nil
	}
	var fits []string
	for _, name := range names {
		if name == word || name == word+Extension {
			return filepath.Join(dir, name), nil
		}
		if strings.HasPrefix(name, word) {
			fits = append(fits, name)
		}
	}
	switch len(fits) {
	case 1:
		return filepath.Join(dir, fits[0]), nil
	case 0:
		return "", fmt.Errorf("no file and no run is called %q; %s", word, there(dir, names))
	}
	return "", fmt.Errorf("%d runs begin with %q: %s", len(fits), word, few(fits))
}

// namesIn are the names of the run files of a folder, by when they began. A name begins with that; those that do not come first, so that they are never the last.
func namesIn(dir string) ([]string, error) {
	all, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && dir != "" {
		return nil, err
	}
	var own, others []string
	for _, e := range all {
		switch {
		case !strings.HasSuffix(e.Name(), Extension):
		case runName.MatchString(e.Name()):
			own = append(own, e.Name())
		default:
			others = append(others, e.Name())
		}
	}
	slices.SortFunc(own, byTime)
	return append(others, own...), nil
}

// byTime orders names by their instants, and those of one by their numbers.
func byTime(a, b string) int {
	a, b = strings.TrimSuffix(a, Extension), strings.TrimSuffix(b, Extension)
	return strings.Compare(a, b)
}

// there says what runs there are.
func there(dir string, names []string) string {
	if len(names) == 0 {
		return "there is no run in " + orUnknown(dir)
	}
	return "there are " + few(names) + " in " + dir
}

// few names the newest of some runs.
func few(names []string) string {
	const most = 5
	var out []string
	for i := len(names) - 1; i >= 0 && len(out) < most; i-- {
		out = append(out, strings.TrimSuffix(names[i], Extension))
	}
	text := strings.Join(out, ", ")
	if n := len(names) - len(out); n > 0 {
		text += fmt.Sprintf(" and %d older", n)
	}
	return text
}

func orUnknown(dir string) string {
	if dir == "" {
		return "any folder, since no home is known"
	}
	return dir
}
