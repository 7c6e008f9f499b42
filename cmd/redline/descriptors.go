package main

import "fmt"

// spareDescriptors are what is open beside the connections.
const spareDescriptors = 32

// tooFewDescriptors says so when not even one connection for each slot fits the limit of open files; a limit of 0 is not known.
func tooFewDescriptors(limit uint64, load int) string {
	if limit == 0 || limit >= uint64(load+spareDescriptors) {
		return ""
	}
	return fmt.Sprintf("want at most %d: this process may open %d files, and needs %d for itself (ulimit -n tells the limit, and raises it where it may)",
		max(int(limit)-spareDescriptors, 0), limit, spareDescriptors)
}

// shortOfDescriptors says so when this process may open fewer connections than the load may come to: two for each slot, since one may still be
// closing when the next is needed.
func shortOfDescriptors(limit uint64, load int) string {
	if limit == 0 || limit >= uint64(2*load+spareDescriptors) {
		return ""
	}
	return fmt.Sprintf("this process may open %d files: loads near %d can run out of them (ulimit -n tells the limit, and raises it where it may)", limit, load)
}
