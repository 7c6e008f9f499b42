package record

import (
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Keep is how much a folder of runs may hold; its zero value keeps everything.
type Keep struct {
	// Bytes is the size of all, Runs their number; 0 is no bound.
	Bytes int64
	Runs  int
}

// unlocked is how long a file must have rested before it is taken for one that nobody writes, where locks tell nothing.
const unlocked = time.Minute

// stored is a run file in a folder as far as clearing up has to know it.
type stored struct {
	path string
	size int64
	at   time.Time
}

// storedIn are the run files of a folder, oldest first: regular files that lie in it and are called as Name calls them, and nothing else.
func storedIn(dir string) ([]stored, error) {
	all, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []stored
	for _, e := range all {
		if !runName.MatchString(e.Name()) {
			continue
		}
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		out = append(out, stored{filepath.Join(dir, e.Name()), info.Size(), info.ModTime()})
	}
	slices.SortFunc(out, func(a, b stored) int { return byTime(a.path, b.path) })
	return out, nil
}

// Clear removes the oldest runs of a folder until it holds no more than it may, and tells how many those were, and how many bytes they had. A run that is being written stays, and so does
// the file at the path own, though both count; so does what is no run file.
func (k Keep) Clear(dir, own string, now time.Time) (removed int, freed int64, err error) {
	if k == (Keep{}) {
		return 0, 0, nil
	}
	all, err := storedIn(dir)
	if err != nil {
		return 0, 0, err
	}
	var bytes int64
	for _, s := range all {
		bytes += s.size
	}
	runs := len(all)
	for _, s := range all {
		if (k.Bytes == 0 || bytes <= k.Bytes) && (k.Runs == 0 || runs <= k.Runs) {
			break
		}
		if s.path == own || now.Sub(s.at) < unlocked && !now.Before(s.at) && !lockable(s.path) || Writing(s.path) {
			continue
		}
		if wrong := os.Remove(s.path); wrong != nil {
			err = wrong
			continue
		}
		bytes, runs, removed, freed = bytes-s.size, runs-1, removed+1, freed+s.size
	}
	return removed, freed, err
}

// lockable tells whether the file system of a file has locks.
func lockable(path string) bool {
	l := lockOf(path, false)
	defer func() { _ = l.Close() }()
	_, err := l.TryRLock()
	return err == nil
}
