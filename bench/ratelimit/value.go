package ratelimit

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"redline/bench"
)

const (
	// longestReset bounds what is believed of a reset: the longest month, and some slack.
	longestReset = 32 * bench.Day
	// largestCount bounds what is believed of a limit. Above it float64 loses units, and no quota is that large.
	largestCount = 1 << 53
)

// count reads a limit or what remains of it; what is negative (-1 is how Azure says that it does not know), no decimal
// number or absurdly large is absent.
func count(text string) bench.Value {
	v, ok := decimal(trim(text))
	if !ok || v > largestCount {
		return bench.Value{}
	}
	return bench.Some(v)
}

// reset reads how long it is from now to a reset, 0 to longestReset; anything else is absent.
func reset(text string, now time.Time) bench.Mark {
	s, ok := seconds(text, now)
	if !ok || s > longestReset.Seconds() {
		return bench.Mark{}
	}
	return bench.MarkAt(time.Duration(s * float64(time.Second)))
}

// seconds reads a length of time, or the time until an instant: a decimal number (of seconds, or an epoch in seconds or
// milliseconds, as its size tells), a duration such as 1m30.5s, an RFC 3339 timestamp or an HTTP date. It is never
// negative, not finite or made up: what cannot be read or is past is not ok. There is no upper bound.
func seconds(text string, now time.Time) (float64, bool) {
	text = trim(text)
	if v, ok := decimal(text); ok {
		switch {
		case v > 1e9 && v < 1e11:
			return ahead(v - epoch(now))
		case v > 1e12 && v < 1e14:
			return ahead(v/1000 - epoch(now))
		}
		return v, true
	}
	if v, ok := duration(text); ok {
		return v, true
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		if t, err = http.ParseTime(text); err != nil {
			return 0, false
		}
	}
	return ahead(t.Sub(now).Seconds())
}

// ahead is the time to an instant. Timestamps are cut to whole seconds, so that one of this second is now; earlier ones
// say nothing of the future.
func ahead(s float64) (float64, bool) { return max(s, 0), s > -1 }

func epoch(t time.Time) float64 { return float64(t.Unix()) + float64(t.Nanosecond())/1e9 }

// trim takes away blanks and the quotes of structured fields.
func trim(text string) string { return strings.Trim(text, " \t\"") }

// decimal reads a number without a sign for less than nothing, and without the words and prefixes that ParseFloat takes.
func decimal(text string) (float64, bool) {
	if strings.Trim(text, "0123456789.eE+-") != "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v < 0 {
		return 0, false
	}
	return math.Abs(v), true // -0
}

// units are the units of durations in seconds; a longer name stands before those that it begins with.
var units = [...]struct {
	name    string
	seconds float64
}{{"ns", 1e-9}, {"us", 1e-6}, {"µs", 1e-6}, {"μs", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}}

// duration reads what Go prints for a duration, with days as well: 940ms, 6m0s, 2m59.56s, 1d2h.
func duration(text string) (float64, bool) {
	sum, rest := 0.0, text
	for rest != "" {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789."))
		v, err := strconv.ParseFloat(rest[:digits], 64)
		if err != nil {
			return 0, false
		}
		rest = rest[digits:]
		unit := 0
		for unit < len(units) && !strings.HasPrefix(rest, units[unit].name) {
			unit++
		}
		if unit == len(units) {
			return 0, false
		}
		sum += v * units[unit].seconds
		rest = rest[len(units[unit].name):]
	}
	return sum, text != "" && !math.IsInf(sum, 0)
}

// present is the server's own time where it gives one, for instants are meant by its clock; else ours.
func present(date string, now time.Time) time.Time {
	if t, err := http.ParseTime(date); err == nil {
		return t
	}
	return now
}
