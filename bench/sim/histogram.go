package sim

import (
	"fmt"
	"io"
	"strconv"
	"time"
)

// histogram is one Prometheus histogram of seconds.
type histogram struct {
	name, help string
	bounds     []float64
	// counts has one more cell than bounds, for what lies above all of them.
	counts []uint64
	sum    float64
}

func newHistogram(name, help string, bounds ...float64) histogram {
	return histogram{name: name, help: help, bounds: bounds, counts: make([]uint64, len(bounds)+1)}
}

// observe counts a duration. A step begins when the one before was to end: what is submitted between that and its begin waits for less than no time, which
// is none, so that the sum never shrinks.
func (h *histogram) observe(d time.Duration) {
	s := max(d, 0).Seconds()
	i := 0
	for i < len(h.bounds) && s > h.bounds[i] {
		i++
	}
	h.counts[i]++
	h.sum += s
}

// write prints the histogram with cumulative buckets, as the text format has it.
func (h *histogram) write(w io.Writer, labels string) {
	fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s histogram\n", h.name, h.help, h.name)
	total := uint64(0)
	for i, n := range h.counts {
		total += n
		le := "+Inf"
		if i < len(h.bounds) {
			le = strconv.FormatFloat(h.bounds[i], 'g', -1, 64)
		}
		fmt.Fprintf(w, "%s_bucket{%s,le=%q} %d\n", h.name, labels, le, total)
	}
	fmt.Fprintf(w, "%s_sum{%s} %g\n%s_count{%s} %d\n", h.name, labels, h.sum, h.name, labels, total)
}
