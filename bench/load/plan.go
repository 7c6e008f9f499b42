package load

import (
	"math"
	"math/rand/v2"
	"time"

	"redline/bench"
)

const (
	// mostRate bounds a rate: beyond it arrivals are closer than the clock can tell apart.
	mostRate = 1e9
	// mostGap bounds a recorded gap, in mean gaps.
	mostGap = 1e9
)

// Plan says when requests of the open loop arrive. It reads no clock, so that lateness of the caller never moves it.
//
// Arrivals are those of one process with a mean gap of 1 in operational time. Real time becomes operational time by the rate in force, dS = rate·dt: a change
// of rate stretches or shortens what is left of the present gap, and what has passed of it stays passed. Operational time is counted from the last
// change, in whole gaps and a fraction, so that nothing is lost however many arrivals are added up.
type Plan struct {
	rng  *rand.Rand
	draw func() float64
	// pace is the rate from the last change on.
	pace pace
	// whole and part are the operational time from the last change to the next arrival.
	whole int64
	part  float64
	// due is when that is, if it ever is.
	due bench.Mark
}

// NewPlan is a plan at rate 0. recorded gives the gaps of bench.Recorded, with a mean of 1; without it they are all equal.
func NewPlan(a bench.Arrivals, seed uint64, recorded func() float64) *Plan {
	p := &Plan{rng: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))}
	switch {
	case a.Shape == bench.Poisson:
		p.draw = p.rng.ExpFloat64
	case a.Shape == bench.Gamma:
		g := newGamma(a.Burstiness)
		p.draw = func() float64 { return g.draw(p.rng) }
	case a.Shape == bench.Recorded && recorded != nil:
		p.draw = recorded
	default:
		// Equal gaps begin with an arrival, the others with a gap.
		p.draw = func() float64 { return 1 }
		return p
	}
	p.advance()
	return p
}

// Set puts a rate in force, in arrivals a second, 0 to 1e9, from an instant on. Take what is due until then first: what is not taken is skipped, as
// arrivals that lie in a jump of time should be. A call that comes late says the instant at which the rate should have changed: what has been taken since is
// made up for. An instant before the last change is taken for that of the change.
func (p *Plan) Set(at time.Duration, rate float64) { p.Ramp(at, rate, rate, 0) }

// Ramp lets the rate go evenly from one value to another in a span from an instant on, and stay there; in all else it is like Set.
func (p *Plan) Ramp(at time.Duration, from, to float64, span time.Duration) {
	at = max(at, p.pace.at)
	if p.due.OK && p.due.At < at {
		// A new gap rather than what is left of one that nobody took.
		p.whole, p.part = 0, 0
		p.advance()
	} else {
		// The arrival may be due at this very instant; what rounding makes of it is not before it.
		left := max(float64(p.whole)-p.pace.passed(at)+p.part, 0)
		p.whole, p.part = split(left)
	}
	p.pace = newPace(at, from, to, span)
	p.plan()
}

// Skip leaves out what is due before an instant, in which nobody looked; the rate goes on as it is, and a ramp with it.
func (p *Plan) Skip(at time.Duration) {
	at = max(at, p.pace.at)
	left := p.pace.span - (at - p.pace.at).Seconds()
	p.Ramp(at, p.pace.rate(at), p.pace.to, time.Duration(max(left, 0)*float64(time.Second)))
}

// Delay puts off all arrivals that are to come by so many mean gaps, at least 0.
func (p *Plan) Delay(gaps float64) {
	whole, part := split(p.part + min(max(gaps, 0), mostGap))
	p.whole, p.part = p.whole+whole, part
	p.plan()
}

// Due is the instant of the next arrival. It is absent while the rate is 0, and where the ramp in force ends at 0 before it.
func (p *Plan) Due() (time.Duration, bool) { return p.due.At, p.due.OK }

// Take takes the arrival that Due tells, and draws the next; without one it does nothing.
func (p *Plan) Take() {
	if p.due.OK {
		p.advance()
		p.plan()
	}
}

// Rate is the rate at an instant from the last change on, in arrivals a second.
func (p *Plan) Rate(at time.Duration) float64 { return p.pace.rate(at) }

// advance adds a gap.
func (p *Plan) advance() {
	gap := p.draw()
	if !(gap > 0) {
		gap = 0
	}
	whole, part := split(p.part + min(gap, mostGap))
	p.whole, p.part = p.whole+whole, part
}

func (p *Plan) plan() { p.due = p.pace.reach(float64(p.whole) + p.part) }

func split(v float64) (int64, float64) {
	whole := math.Floor(v)
	return int64(whole), v - whole
}

// pace is a rate that goes evenly from one value to another, and stays there.
type pace struct {
	at       time.Duration
	from, to float64
	// span is the length of the ramp in seconds, area the operational time that passes in it.
	span, area float64
}

func newPace(at time.Duration, from, to float64, span time.Duration) pace {
	p := pace{at: at, from: bounded(from), to: bounded(to), span: max(span, 0).Seconds()}
	p.area = (p.from + p.to) / 2 * p.span
	return p
}

// bounded is a rate that can be in force; one that is no number is none.
func bounded(rate float64) float64 {
	if math.IsNaN(rate) {
		return 0
	}
	return min(max(rate, 0), mostRate)
}

func (p pace) rate(at time.Duration) float64 {
	t := (at - p.at).Seconds()
	switch {
	case t >= p.span:
		return p.to
	case t <= 0:
		return p.from
	}
	return p.from + (p.to-p.from)*(t/p.span)
}

// passed is the operational time until an instant.
func (p pace) passed(at time.Duration) float64 {
	t := max(at-p.at, 0).Seconds()
	if t >= p.span {
		return p.area + p.to*(t-p.span)
	}
	return t * (p.from + (p.to-p.from)*(t/p.span)/2)
}

// reach is the instant at which an operational time has passed, the inverse of passed.
func (p pace) reach(s float64) bench.Mark {
	var t float64
	switch {
	case s >= p.area:
		if p.to == 0 {
			return bench.Mark{}
		}
		t = p.span + (s-p.area)/p.to
	case s > 0:
		// This form of the root of a quadratic equation subtracts nothing, and holds for equal rates too.
		slope := (p.to - p.from) / p.span
		t = 2 * s / (p.from + math.Sqrt(max(p.from*p.from+2*slope*s, 0)))
		t = min(t, p.span)
	}
	ns := math.Round(t * float64(time.Second))
	if !(ns < float64(math.MaxInt64-int64(max(p.at, 0)))) {
		return bench.Mark{}
	}
	return bench.MarkAt(p.at + time.Duration(ns))
}
