package bench

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// CruiseForms are examples of what ParseCruise reads.
const CruiseForms = "ttft.p95, e2e.p95 4..64, ttft.p95<=400ms or 1/s..20/s"

// Cruisable tells whether a promise can be kept at its edge by moving the load: a percentile of something that each single request has. ITL is of single tokens,
// and may be broken while no request's own pace is.
func (t Threshold) Cruisable() bool {
	switch t.Metric {
	case TTFT, TTFA, TPOT, TPS, E2E:
		return t.At != Mean && t.At != Max
	}
	return false
}

// UsualCruise keeps a promise within all that may be set: from 1, or from a rate of 0.1/s.
func UsualCruise(t Threshold, mode Mode, most float64) *Cruise {
	c := &Cruise{Threshold: t, Least: 1, Most: most}
	if mode == Open {
		c.Least = min(0.1, most/10)
	}
	return c
}

// ParseCruise reads which promise a cruise keeps and between which loads: a name, TTFT or ttft.p95, of one of the promises, or a threshold of its own, and
// LEAST..MOST; "in" may stand before that. What is left out is usual's. Errors name the part.
func ParseCruise(text string, usual *Cruise, mode Mode, promises []Threshold) (*Cruise, error) {
	c := *usual
	fields := strings.Fields(strings.ReplaceAll(strings.ToLower(text), "…", ".."))
	if i := slices.Index(fields, "in"); i >= 0 && i == len(fields)-2 && strings.Contains(fields[i+1], "..") {
		fields = slices.Delete(fields, i, i+1)
	}
	var err error
	switch n := len(fields); {
	case n == 0:
		err = errors.New("it is empty, want for example " + CruiseForms)
	case n > 2 || n == 2 && strings.Contains(fields[0], ".."):
		err = errors.New("want a promise and LEAST..MOST, as in " + CruiseForms)
	case n == 2 && !strings.Contains(fields[1], ".."):
		err = fmt.Errorf("%s: want LEAST..MOST behind the promise, as in %s", excerpt(fields[1]), CruiseForms)
	}
	for _, word := range fields {
		switch {
		case err != nil:
		case strings.Contains(word, ".."):
			err = c.within(word, mode)
		default:
			c.Threshold, err = cruisable(word, promises)
		}
	}
	if err == nil {
		err = c.Check(mode)
	}
	if err != nil {
		return nil, fmt.Errorf("cruise %s: %w", excerpt(text), err)
	}
	return &c, nil
}

// cruisable is the promise that a word names.
func cruisable(word string, promises []Threshold) (Threshold, error) {
	if strings.ContainsAny(word, "<>≤≥") {
		t, err := ParseThreshold(word)
		if err == nil && !t.Cruisable() {
			err = uncruisable(t)
		}
		return t, err
	}
	var names []string
	for _, t := range promises {
		metric := strings.ToLower(t.Metric.String())
		named := word == metric || word == metric+"."+t.At.String()
		switch {
		case t.Cruisable() && named:
			return t, nil
		case t.Metric == ITL && named:
			return t, uncruisable(t)
		case !t.Cruisable():
			continue
		}
		names = append(names, metric+"."+t.At.String())
	}
	if len(names) == 0 {
		return Threshold{}, fmt.Errorf("%s: no promise can be kept at its edge, want one of its own, as in ttft.p95<=500ms", excerpt(word))
	}
	return Threshold{}, fmt.Errorf("%s: want one of %s, or one of its own, as in ttft.p95<=500ms", excerpt(word), strings.Join(slices.Compact(names), ", "))
}

// uncruisable says why a promise cannot be kept at its edge, and what can.
func uncruisable(t Threshold) error {
	if t.Metric == ITL && t.At != Mean && t.At != Max && !t.Floor {
		of := t
		of.Metric = TPOT
		return fmt.Errorf("%s: ITL is of single tokens, and a cruise goes by requests: want %s, what a token takes each of them", t, of)
	}
	return fmt.Errorf("%s: want a percentile of TTFT, TTFA, TPOT, TPS or E2E, which each request has", t)
}

// within reads LEAST..MOST; each may be left out.
func (c *Cruise) within(text string, mode Mode) error {
	least, most, _ := strings.Cut(text, "..")
	for _, end := range []struct {
		text string
		to   *float64
	}{{least, &c.Least}, {most, &c.Most}} {
		if end.text == "" {
			continue
		}
		n, err := ParseLoad(end.text, mode)
		if err != nil {
			return err
		}
		*end.to = n
	}
	return nil
}

// Check tells whether a cruise can be begun: its promise is one that can be kept at its edge, and its limits are loads of the mode above 0 with room between.
func (c *Cruise) Check(mode Mode) error {
	set := func(n float64) string { return Setpoint{mode, n}.String() }
	if !c.Threshold.Cruisable() || !(c.Threshold.Limit > 0) {
		return errors.New("no promise, want for example " + CruiseForms)
	}
	for _, n := range []float64{c.Least, c.Most} {
		if !(n > 0 && n <= maxLoad) || mode == Closed && n != math.Trunc(n) {
			return fmt.Errorf("load %s: want %s, above 0", set(n), allowedLoad(mode))
		}
	}
	if c.Most <= c.Least {
		return fmt.Errorf("%s..%s: want room between the two", set(c.Least), set(c.Most))
	}
	return nil
}

// Text is the cruise as ParseCruise reads it in a mode.
func (c *Cruise) Text(mode Mode) string {
	unit := ""
	if mode == Open {
		unit = "/s"
	}
	load := func(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) + unit }
	return c.Threshold.String() + " " + load(c.Least) + ".." + load(c.Most)
}
