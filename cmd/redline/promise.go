package main

import (
	"fmt"
	"strconv"
	"strings"

	"redline/bench"
)

// maxReserve is the largest share of a quota that can be left to others.
const maxReserve = 0.9

// parseShare reads "30%" or "0.3".
func parseShare(text string) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		v /= 100
	}
	if err != nil || !(v >= 0 && v <= maxReserve) {
		return 0, fmt.Errorf("want 0%% to %.0f%%, as in 30%% or 0.3", 100*maxReserve)
	}
	return v, nil
}

// promises reads --slo: each one adds a threshold, "none" says that there is none.
type promises struct {
	to    *[]bench.Threshold
	found *problems
	none  bool
}

// String is empty: the default is in the usage.
func (p *promises) String() string { return "" }

// Type is the kind of value as help shows it.
func (p *promises) Type() string { return "PROMISE" }

// Set reads one promise; it never fails (see option).
func (p *promises) Set(text string) error {
	if strings.EqualFold(strings.TrimSpace(text), "none") {
		p.none = true
	} else if t, err := bench.ParseThreshold(text); err != nil {
		p.found.add("slo", text, strings.TrimPrefix(err.Error(), fmt.Sprintf("threshold %q: ", text)))
		return nil
	} else {
		for _, other := range *p.to {
			if other.Metric == t.Metric && other.At == t.At {
				p.found.add("slo", text, fmt.Sprintf("there is already %s; want one promise for each number", other))
				return nil
			}
		}
		*p.to = append(*p.to, t)
	}
	if p.none && len(*p.to) > 0 {
		p.found.add("slo", "none", "want no other promise beside it")
	}
	return nil
}
