package record

import (
	"os"
	"runtime"

	"github.com/gofrs/flock"
)

// lock is the mark of a file that is being written: an advisory lock, which goes with its process however that ends.
type lock struct{ of *flock.Flock }

// lockPath is what is locked for a run file: itself, but on Windows, where what is locked cannot be read, a file beside it.
func lockPath(path string) string {
	if runtime.GOOS == "windows" {
		return path + ".lock"
	}
	return path
}

// lockOf is the lock of a run file, which is not held yet. It creates nothing but what Windows needs.
func lockOf(path string, create bool) *flock.Flock {
	flag := os.O_RDONLY
	if create && runtime.GOOS == "windows" {
		flag |= os.O_CREATE
	}
	return flock.New(lockPath(path), flock.SetFlag(flag), flock.SetPermissions(0o600))
}

// hold marks a run file as being written. A file system that has no locks leaves it unmarked: the run goes on, and whoever clears up keeps to files that
// have not changed for a while (see Entry).
func hold(path string) lock {
	l := lockOf(path, true)
	if ok, err := l.TryLock(); err != nil || !ok {
		_ = l.Close()
		return lock{}
	}
	return lock{l}
}

// held tells whether the mark is there.
func (l lock) held() bool { return l.of != nil }

func (l lock) release() {
	if l.of == nil {
		return
	}
	_ = l.of.Close()
	if runtime.GOOS == "windows" {
		_ = os.Remove(l.of.Path())
	}
}

// Writing tells whether a run file is being written, by any process. What cannot be locked is taken to be at rest.
func Writing(path string) bool {
	l := lockOf(path, false)
	// A shared lock, so that two who ask do not take each other for a writer.
	ok, err := l.TryRLock()
	if err == nil && ok {
		_ = l.Close()
		return false
	}
	_ = l.Close()
	return err == nil
}
