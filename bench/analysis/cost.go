package analysis

import (
	"slices"

	"redline/bench"
)

// Cost is what a load costs in the operator's currency, failed requests and idle GPUs included.
type Cost struct {
	// PerHour is what an hour of it costs, PerRequest each request that ended well, PerMillion a million output tokens, with the prompts that they took.
	PerHour, PerRequest, PerMillion bench.Value
	// Rough: the rates that it rests on are not ready.
	Rough bool
}

// CostOf is the cost of a load at the rates of a scope; what is not known of it, or without prices, is absent.
func CostOf(s *bench.Summary, p bench.Prices) Cost {
	var c Cost
	rpm, tpm := &s.Stats[bench.RPM], &s.Stats[bench.TPM]
	in, out := hourly(s.PerMinuteIn), hourly(s.PerMinuteOut)
	tokens := in.OK && out.OK && tpm.Readiness != bench.Absent
	switch {
	case p.Hourly() > 0:
		c.PerHour = bench.Some(p.Hourly())
	case p.ByToken() && tokens:
		c.PerHour = bench.Some(p.Tokens(in.V, in.V*cachedShare(s), out.V))
	}
	if !c.PerHour.OK {
		return c
	}
	if n := hourly(rpm.Mean); n.V > 0 && rpm.Readiness != bench.Absent {
		c.PerRequest = bench.Some(c.PerHour.V / n.V)
	}
	if tokens && out.V > 0 {
		c.PerMillion = bench.Some(c.PerHour.V / out.V * 1e6)
	}
	c.Rough = rpm.Readiness != bench.Ready || tpm.Readiness != bench.Ready
	return c
}

// hourly is a rate a minute as one an hour.
func hourly(v bench.Value) bench.Value {
	if !v.OK {
		return v
	}
	return bench.Some(60 * v.V)
}

// cachedShare is which part of prompt tokens came from the server's cache, 0..1: of those of the requests that ended well.
func cachedShare(s *bench.Summary) float64 {
	whole := s.PromptTokens.V * float64(s.Counted.OK)
	if !s.PromptTokens.OK || whole <= 0 {
		return 0
	}
	return min(float64(s.Cached)/whole, 1)
}

// Cheapest is the level of a curve that stands for the cheapest load. As in a Finding, a load of which another visit broke a promise is none that keeps it.
func (c *Curve) Cheapest(promises []bench.Threshold, p bench.Prices) *bench.Level {
	verdicts := by(promises)
	if promises == nil {
		verdicts = told
	}
	var levels []*bench.Level
	for i := range c.Loads {
		o := &c.Loads[i]
		if !slices.ContainsFunc(o.Past, func(l *bench.Level) bool {
			_, broken := Judged(verdicts(l))
			return broken && counts(l)
		}) {
			levels = append(levels, o.Level)
		}
	}
	return Cheapest(levels, promises, p)
}

// Cheapest is the level with the lowest cost per million output tokens among those that are known to keep every promise (without promises, among all), were
// measured for long enough and do not drift; nil where there are fewer than two such, or where they all cost the same to within 2 %: then it is not the
// load that decides. Without promises levels are held to those of their own verdicts.
func Cheapest(levels []*bench.Level, promises []bench.Threshold, p bench.Prices) *bench.Level {
	verdicts := by(promises)
	if promises == nil {
		verdicts = told
	}
	var best *bench.Level
	least, most, seen := 0.0, 0.0, 0
	for _, l := range levels {
		all := verdicts(l)
		c := CostOf(&l.Summary, p)
		if _, drifting := DriftOf(l); drifting || !counts(l) || c.Rough || !c.PerMillion.OK || l.Short != bench.InFull || !keeps(all) {
			continue
		}
		if seen++; best == nil || c.PerMillion.V < least {
			best, least = l, c.PerMillion.V
		}
		most = max(most, c.PerMillion.V)
	}
	if seen < 2 || most <= least*(1+matters) {
		return nil
	}
	return best
}

// keeps tells whether every promise among verdicts is known to be kept.
func keeps(verdicts []bench.Verdict) bool {
	for _, v := range verdicts {
		if !v.Threshold.Quota() && (!v.Known || v.Broken) {
			return false
		}
	}
	return true
}
