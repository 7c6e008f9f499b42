package pilot

import (
	"math"

	"redline/bench"
)

const (
	// damped is which part of the way to the load at which the promise is just kept a step goes.
	damped = 0.5
	// edge is how near, as a logarithm of the load, the promise passes for being at its edge.
	edge = 0.25
	// dead is how near, as a logarithm of the load, is near enough.
	dead = 0.03
	// A step raises by at most mostUp, or surelyUp where the promise is surely kept, and lowers by at most mostDown, surelyDown where it is surely broken, or
	// grossDown where it is grossly broken; as logarithms.
	mostUp     = 0.05
	surelyUp   = 0.22
	mostDown   = 0.10
	surelyDown = 0.20
	grossDown  = 0.36
	// ample is the way, as a logarithm of the load, from which on a few requests are enough to raise by as much in the closed loop, which cannot run away.
	ample = 0.5
	// atLeastDown is what a gross breach lowers the load by at least.
	atLeastDown = 0.163
	// Near a load that was too much for the server a step raises by at most nearUp. It is forgotten by ceilingFades an epoch.
	nearCeiling, nearUp, ceilingFades = 0.85, 0.015, 1.005
)

// step is the load wanted after a view, in the loads' unit, not rounded.
func (c *Cruise) step(v *view) float64 {
	way := math.Log(c.set.N/c.want) + v.room/c.gain.value()
	up, down := mostUp, mostDown
	if v.high < c.sight.aim || c.mode == bench.Closed && way > ample {
		up = surelyUp
	}
	if v.low > c.sight.aim {
		down = surelyDown
	}
	if v.gross {
		down = grossDown
	}
	up = min(up, c.belowCeiling(v))
	c.note(way)
	move := min(max(damped*way, -down), up)
	switch {
	case v.gross:
		move = min(move, -atLeastDown)
	case math.Abs(way) < dead:
		move = 0
	}
	return min(max(c.want*math.Exp(move), c.cruise.Least), c.cruise.Most)
}

// belowCeiling bounds a rise. Past what a server, or a quota, can take, the promise does not break by degrees, and in the open loop the queue grows for as
// long as the rate lasts, so that by the time that is seen it is late: the load at which it happened is approached with care. A server that has become
// faster is another one.
func (c *Cruise) belowCeiling(v *view) float64 {
	switch {
	case v.gross && (c.ceiling == 0 || c.set.N < c.ceiling):
		c.ceiling = c.set.N
	case c.sight.faster:
		c.ceiling = 0
	default:
		c.ceiling *= ceilingFades
	}
	if c.ceiling == 0 {
		return math.Inf(1)
	}
	return max(math.Log(nearCeiling*c.ceiling/c.want), nearUp)
}

// note takes down the load of an epoch, for the capacity. Where the promise is not at its edge twice in a row, the load is on its way there, and what it
// was before is no capacity.
func (c *Cruise) note(way float64) {
	below := c.ceiling > 0 && c.want > nearCeiling*c.ceiling
	if math.Abs(way) < edge || below && way > 0 {
		c.away = 0
	} else {
		c.away++
	}
	if c.away >= 2 {
		c.past = c.past[:0]
		return
	}
	c.past = append(c.past, c.set.N)
	if len(c.past) > capacityEpochs {
		c.past = c.past[1:]
	}
}
