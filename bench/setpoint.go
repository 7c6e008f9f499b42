package bench

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Mode tells what the load counts.
type Mode uint8

const (
	// Closed: so many requests are in flight; the next starts when one ends. A server that slows down is asked less often (coordinated omission).
	Closed Mode = iota
	// Open: so many requests arrive a second, whether or not earlier ones have ended.
	Open
)

// String is the mode's word.
func (m Mode) String() string { return [...]string{"closed", "open"}[m&1] }

// Other is the mode that m is not.
func (m Mode) Other() Mode { return Open - m }

// Setpoint is the load as it is set. Setpoints can be compared: the same load in another mode is another load.
type Setpoint struct {
	Mode Mode `json:",omitzero"`
	// N is requests in flight, a whole number (Closed), or arrivals a second (Open); at least 0.
	N float64 `json:",omitzero"`
}

// InFlight is a load of the closed loop.
func InFlight(n int) Setpoint { return Setpoint{Closed, float64(n)} }

// PerSecond is a load of the open loop.
func PerSecond(rate float64) Setpoint { return Setpoint{Open, rate} }

// rateSteps is the finest difference between two rates, as a fraction of a request per second: finer ones are noise of the arithmetic.
const rateSteps = 1e6

// maxRate bounds a rate, in arrivals a second, and any load.
const maxRate = 1e9

// Round is the nearest load that can be set: a whole number of requests in flight, or a rate to a millionth; never below 0 nor above 1e9.
func (s Setpoint) Round() Setpoint {
	if s.Mode == Open {
		s.N = math.Round(s.N*rateSteps) / rateSteps
	} else {
		s.N = math.Round(s.N)
	}
	if !(s.N > 0) {
		s.N = 0
	}
	s.N = min(s.N, maxRate)
	return s
}

// Slots is the number of requests in flight that a load of the closed loop asks for; 0 in the open loop.
func (s Setpoint) Slots() int {
	if s.Mode == Open {
		return 0
	}
	return int(s.N)
}

// String is the load in one short word: "16", "2.5/s". A rate has four digits, and all those before its point.
func (s Setpoint) String() string {
	if s.Mode == Open {
		if s.N >= 1000 {
			return strconv.FormatFloat(s.N, 'f', 0, 64) + "/s"
		}
		// A rate in the form of 1e-05 is hard to read.
		short, _ := strconv.ParseFloat(strconv.FormatFloat(s.N, 'g', 4, 64), 64)
		return strconv.FormatFloat(short, 'f', -1, 64) + "/s"
	}
	return strconv.FormatFloat(s.N, 'f', 0, 64)
}

// ParseRate reads a rate of arrivals in requests per second, 0 or a millionth to 1e9: "2.5", "2.5/s", or "150/m" a minute.
func ParseRate(text string) (float64, error) {
	number, per := strings.TrimSpace(text), 1.0
	for _, unit := range []struct {
		suffix string
		per    float64
	}{{"/s", 1}, {"/sec", 1}, {"/min", 60}, {"/m", 60}} {
		if rest, ok := strings.CutSuffix(number, unit.suffix); ok {
			number, per = strings.TrimSpace(rest), unit.per
			break
		}
	}
	v, err := strconv.ParseFloat(number, 64)
	v /= per
	// A rate that would round to nothing is not what anybody means.
	if err != nil || !(v >= 1/rateSteps && v <= maxRate || v == 0) || strings.ContainsAny(number, "xX_") {
		return 0, fmt.Errorf("rate %s: want requests a second or a minute, 0, or %.6f to %.0f a second, as in 2.5, 2.5/s or 150/m", excerpt(text), 1/rateSteps, maxRate)
	}
	// -0 is 0.
	return math.Abs(v), nil
}
