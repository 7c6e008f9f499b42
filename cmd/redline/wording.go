package main

import (
	"redline/bench"
	"redline/bench/client"
	"redline/bench/report"
	"redline/ui/view"
)

// wording is what documents need beside a snapshot to tell it in the words of the screen.
func wording() report.Options {
	return report.Options{Ramp: view.RedlineWords, Cruise: view.CruiseWords}
}

// wording is that of a run with these settings: what its scenario is about, and what makes its requests shorter.
func (s *settings) wording() report.Options {
	out := wording()
	out.Aim = s.aim
	out.Advice = func(e *bench.Ended) string {
		if client.TooLong(e) {
			return s.knobs(true)
		}
		return ""
	}
	return out
}
