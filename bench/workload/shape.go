package workload

import (
	"cmp"
	"errors"
	"fmt"
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

// bin is one value of a histogram; upto is the share of all weight up to it, itself included.
type bin struct{ value, weight, upto float64 }

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

// lengthForms and thinkForms are what is allowed, for errors.
const (
	lengthForms = "a length is 512, 100..500, normal(512,64), lognormal(512,0.6) with its mean and the deviation of its logarithm, " +
		"hist(128:3,512:5) with weights, or hist(FILE); lengths are 1 to 1000000"
	thinkForms = "a time is 2s, 1s..5s, normal(2s,500ms), lognormal(3s,0.5) with its mean and the deviation of its logarithm, " +
		"or hist(1s:3,5s:1) with weights; times are 0s to 24h"
)

// parseLengths reads lengths in tokens, or with timed times.
func parseLengths(text string, timed bool) (Lengths, error) {
	l, err := readShape(strings.TrimSpace(text), timed)
	if err != nil {
		allowed := lengthForms
		if timed {
			allowed = thinkForms
		}
		return Lengths{}, fmt.Errorf("%w; %s", err, allowed)
	}
	return l, nil
}

func readShape(text string, timed bool) (Lengths, error) {
	l := Lengths{timed: timed}
	name, rest, call := strings.Cut(text, "(")
	if !call {
		from, to, span := strings.Cut(text, "..")
		if !span {
			v, err := l.value(text)
			l.form, l.a = constant, v
			return l, err
		}
		return l.uniform(from, to)
	}
	inside, ok := strings.CutSuffix(rest, ")")
	if !ok {
		return l, fmt.Errorf("%s has no closing bracket", short(text))
	}
	name = strings.ToLower(strings.TrimSpace(name))
	if name == "hist" {
		return l.histogram(inside)
	}
	first, second, two := strings.Cut(inside, ",")
	if !two {
		return l, fmt.Errorf("%s needs two values", short(text))
	}
	if name == "uniform" {
		return l.uniform(first, second)
	}
	return l.bell(name, first, second)
}

func (l Lengths) uniform(from, to string) (Lengths, error) {
	a, err := l.value(from)
	if err != nil {
		return l, err
	}
	b, err := l.value(to)
	if err != nil {
		return l, err
	}
	if b < a {
		return l, fmt.Errorf("%s..%s ends before it begins", short(from), short(to))
	}
	l.form, l.a, l.b = uniform, a, b
	return l, nil
}

func (l Lengths) bell(name, mean, spread string) (_ Lengths, err error) {
	if l.a, err = l.value(mean); err != nil {
		return l, err
	}
	switch name {
	case "normal":
		if l.b, err = l.number(spread); err != nil || l.b <= 0 || l.b > l.top() {
			return l, fmt.Errorf("%s is no deviation above 0", short(spread))
		}
		l.form = normal
	case "lognormal":
		if l.b, err = strconv.ParseFloat(strings.TrimSpace(spread), 64); err != nil || !(l.b > 0 && l.b <= 3) {
			return l, fmt.Errorf("%s is no deviation of a logarithm, above 0 and at most 3", short(spread))
		}
		if l.a <= 0 {
			return l, errors.New("the mean of a lognormal spread is above 0")
		}
		l.form = logNormal
	default:
		return l, fmt.Errorf("%s is no spread", short(name))
	}
	return l, nil
}

// histogram reads VALUE:WEIGHT,… or else the name of a file.
func (l Lengths) histogram(inside string) (Lengths, error) {
	inside = strings.TrimSpace(inside)
	if inside == "" {
		return l, errors.New("hist() has no values")
	}
	l.form = histogram
	value, _, pair := strings.Cut(inside, ":")
	if _, err := l.number(value); !l.timed && (!pair || err != nil) {
		if _, err := l.number(strings.Split(inside, ",")[0]); err != nil {
			l.file = inside
			return l, nil
		}
	}
	var bins []bin
	for part := range strings.SplitSeq(inside, ",") {
		b, err := l.bin(part)
		if err != nil {
			return l, err
		}
		if bins = append(bins, b); len(bins) > maxBins {
			return l, fmt.Errorf("hist() has more than %d values", maxBins)
		}
	}
	return l.weigh(bins)
}

// bin reads VALUE:WEIGHT, or a VALUE alone, whose weight is 1.
func (l Lengths) bin(text string) (b bin, err error) {
	value, weight, pair := strings.Cut(text, ":")
	if b.value, err = l.value(value); err != nil {
		return b, err
	}
	b.weight = 1
	if pair {
		if b.weight, err = strconv.ParseFloat(strings.TrimSpace(weight), 64); err != nil || !(b.weight >= 0 && b.weight <= 1e12) {
			return b, fmt.Errorf("%s is no weight of 0 or more", short(weight))
		}
	}
	return b, nil
}

// weigh sorts the bins by value and sums up their weights.
func (l Lengths) weigh(bins []bin) (Lengths, error) {
	slices.SortStableFunc(bins, func(x, y bin) int { return cmp.Compare(x.value, y.value) })
	kept, total := bins[:0], 0.0
	for _, b := range bins {
		total += b.weight
		if last := len(kept) - 1; last >= 0 && kept[last].value == b.value {
			kept[last].weight += b.weight
		} else if b.weight > 0 {
			kept = append(kept, b)
		}
	}
	if total <= 0 {
		return l, errors.New("all weights of the histogram are 0")
	}
	sum := 0.0
	for i := range kept {
		sum += kept[i].weight
		kept[i].upto = sum / total
	}
	l.bins = kept
	return l, nil
}

// value reads a length or a time that can be drawn.
func (l Lengths) value(text string) (float64, error) {
	v, err := l.number(text)
	if err != nil {
		return 0, err
	}
	if v < l.floor() || v > l.top() || !l.timed && v != math.Trunc(v) {
		if l.timed {
			return 0, fmt.Errorf("%s is no time from 0s to 24h", short(text))
		}
		return 0, fmt.Errorf("%s is no whole number from 1 to %d", short(text), maxLength)
	}
	return v, nil
}

// number reads a number of tokens, or a time as seconds.
func (l Lengths) number(text string) (float64, error) {
	text = strings.TrimSpace(text)
	if l.timed {
		d, err := time.ParseDuration(text)
		if err != nil {
			return 0, fmt.Errorf("%s is no time", short(text))
		}
		return d.Seconds(), nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%s is no number", short(text))
	}
	return v, nil
}

// short quotes what was read so that it fits in an error: printable, and cut.
func short(text string) string {
	const most = 40
	if r := []rune(text[:min(len(text), 4*most)]); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return strconv.Quote(text)
}
