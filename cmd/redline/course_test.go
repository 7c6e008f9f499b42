package main

import (
	"strings"
	"testing"

	"redline/bench"
)

func TestCruiseIsReadFromItsFlag(t *testing.T) {
	ttft, tps := promising(t, "ttft.p95<=500ms"), promising(t, "tps.p5>=20")
	for _, c := range []struct {
		sentence, text string
		rate           rate
		want           bench.Cruise
	}{
		{"one of the promises, within all that may be set", "tps", 0, bench.Cruise{Threshold: tps, Least: 1, Most: 256}},
		{"a promise of its own", "ttft.p95<=400ms", 0, bench.Cruise{Threshold: promising(t, "ttft.p95<=400ms"), Least: 1, Most: 256}},
		{"within limits", "ttft.p95<=500ms in 4..64", 0, bench.Cruise{Threshold: ttft, Least: 4, Most: 64}},
		{"in the words of the sheet", "ttft 4..", 0, bench.Cruise{Threshold: ttft, Least: 4, Most: 256}},
		{"rates, beside --rate", "ttft in 0.5/s..12/s", 2, bench.Cruise{Threshold: ttft, Least: 0.5, Most: 12}},
		{"all rates that may be set", "ttft", 2, bench.Cruise{Threshold: ttft, Least: 0.1, Most: 1000}},
	} {
		s, found := defaults(), problems{from: origins{}}
		s.thresholds, s.cruise, s.rate = []bench.Threshold{ttft, tps}, c.text, c.rate
		if s.steer(&found); len(found.list) > 0 || s.course == nil || *s.course != c.want {
			t.Errorf("%s: %+v, %v; want %+v", c.sentence, s.course, found.list, c.want)
		}
	}
}

func TestCruiseThatCannotBeginIsToldWithAllOtherProblems(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"--cruise errors<=1%", "--cruise errors<=1%: errors<=1%: want a percentile of TTFT, TTFA, TPOT, TPS or E2E, which each request has"},
		{"--cruise rpm<=60", "want a percentile of TTFT"},
		{"--cruise ttft.p95<=500ms@9..4", "9..4: want room between the two"},
		{"--cruise ttft.p95<=500ms@in@4..999", "want at most 256, it comes to 999 (raise --max)"},
		{"--cruise ttft.p95<=500ms@1/s..4/s", "a rate is for the open loop"},
		{"--cruise ttft.p95<=500ms@in", "want LEAST..MOST behind the promise"},
		{"--slo none --cruise ttft", "no promise can be kept at its edge"},
		{"--cruise ttft.p95<=500ms --profile 4:1m", "want no --profile with it"},
		{"--cruise ttft.p95<=500ms --url http://127.0.0.1:1/v1 --url http://127.0.0.1:2/v1", "want one target with it"},
		{"--cruise errors<=1% --max 0", "--max 0"},
	} {
		args := strings.Fields(c.args)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "@", " ")
		}
		o := start(t, nil, append(args, "--plain", "--config", "none")...)
		if code := o.Run(t.Context()); code != exitUsage || !strings.Contains(o.errs.String(), c.want) || !strings.Contains(o.errs.String(), "--cruise") {
			t.Errorf("%s ends with %d and %q, want %q", c.args, code, o.errs.String(), c.want)
		}
	}
	o := start(t, nil, "find", "--cruise", "ttft.p95<=500ms", "--plain", "--config", "none")
	if code := o.Run(t.Context()); code != exitUsage || !strings.Contains(o.errs.String(), "want no --cruise with find") {
		t.Errorf("find ends with %d and %q", code, o.errs.String())
	}
}

func TestRunBeginsWithItsCruise(t *testing.T) {
	env := own(t, "cruise = \"ttft.p95<=500ms in 4..64\"\nduration = \"3s\"\n")
	o := start(t, env, "--plain")
	if code := o.Run(t.Context()); code != exitOK || !strings.Contains(o.out.String(), "cruise at ttft.p95<=500ms begins, from 4 to 64") || !strings.Contains(o.out.String(), "cruise=on cruise.promise=ttft.p95<=500ms") {
		t.Errorf("ends with %d and\n%s%s", code, o.out.String(), o.errs.String())
	}
	o = start(t, env, "config")
	if o.Run(t.Context()); !strings.Contains(o.out.String(), "ttft.p95<=500ms in 4..64") {
		t.Errorf("config says\n%s", o.out.String())
	}
}

// promising is a promise as it is written.
func promising(t *testing.T, text string) bench.Threshold {
	t.Helper()
	th, err := bench.ParseThreshold(text)
	if err != nil {
		t.Fatal(err)
	}
	return th
}
