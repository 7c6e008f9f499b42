package view

import (
	"math"
	"strconv"
	"time"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/style"
)

// rampTake is what a ramp may take: the raises to its most, the way back by halves, and what it has found confirmed twice, each until its cap decides. In the
// closed loop a step takes as many requests as there is time for at the pace of the levels so far, or, while that is not known, as its cap allows. Requests that are in
// flight when a load is set, and when it is left, are counted to it.
func (f *frame) rampTake(r *bench.Ramp) (t take, steps int, long time.Duration) {
	t = take{known: true, words: "about", sign: "~"}
	known := f.paces()
	one := func(load, holds float64) {
		steps++
		rate, flying := 0.0, load
		switch {
		case r.Mode == bench.Open && len(known) > 0:
			rate, flying = load, load/known.at(load)
		case r.Mode == bench.Open:
			rate, flying = load, 0
		case len(known) > 0:
			rate = load * known.at(load)
		}
		span, requests := holds*r.Cap.Seconds(), holds*float64(r.CapRequests)
		if rate > 0 && rate*span > requests {
			span = requests / rate
		} else if rate > 0 {
			requests = rate * span
		}
		if rate > 0 {
			span += 2 * flying / rate
		}
		t.requests += requests + 2*flying
		long += time.Duration(span * float64(time.Second))
	}
	all := r.Steps()
	for _, n := range all {
		one(n, 1)
	}
	for range halvings(r, all) {
		one(r.Most, 1)
	}
	for range 2 {
		one(r.Most, 2)
	}
	t.requests = threeDigits(t.requests)
	in, out := f.longest()
	t.tokens = t.requests * (in + out)
	price := &f.s.Run.Prices
	t.cost = t.requests*(in*price.Input+out*price.Output)/1e6 + price.Hourly()*long.Hours()
	return t, steps, long
}

// nearRates are rates of which a ramp does not ask which of them holds: they differ by so much.
const nearRates = 0.03

// halvings are how often the widest gap between two loads of a ramp is halved until they are neighbours.
func halvings(r *bench.Ramp, all []float64) int {
	most := 0
	for i := 1; i < len(all); i++ {
		gap := all[i] - all[i-1]
		if r.Mode == bench.Open {
			gap /= all[i-1] * nearRates
		}
		most = max(most, int(math.Ceil(math.Log2(max(gap, 1)))))
	}
	return most
}

// rampWorst is what the ramp that is typed, or offered, may take.
func (f *frame) rampWorst(r *style.Row) {
	t, steps, long := f.rampTake(f.st.Sheet.Ramp)
	parts := []ranked{
		{part{style.Dim, "at most " + strconv.Itoa(steps) + " steps · "}, 3}, {part{style.FG, "~" + amount(t.requests) + " requests"}, 0},
		{part{style.FG, " · " + spanWords(long.Round(time.Minute)+time.Minute)}, 2},
	}
	if t.tokens > 0 {
		parts = append(parts, ranked{part{style.FG, " · ~" + amount(t.tokens) + " tokens"}, 1})
	}
	if t.cost > 0 {
		look := style.FG
		if sp := &f.live.Spend; sp.Budget > 0 && sound(sp.Cost) && sp.Cost.V+t.cost > sp.Budget {
			look = style.Warn
		}
		parts = append(parts, ranked{part{look, " · ~" + money(t.cost)}, 1})
	}
	if sp := &f.live.Spend; sp.BudgetTokens > 0 && float64(sp.In+sp.Out)+t.tokens > float64(sp.BudgetTokens) {
		parts = append(parts, ranked{part{style.Warn, " · the budget of " + chart.Tick(float64(sp.BudgetTokens)) + " tokens may end it"}, 1})
	}
	r.Blank(1)
	for _, p := range f.fitting(parts, r.Left()-1) {
		r.Put(p.look, p.text)
	}
}
