package main

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"redline/bench"
)

// option is one flag's value. A text that cannot be read does not stop the parsing of the others: it is kept as a problem, to be told with
// all the rest.
type option[T any] struct {
	name, kind string
	to         *T
	parse      func(string) (T, error)
	found      *problems
}

// String is the value as help shows it: nothing for the zero value, which the usage explains where it means something.
func (f *option[T]) String() string {
	if f.to == nil || reflect.ValueOf(f.to).Elem().IsZero() {
		return ""
	}
	if v, ok := any(*f.to).(bench.Value); ok {
		return strconv.FormatFloat(v.V, 'g', -1, 64)
	}
	return fmt.Sprint(*f.to)
}

// Set reads a value; it never fails (see option).
func (f *option[T]) Set(text string) error {
	v, err := f.parse(strings.TrimSpace(text))
	if err != nil {
		f.found.add(f.name, text, err.Error())
		return nil
	}
	*f.to = v
	return nil
}

// Type is the kind of value as help shows it.
func (f *option[T]) Type() string { return f.kind }

// flags is a flag set whose values are checked as they are read.
type flags struct {
	*pflag.FlagSet
	found *problems
}

// groupOf is the annotation of a flag that names its group in help.
const groupOf = "group"

// group lays flags that belong together, which help shows under a heading.
func (f flags) group(title string, lay func(flags)) {
	own := flags{pflag.NewFlagSet(title, pflag.ContinueOnError), f.found}
	own.SortFlags = false
	lay(own)
	own.VisitAll(func(flag *pflag.Flag) {
		flag.Annotations = map[string][]string{groupOf: {title}}
		f.AddFlag(flag)
	})
}

func define[T any](f flags, to *T, name, short, kind, usage string, parse func(string) (T, error)) {
	f.VarP(&option[T]{name: name, kind: kind, to: to, parse: parse, found: f.found}, name, short, usage)
}

// count defines a whole number between two bounds.
func (f flags) count(to *int, name, short string, low, high int, usage string) {
	define(f, to, name, short, "N", usage, func(s string) (int, error) {
		n, err := strconv.Atoi(s)
		if err != nil || n < low || n > high {
			return 0, fmt.Errorf("want a whole number from %d to %d", low, high)
		}
		return n, nil
	})
}

// seed defines an unsigned number.
func (f flags) seed(to *uint64, name, usage string) {
	define(f, to, name, "", "N", usage, func(s string) (uint64, error) {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("want a whole number from 0 to %d", uint64(math.MaxUint64))
		}
		return n, nil
	})
}

// amount defines a sum of money, 0 or more.
func (f flags) amount(to *float64, name, usage string) {
	define(f, to, name, "", "AMOUNT", usage, parseAmount)
}

// parseAmount reads a sum of money.
func parseAmount(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v >= 0) || v > 1e9 {
		return 0, fmt.Errorf("want an amount of 0 or more, as in 0.60")
	}
	return v, nil
}

// span defines a length of time between two bounds.
func (f flags) span(to *time.Duration, name string, low, high time.Duration, usage string) {
	define(f, to, name, "", "TIME", usage, func(s string) (time.Duration, error) {
		d, err := time.ParseDuration(s)
		if err != nil || d < low || d > high {
			return 0, fmt.Errorf("want a time from %s to %s, as in 90s or 5m", low, high)
		}
		return d, nil
	})
}

// choice defines one of several words.
func (f flags) choice(to *string, name string, words []string, usage string) {
	define(f, to, name, "", "NAME", usage, func(s string) (string, error) {
		for _, w := range words {
			if s == w {
				return s, nil
			}
		}
		return "", fmt.Errorf("want one of %s", strings.Join(words, ", "))
	})
}
