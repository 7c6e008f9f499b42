package engine

import (
	"fmt"
	"math"

	"redline/bench"
)

// askMode asks before the loop is opened or closed: what the load counts is another thing then. A second time withdraws the question.
func (c *control) askMode() {
	if c.ending {
		return
	}
	c.drop()
	to := c.elsewhere()
	text := fmt.Sprintf("close the loop, with %s in flight as now?", to)
	if to.Mode == bench.Open {
		text = fmt.Sprintf("open the loop, with %s arrivals, about as now?", to)
	}
	if c.ask != nil {
		c.event(bench.Event{Kind: bench.EventWarn, Text: "answer the open question before the loop is changed"})
		return
	}
	c.pose(question{Ask: bench.Ask{To: to, Raises: true, Text: text}, light: true, place: nowhere, yes: func() {
		c.takeOver()
		c.apply(to, nowhere)
	}})
}

// elsewhere is the load in the other mode that keeps things about as they are: what is in flight now, or the rate at which requests end. Soon after a start
// few have ended; then the time that they take says more (Little's law), and before any has ended one a second is as good as any.
func (c *control) elsewhere() bench.Setpoint {
	if c.target.Mode == bench.Open {
		l := c.e.gate.Load()
		return c.bounded(bench.InFlight(max(l.Running+l.Held, 1)))
	}
	rate := c.pace()
	if rate < 0.01 {
		return c.bounded(bench.PerSecond(1))
	}
	// Two digits: more would say more than is known.
	digit := math.Pow(10, math.Floor(math.Log10(rate))-1)
	return c.bounded(bench.PerSecond(math.Round(rate/digit) * digit))
}

// pace is the rate at which requests end, in requests a second; 0 where nothing is known of it.
func (c *control) pace() float64 {
	s := c.e.folded.Load()
	rate := 0.0
	if l := s.Level(); l != nil && l.Stats[bench.RPM].Readiness == bench.Ready && l.Stats[bench.RPM].Mean.OK {
		rate = l.Stats[bench.RPM].Mean.V / 60
	} else if e2e := s.Total.Stats[bench.E2E].Mean; e2e.OK && e2e.V > 0 {
		rate = float64(c.e.gate.Load().Running) * 1000 / e2e.V
	}
	return rate
}

// bounded is the nearest load that the run allows.
func (c *control) bounded(s bench.Setpoint) bench.Setpoint {
	most := float64(c.e.opt.Run.Max)
	if s.Mode == bench.Open {
		most = c.e.opt.Run.MaxRate
	}
	s.N = min(s.N, most)
	return s.Round()
}

// nextWork goes on to the next workload, in a new level.
func (c *control) nextWork() {
	if c.ending || len(c.e.works) < 2 {
		return
	}
	c.unboard("another workload is in force")
	c.commit()
	c.toWork((c.work + 1) % len(c.e.works))
}

// toWork goes to a workload, in a new level.
func (c *control) toWork(work int) {
	c.work = work
	name := ""
	if c.work < len(c.e.opt.Run.Works) {
		name = c.e.opt.Run.Works[c.work].Name
	}
	c.event(bench.Event{Kind: bench.EventWork, Work: c.work, Text: name})
	if c.state == bench.Running {
		c.openAtOnce(bench.CauseWork, c.committed)
	}
	c.putStage()
}
