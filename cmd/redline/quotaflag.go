package main

import (
	"fmt"
	"slices"
	"strings"

	"redline/bench"
)

// quota defines a quota of the operator's own on a rate; 0 is none.
func (f flags) quota(to *int, m bench.Metric, usage string) {
	name := quotaFlag(m)
	define(f, to, name, "", "QUOTA", usage, func(text string) (int, error) {
		if text == "0" {
			return 0, nil
		}
		t, err := bench.ParseThreshold(m.String() + "<=" + text)
		if err != nil || t.Limit < 1 {
			return 0, fmt.Errorf("want a number from 1 on, as in 600 or 300k; 0 is none")
		}
		return int(t.Limit), nil
	})
}

// quotaFlag is the flag of a quota.
func quotaFlag(m bench.Metric) string { return "quota-" + strings.ToLower(m.String()) }

// quotas are the operator's own quotas by the flags for them.
func (s *settings) quotas() []bench.Threshold {
	var out []bench.Threshold
	if s.quotaRPM > 0 {
		out = append(out, bench.Threshold{Metric: bench.RPM, At: bench.Mean, Limit: float64(s.quotaRPM)})
	}
	if s.quotaTPM > 0 {
		out = append(out, bench.Threshold{Metric: bench.TPM, At: bench.Mean, Limit: float64(s.quotaTPM)})
	}
	return out
}

// promises are the thresholds in force: those of --slo, or of the scenario, with the quotas that have a flag of their own.
func (s *settings) promises() []bench.Threshold {
	out := s.thresholds
	for _, t := range s.quotas() {
		out = bench.WithPromise(out, t, false)
	}
	return out
}

// quotas tells of a quota that one source gives twice, and not alike.
func (r *resolution) quotas() {
	for _, t := range r.set.quotas() {
		name := quotaFlag(t.Metric)
		a, b := r.found.from["slo"], r.found.from[name]
		if i := slices.IndexFunc(r.set.thresholds, t.Same); i >= 0 && r.set.thresholds[i] != t && a.source == b.source && a.name == b.name && a.table == b.table {
			r.found.add(name, fmt.Sprint(int(t.Limit)), fmt.Sprintf("want one quota on %s: there is %s as well", t.Metric, r.set.thresholds[i]))
		}
	}
}
