package engine

import (
	"fmt"
	"math"

	"redline/bench"
	"redline/bench/pilot"
)

// seek begins a ramp, within the run's bounds, up to which it goes where it names no greatest load; nil ends the one in force.
func (c *control) seek(r *bench.Ramp) {
	if r == nil || c.ending {
		c.giveBack(bench.CauseRamp)
		return
	}
	bounded := *r
	if bounded.Most <= 0 {
		bounded.Most = math.Inf(1)
	}
	bounded.Most = c.bounded(bench.Setpoint{Mode: r.Mode, N: bounded.Most}).N
	p, err := pilot.NewRamp(bounded, c.promises, c.e.opt.Run.Prices)
	if err != nil {
		c.event(bench.Event{Kind: bench.EventWarn, Text: fmt.Sprintf("ramp not begun: %v", err)})
		return
	}
	c.board(&pilotage{pilot: p, cause: bench.CauseRamp, name: "ramp"})
}
