package workload

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Lengths is how lengths, or times to think, are spread. The zero value is not set.
type Lengths struct {
	form form
	// timed: in seconds, else in tokens.
	timed bool
	// a and b are the value of a constant; the least and greatest of a uniform spread; mean and deviation of a normal one; the mean, and the
	// deviation of the logarithm, of a log-normal one.
	a, b float64
	// bins are those of a histogram, by value; file is where they come from, once it is read.
	bins []bin
	file string
}

type form uint8

const (
	unset form = iota
	constant
	uniform
	normal
	logNormal
	histogram
)

// maxLength bounds every length in tokens, longestThink every time to think; maxBins the values of a histogram.
const (
	maxLength    = 1_000_000
	longestThink = 24 * time.Hour
	maxBins      = 100_000
)

// set tells whether there is one at all.
func (l Lengths) set() bool { return l.form != unset }

// most is the greatest value that is ever drawn.
func (l Lengths) most() float64 {
	switch l.form {
	case unset:
		return 0
	case constant:
		return l.a
	case uniform:
		return l.b
	case histogram:
		if len(l.bins) > 0 {
			return l.bins[len(l.bins)-1].value
		}
	}
	return l.top()
}

// top and floor bound what an unbounded spread gives.
func (l Lengths) top() float64 {
	if l.timed {
		return longestThink.Seconds()
	}
	return maxLength
}

func (l Lengths) floor() float64 {
	if l.timed {
		return 0
	}
	return 1
}

// mean is the mean of what is drawn.
func (l Lengths) mean() float64 {
	switch l.form {
	case constant, logNormal:
		return min(l.a, l.top())
	case uniform:
		return (l.a + l.b) / 2
	case normal:
		// What lies below the least length is drawn anew, which moves the mean up.
		edge := l.floor()
		if !l.timed {
			edge -= 0.5
		}
		z := (edge - l.a) / l.b
		above := 0.5 * math.Erfc(z/math.Sqrt2)
		if above < 1e-9 {
			return edge
		}
		return l.a + l.b*math.Exp(-z*z/2)/math.Sqrt(2*math.Pi)/above
	case histogram:
		sum, weight := 0.0, 0.0
		for _, b := range l.bins {
			sum, weight = sum+b.value*b.weight, weight+b.weight
		}
		if weight > 0 {
			return sum / weight
		}
	}
	return 0
}

// draw is the next value: a whole number of tokens, at least 1, or seconds, at least 0.
func (l Lengths) draw(r *rand.Rand) float64 {
	v := l.a
	switch l.form {
	case uniform:
		if l.timed {
			v = l.a + r.Float64()*(l.b-l.a)
		} else {
			v = l.a + float64(r.Int64N(int64(l.b-l.a)+1))
		}
	case normal:
		v = l.normal(r)
	case logNormal:
		// The mean of the values, not of their logarithms, is what was asked for.
		v = math.Exp(math.Log(l.a) - l.b*l.b/2 + l.b*r.NormFloat64())
	case histogram:
		at := r.Float64()
		i, _ := slices.BinarySearchFunc(l.bins, at, func(b bin, at float64) int {
			if b.upto <= at {
				return -1
			}
			return 1
		})
		if len(l.bins) > 0 {
			v = l.bins[min(i, len(l.bins)-1)].value
		}
	}
	if !l.timed {
		v = math.Round(v)
	}
	return min(max(v, l.floor()), l.top())
}

// normal draws anew what lies below the least value, a few times.
func (l Lengths) normal(r *rand.Rand) float64 {
	for range 64 {
		v := l.a + l.b*r.NormFloat64()
		if v >= l.floor() || !l.timed && v >= 0.5 {
			return v
		}
	}
	return l.floor()
}

// String reads back as it was asked for.
func (l Lengths) String() string {
	switch l.form {
	case constant:
		return l.text(l.a)
	case uniform:
		return l.text(l.a) + ".." + l.text(l.b)
	case normal:
		return "normal(" + l.text(l.a) + "," + l.text(l.b) + ")"
	case logNormal:
		return "lognormal(" + l.text(l.a) + "," + plain(l.b) + ")"
	case histogram:
		if l.file != "" {
			return "hist(" + l.file + ")"
		}
		parts := make([]string, len(l.bins))
		for i, b := range l.bins {
			parts[i] = l.text(b.value) + ":" + plain(b.weight)
		}
		return "hist(" + strings.Join(parts, ",") + ")"
	}
	return ""
}

func (l Lengths) text(v float64) string {
	if l.timed {
		return time.Duration(math.Round(v * 1e9)).String()
	}
	return plain(v)
}

func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
