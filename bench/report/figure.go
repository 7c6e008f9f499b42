package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"redline/bench"
)

// absent stands for a number that does not exist; it is never 0.
const absent = "-"

// short writes a number with three or four digits that mean something: <0.01, 3.42, 21.8, 371, 9841, 22.4k, 1.31M. What is not nothing never
// reads as 0.00.
func short(v float64) string {
	a := math.Abs(v)
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return absent
	case v == 0:
		return "0"
	case v > 0 && v < 0.005:
		return "<0.01"
	case a < 9.995:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case a < 99.95:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case a < 9999.5:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a < 999_950:
		return strconv.FormatFloat(v/1e3, 'f', 1, 64) + "k"
	}
	return strconv.FormatFloat(v/1e6, 'f', 2, 64) + "M"
}

// number is a value, or the sign for an absent one.
func number(v bench.Value) string {
	if !v.OK {
		return absent
	}
	return short(v.V)
}

// figure is one number of a statistic as far as it can be believed: "~" in front of what rests on few samples, nothing at all below that.
func figure(s *bench.Stat, at bench.Percentile) string {
	v := s.At(at)
	switch {
	case !v.OK || s.Readiness == bench.Absent:
		return absent
	case s.Readiness == bench.Few:
		return "~" + short(v.V)
	}
	return short(v.V)
}

// share is a percentage.
func share(v bench.Value) string {
	if !v.OK || math.IsNaN(v.V) || math.IsInf(v.V, 0) {
		return absent
	}
	return strconv.FormatFloat(v.V, 'f', 1, 64) + "%"
}

// money is a sum in the operator's currency; small ones keep the digits that mean something.
func money(v float64) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return absent
	case v > 0 && v < 0.001:
		return strconv.FormatFloat(v, 'f', 6, 64)
	case v > 0 && v < 0.1:
		return strconv.FormatFloat(v, 'f', 4, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// stamp is an instant as hours, minutes and seconds.
func stamp(d time.Duration) string {
	s := int(max(d, 0) / time.Second)
	return fmt.Sprintf("%02d:%02d:%02d", s/3600, s/60%60, s%60)
}

// span is a length of time as people say it, whole seconds from a second on: 400ms, 20s, 2m, 1h5m.
func span(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	text := d.Round(time.Second).String()
	for _, none := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, none) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// grouped is a whole number with its thousands apart.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(d)
	}
	return sign + b.String()
}

// Printable is a text of somebody else's on one line, without what could steer a terminal.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r == '\r' {
			return ' '
		}
		if !strconv.IsPrint(r) {
			return -1
		}
		return r
	}, text)
}
