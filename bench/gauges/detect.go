package gauges

import (
	"slices"
	"strings"
)

// tables are those of the engines that a text is of, the nearest to what is computed first, and what they are called together; why is set where there are
// none, or such as do not belong together.
func (e *exposition) tables() (of []*engine, name, why string) {
	inner := 0
	var names []string
	for _, en := range engines {
		if !e.prefixes[en.prefix] {
			continue
		}
		if of = append(of, en); !slices.Contains(names, en.name) {
			names = append(names, en.name)
		}
		if !en.hosts {
			inner++
		}
	}
	switch {
	case len(of) == 0:
		return nil, "", "metrics of no server that is known"
	case inner > 1:
		names = names[:inner] // those that host others stand behind them
		return nil, "", "metrics of " + strings.Join(names, " and ") + " come from one address: name each server's own with --metrics-url"
	}
	return of, strings.Join(names, ", "), ""
}

// byNearness are tables in the order in which latencies are taken from them: first of who is nearest to the users.
func byNearness(of []*engine) []*engine {
	if len(of) < 2 {
		return of
	}
	out := slices.Clone(of)
	slices.SortStableFunc(out, func(a, b *engine) int {
		switch {
		case a.near && !b.near:
			return -1
		case b.near && !a.near:
			return 1
		}
		return 0
	})
	return out
}
