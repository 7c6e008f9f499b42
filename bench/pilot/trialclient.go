package pilot

import (
	"math"
	"strings"

	"redline/bench"
)

const (
	// touches is the part of a limit from which on the client's lateness passes for touching the promise.
	touches = 1.0 / 20
	// spreads is over how many tokens at least the lateness of one is spread where a promise is on an answer's mean pace.
	spreads = 20
)

// untouched tells whether the client, busy as it is, is late by so little that no promise is kept or broken by it.
func untouched(h *bench.Health, promises []bench.Threshold) bool {
	lag := lateness(h)
	if h.Strain > bench.Busy || h.Dropped > 0 || h.Late > 0 || !lag.OK || lag.V <= 0 {
		return false
	}
	for _, p := range promises {
		limit := math.Inf(1)
		switch p.Metric {
		case bench.TTFT, bench.TTFA, bench.E2E, bench.ITL:
			limit = p.Limit
		case bench.TPOT:
			limit = spreads * p.Limit
		case bench.TPS:
			limit = spreads * 1000 / p.Limit
		}
		if lag.V > touches*limit {
			return false
		}
	}
	return true
}

// lateness is how late the client was at worst, in ms; absent where that was not measured.
func lateness(h *bench.Health) bench.Value {
	lag := h.Lag()
	if h.SendLag.OK && (!lag.OK || h.SendLag.V > lag.V) {
		lag = h.SendLag
	}
	return lag
}

// byClient tells whether it was the client that stopped a trial.
func byClient(t *tried) bool { return strings.HasPrefix(t.Why, busy) }
