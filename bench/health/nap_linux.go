package health

import (
	"time"

	"golang.org/x/sys/unix"
)

// nap holds the thread for d, or somewhat less where a signal comes.
func nap(d time.Duration) {
	t := unix.NsecToTimespec(int64(d))
	_ = unix.Nanosleep(&t, nil)
}
