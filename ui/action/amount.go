package action

import (
	"fmt"
	"strconv"
	"strings"

	"redline/bench"
)

// maxTyped bounds a typed load; the run's own bound is the engine's business.
const maxTyped = 1 << 20

// Amount reads a typed load: "48" sets, "+6" and "-6" add, "x2" (or "*2") and "50%" multiply.
func Amount(text string) (bench.Command, error) {
	s := strings.ToLower(strings.TrimSpace(narrow(text)))
	bad := func() (bench.Command, error) {
		return nil, fmt.Errorf("%q is no load: type 48, +6, -6, x2 or 50%%", text)
	}
	number := func(s string) (int, bool) {
		n, err := strconv.Atoi(s)
		return n, err == nil && n >= 0 && n <= maxTyped
	}
	factor := func(s string) (float64, bool) {
		f, err := strconv.ParseFloat(s, 64)
		return f, err == nil && f > 0 && f <= 1000
	}
	switch {
	case s == "":
		return bad()
	case s[0] == '+' || s[0] == '-':
		n, ok := number(s[1:])
		if !ok || n == 0 || s[1] < '0' || s[1] > '9' {
			return bad()
		}
		if s[0] == '-' {
			n = -n
		}
		return bench.Add{N: n}, nil
	case s[0] == 'x' || s[0] == '*':
		if f, ok := factor(s[1:]); ok {
			return bench.Times{F: f}, nil
		}
	case strings.HasSuffix(s, "%"):
		if f, ok := factor(strings.TrimSuffix(s, "%")); ok {
			return bench.Times{F: f / 100}, nil
		}
	default:
		if n, ok := number(s); ok && s[0] != '+' && s[0] != '-' {
			return bench.Set{N: n}, nil
		}
	}
	return bad()
}

// Rises tells whether a load command would raise the load from its present value.
func Rises(c bench.Command, load int) bool {
	switch c := c.(type) {
	case bench.Add:
		return c.N > 0
	case bench.Times:
		return c.F > 1
	case bench.Set:
		return c.N > load
	}
	return false
}
