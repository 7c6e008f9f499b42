package engine

import (
	"fmt"

	"redline/bench"
	"redline/bench/pilot"
)

// steer begins a cruise in the loop in force, within the run's bounds; nil ends the one in force.
func (c *control) steer(want *bench.Cruise) {
	if want == nil || c.ending {
		c.giveBack(bench.CauseCruise)
		return
	}
	bounded := *want
	bounded.Most = c.bounded(bench.Setpoint{Mode: c.target.Mode, N: want.Most}).N
	p, err := pilot.NewCruise(bounded, c.target.Mode)
	if err != nil {
		c.event(bench.Event{Kind: bench.EventWarn, Text: fmt.Sprintf("cruise not begun: %v", err)})
		return
	}
	c.board(&pilotage{pilot: p, cause: bench.CauseCruise, name: "cruise"})
}
