package bench

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Shape is how arrivals of the open loop are spread at a given mean rate.
type Shape uint8

const (
	// Poisson: independent users; gaps are exponential.
	Poisson Shape = iota
	// Constant: all gaps are equal.
	Constant
	// Gamma: gaps are gamma distributed; see Arrivals.Burstiness.
	Gamma
	// Recorded: as in the trace that the workload replays, stretched to the rate that is set.
	Recorded
)

// Arrivals is the spread of arrivals.
type Arrivals struct {
	Shape Shape `json:",omitzero"`
	// Burstiness is the shape parameter of Gamma, above 0: below 1 arrivals come in bursts, 1 is Poisson, above 1 they are more even.
	Burstiness float64 `json:",omitzero"`
}

var shapeNames = [...]string{"poisson", "constant", "gamma", "recorded"}

// String is the spread as ParseArrivals reads it.
func (a Arrivals) String() string {
	if a.Shape == Gamma {
		return "gamma:" + strconv.FormatFloat(a.Burstiness, 'g', -1, 64)
	}
	return shapeNames[a.Shape&3]
}

// ParseArrivals reads poisson, constant, gamma:BURSTINESS (0.01 to 100) or recorded.
func ParseArrivals(text string) (Arrivals, error) {
	bad := func(why string) (Arrivals, error) {
		return Arrivals{}, fmt.Errorf("arrivals %s: %s", excerpt(text), why)
	}
	name, number, has := strings.Cut(strings.ToLower(strings.TrimSpace(text)), ":")
	known := slices.Index(shapeNames[:], name)
	shape := Shape(max(known, 0))
	switch {
	case known < 0:
		return bad("want poisson, constant, recorded, or gamma:BURSTINESS, as in gamma:0.5")
	case shape != Gamma && has:
		return bad(name + " takes no number")
	case shape != Gamma:
		return Arrivals{Shape: shape}, nil
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(v >= 0.01 && v <= 100) {
		return bad("gamma wants its burstiness, 0.01 to 100, as in gamma:0.5")
	}
	return Arrivals{Gamma, v}, nil
}
