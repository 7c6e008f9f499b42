package view

import (
	"math"
	"strconv"
	"time"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/style"
)

// What a step of a ramp may take, as the pilot has it: how long it waits for the load to settle, and what it judges has to have begun over, in mean times in flight,
// those of one that confirms apart; how much longer that one may be; how many generations of what is in flight a cap in requests is at least.
const (
	settleTimes  = 3
	longestWait  = 2 * time.Minute
	generations  = 3
	confirmTries = 3
)

// stepTake is what a step at a load may take at most, in seconds and requests: fast and slow are the least and the greatest time in flight that it may meet, in seconds, 0
// where none is known. Requests that are in flight when a load is set, and when it is left, are counted to it.
func stepTake(r *bench.Ramp, load float64, confirms bool, fast, slow float64) (seconds, requests float64) {
	longer, span := 1.0, [...]float64{bench.Closed: 3, bench.Open: 8}[r.Mode&1]
	if confirms {
		longer, span = 2, [...]float64{bench.Closed: 5, bench.Open: 32}[r.Mode&1]
		if r.Mode == bench.Open {
			longer = 4 // near to what the server can do it is held for twice as long
		}
	}
	settles := longestWait.Seconds()
	if slow > 0 {
		settles = min(settleTimes*slow, settles)
	}
	capped := max(longer*r.Cap.Seconds(), 2*slow)
	if r.Mode == bench.Open {
		flying := load * slow
		enough := max(longer*max(float64(r.CapRequests), generations*flying)/load, span*slow)
		seconds = settles + min(capped, enough)
		return seconds + slow, load*seconds + flying
	}
	judged := max(longer*max(float64(r.CapRequests), generations*load), span*load)
	if slow > 0 {
		seconds = settles + slow + min(capped, judged*slow/load)
	} else {
		seconds = settles + capped
	}
	if fast > 0 {
		judged = min(judged, max(longer*r.Cap.Seconds()/fast, 2)*load)
	}
	return seconds, judged + (settleTimes+2)*load
}

// rampTake is what a ramp may take: the raises to its most, the way back by halves, and what it has found confirmed a few times, each until its cap decides. How long requests
// are in flight is what the levels so far say; above the greatest of them it may grow with the load.
func (f *frame) rampTake(r *bench.Ramp) (t take, steps int, long time.Duration) {
	t = take{known: true, words: "about", sign: "~"}
	known := f.paces()
	fast, top := 0.0, 0.0
	for _, k := range known {
		if top = max(top, k.load); k.perSecond > 0 && (fast == 0 || 1/k.perSecond < fast) {
			fast = 1 / k.perSecond
		}
	}
	one := func(load float64, confirms bool) {
		steps++
		slow := 0.0
		if len(known) > 0 {
			if slow = 1 / known.at(load); r.Mode == bench.Closed && load > top {
				slow *= load / top
			}
		}
		seconds, requests := stepTake(r, load, confirms, fast, slow)
		t.requests += requests
		long += time.Duration(seconds * float64(time.Second))
	}
	all := r.Steps()
	for _, n := range all {
		one(n, false)
	}
	for range halvings(r, all) {
		one(r.Most, false)
	}
	for range confirmTries {
		one(r.Most, true)
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
