package main

import (
	"strings"
	"testing"

	"redline/bench/report"
)

func TestTheFlagsOfQuotasStandInThePlaceOfTheirPromises(t *testing.T) {
	for _, c := range []struct{ sentence, args, want, problem string }{
		{"beside the scenario's promises", "--quota-rpm=600", "ttft.p95<=2s, tps.p5>=20, errors<=1%, rpm<=600", ""},
		{"beside none", "--slo=none --quota-tpm=300k", "tpm<=300000", ""},
		{"beside those of the flags", "--slo=ttft.p95<=1s --quota-rpm=600 --quota-tpm=1M", "ttft.p95<=1s, rpm<=600, tpm<=1000000", ""},
		{"the same twice is said once", "--slo=rpm<=600 --quota-rpm=600", "rpm<=600", ""},
		{"two that differ cannot both be meant", "--slo=rpm<=500 --quota-rpm=600", "", "want one quota on RPM: there is rpm<=500 as well"},
		{"0 is none", "--slo=none --quota-rpm=0", "", ""},
		{"what is no number", "--quota-rpm=many", "", "want a number from 1 on"},
		{"what is below one", "--quota-tpm=0.5", "", "want a number from 1 on"},
	} {
		s, _, said := resolved(t, t.TempDir(), nil, strings.Fields(c.args)...)
		switch {
		case c.problem != "":
			if !strings.Contains(strings.Join(said, "\n"), c.problem) {
				t.Errorf("%s: %q, want %q", c.sentence, said, c.problem)
			}
		case len(said) > 0 || report.ThresholdList(s.promises()) != c.want:
			t.Errorf("%s: %s, %s; want %s", c.sentence, report.ThresholdList(s.promises()), said, c.want)
		}
	}
}
