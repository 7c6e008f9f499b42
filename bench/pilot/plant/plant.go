package plant

import (
	"math/rand/v2"
	"time"

	"redline/bench"
	"redline/bench/aggregate"
	"redline/bench/sim/model"
)

// Plant is one run. It is not safe for concurrent use.
type Plant struct {
	o     Options
	model *model.Model
	meter *aggregate.Meter
	fold  *aggregate.State
	run   bench.Run
	// prompts, gaps and chance draw the prompts, the arrivals, and what else happens.
	prompts, gaps, chance *rand.Rand

	// now is how far the run is, second the one that is cut next.
	now    time.Duration
	second int
	// step is the one that the engine is in, until stepEnds, while busy is set.
	step     model.Step
	busy     bool
	stepEnds time.Duration

	crowd
	levels
	bucket bucket
}

// New is a plant at its first load, at instant 0.
func New(o Options) (*Plant, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	m, err := model.New(o.Model)
	if err != nil {
		return nil, err
	}
	p := &Plant{
		o: o, model: m, meter: aggregate.NewMeter(1, 0),
		prompts: rand.New(rand.NewPCG(o.Seed, 11)), gaps: rand.New(rand.NewPCG(o.Seed, 12)), chance: rand.New(rand.NewPCG(o.Seed, 13)),
		crowd:  crowd{flying: make(map[model.ID]*request)},
		bucket: bucket{perSecond: float64(o.RPM) / 60, most: float64(o.Burst), level: float64(o.Burst)},
		run: bench.Run{
			Max: o.Max, Thresholds: o.Thresholds, Stall: time.Second,
			Works: []bench.Workload{{Name: "chat", InputTokens: o.Prompt, OutputTokens: int(o.Model.OutputMean), MaxTokens: o.MaxTokens}},
		},
	}
	p.meter.Learn(1, bench.FromUsage)
	if o.Folds {
		p.fold = aggregate.NewState(&p.run)
	}
	p.arrival = never
	p.event(bench.Event{Kind: bench.EventStart, To: o.Load})
	p.Set(o.Load, bench.CauseStart)
	return p, nil
}

// Now is how far the run is.
func (p *Plant) Now() time.Duration { return p.now }

// Load is the load in force, Level the ID of its level.
func (p *Plant) Load() bench.Setpoint { return p.load }

// Level is the ID of the level in force.
func (p *Plant) Level() int { return p.level }

// Speed makes the engine so many times as fast as its parameters say, from the next step on; above 0.
func (p *Plant) Speed(times float64) { p.o.Speed = times }

// Fail changes the share of requests, 0..1, that the server answers with status 500.
func (p *Plant) Fail(share float64) { p.o.Fail = share }

// Second runs to the end of the second, and gives its batch. The batch is the caller's.
func (p *Plant) Second() *bench.Batch {
	p.Until(time.Duration(p.second+1) * time.Second)
	b := p.meter.Cut(p.second)
	p.second++
	b.Active, b.Target, b.Events = b.Span, p.load, p.events
	p.events = nil
	if p.fold != nil {
		p.fold.Fold(b)
	}
	return b
}

// Snapshot is the run after its last whole second. It panics if the plant does not fold.
func (p *Plant) Snapshot() *bench.Snapshot {
	s := *p.fold.Snapshot()
	s.Gauges = bench.Gauges{At: p.now, State: bench.Running, Target: p.load, Was: p.was, InFlight: p.running, Held: len(p.held)}
	if p.load.Mode == bench.Closed {
		s.Draining = max(p.running-p.load.Slots(), 0)
	}
	return &s
}

// never is an instant that does not come.
const never = time.Duration(1<<63 - 1)

// Until runs to an instant, at which the load may be changed. What lies behind is left alone.
func (p *Plant) Until(end time.Duration) {
	for p.now < end {
		if !p.busy && !p.model.Idle() {
			p.step, p.busy = p.model.Step(p.now), true
			p.stepEnds = p.now + max(time.Duration(float64(p.step.Duration)/p.o.Speed), 1)
		}
		next := min(end, p.next())
		if p.busy {
			next = min(next, p.stepEnds)
		}
		p.now = next
		if p.busy && p.now == p.stepEnds {
			p.busy = false
			p.tokens()
		}
		p.come()
	}
}
