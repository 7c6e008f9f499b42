package analysis

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"redline/bench"
)

// digits is a number with two digits that mean something, or three from 100 on, so that a text stands still while its number hardly moves.
func digits(v float64) string {
	switch a := math.Abs(v); {
	case a >= 100:
		return strconv.FormatFloat(roundTo(v, 3), 'f', -1, 64)
	case a >= 10:
		return strconv.FormatFloat(math.Round(v), 'f', -1, 64)
	case a > 0:
		return strconv.FormatFloat(roundTo(v, 2), 'f', -1, 64)
	}
	return "0"
}

func roundTo(v float64, n int) float64 {
	out, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', n, 64), 64)
	if err != nil {
		return v
	}
	return out
}

// millis is a time in ms, from two seconds on in seconds.
func millis(ms float64) string {
	if ms >= 2000 {
		return digits(ms/1000) + " s"
	}
	return digits(ms) + " ms"
}

// percent is a share, 0..1, in whole percent; a small one is never 0 %.
func percent(share float64) string {
	if share > 0 && share < 0.01 {
		return "under 1%"
	}
	return strconv.Itoa(int(math.Round(100*share))) + "%"
}

// times is a ratio.
func times(v float64) string { return digits(v) + " ×" }

// grown is a ratio of two numbers where it can be told.
func grown(name string, now, was float64) string { return name + " " + times(quotient(now, was)) }

// ofAll is so many of so many.
func ofAll(n, of int) string { return fmt.Sprintf("%d of %d", n, of) }

// named is a load in few words: "64", "12/s".
func named(l *bench.Level) string { return l.Load.String() }

// wait is a length of time in whole seconds, rounded up.
func wait(d time.Duration) string {
	d = (d + time.Second - 1).Truncate(time.Second)
	if d < 2*time.Minute {
		return strconv.Itoa(int(d/time.Second)) + " s"
	}
	if d < 2*time.Hour {
		return strconv.Itoa(int((d+time.Minute-1)/time.Minute)) + " min"
	}
	return strconv.Itoa(int((d+time.Hour-1)/time.Hour)) + " h"
}

// more is what is missing of so many samples; empty where they are there.
func more(have, want int, what string) string {
	if have >= want {
		return ""
	}
	if want-have == 1 {
		return "1 " + what + " more"
	}
	return strconv.Itoa(want-have) + " " + what + "s more"
}
