package health

import (
	"time"

	"redline/bench"
)

// Traffic is what the run itself knows of the time since the last verdict.
type Traffic struct {
	// Late are tokens that were booked a second late, Dropped samples that were lost.
	Late, Dropped int
	// SendLag is how late requests of the open loop were handed over, the 99th percentile in ms; absent where none was due.
	SendLag bench.Value
}

// Signals are all that was measured of a span of time, of about a second. A verdict depends on nothing else.
type Signals struct {
	Traffic
	// Span is how long it was.
	Span time.Duration
	// Reads is how long the bytes of sampled reads had lain in the kernel, Canary how late an event of our own came through the poller, Timers how
	// late a ticker fired.
	Reads, Canary, Timers Tally
	// Sched is how long goroutines that could run waited for a processor (the 99th percentile in ms), weighted by wake-ups.
	Sched bench.Value
	// CPU is this process's share of the processors that it may use, GC the collector's share of them, 0..1. Pause is the longest time for which the
	// collector stopped everything, in ms.
	CPU, GC float64
	Pause   bench.Value
	// Files and FilesMax are open descriptors and their limit; 0 where they are not known.
	Files, FilesMax int
}
