//go:build unix

package main

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// spareDescriptors are what is open beside the connections.
const spareDescriptors = 32

// shortOfDescriptors says so when this process may open fewer connections than the load may ask for: two for each slot, since one may still
// be closing when the next is needed. (The runtime has raised the soft limit to the hard one by itself.)
func shortOfDescriptors(load int) string {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil || uint64(limit.Cur) >= uint64(2*load+spareDescriptors) {
		return ""
	}
	return fmt.Sprintf("this process may open %d files: loads near %d can run out of them (raise the limit with ulimit -n)", uint64(limit.Cur), load)
}
