package health

import (
	"fmt"
	"strconv"

	"redline/bench"
)

const (
	// busyLag is from where latencies are not good to ten milliseconds, lostLag from where the process does not keep up; in ms.
	busyLag, lostLag = 10, 50
	// busyGC is the collector's share of the processors from which it is the reason.
	busyGC = 0.10
	// busyCPU is a share of the processors that is the reason for a lag; it is none by itself. fullCPU is a share of the processors that leaves nothing.
	busyCPU, fullCPU = 0.90, 0.97
	// fullFiles is the share of the descriptors from which the next connection may fail.
	fullFiles = 0.95
	// enough is how many sampled reads tell more than any stand-in.
	enough = 20
	// most is the percentile of what is counted by the thousand, nearly that of what is by the dozen: the second worst of fifty, since one late timer
	// is bad luck.
	most, nearly = 0.99, 0.97
)

// judge gives verdicts. The lag of the second before is all that it remembers; its zero value is ready.
type judge struct {
	lag float64
}

// second is the verdict on one second.
//
//	lag of the second                      | CPU                    | verdict
//	at most 10 ms                          | any                    | ok
//	at most 50 ms                          | has room               | busy
//	at most 50 ms, and more than before    | at its limit           | saturated
//	more than 50 ms                        | any                    | saturated
//
// Lost samples saturate by themselves; tokens that are booked late, requests that are handed over late and descriptors that run out are a reason to
// doubt by themselves.
func (j *judge) second(s *Signals) bench.Health {
	h := bench.Health{
		CPU: s.CPU, GC: s.GC, SchedLag: s.Sched, SendLag: s.SendLag, Late: s.Late, Dropped: s.Dropped, Files: s.Files, FilesMax: s.FilesMax,
		TimerLag: lag(&s.Timers, nearly), WakeLag: s.wake(),
	}
	worst, why := j.cause(s, &h)
	switch {
	case worst > lostLag, worst > busyLag && h.CPU >= fullCPU && worst > j.lag:
		h.Strain, h.Why = bench.Saturated, why
	case worst > busyLag:
		h.Strain, h.Why = bench.Busy, why
	}
	j.lag = worst
	j.books(&h)
	return h
}

// cause is the lag by which the second is judged, and what is to blame for it.
func (j *judge) cause(s *Signals, h *bench.Health) (worst float64, why string) {
	if s.Reads.N > 0 {
		worst = h.WakeLag.V
		why = fmt.Sprintf("reads %.0f ms late", worst)
	}
	if stands := s.standIn(); s.Reads.N < enough && stands > worst {
		worst = stands
		if why = fmt.Sprintf("wake-ups %.0f ms late", worst); h.TimerLag.V >= worst {
			why = fmt.Sprintf("timers %.0f ms late", h.TimerLag.V)
		}
	}
	switch {
	case h.GC >= busyGC:
		why = fmt.Sprintf("gc %.0f%%", h.GC*100)
	case h.CPU >= busyCPU:
		why = fmt.Sprintf("cpu %.0f%%", h.CPU*100)
	}
	return worst, why
}

// wake is how late bytes were read. The kernel tells when the newest bytes of a read came. In a process that is often late a read holds older ones
// too: the canary, of which each event is taken alone, says so.
func (s *Signals) wake() bench.Value {
	reads, canary := lag(&s.Reads, most), lag(&s.Canary, nearly)
	switch {
	case s.Reads.N == 0:
		return canary
	case reads.V > busyLag/2 && canary.V > busyLag:
		return bench.Some((reads.V + max(reads.V, canary.V)) / 2)
	}
	return reads
}

// standIn is the lag where too few reads tell theirs: that of goroutines which wait for a processor, or what both the canary and the timers say.
func (s *Signals) standIn() float64 {
	return max(s.Sched.V, min(lag(&s.Canary, nearly).V, lag(&s.Timers, nearly).V))
}

// books adds what is wrong beside the lags.
func (j *judge) books(h *bench.Health) {
	raise := func(to bench.Strain, why string) {
		if h.Strain < to {
			h.Strain, h.Why = to, why
		}
	}
	if h.Dropped > 0 {
		raise(bench.Saturated, grouped(h.Dropped)+" samples lost")
	}
	if h.SendLag.OK && h.SendLag.V > lostLag {
		raise(bench.Saturated, fmt.Sprintf("sends %.0f ms late", h.SendLag.V))
	}
	if h.Late > 0 {
		raise(bench.Busy, grouped(h.Late)+" tokens late")
	}
	if h.SendLag.OK && h.SendLag.V > busyLag {
		raise(bench.Busy, fmt.Sprintf("sends %.0f ms late", h.SendLag.V))
	}
	if h.FilesMax > 0 && float64(h.Files) >= fullFiles*float64(h.FilesMax) {
		raise(bench.Busy, "files "+grouped(h.Files)+" of "+grouped(h.FilesMax))
	}
}

// lag is a quantile in ms; absent of none.
func lag(t *Tally, q float64) bench.Value {
	if t.N == 0 {
		return bench.Value{}
	}
	return bench.Some(bench.Millis(t.Quantile(q)))
}

// grouped writes a number with a comma in each thousand.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
