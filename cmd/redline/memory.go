package main

import "runtime/debug"

// While a run lasts the collector works less often. The live heap of a run is small and bounded (some 20 MiB), but streams make short-lived
// garbage at the rate of their tokens; at the usual 100 % a collection would come every few hundred milliseconds, and its pauses and its
// share of a core would show up in the very gaps that are measured. At 400 % it comes four times more rarely, for some tens of MiB more.
// The limit keeps that trade from being made with a heap that has grown for another reason: near it the collector works as hard as it must.
const (
	runGCPercent   = 400
	runMemoryLimit = 1 << 30
)

// easeCollector sets the collector for a run; the returned function sets it back. What the operator says by GOGC or GOMEMLIMIT stands.
func easeCollector(env lookup) (restore func()) {
	restore = func() {}
	if v, _ := env("GOGC"); v == "" {
		old := debug.SetGCPercent(runGCPercent)
		restore = func() { debug.SetGCPercent(old) }
	}
	if v, _ := env("GOMEMLIMIT"); v == "" {
		percent, old := restore, debug.SetMemoryLimit(runMemoryLimit)
		restore = func() {
			percent()
			debug.SetMemoryLimit(old)
		}
	}
	return restore
}
