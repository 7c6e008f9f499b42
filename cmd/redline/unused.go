package main

import (
	"fmt"

	"redline/bench"
)

// unused are notes on what was asked for and is not in force, or not yet, so that nobody takes it for what was measured.
func (l *loading) unused(from origins) []string {
	var notes []string
	load := l.load()
	if l.plan != nil && from.asked("concurrency") && load.Mode == bench.Closed && !goesOn(l.plan) {
		notes = append(notes, fmt.Sprintf("%s is not used: the profile says how many are in flight", from["concurrency"].assigned("concurrency", fmt.Sprint(l.concurrency))))
	}
	if from.asked("arrivals") && load.Mode == bench.Closed && !l.mayReplay() {
		notes = append(notes, from["arrivals"].assigned("arrivals", l.arrivals.String())+" applies when the loop is opened (m): this run begins with requests in flight, which have no arrivals")
	}
	return notes
}

// goesOn tells whether a profile uses the load before it: it begins with a ramp from there, or goes back there after a spike.
func goesOn(p *bench.Profile) bool {
	one, other := p.From(1), p.From(2)
	for i := range one.Stages {
		if one.Stages[i] != other.Stages[i] {
			return true
		}
	}
	return p.Stages[0].Spike
}

// mayReplay tells whether the first workload is a file that has not been read yet, and may be a trace with times, which opens the loop.
func (l *loading) mayReplay() bool {
	return len(l.sources) == 0 && l.plan == nil && len(l.specs) > 0 && l.specs[0].File != "" && !l.specs[0].LengthsOnly
}
