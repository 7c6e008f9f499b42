package sim

import "math/rand/v2"

// fate is what goes wrong with a request.
type fate uint8

const (
	fateNone fate = iota
	fateError
	fateStreamError
	fateStall
	fateCut
)

// lot is a request's fate and after how many tokens it strikes. An answer that ends earlier meets it at its end, so
// that shares are exact whatever the lengths.
type lot struct {
	fate  fate
	after int
}

// draw decides by shares.
func (f Faults) draw(r *rand.Rand) lot {
	x, after := r.Float64(), 1+r.IntN(24)
	for _, c := range [...]struct {
		share float64
		fate  fate
	}{{f.Error, fateError}, {f.StreamError, fateStreamError}, {f.Stall, fateStall}, {f.Cut, fateCut}} {
		if x < c.share {
			return lot{c.fate, after}
		}
		x -= c.share
	}
	return lot{}
}
