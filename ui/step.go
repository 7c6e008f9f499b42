package ui

import (
	"redline/bench"
	"redline/ui/action"
	"redline/ui/view"
)

// stepSizes are what + and - may add, by mode: requests in flight, requests a second.
var stepSizes = [2][]float64{bench.Closed: {1, 2, 4, 8, 16}, bench.Open: {0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50}}

// firstStep is the step at a rate that is driven for the first time: at most a quarter of it, so that a few presses tell.
func firstStep(rate float64) float64 {
	sizes := stepSizes[bench.Open]
	out := sizes[0]
	for _, s := range sizes {
		if s <= rate/4 {
			out = s
		}
	}
	return out
}

// nextStep goes to the next step size of the mode in force, and behind the last to the first.
func (m *model) nextStep() {
	mode := m.snap.Target.Mode & 1
	sizes := stepSizes[mode]
	next := sizes[0]
	for _, s := range sizes {
		if s > m.steps[mode] {
			next = s
			break
		}
	}
	m.steps[mode], m.st.Step = next, next
}

// bounded says so where a rise asks for more than the run allows: the load then goes to its bound, or stays there.
func (m *model) bounded(c bench.Command) {
	now := m.snap.Target
	most, ok := view.Most(m.snap)
	if !ok || !action.Rises(c, now) {
		return
	}
	to := now.N
	switch c := c.(type) {
	case bench.Add:
		to += c.N
	case bench.Times:
		to *= c.F
	case bench.Set:
		to = c.N
	}
	if to > most.N {
		m.say("at " + view.BoundFlag(most.Mode) + " " + most.String() + ", the most that this run allows")
	}
}
