package report

import (
	"strings"

	"redline/bench"
)

// severally is what is new of each target of several: the lines that it would have alone, with its name behind the instant.
func (p *Lines) severally(s *bench.Snapshot) string {
	for len(p.each) < len(s.Rivals.Of) {
		p.each = append(p.each, &Lines{})
	}
	var b strings.Builder
	for i, of := range s.Rivals.Of {
		name := lineName(s.Rivals, i)
		for line := range strings.Lines(p.each[i].Step(of)) {
			if at, rest, ok := strings.Cut(line, " "); ok {
				line = at + " " + name + " " + rest
			}
			b.WriteString(line)
		}
	}
	return b.String()
}

// lineName is a target's name as one word; in private, and where it has none, its letter.
func lineName(r *bench.Rivals, i int) string {
	name := strings.Join(strings.Fields(Printable(r.Names[i])), "-")
	if name == "" || name == bench.Hidden {
		return bench.Letter(i)
	}
	return name
}
