package record

import (
	"fmt"

	"redline/bench"
)

// moment is what a snapshot has beside the fold.
type moment struct {
	Gauges bench.Gauges
	Tail   bench.Tail
	// Fresh are the events that no batch holds yet.
	Fresh []bench.Event
	// Shown and Both are those of bench.Rivals; of a run of one target they are 0 and false.
	Shown int
	Both  bool
}

// momentLine is a moment as it is kept. A profile, which may be long, is written once a frame: Profile tells that it is the one of the moment before.
type momentLine struct {
	Gauges  bench.Gauges  `json:"gauges"`
	Tail    bench.Tail    `json:"tail,omitzero"`
	Fresh   []bench.Event `json:"fresh,omitzero"`
	Shown   int           `json:"shown,omitzero"`
	Both    bool          `json:"both,omitzero"`
	Profile bool          `json:"same_profile,omitzero"`
}

// lineOf is a moment as it is kept behind another one of its track and frame, which may be nil.
func (m *moment) lineOf(before *moment) momentLine {
	out := momentLine{Gauges: m.Gauges, Tail: m.Tail, Fresh: m.Fresh, Shown: m.Shown, Both: m.Both}
	if f := m.Gauges.Following; f != nil && before != nil && before.Gauges.Following != nil && before.Gauges.Following.Profile == f.Profile {
		bare := *f
		bare.Profile = nil
		out.Gauges.Following, out.Profile = &bare, true
	}
	return out
}

// moment is what was kept, behind another one of its track, in a run of so many targets.
func (l *momentLine) moment(before *moment, targets int) (moment, error) {
	m := moment{Gauges: l.Gauges, Tail: l.Tail, Fresh: l.Fresh, Shown: l.Shown, Both: l.Both}
	g := &m.Gauges
	if g.Following != nil && l.Profile && before != nil && before.Gauges.Following != nil {
		g.Following.Profile = before.Gauges.Following.Profile
	}
	switch {
	case m.Shown < 0 || m.Shown >= targets:
		return m, fmt.Errorf("%w: target %d is shown of %d", errRecord, m.Shown, targets)
	case g.Following != nil && g.Following.Profile == nil, g.Ramping != nil && g.Ramping.Ramp == nil, g.Cruising != nil && g.Cruising.Cruise == nil:
		return m, fmt.Errorf("%w: a load that nothing sets", errRecord)
	}
	return m, nil
}
