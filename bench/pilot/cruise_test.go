package pilot

import (
	"math"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/pilot/plant"
)

func promised(t testing.TB, text string) bench.Threshold {
	t.Helper()
	out, err := bench.ParseThreshold(text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// voyage is a cruise in a plant.
type voyage struct {
	t      testing.TB
	plant  *plant.Plant
	cruise *Cruise
	order  Order
	events []bench.Event
	// levels is how many the orders began.
	levels int
}

func embark(t testing.TB, o plant.Options, c bench.Cruise) *voyage {
	t.Helper()
	p, err := plant.New(o)
	if err != nil {
		t.Fatal(err)
	}
	pilot, err := NewCruise(c, o.Load.Mode)
	if err != nil {
		t.Fatal(err)
	}
	v := &voyage{t: t, plant: p, cruise: pilot}
	for range 5 {
		p.Second()
	}
	v.follow(pilot.Begin(p.Now(), p.Load()))
	return v
}

func (v *voyage) follow(o Order) {
	v.events = append(v.events, o.Events...)
	if o.Level || o.Load != v.plant.Load() {
		v.levels++
		v.plant.Set(o.Load, bench.CauseCruise)
	}
	v.order = o
}

func (v *voyage) second() {
	b := v.plant.Second()
	v.plant.Until(v.plant.Now() + 100*time.Millisecond) // the engine's grace
	v.follow(v.cruise.Second(&Second{Now: v.plant.Now(), Batches: []*bench.Batch{b}, State: bench.Running, Load: v.plant.Load(), Level: v.plant.Level()}))
}

// course is the loads of a run second by second, with the epochs.
type course struct {
	loads  []float64
	epochs []int
	// well and owed are how many requests have kept the promise by then, and of how many.
	well, owed []int
}

func (v *voyage) sail(seconds int) (c course) {
	for range seconds {
		v.second()
		c.loads = append(c.loads, v.plant.Load().N)
		c.epochs = append(c.epochs, v.order.Cruising.Epoch)
		c.well, c.owed = append(c.well, v.cruise.kept), append(c.owed, v.cruise.owed)
	}
	return c
}

// epochsUntil is how many epochs after the beginning the load came within a share of a limit, and stayed there for three epochs.
func (c course) epochsUntil(limit, within float64) int {
	from, since := -1, 0
	for i, n := range c.loads {
		if math.Abs(n/limit-1) > within {
			from = -1
			continue
		}
		if from < 0 {
			from, since = i, c.epochs[i]
		}
		if c.epochs[i] >= since+3 {
			return since - c.epochs[0]
		}
	}
	return -1
}

// kept is the share of the requests after an epoch that kept the promise.
func (c course) kept(after int) float64 {
	for i := range c.epochs {
		if c.epochs[i]-c.epochs[0] >= after {
			last := len(c.owed) - 1
			return float64(c.well[last]-c.well[i]) / float64(max(c.owed[last]-c.owed[i], 1))
		}
	}
	return 0
}

// within is the share of the time after an epoch in which the load was within a share of a limit.
func (c course) within(after int, limit, share float64) float64 {
	n, good := 0, 0
	for i, load := range c.loads {
		if c.epochs[i]-c.epochs[0] < after {
			continue
		}
		if n++; math.Abs(load/limit-1) <= share {
			good++
		}
	}
	return float64(good) / float64(max(n, 1))
}

// An hour of it must not fill the log, and come back to few loads, whose visits merge.
func TestCruiseTellsLittleAndComesBackToFewLoads(t *testing.T) {
	if cruiseUnderRace {
		t.Skip("the runs are long")
	}
	for _, i := range []int{0, 1, 5} {
		r := rows()[i]
		o := r.options
		o.Seed, o.Model.Seed, o.Load = 9, 9, r.at(r.starts[0])
		v := embark(t, o, bench.Cruise{Threshold: promised(t, r.promise), Least: r.least(), Most: 2 * r.high})
		loads := map[float64]bool{}
		for _, n := range v.sail(3600).loads {
			loads[n] = true
		}
		t.Logf("%s, %s: %d levels, %d lines, %d loads", r.name, r.promise, v.levels, len(v.events), len(loads))
		if v.levels > 600 || len(v.events) > 200 || len(loads) > 64 {
			t.Errorf("%s, %s: an hour began %d levels, with %d lines, at %d loads", r.name, r.promise, v.levels, len(v.events), len(loads))
		}
	}
}

func TestCruiseTellsOfAMoveFromTheLoadThatWasInForce(t *testing.T) {
	r := rows()[0]
	o := r.options
	o.Load = bench.InFlight(3)
	v := embark(t, o, bench.Cruise{Threshold: promised(t, r.promise), Least: 1, Most: 64})
	moves := 0
	for range 300 {
		before, told := v.plant.Load(), len(v.events)
		v.second()
		after := v.plant.Load()
		switch events := v.events[told:]; {
		case len(events) == 1 && (events[0].From != before || events[0].To != after):
			t.Errorf("from %s to %s, told as from %s to %s", before, after, events[0].From, events[0].To)
		case len(events) == 0 && math.Abs(after.N-before.N) > before.N/10*(1+1e-9):
			t.Errorf("from %s to %s, and nothing is told", before, after)
		case len(events) == 1:
			moves++
		}
	}
	if moves < 3 {
		t.Errorf("%d moves", moves)
	}
}

// What the load was on its way to the edge is no capacity, nor is what it was before the server became another one.
func TestCruiseCountsAsCapacityWhatItHeldAtTheEdge(t *testing.T) {
	if cruiseUnderRace {
		t.Skip("the runs are long")
	}
	r := rows()[0]
	o := r.options
	o.Seed, o.Model.Seed, o.Load = 3, 3, bench.InFlight(3)
	th := promised(t, r.promise)
	limit := r.limit(t, th, 1)
	v := embark(t, o, bench.Cruise{Threshold: th, Least: 1, Most: 64})
	for range 300 {
		v.second()
		if c := v.order.Cruising; c.Capacity.OK && math.Abs(c.Capacity.V/limit-1) > 0.25 {
			t.Fatalf("epoch %d: a capacity of %.1f ± %.1f is told at a load of %v, and the limit is %.1f", c.Epoch, c.Capacity.V, c.Spread.V, c.To, limit)
		}
	}
	if c := v.order.Cruising; !c.Capacity.OK || math.Abs(c.Capacity.V/limit-1) > 0.15 {
		t.Errorf("after five minutes the capacity is %+v, and the limit %.1f", c.Capacity, limit)
	}
	v.plant.Speed(0.7)
	gone := false
	for range 60 {
		v.second()
		gone = gone || !v.order.Cruising.Capacity.OK
	}
	if !gone {
		t.Error("the capacity of a faster server stays while the load goes down")
	}
}
