package action

import (
	"fmt"
	"strconv"
	"strings"

	"redline/bench"
)

// maxTyped bounds a typed load; the run's own bounds are the engine's business.
const maxTyped = 1 << 20

// Amount reads a typed load in the unit of a mode: "48" (open: "2.5", "2.5/s", "150/m") sets, "+6" and "-6" add, "x2" (or "*2") and "50%" multiply.
func Amount(text string, mode bench.Mode) (bench.Command, error) {
	s := strings.ToLower(strings.TrimSpace(narrow(text)))
	rest := s
	var command func(float64) bench.Command
	read := load(mode)
	switch {
	case s == "":
	case s[0] == '+':
		rest, command = s[1:], func(n float64) bench.Command { return bench.Add{N: n} }
	case s[0] == '-':
		rest, command = s[1:], func(n float64) bench.Command { return bench.Add{N: -n} }
	case s[0] == 'x' || s[0] == '*':
		rest, read, command = s[1:], factor, func(n float64) bench.Command { return bench.Times{F: n} }
	case s[len(s)-1] == '%':
		rest, read, command = s[:len(s)-1], factor, func(n float64) bench.Command { return bench.Times{F: n / 100} }
	default:
		command = func(n float64) bench.Command { return bench.Set{N: n} }
	}
	// No number begins with a sign of its own.
	if command != nil && rest != "" && (rest[0] >= '0' && rest[0] <= '9' || rest[0] == '.') {
		if n, ok := read(rest); ok && (n > 0 || len(rest) == len(s)) {
			return command(n), nil
		}
	}
	return nil, fmt.Errorf("%q is no load: type %s", text, Amounts(mode))
}

// Amounts are the forms that Amount reads in a mode.
func Amounts(mode bench.Mode) string {
	if mode == bench.Open {
		return "2.5, 2.5/s, 150/m, +1, x2 or 50%"
	}
	return "48, +6, -6, x2 or 50%"
}

// load reads a number of requests in flight, or a rate.
func load(mode bench.Mode) func(string) (float64, bool) {
	if mode == bench.Open {
		return func(s string) (float64, bool) {
			n, err := bench.ParseRate(s)
			return n, err == nil && n <= maxTyped
		}
	}
	return func(s string) (float64, bool) {
		n, err := strconv.Atoi(s)
		return float64(n), err == nil && n <= maxTyped
	}
}

func factor(s string) (float64, bool) {
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil && f > 0 && f <= 1000
}

// Rises tells whether a load command would raise the load from its present value.
func Rises(c bench.Command, load bench.Setpoint) bool {
	switch c := c.(type) {
	case bench.Add:
		return c.N > 0
	case bench.Times:
		return c.F > 1
	case bench.Set:
		return c.N > load.N
	}
	return false
}
