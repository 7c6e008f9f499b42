package health

import (
	"math"
	"runtime/metrics"

	"redline/bench"
)

// counters are what the Go runtime counts of itself.
type counters struct {
	samples []metrics.Sample
	// waits are the times that goroutines waited for a processor and stops the pauses of the collector, by bin; collector is its processor time in
	// seconds.
	waits, stops metrics.Float64Histogram
	collector    float64
}

const (
	namedWaits = "/sched/latencies:seconds"
	namedStops = "/sched/pauses/total/gc:seconds"
	namedGC    = "/cpu/classes/gc/total:cpu-seconds"
	namedIdle  = "/cpu/classes/gc/mark/idle:cpu-seconds"
)

// read takes the counters anew, and gives what they were.
func (c *counters) read() (before counters) {
	before = *c
	c.samples = []metrics.Sample{{Name: namedWaits}, {Name: namedStops}, {Name: namedGC}, {Name: namedIdle}}
	metrics.Read(c.samples)
	c.waits, c.stops = histogram(&c.samples[0]), histogram(&c.samples[1])
	// What the collector does on processors that would idle takes nothing from anybody.
	c.collector = number(&c.samples[2]) - number(&c.samples[3])
	return before
}

func histogram(s *metrics.Sample) metrics.Float64Histogram {
	if s.Value.Kind() != metrics.KindFloat64Histogram {
		return metrics.Float64Histogram{}
	}
	return *s.Value.Float64Histogram()
}

func number(s *metrics.Sample) float64 {
	if s.Value.Kind() != metrics.KindFloat64 {
		return 0
	}
	return s.Value.Float64()
}

// sched is the 99th percentile of the waits for a processor since before, in ms; absent where nobody waited.
func (c *counters) sched(before *counters) bench.Value { return grown(&c.waits, &before.waits, 0.99) }

// pause is the longest pause of the collector since before, in ms; absent where there was none.
func (c *counters) pause(before *counters) bench.Value { return grown(&c.stops, &before.stops, 1) }

// grown is a quantile of what has come into a histogram of seconds, in ms: the greater edge of its bin.
func grown(now, before *metrics.Float64Histogram, q float64) bench.Value {
	fresh := func(i int) uint64 {
		if i < len(before.Counts) {
			return now.Counts[i] - before.Counts[i]
		}
		return now.Counts[i]
	}
	var n uint64
	for i := range now.Counts {
		n += fresh(i)
	}
	// The quantile is the value above which less than this many lie.
	above := max(uint64(float64(n)*(1-q)), 1)
	var seen uint64
	for i := len(now.Counts) - 1; i >= 0; i-- {
		if seen += fresh(i); seen >= above {
			edge := now.Buckets[i+1]
			if math.IsInf(edge, 1) {
				edge = now.Buckets[i]
			}
			return bench.Some(edge * 1000)
		}
	}
	return bench.Value{}
}
