package fleet

import "redline/bench"

// Post hands a command over; it returns at once. What goes by how the leader stands waits until that has done what came before, and what comes after waits
// behind it; only what stops does not.
func (f *Fleet) Post(c bench.Command) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if stops(c) {
		f.do(c)
		return
	}
	f.waits = append(f.waits, c)
	f.proceed()
}

// stops tells whether a command waits for nothing.
func stops(c bench.Command) bool {
	switch m := c.(type) {
	case bench.Cancel, bench.Stop, bench.Kill:
		return true
	case bench.Locked:
		_, stop := m.Command.(bench.Cancel)
		return stop
	case bench.Agreed:
		return stops(m.Command)
	case bench.Remote:
		return stops(m.Command)
	}
	return false
}

// proceed does what waits, as far as it may.
func (f *Fleet) proceed() {
	for len(f.waits) > 0 && (!looks(f.waits[0]) || f.members[f.lead].fresh() || f.over) {
		c := f.waits[0]
		f.waits = f.waits[1:]
		f.do(c)
	}
}

// looks tells whether what a command does goes by how the leader stands.
func looks(c bench.Command) bool {
	switch m := c.(type) {
	case bench.Other, bench.Both, bench.Answer:
		return true
	case bench.Locked:
		return looks(m.Command)
	case bench.Agreed:
		_, forgets := m.Command.(bench.Clear)
		return forgets || looks(m.Command)
	case bench.Remote:
		return looks(m.Command)
	}
	return false
}

// do does a command.
func (f *Fleet) do(c bench.Command) {
	switch m := c.(type) {
	case bench.Other:
		f.other()
	case bench.Both:
		f.toggle()
	case bench.Locked:
		f.locked(m)
	case bench.Agreed:
		f.agreed(m, c)
	case bench.Remote:
		f.members[f.lead].Post(bench.Remote{Text: m.Text})
		f.do(m.Command)
		f.members[f.lead].Post(bench.Remote{Taken: m.Taken})
	case bench.Stop, bench.Kill:
		f.over = true
		f.all(c)
	case bench.Cancel, bench.Promise:
		f.all(c)
	case bench.Note:
		f.driven(c)
	case bench.Answer:
		f.answer(m, c)
	case nil:
	default:
		f.members[f.lead].Post(c)
	}
}

// locked hands a command over that was given under the lock. What would send to a target that rests is for the leader to refuse, which says so.
func (f *Fleet) locked(m bench.Locked) {
	switch inner := m.Command.(type) {
	case bench.Other:
		if f.both {
			f.other()
			return
		}
	case bench.Both:
		if f.both {
			f.toggle()
			return
		}
	case bench.Cancel:
		f.all(inner)
		return
	case bench.Promise:
		f.all(m)
		return
	case bench.Note:
		f.driven(m)
		return
	case bench.Answer:
		f.answer(inner, m)
		return
	case bench.Agreed:
		f.agreed(inner, m)
		return
	}
	f.members[f.lead].Post(m)
}

// agreed hands a command with its yes over, as it was given: only the leader asks. What is forgotten is forgotten everywhere, unless a question is open that the
// leader asks to be answered first.
func (f *Fleet) agreed(a bench.Agreed, given bench.Command) {
	_, forgets := a.Command.(bench.Clear)
	_, locked := given.(bench.Locked)
	switch {
	case forgets:
	case asks(a.Command):
		f.members[f.lead].Post(given)
		return
	case locked:
		f.locked(bench.Locked(a))
		return
	default:
		f.do(a.Command)
		return
	}
	stands := &f.members[f.lead].stands
	f.members[f.lead].Post(given)
	if q := stands.Ask; stands.Ending || q != nil && !q.Load && !q.Forgets && q.To == (bench.Setpoint{}) {
		return
	}
	for i, m := range f.members {
		if i != f.lead {
			m.Post(bench.Forget{})
		}
	}
}

// asks tells whether a leader may ask before a command.
func asks(c bench.Command) bool {
	switch c.(type) {
	case bench.Add, bench.Times, bench.Set, bench.Undo, bench.Redo, bench.Flip, bench.Switch, bench.Follow:
		return true
	}
	return false
}

// answer hands an answer to the leader's question over, as it was given; what is forgotten is forgotten everywhere, which raises nothing.
func (f *Fleet) answer(a bench.Answer, given bench.Command) {
	f.members[f.lead].Post(given)
	ask := f.members[f.lead].stands.Ask
	if ask == nil || ask.ID != a.ID || !a.Yes || !ask.Forgets {
		return
	}
	for i, m := range f.members {
		if i != f.lead {
			m.Post(bench.Forget{})
		}
	}
}

// all hands a command to every target.
func (f *Fleet) all(c bench.Command) {
	for _, m := range f.members {
		m.Post(c)
	}
}

// driven hands a command to the targets that are driven.
func (f *Fleet) driven(c bench.Command) {
	if f.both {
		f.all(c)
		return
	}
	f.members[f.lead].Post(c)
}

// next is the next target that has not ended and is not refused by its server, or else is refused; the leader where there is none.
func (f *Fleet) next() int {
	refused := f.lead
	for by := 1; by < len(f.members); by++ {
		i := (f.lead + by) % len(f.members)
		switch s := &f.members[i].stands; {
		case !s.Ending && !s.Barred:
			return i
		case !s.Ending && refused == f.lead:
			refused = i
		}
	}
	return refused
}

// alone tells, and says, that no other target can be driven: all others have ended.
func (f *Fleet) alone() bool {
	if f.next() != f.lead {
		return false
	}
	f.members[f.lead].Post(bench.Turn{Text: "no other target can be driven: its run has ended"})
	return true
}

// other lets the next target lead. Where the leader was driven alone it rests from now on: what it has in flight may finish.
func (f *Fleet) other() {
	if f.over || f.alone() {
		return
	}
	to := f.next()
	was, now := f.members[f.lead], f.members[to]
	if f.both {
		if steered(&was.stands.Gauges) {
			was.Post(bench.Turn{Text: bench.Letter(f.lead) + " leads until what sets its load is over, or a load key takes over"})
			return
		}
		f.lead = to
		was.told = toldOf(now)
		was.Post(was.told.match)
		return
	}
	f.lead = to
	text := bench.Letter(to) + " is driven"
	now.Post(matchOf(&was.stands.Gauges))
	was.Post(matchOf(&was.stands.Gauges)) // what led it leads no more
	was.Post(bench.Turn{Text: text})
	now.Post(bench.Turn{Text: text})
	if phaseOf(was.stands.State) == sends {
		was.Post(bench.Pause{Why: text})
		now.Post(bench.Resume{})
	}
}

// steered tells whether a ramp, a cruise or a profile has the load: its levels are its leader's, so that another one cannot take it on.
func steered(g *bench.Gauges) bool {
	return g.Ramping != nil && !g.Ramping.Phase.Over() || g.Cruising != nil && !g.Cruising.Ended.OK || g.Following != nil && !g.Following.Held && !g.Following.Over
}

// toggle drives all targets, or the leader alone again.
func (f *Fleet) toggle() {
	if f.over || !f.both && f.alone() {
		return
	}
	lead := f.members[f.lead]
	if f.both = !f.both; f.both {
		f.stagger("all are driven")
		for i, m := range f.members {
			if i != f.lead {
				m.told = told{}
				f.mirror(m, lead)
			}
		}
		return
	}
	text := bench.Letter(f.lead) + " alone is driven"
	for i, m := range f.members {
		m.Post(bench.Turn{Text: text, Level: i == f.lead})
		if i != f.lead {
			m.Post(bench.Pause{Why: text})
		}
	}
}

// stagger lets the arrivals of the open loop begin anew everywhere, so that those of each target lie between those of the others: the same plan, put off
// by an equal part of a mean gap from one to the next. Without a text the run begins, and the leader's are new.
func (f *Fleet) stagger(text string) {
	for i, m := range f.members {
		place := (i - f.lead + len(f.members)) % len(f.members)
		if place == 0 && text == "" {
			continue
		}
		m.Post(bench.Turn{Text: text, Level: i == f.lead, Anew: true, Delay: float64(place) / float64(len(f.members))})
	}
}
