package sim

import (
	"fmt"
	"strconv"
)

// Pace is an optional fixed rate of each stream, for measuring clients: off, so many tokens per second, or a flood.
type Pace struct {
	On bool
	// Rate is tokens per second and stream, up to 10,000; 0 floods.
	Rate float64
}

// String is the pace as Set reads it.
func (p Pace) String() string {
	if !p.On {
		return "off"
	}
	return strconv.FormatFloat(p.Rate, 'g', -1, 64)
}

// Set reads "off" or a rate.
func (p *Pace) Set(s string) error {
	if s == "off" || s == "" {
		*p = Pace{}
		return nil
	}
	rate, err := strconv.ParseFloat(s, 64)
	if err != nil || !(rate == 0 || rate >= 0.1 && rate <= 10_000) {
		return fmt.Errorf("pace %q: off, 0 (flood), or 0.1 to 10000 tokens per second", s)
	}
	*p = Pace{On: true, Rate: rate}
	return nil
}

// Type names the value in a usage text.
func (p *Pace) Type() string { return "tok/s" }
