package workload

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

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
