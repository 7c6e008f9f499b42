package health

import (
	"testing"
	"time"

	"redline/bench"
)

// lagsOf are n lags, of which the last late ones are so late.
func lagsOf(n, late int, by time.Duration) Tally {
	var l Lags
	for i := range n {
		if i < n-late {
			l.Add(100 * time.Microsecond)
		} else {
			l.Add(by)
		}
	}
	return l.Take()
}

func TestVerdictFollowsTheLagOfTheReads(t *testing.T) {
	for _, row := range []struct {
		sentence string
		signals  Signals
		before   float64
		want     bench.Strain
		why      string
	}{
		{"nothing was measured", Signals{}, 0, bench.Unstrained, ""},
		{"all reads in time", Signals{Reads: lagsOf(1000, 0, 0)}, 0, bench.Unstrained, ""},
		{"a busy processor that keeps up is no reason", Signals{Reads: lagsOf(1000, 0, 0), CPU: 0.96}, 0, bench.Unstrained, ""},
		{"one late read of a thousand", Signals{Reads: lagsOf(1000, 1, time.Second)}, 0, bench.Unstrained, ""},
		{"two in a hundred late", Signals{Reads: lagsOf(1000, 20, 18*time.Millisecond)}, 0, bench.Busy, "reads 18 ms late"},
		{"two in a hundred so late that it is lost", Signals{Reads: lagsOf(1000, 20, 80*time.Millisecond)}, 0, bench.Saturated, "reads 80 ms late"},
		{"late, with the processors at their limit, and growing", Signals{Reads: lagsOf(1000, 20, 20*time.Millisecond), CPU: 0.99}, 15, bench.Saturated, "cpu 99%"},
		{"late, with the processors at their limit, and shrinking", Signals{Reads: lagsOf(1000, 20, 20*time.Millisecond), CPU: 0.99}, 30, bench.Busy, "cpu 99%"},
		{"late for the collector", Signals{Reads: lagsOf(1000, 20, 20*time.Millisecond), GC: 0.12, CPU: 0.95}, 0, bench.Busy, "gc 12%"},
		{"late reads that held older bytes, as the canary says", Signals{Reads: lagsOf(1000, 20, 8*time.Millisecond), Canary: lagsOf(50, 5, 40*time.Millisecond)}, 0,
			bench.Busy, "reads 24 ms late"},
		{"a late canary while the reads are in time", Signals{Reads: lagsOf(1000, 0, 0), Canary: lagsOf(50, 5, 40*time.Millisecond)}, 0, bench.Unstrained, ""},
		{"nothing is read: canary and timers are late", Signals{Canary: lagsOf(50, 5, 20*time.Millisecond), Timers: lagsOf(40, 4, 30*time.Millisecond)}, 0,
			bench.Busy, "timers 30 ms late"},
		{"one late timer", Signals{Timers: lagsOf(40, 1, 30*time.Millisecond), Canary: lagsOf(50, 1, 30*time.Millisecond)}, 0, bench.Unstrained, ""},
		{"a few reads in time, goroutines that wait", Signals{Reads: lagsOf(5, 0, 0), Sched: bench.Some(20)}, 0, bench.Busy, "wake-ups 20 ms late"},
		{"one late timer of a hundred while the reads are in time", Signals{Reads: lagsOf(1000, 0, 0), Timers: lagsOf(100, 1, time.Second)}, 0, bench.Unstrained, ""},
		{"lost samples", Signals{Traffic: Traffic{Dropped: 1234}}, 0, bench.Saturated, "1,234 samples lost"},
		{"tokens booked late", Signals{Traffic: Traffic{Late: 3}}, 0, bench.Busy, "3 tokens late"},
		{"requests handed over late", Signals{Traffic: Traffic{SendLag: bench.Some(40)}}, 0, bench.Busy, "sends 40 ms late"},
		{"requests handed over far too late", Signals{Traffic: Traffic{SendLag: bench.Some(400)}}, 0, bench.Saturated, "sends 400 ms late"},
		{"descriptors run out", Signals{Files: 1020, FilesMax: 1024}, 0, bench.Busy, "files 1,020 of 1,024"},
		{"descriptors without a limit that is known", Signals{Files: 1020}, 0, bench.Unstrained, ""},
	} {
		j := judge{lag: row.before}
		if got := j.second(&row.signals); got.Strain != row.want || got.Why != row.why {
			t.Errorf("%s: %v %q, want %v %q", row.sentence, got.Strain, got.Why, row.want, row.why)
		}
	}
}
