package fleet

import (
	"slices"

	"redline/bench"
	"redline/bench/engine"
)

// Watch is told how the target at a place stands, by the goroutine of its control: it is what its engine.Options.Watch has to call.
func (f *Fleet) Watch(i int, s engine.Standing) {
	f.mu.Lock()
	defer f.mu.Unlock()
	m := f.members[i]
	m.stands = s
	defer f.proceed()
	if s.Ending {
		f.ending(i)
	}
	if !f.begun || f.over || !f.both || i != f.lead || s.Ending || s.Barred && f.pass(bench.Letter(i)+" is refused by its server") {
		return
	}
	for k, other := range f.members {
		if k != i {
			f.mirror(other, m)
		}
	}
}

// matchOf is the load of a leader as its followers are told of it.
func matchOf(g *bench.Gauges) bench.Match {
	return bench.Match{Load: g.Target, Work: g.Work, Moving: g.Moving.OK}
}

// mirror tells a follower what its leader has done since it was told last. The load comes before the sending, so that nothing is sent at the old one.
func (f *Fleet) mirror(m, lead *member) {
	is, was := toldOf(lead), m.told
	m.told = is
	if !was.known || is.match != was.match {
		m.Post(is.match)
	}
	if is.phase == was.phase {
		return
	}
	switch is.phase {
	case sends:
		m.Post(bench.Resume{})
	case drains:
		m.Post(bench.Drain{})
	default:
		m.Post(bench.Pause{Why: lead.stands.Why})
	}
}

// ending: the target at a place sends nothing more. Where all that it was to send is sent, the run goes on as long as another one is driven that has requests to
// send; where its own end is that of its time, or of the operator's patience, it is everybody's, whether it was driven or rested.
func (f *Fleet) ending(i int) {
	s := f.members[i].stands
	switch {
	case f.over:
	case !s.AllSent:
		f.stop(s.Why)
	case i == f.lead && (!f.both || !f.pass("")), f.both && f.idle():
		f.stop(s.Why)
	}
}

// pass lets the next target lead that sends and may, with a word why; it is false where there is none.
func (f *Fleet) pass(why string) bool {
	to := f.next()
	if to == f.lead {
		return false
	}
	lead := f.members[to]
	f.lead = to
	if why != "" {
		lead.Post(bench.Turn{Text: why + ", " + bench.Letter(to) + " leads"})
	}
	for k, m := range f.members {
		if k != to {
			m.told = toldOf(lead)
		}
	}
	return true
}

// idle tells whether no target has anything more to send.
func (f *Fleet) idle() bool {
	return !slices.ContainsFunc(f.members, func(m *member) bool { return !m.stands.Ending })
}

// stop ends every target's run.
func (f *Fleet) stop(why string) {
	f.over = true
	f.all(bench.Stop{Why: why})
}

// ended: the run of the target at a place is over.
func (f *Fleet) ended(i int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	m := f.members[i]
	m.stands.Gauges = m.Snapshot().Gauges
	m.stands.Ending = true
	f.ending(i)
}
