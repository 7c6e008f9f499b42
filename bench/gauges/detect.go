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
		if !e.prefixes[en.prefix] || slices.Contains(names, en.name) {
			continue
		}
		of, names = append(of, en), append(names, en.name)
		if !en.hosts {
			inner++
		}
	}
	switch {
	case len(of) == 0:
		return nil, "", "metrics of no server that is known"
	case inner > 1:
		return nil, "", "metrics of " + strings.Join(names, " and ") + " come from one address: name each server's own with --metrics-url"
	}
	return of, strings.Join(names, ", "), ""
}
