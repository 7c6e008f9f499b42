//go:build unix && !linux

package health

import (
	"time"

	"golang.org/x/sys/unix"
)

// Nap holds the calling thread for d, or somewhat less where a signal comes.
func Nap(d time.Duration) {
	t := unix.NsecToTimeval(int64(d))
	_, _ = unix.Select(0, nil, nil, nil, &t)
}
