package record

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"syscall"
	"time"
)

// Phase is how far a recording has come.
type Phase uint8

const (
	// Beginning: nothing has been written yet, and nothing is wrong.
	Beginning Phase = iota
	// Recording: the run is kept, up to the last second or so.
	Recording
	// Failing: it is not kept at present, or not any more. Why says why.
	Failing
	// Saved: the file is whole and closed.
	Saved
)

// Standing is how a recording stands.
type Standing struct {
	Phase Phase
	// Why is what is wrong, in two or three words of our own; empty but where the recording fails.
	Why string
	// Short is what is left out since the file came near its bound; empty where nothing is.
	Short string
	// Path is the file; empty before there is one. Bytes is its size.
	Path  string
	Bytes int64
	// Lost is how much of the run could not be written.
	Lost time.Duration
}

// The words for what goes wrong, which a veil knows too.
const (
	whyFull    = "disk full"
	whyQuota   = "disk quota used up"
	whyRead    = "read-only disk"
	whyDenied  = "no permission"
	whyGone    = "file gone"
	whyFolder  = "no folder"
	whyTaken   = "another file in its place"
	whyLimit   = "file too large"
	whyDisk    = "disk error"
	whySlow    = "slow disk"
	whyBusy    = "this machine is too busy"
	whyBroken  = "internal error"
	whyNoGaps  = "gaps left out"
	whySparse  = "file at its bound"
	windowsEnd = syscall.Errno(112) // ERROR_DISK_FULL, which has no name in package syscall.
)

// errGone is that of a file that was taken away.
var errGone = errors.New("the file has gone")

// whyOf words an error of the disk.
func whyOf(err error) string {
	switch {
	case errors.Is(err, errGone):
		return whyGone
	case errors.Is(err, fs.ErrNotExist):
		return whyFolder
	case errors.Is(err, syscall.ENOSPC), runtime.GOOS == "windows" && errors.Is(err, windowsEnd):
		return whyFull
	case errors.Is(err, syscall.EDQUOT):
		return whyQuota
	case errors.Is(err, syscall.EROFS):
		return whyRead
	case errors.Is(err, syscall.EFBIG):
		return whyLimit
	case errors.Is(err, fs.ErrExist):
		return whyTaken
	case errors.Is(err, fs.ErrPermission):
		return whyDenied
	case errors.Is(err, os.ErrDeadlineExceeded):
		return whySlow
	}
	return whyDisk
}
