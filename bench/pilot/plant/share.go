package plant

import (
	"math"
	"sync"

	"redline/bench"
	"redline/bench/sim/model"
)

// truthRequests is how many requests a true share rests on: its standard error is a quarter of a point at 5 %.
const truthRequests = 8000

// truths are the shares that were found, by what they are of.
var truths sync.Map

// question is what a true share is of: a plant without its seed, and what it is asked.
type question struct {
	model             model.Params
	speed             float64
	max               int
	prompt, maxTokens int
	sigma, fail       float64
	rpm, burst        int
	load              bench.Setpoint
	t                 bench.Threshold
}

func (o *Options) question(load bench.Setpoint, t bench.Threshold) question {
	return question{o.Model, o.Speed, o.Max, o.Prompt, o.MaxTokens, o.Sigma, o.Fail, o.RPM, o.Burst, load, t}
}

// Breaks tells whether a request that has ended breaks a promise, as one that failed or was limited does; known is false for one that can say nothing of it.
func Breaks(e *bench.Ended, t bench.Threshold) (broke, known bool) {
	switch {
	case e.Outcome.Withdrawn():
		return false, false
	case e.Outcome != bench.OK:
		return true, true
	}
	v, ok := Measure(e, t.Metric)
	return ok && t.Broken(v), ok
}

// Measure is a metric of a single request, in the metric's unit.
func Measure(e *bench.Ended, m bench.Metric) (float64, bool) {
	switch m {
	case bench.TTFT:
		d, ok := e.TTFT()
		return bench.Millis(d), ok
	case bench.TTFA:
		d, ok := e.TTFA()
		return bench.Millis(d), ok
	case bench.E2E:
		d, ok := e.E2E()
		return bench.Millis(d), ok
	case bench.ITL, bench.TPOT:
		return e.TPOT()
	case bench.TPS:
		return e.Speed()
	}
	return 0, false
}

// Share is the share of all requests, 0..1, that break a promise at a load that stays, from a run of 8,000 of them; in the open loop arrivals that find no room
// break it too. What the options say of load, folding and Seed is left aside. Each share is found once.
func Share(o Options, load bench.Setpoint, t bench.Threshold) (float64, error) {
	o.Load, o.Seed, o.Folds = load.Round(), 1<<40, false
	o, err := o.withDefaults()
	if err != nil {
		return 0, err
	}
	q := o.question(o.Load, t)
	if v, ok := truths.Load(q); ok {
		return v.(float64), nil
	}
	p, err := New(o)
	if err != nil {
		return 0, err
	}
	// The first requests all began at once, or found an empty server: a few generations later nothing of that is left.
	skip := 300 + 4*o.Load.Slots()
	var n, broke int
	for n < truthRequests {
		b := p.Second()
		for i := range b.Unsent {
			n += b.Unsent[i].N
			broke += b.Unsent[i].N
		}
		for i := range b.Ended {
			if skip--; skip >= 0 {
				n, broke = 0, 0
				continue
			}
			if bad, known := Breaks(&b.Ended[i], t); known {
				n++
				if bad {
					broke++
				}
			}
		}
	}
	share := float64(broke) / float64(n)
	truths.Store(q, share)
	return share, nil
}

// Aim is the share of requests, 0..1, that may break a promise which is just kept: 0.05 for a p95 or a floor under p5.
func Aim(t bench.Threshold) float64 {
	if t.Floor {
		return t.At.Q()
	}
	return 1 - t.At.Q()
}

// Limit is the load at which the true share is what the promise just allows, between the two that are given: between whole numbers in the closed loop, to
// two percent in the open one. It is low where even that breaks the promise, and high where all keep it.
func Limit(o Options, low, high bench.Setpoint, t bench.Threshold) (float64, error) {
	aim, a, b := Aim(t), low.Round(), high.Round()
	at := [2]float64{}
	for i, s := range []bench.Setpoint{a, b} {
		share, err := Share(o, s, t)
		if err != nil {
			return 0, err
		}
		at[i] = share
	}
	if at[0] > aim {
		return a.N, nil
	}
	if at[1] <= aim {
		return b.N, nil
	}
	for {
		mid := bench.Setpoint{Mode: a.Mode, N: (a.N + b.N) / 2}
		if a.Mode == bench.Closed {
			if b.N-a.N <= 1 {
				break
			}
			mid.N = math.Floor(mid.N)
		} else if b.N <= a.N*1.02 {
			break
		}
		share, err := Share(o, mid, t)
		if err != nil {
			return 0, err
		}
		if share <= aim {
			a, at[0] = mid, share
		} else {
			b, at[1] = mid, share
		}
	}
	return a.N + (b.N-a.N)*(aim-at[0])/(at[1]-at[0]), nil
}
