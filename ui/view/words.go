package view

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"redline/bench"
	"redline/ui/chart"
)

// clock is an instant of the run: 00:04:12.
func clock(d time.Duration) string {
	s := int(max(d, 0) / time.Second)
	if s >= 100*3600 {
		return strconv.Itoa(s/3600) + " h"
	}
	return fmt.Sprintf("%02d:%02d:%02d", s/3600, s/60%60, s%60)
}

// stamp is an instant in the log: 03:59, 1:03:59.
func stamp(d time.Duration) string {
	s := int(max(d, 0) / time.Second)
	if s < 3600 {
		return fmt.Sprintf("%02d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

// Stamp is an instant of the run as the log has it: 03:59, 1:03:59.
func Stamp(d time.Duration) string { return stamp(d) }

// length is a length of time, whole seconds of it, and from an hour on whole minutes: "22 s", "1m57s", "3h05m". Of two lengths the longer one never reads shorter.
func length(d time.Duration) string {
	switch d = max(d, 0); {
	case d < 100*time.Second:
		return strconv.Itoa(int(d/time.Second)) + " s"
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", int(d/time.Minute), int(d/time.Second)%60)
	case d < 100*time.Hour:
		return fmt.Sprintf("%dh%02dm", int(d/time.Hour), int(d/time.Minute)%60)
	case d < 1000*time.Hour:
		return strconv.Itoa(int(d/time.Hour)) + " h"
	}
	return "long"
}

// sound tells whether a value can be shown as a number.
func sound(v bench.Value) bool { return v.OK && !math.IsNaN(v.V) && !math.IsInf(v.V, 0) }

// money is an amount: two decimals up to a thousand.
func money(v float64) string {
	switch {
	case v < 0.1:
		return "$" + strconv.FormatFloat(max(v, 0), 'f', 3, 64)
	case v < 1000:
		return "$" + strconv.FormatFloat(v, 'f', 2, 64)
	}
	return "$" + chart.Num(bench.Some(v))
}

// percent is a share without needless decimals.
func percent(v bench.Value) string {
	// 400 left of 500 are 20% used, whatever the last bit of their quotient says.
	if whole := math.Round(v.V); math.Abs(v.V-whole) < 1e-9 && whole >= 10 {
		v.V = whole
	}
	switch {
	case !sound(v):
		return "–"
	case v.V > 0 && v.V < 0.1:
		return "<0.1%"
	case v.V < 10 && v.V != math.Trunc(v.V):
		return strconv.FormatFloat(v.V, 'f', 1, 64) + "%"
	case v.V > 1e6 || v.V < 0:
		return "–"
	}
	return strconv.FormatFloat(math.Floor(v.V), 'f', 0, 64) + "%"
}

// portion is the part of all requests that something is true of, to a tenth of a percent: a promise may hang on it. All and nothing are said of nothing less.
func portion(v bench.Value) string {
	switch {
	case !sound(v) || v.V < 0 || v.V > 1e6:
		return "–"
	case v.V == 0, v.V >= 100:
		return strconv.FormatFloat(v.V, 'f', 0, 64) + "%"
	case v.V < 0.1:
		return "<0.1%"
	}
	return strconv.FormatFloat(min(v.V, 99.9), 'f', 1, 64) + "%"
}

// spread is the half-width of an interval in two digits: "11", "9.6k".
func spread(v float64) string {
	if !(v > 0) || v > 1e15 {
		return chart.Num(bench.Some(v))
	}
	unit := math.Pow(10, math.Floor(math.Log10(v))-1)
	return chart.Tick(math.Round(v/unit) * unit)
}

// bound is a threshold's limit with its side: "≤500", "≥20".
func bound(t bench.Threshold) string {
	if t.Floor {
		return "≥" + chart.Tick(t.Limit)
	}
	if t.Metric.Unit() == "ms" {
		return "≤" + chart.TickMillis(t.Limit)
	}
	return "≤" + chart.Tick(t.Limit)
}

// inWords is a threshold's limit with its side and unit: "≤ 500 ms", "≤ 2 s", "≥ 20 tok/s a stream".
func inWords(t bench.Threshold) string {
	switch {
	case t.Metric == bench.Errors:
		return "≤ " + chart.Tick(t.Limit) + "%"
	case t.Quota():
		return "≤ " + chart.Tick(t.Limit) + " " + t.Metric.Unit()
	case t.Floor:
		return "≥ " + chart.Tick(t.Limit) + " tok/s a stream"
	case t.Limit >= 1000:
		return "≤ " + chart.Tick(t.Limit/1000) + " s"
	}
	return "≤ " + chart.Tick(t.Limit) + " ms"
}

// host is where the requests go, without the scheme.
func host(r *bench.Run) string {
	target := r.Target
	if i := strings.Index(target, "://"); i >= 0 {
		target = target[i+3:]
	}
	if target == "" {
		return r.Host
	}
	return target
}

// plural is "1 request", "3 requests".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return count(n) + " " + noun + "s"
}
