//go:build unix

package main

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// closed tells whether an output goes nowhere since it was closed when the process began: the runtime has put the null device in its place, for reading and
// writing. A null device that a shell was told to write to is for writing alone.
func closed(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	flags, err := unix.FcntlInt(f.Fd(), unix.F_GETFL, 0)
	if err != nil {
		return err == unix.EBADF
	}
	here, err := f.Stat()
	null, other := os.Stat(os.DevNull)
	return err == nil && other == nil && flags&unix.O_ACCMODE == unix.O_RDWR && os.SameFile(here, null)
}
