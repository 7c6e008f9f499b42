package bench

import (
	"fmt"
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
	Shape Shape
	// Burstiness is the shape parameter of Gamma, above 0: below 1 arrivals come in bursts, 1 is Poisson, above 1 they are more even.
	Burstiness float64
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
	name, shape, has := strings.Cut(strings.ToLower(strings.TrimSpace(text)), ":")
	for s, known := range shapeNames {
		if name != known || has != (Shape(s) == Gamma) {
			continue
		}
		a := Arrivals{Shape: Shape(s)}
		if a.Shape != Gamma {
			return a, nil
		}
		v, err := strconv.ParseFloat(shape, 64)
		if err == nil && v >= 0.01 && v <= 100 {
			a.Burstiness = v
			return a, nil
		}
	}
	return Arrivals{}, fmt.Errorf("arrivals %q: want poisson, constant, recorded, or gamma:BURSTINESS with 0.01 to 100, as in gamma:0.5", text)
}
