//go:build unix

package main

import "golang.org/x/sys/unix"

// openFiles is how many files this process may have open at once; 0 where that is not known. The runtime has raised the soft limit to the hard one
// by itself.
func openFiles() uint64 {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return uint64(limit.Cur)
}
