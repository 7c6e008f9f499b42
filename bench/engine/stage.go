package engine

import (
	"time"

	"redline/bench"
)

// Prompts makes the work of one workload; it must not block, and is used from many goroutines at once.
type Prompts interface {
	// Next is the next prompt at an instant; false when there is no more, or none before a conversation goes on.
	Next(now time.Duration) (bench.Prompt, bool)
	// Ended tells of a request with one of its prompts that is over.
	Ended(now time.Duration, e *bench.Ended)
	// Pending is how many conversations still go on.
	Pending() int
	// Gap is the time from the arrival before to the one of the next prompt, where those are recorded, in units of their mean.
	Gap() float64
}

// stage is what a request that begins now belongs to; it never changes once it is in force.
type stage struct {
	// level is its level (or bench.NoLevel), load the load that is set.
	level int
	load  bench.Setpoint
	// prompts is the workload with the number work.
	prompts Prompts
	work    int
	// warmup: it is not one of those that are measured or counted.
	warmup bool
}

// present is the stage in force.
func (e *Engine) present() *stage { return e.stage.Load() }

func (e *Engine) levelNow() int { return e.present().level }

// putStage puts the control's state in force for the requests that begin from now on.
func (c *control) putStage() {
	s := &stage{level: c.level, load: c.target, prompts: c.e.works[c.work], work: c.work}
	if c.state == bench.Down || c.state == bench.Warming {
		s.level = bench.NoLevel
	}
	if c.warmup && c.e.warm != nil {
		s.prompts, s.warmup = c.e.warm, true
	}
	c.e.stage.Store(s)
}
