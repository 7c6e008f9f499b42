package chart

import (
	"math"
	"strconv"

	"redline/bench"
)

// Absent is what stands for a number that is not there.
const Absent = "–"

// Num is a number in three digits, at most five cells and a sign: "0.42", "8.25", "21.8", "388", "1 702", "12.3k", "225k", "1.25M".
// Four digits appear only below 10 000, where thousands read better whole. Absent is "–".
func Num(v bench.Value) string { return number(v, 3) }

// Num4 is as Num with a fourth digit above 10 000: "225.1k".
func Num4(v bench.Value) string { return number(v, 4) }

func number(v bench.Value, digits int) string {
	if !v.OK || v.V != v.V || math.IsInf(v.V, 0) {
		return Absent
	}
	sign, a := "", v.V
	if a < 0 {
		sign, a = "−", -a
	}
	// Each limit lies half a last digit below the round number, so that 99.96 becomes "100" and not "100.0".
	switch {
	case a == 0:
		return "0"
	case a < 0.005:
		return sign + "<0.01"
	case a < 9.995:
		return sign + fixed(a, 2)
	case a < 99.95:
		return sign + fixed(a, 1)
	case a < 9999.5:
		return sign + Count(int64(math.Round(a)))
	case a >= 999.95e12:
		return sign + ">999T"
	}
	return sign + scaled(a, digits)
}

func fixed(a float64, decimals int) string { return strconv.FormatFloat(a, 'f', decimals, 64) }

// scaled is a number above 1 000 in thousands, millions and so on, with that many digits.
func scaled(a float64, digits int) string {
	const units = "kMGT"
	for i := range units {
		a /= 1000
		for whole := 1; whole <= 3; whole++ {
			decimals := digits - whole
			if a < math.Pow10(whole)-0.5*math.Pow10(-decimals) {
				return fixed(a, decimals) + units[i:i+1]
			}
		}
	}
	return ">999T"
}

// Tick is a number for an axis or a threshold, as short as it can be without being another: "0.5", "25", "500", "1.5k", "300k".
func Tick(v float64) string {
	if v != v || math.IsInf(v, 0) {
		return Absent
	}
	sign, a := "", v
	if a < 0 {
		sign, a = "−", -a
	}
	unit := ""
	for _, u := range [...]string{"k", "M", "G", "T"} {
		if a < 999.5 {
			break
		}
		a /= 1000
		unit = u
	}
	if a >= 9999 {
		return sign + ">9999T"
	}
	text := strconv.FormatFloat(a, 'g', 3, 64)
	if math.Abs(a) >= 999.5 || a != 0 && a < 0.0001 {
		text = strconv.FormatFloat(a, 'f', 0, 64)
	}
	return sign + text + unit
}

// longMillis is from where on milliseconds are told as seconds.
const longMillis = 9999.5

// NumMillis is Num of milliseconds, from 10 s on in seconds with their unit: "1 702", "37.8s".
func NumMillis(v bench.Value) string {
	if v.OK && v.V >= longMillis && v.V < math.MaxFloat64 {
		return Num(bench.Some(v.V/1000)) + "s"
	}
	return Num(v)
}

// TickMillis is Tick of milliseconds, from 10 s on in seconds with their unit: "500", "1.5k", "20s".
func TickMillis(v float64) string {
	if v >= longMillis && v < math.MaxFloat64 {
		return Tick(v/1000) + "s"
	}
	return Tick(v)
}

// Count is a whole number with its thousands apart: "1 184".
func Count(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "−", digits[1:]
	}
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + " " + digits[at:]
	}
	return sign + digits
}

// Signed is a difference of whole numbers with its sign: "−8", "+6", "±0".
func Signed(n int64) string {
	switch {
	case n > 0:
		return "+" + Count(n)
	case n == 0:
		return "±0"
	}
	return Count(n)
}

// Delta is the change from a reference in percent: "−51%", "+15%", "±0%"; from tenfold on a factor, "×12". Absent when either
// is, or when the reference is 0: nothing has a percentage of nothing.
func Delta(now, was bench.Value) string {
	if !now.OK || !was.OK || was.V == 0 {
		return Absent
	}
	ratio := now.V / was.V
	switch percent := math.Round((ratio - 1) * 100); {
	case ratio != ratio || math.IsInf(ratio, 0):
		return Absent
	case ratio >= 9999.5:
		return "×>9999"
	case ratio >= 9.995:
		return "×" + strconv.FormatFloat(ratio, 'f', 0, 64)
	case percent == 0:
		return "±0%"
	case percent < -999:
		return "<−999%"
	default:
		return Signed(int64(percent)) + "%"
	}
}
