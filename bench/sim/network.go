package sim

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"redline/bench/sim/model"
)

// network is the way between client and server, each direction by itself: a floor and a log-normal part above it.
// The zero network is a loopback.
type network struct {
	floor, median time.Duration
	sigma         float64
}

// surroundings are what a preset has around its engine.
type surroundings struct {
	rpm, tpm int
	network  network
}

func surround(p model.Preset) surroundings {
	if p != model.Hosted {
		return surroundings{}
	}
	// The limits cross at 500 tokens per request: shorter ones meet RPM first, the chat scenario meets TPM.
	return surroundings{rpm: 300, tpm: 150_000, network: network{floor: 25 * time.Millisecond, median: 4 * time.Millisecond, sigma: 0.8}}
}

// delay draws one crossing.
func (n network) delay(r *rand.Rand) time.Duration {
	if n.floor == 0 && n.median == 0 {
		return 0
	}
	return n.floor + time.Duration(float64(n.median)*math.Exp(n.sigma*r.NormFloat64()))
}

// sleepUntil waits for an instant; false when the context ended first.
func sleepUntil(ctx context.Context, at time.Time) bool {
	d := time.Until(at)
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
