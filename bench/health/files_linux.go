package health

import (
	"os"

	"golang.org/x/sys/unix"
)

// files is how many descriptors are open, and how many may be. A kernel before 6.2 does not count them, and a list of many is not worth its cost.
func files() (open, limit int) {
	if dir, err := os.Stat("/proc/self/fd"); err == nil {
		open = int(dir.Size())
	}
	return open, fileLimit()
}

func fileLimit() int {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return int(min(limit.Cur, 1<<30))
}
