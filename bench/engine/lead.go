package engine

import (
	"fmt"
	"time"

	"redline/bench"
)

// rampStep is how often the load of an open loop's ramp is booked; the arrivals themselves follow the ramp exactly.
const rampStep = 250 * time.Millisecond

// lead is a profile that sets the load under a lease: the hand may take the load over at any time, and give it back. (Who else may is in the table of pilotage.)
//
//	state   | input                      | next
//	leads   | a manual load command      | held: the load is the hand's, the profile stands still
//	leads   | its end                    | over: the load stays where it is
//	leads   | the run stops to send      | leads, standing still until it sends again
//	held    | Follow without a profile   | leads on from where it stopped
//	over    | Follow without a profile   | leads from its beginning
//	any     | Follow with a profile      | that one leads
type lead struct {
	profile *bench.Profile
	// done is how far it was when it last stood still, since when it has been going on from there.
	done       time.Duration
	since      bench.Mark
	held, over bool
	// rolled is the stage that the open loop follows, none below 0.
	rolled int
}

// shortestStep is the least time between two changes of the load: a steep ramp takes several steps at once.
const shortestStep = 20 * time.Millisecond

// newLead is a profile that begins at the load that is set.
func newLead(p *bench.Profile, now bench.Setpoint) *lead {
	if now.Mode != p.Mode {
		return &lead{profile: p.From(0), rolled: -1}
	}
	return &lead{profile: p.From(now.N), rolled: -1}
}

// at is how far the profile is.
func (l *lead) at(now time.Duration) time.Duration {
	if l.since.OK {
		return l.done + now - l.since.At
	}
	return l.done
}

// ramps tells whether the profile leads a rate evenly to another one: 0 is on the way then, and no end.
func (l *lead) ramps(now time.Duration) bool {
	if !l.leads() || l.profile.Mode != bench.Open {
		return false
	}
	_, stage, over := l.profile.At(l.at(now))
	return !over && l.profile.Stages[stage].From != l.profile.Stages[stage].To
}

// load is the load that the profile has at a place.
func (l *lead) load(at time.Duration) bench.Setpoint {
	n, _, _ := l.profile.At(at)
	return bench.Setpoint{Mode: l.profile.Mode, N: n}.Round()
}

// stop lets the profile stand still.
func (l *lead) stop(now time.Duration) { l.done, l.since, l.rolled = l.at(now), bench.Mark{}, -1 }

// when is the instant of a place in the profile, none before the profile went on.
func (l *lead) when(at time.Duration) time.Duration { return l.since.At + max(at-l.done, 0) }

// leads tells whether the load is the profile's to set.
func (l *lead) leads() bool { return l != nil && !l.held && !l.over }

func (l *lead) show(now time.Duration) *bench.Following {
	return &bench.Following{Profile: l.profile, At: min(l.at(now), l.profile.Length()), Held: l.held, Over: l.over}
}

// carry is a profile in force so long after it was shown: the control shows it once a second, and it goes on between.
func carry(f *bench.Following, state bench.RunState, by time.Duration) *bench.Following {
	if f == nil || f.Held || f.Over || state != bench.Running {
		return f
	}
	out := *f
	out.At = min(f.At+max(by, 0), f.Profile.Length())
	return &out
}

// follow begins a profile, or gives the load back to the one there is.
func (c *control) follow(p *bench.Profile) {
	if c.ending || p == nil && c.lead == nil {
		return
	}
	if p != nil {
		if most := (bench.Setpoint{Mode: p.Mode, N: p.Most()}); c.bounded(most) != most.Round() {
			c.event(bench.Event{Kind: bench.EventWarn, Text: fmt.Sprintf("profile %s not begun: it goes up to %s, and the bound is %s", p.Text, most, c.bounded(most))})
			return
		}
	}
	c.unboard("a profile took over")
	c.drop()
	c.commit()
	word, n := "goes on", bench.ProfileGoesOn
	switch {
	case p != nil:
		c.lead, word, n = newLead(p, c.target), "begins", bench.ProfileBegins
	case c.lead.over:
		c.lead, word, n = newLead(c.lead.profile, c.target), "begins again", bench.ProfileBegins
	case !c.lead.held:
		return
	}
	c.lead.held = false
	if c.state != bench.Running {
		c.put(c.lead.load(c.lead.done), true)
	}
	c.event(bench.Event{Kind: bench.EventProfile, N: n, Span: c.lead.done, Text: fmt.Sprintf("profile %s %s", c.lead.profile.Text, word)})
	c.keepTime()
}

// keepTime lets the profile go on while the run sends, and stand still while it does not.
func (c *control) keepTime() {
	if !c.lead.leads() {
		return
	}
	now := c.e.clock.Now()
	switch {
	case c.state != bench.Running:
		c.lead.stop(now)
		c.staged.Stop()
	case !c.lead.since.OK:
		c.lead.since = bench.MarkAt(now)
		c.advance()
	}
}

// advance puts into force what the profile has now, and waits for its next change.
func (c *control) advance() {
	l := c.lead
	if !l.leads() || !l.since.OK {
		return
	}
	now := c.e.clock.Now()
	at := l.at(now)
	_, stage, over := l.profile.At(at)
	c.put(l.load(at), over || l.profile.Stages[stage].Plateau())
	if l.profile.Mode == bench.Open && (l.rolled != stage || over) {
		c.drive()
	}
	if over {
		c.endLead(now)
		return
	}
	next := l.profile.Length()
	if change, some := l.profile.Change(at); some {
		next = change
	}
	wait := next - at
	if s := l.profile.Stages[stage]; s.From != s.To && l.profile.Mode == bench.Open {
		wait = min(wait, rampStep)
	}
	c.staged.Reset(max(wait, shortestStep))
}

// endLead: the profile has come to its end.
func (c *control) endLead(now time.Duration) {
	c.lead.stop(now)
	c.lead.over = true
	text := fmt.Sprintf("profile %s is over", c.lead.profile.Text)
	c.event(bench.Event{Kind: bench.EventProfile, N: bench.ProfileOver, To: c.target, Text: text})
	if c.e.opt.Unmanned {
		c.stop("the profile is over")
	}
}

// put sets the load for the profile. On a plateau a level begins at once; what lies between two plateaus is a level that is never committed.
func (c *control) put(to bench.Setpoint, plateau bool) {
	fresh := false
	if to != c.target {
		now := c.e.clock.Now()
		from, switched := c.target, c.target.Mode != to.Mode
		c.target, c.place = to, nowhere
		c.book.setTarget(now, to)
		if switched {
			c.event(bench.Event{Kind: bench.EventMode, From: from, To: to})
		}
		c.lowered = c.lowered || to.Mode == bench.Open && from.Mode == bench.Open && to.N < from.N
		if !c.moving.OK {
			c.moving = bench.MarkAt(now)
			if c.state == bench.Running {
				if fresh = plateau; fresh {
					c.open(bench.CauseProfile, c.committed, to)
				} else {
					c.openPassing(c.committed, to)
				}
			}
		}
		c.putStage()
		if switched || to.Mode == bench.Closed {
			c.drive()
		}
	}
	if plateau && c.moving.OK {
		if !fresh && c.state == bench.Running {
			c.open(bench.CauseProfile, c.committed, to)
		}
		c.settleLoad()
		if to.Mode == bench.Closed {
			c.e.gate.Await()
		}
	}
}

// roll puts the rate of the open loop in force: that of the profile's stage, from the instant at which it was to begin, or one that stays.
func (c *control) roll(now time.Duration) {
	l := c.lead
	if !l.leads() || !l.since.OK || l.profile.Mode != bench.Open {
		c.e.open.set(now, c.target.N)
		return
	}
	_, stage, over := l.profile.At(l.at(now))
	s, begin, _ := l.profile.Stage(stage)
	if over {
		begin += s.Span
	}
	from := l.when(begin)
	at := l.at(from)
	n, _, _ := l.profile.At(at)
	l.rolled = stage
	if over || s.From == s.To {
		c.e.open.set(from, n)
		return
	}
	c.e.open.ramp(from, n, s.To, begin+s.Span-at)
}

// takeOver gives the load to the hand, which has just moved it, or set it to what it was on its way. What the profile did since its last plateau stays a level
// that is never shown; the hand has one of its own.
func (c *control) takeOver() {
	c.unboard(byHand)
	if !c.holdLead("the hand") {
		return
	}
	if c.moving.OK {
		if c.state == bench.Running {
			c.open(bench.CauseLoad, c.committed, c.target)
		}
		c.rested.Reset(rest)
	}
	c.drive()
}

// holdLead lets the profile that leads stand still, for the sake of who has taken over; false if none leads.
func (c *control) holdLead(who string) bool {
	if !c.lead.leads() {
		return false
	}
	c.lead.stop(c.e.clock.Now())
	c.lead.held = true
	c.staged.Stop()
	c.event(bench.Event{Kind: bench.EventProfile, N: bench.ProfileHeld, Span: c.lead.done, Text: fmt.Sprintf("%s has taken over from profile %s", who, c.lead.profile.Text)})
	return true
}

// between tells whether the profile leads, and is between two plateaus: no level can be measured then.
func (c *control) between() bool {
	l := c.lead
	if !l.leads() {
		return false
	}
	_, stage, over := l.profile.At(l.at(c.e.clock.Now()))
	return !over && !l.profile.Stages[stage].Plateau()
}
