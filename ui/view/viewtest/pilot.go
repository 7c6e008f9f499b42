package viewtest

import (
	"time"

	"redline/bench"
)

// seek lets a ramp from 16 up have the load: to the confirmation of 40, or to its end.
func seek(s *bench.Snapshot, scene Scene) {
	ramp := bench.UsualRamp(bench.InFlight(16), 64)
	promise := s.Run.Thresholds[0]
	trial := func(level, n int, holds bench.Holds, value float64, over int, low, high float64) bench.Trial {
		l := s.Levels[level]
		out := bench.Trial{Load: l.Load, Level: l.ID, Begin: l.Begin, Holds: holds, Binding: promise, Value: bench.Some(value), N: n, Over: over, Worth: 0.6 * float64(n), Low: bench.Some(low), High: bench.Some(high)}
		if l.Ended.OK {
			out.End = l.Ended
		}
		return out
	}
	r := &bench.Ramping{Ramp: ramp, Phase: bench.RampConfirming, Requests: 742, Tokens: 348_000, Cost: bench.Some(0.41), Trials: []bench.Trial{
		trial(0, 92, bench.Kept, 221, 0, 0, 0.039), trial(1, 95, bench.Kept, 318, 1, 0.001, 0.057), trial(2, 41, bench.Broke, 905, 39, 0.84, 0.99),
	}, Now: trial(3, 62, bench.NotYet, 471, 2, 0.009, 0.11)}
	r.Now.Need = 28
	s.Ramping = r
	for _, l := range s.Levels[1:] {
		l.Cause = bench.CauseRamp
	}
	s.Events = append(s.Events, bench.Event{At: time.Second, Kind: bench.EventRamp, To: bench.InFlight(16), Text: "ramp " + ramp.String() + " begins"},
		bench.Event{At: s.Levels[3].Begin, Kind: bench.EventRamp, N: int(bench.RampConfirming), To: s.Levels[3].Load, Text: "confirming 40"})
	end := bench.MarkAt(s.At - 9*time.Second)
	switch scene {
	case Found:
		r.Phase, r.Ended = bench.RampFound, end
		r.Now.Holds, r.Now.Need, r.Now.End = bench.Kept, 0, end
		r.Trials, r.Now = append(r.Trials, r.Now), bench.Trial{}
		r.Found = &bench.Redline{Load: bench.InFlight(40), Above: bench.InFlight(48), Level: s.Levels[3].ID, RPM: bench.Some(478), TPM: bench.Some(224_000), Goodput: bench.Some(98.1), PerMillion: bench.Some(1.96),
			Bound: promise, AtAbove: bench.Some(905)}
		s.Events = append(s.Events, bench.Event{At: end.At, Kind: bench.EventRamp, N: int(bench.RampFound), To: bench.InFlight(40), Text: "redline: concurrency 40"})
	case Unfound:
		r.Phase, r.Ended, r.Now = bench.RampNone, end, bench.Trial{}
		r.Trials = []bench.Trial{trial(0, 31, bench.Broke, 1221, 28, 0.74, 0.97)}
		s.Events = append(s.Events, bench.Event{At: end.At, Kind: bench.EventRamp, N: int(bench.RampNone), To: bench.InFlight(16), Text: "no load keeps every promise"})
	}
}

// cruise lets a cruise on the first promise have the load.
func cruise(s *bench.Snapshot) {
	s.Cruising = &bench.Cruising{Cruise: bench.UsualCruise(s.Run.Thresholds[0], bench.Closed, 64), Began: 20 * time.Second, Epoch: 24, Share: bench.Some(0.062), Aim: 0.05, Worth: 96, Kept: bench.Some(0.953),
		Moved: bench.MarkAt(s.At - 8*time.Second), From: bench.InFlight(41), To: bench.InFlight(40), Capacity: bench.Some(38.4), Spread: bench.Some(1.9)}
	for _, l := range s.Levels[1:] {
		l.Cause = bench.CauseCruise
	}
	s.Events = append(s.Events, bench.Event{At: 20 * time.Second, Kind: bench.EventCruise, N: bench.CruiseBegins, Text: "cruise on ttft.p95<=500ms begins"},
		bench.Event{At: s.At - 8*time.Second, Kind: bench.EventCruise, N: bench.CruiseMoves, From: bench.InFlight(46), To: bench.InFlight(40)})
}

// pilots fills what a ramp and a cruise say; there may be none.
func (r chance) pilots(s *bench.Snapshot) {
	threshold := func() bench.Threshold {
		return bench.Threshold{Metric: bench.Metric(r.IntN(int(bench.NumMetrics))), At: bench.Percentile(r.IntN(7)), Floor: r.IntN(2) == 0, Limit: r.value().V}
	}
	at := func() time.Duration { return time.Duration(r.Uint64() >> r.IntN(60)) }
	mark := func() bench.Mark { return bench.Mark{At: at(), OK: r.IntN(2) == 0} }
	trial := func() bench.Trial {
		return bench.Trial{Load: r.setpoint(), Begin: at(), End: mark(), Holds: bench.Holds(r.IntN(3)), Rough: r.IntN(2) == 0, Binding: threshold(), Value: r.value(), N: r.IntN(3) * r.IntN(1<<30), Over: r.IntN(1 << 20),
			Worth: r.value().V, Low: r.value(), High: r.value(), Need: r.IntN(3) * r.IntN(1<<30), Why: r.word()}
	}
	if r.IntN(3) == 0 {
		ramp := &bench.Ramp{Mode: bench.Mode(r.IntN(2)), From: float64(r.IntN(1 << 20)), Most: float64(r.IntN(1 << 20)), Rise: bench.Rise(r.IntN(3)), By: 1 + 5*r.Float64(), Loads: []float64{1, 4, 1e6}, Cap: at(), CapRequests: r.IntN(1 << 30)}
		s.Ramping = &bench.Ramping{Ramp: ramp, Phase: bench.RampPhase(r.IntN(7)), Why: r.word(), Began: at(), Ended: mark(), Now: trial(), Requests: r.IntN(1 << 30), Tokens: r.IntN(1 << 30), Cost: r.value()}
		for range r.IntN(40) {
			s.Ramping.Trials = append(s.Ramping.Trials, trial())
		}
		if r.IntN(2) == 0 {
			s.Ramping.Found = &bench.Redline{Load: r.setpoint(), Above: r.setpoint(), RPM: r.value(), TPM: r.value(), Goodput: r.value(), PerMillion: r.value(), Bound: threshold(), AtAbove: r.value(), Why: r.word(), Rough: r.IntN(2) == 0}
		}
	}
	if r.IntN(3) == 0 {
		s.Cruising = &bench.Cruising{Cruise: &bench.Cruise{Threshold: threshold(), Least: r.value().V, Most: r.value().V}, Mode: bench.Mode(r.IntN(2)), Began: at(), Ended: mark(), Why: r.word(), Epoch: r.IntN(1<<30) - 5,
			Share: r.value(), Aim: r.value().V, Worth: r.value().V, Kept: r.value(), Frozen: mark(), Moved: mark(), From: r.setpoint(), To: r.setpoint(), Capacity: r.value(), Spread: r.value()}
	}
}
