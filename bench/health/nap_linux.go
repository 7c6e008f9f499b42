package health

import (
	"time"

	"golang.org/x/sys/unix"
)

// Nap holds the calling thread for d, or somewhat less where a signal comes.
func Nap(d time.Duration) {
	t := unix.NsecToTimespec(int64(d))
	_ = unix.Nanosleep(&t, nil)
}
