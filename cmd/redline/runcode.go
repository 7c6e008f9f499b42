package main

import (
	"fmt"
	"strings"

	"redline/bench"
	"redline/bench/report"
)

// runCodes are the exit codes of run. The first that applies from below counts: who interrupted a run wants to know that, whatever it had measured.
//
//	what became of the run                     | code | reason
//	every promise was judged, none was broken  | 0    |
//	a promise was broken                       | 1    | at any level that counts for it, or the target was down
//	a promise was not judged                   | 1    | a gate that lets through what nobody looked at is none
//	the client was saturated                   | 3    | whether promises held or not: late reads make latencies longer and gaps shorter
//	no request ended well                      | 2    | that is a target that cannot be used, not one that is slow
//	the target ended it: key, quota, 429, down | 2    | the rest was not measured
//	the output or a report cannot be written   | 2    | its results are not where they are looked for
//	a signal                                   | 128+ | what had been measured is told
//	a fault of our own                         | 70   | EX_SOFTWARE
var runCodes = []struct {
	code  int
	means string
}{
	{exitOK, "every promise was judged, and none was broken"},
	{exitBroken, "a promise was broken or could not be judged, or the target was down for a while"},
	{exitUsage, "flags, target or output cannot be used: nothing was driven, no request ended well, or the target ended it"},
	{exitSaturated, "the client itself was saturated, so that the numbers may be its own, whatever the promises"},
	{exitCrash, "redline itself is broken"},
	{exitHungUp, "the terminal was lost (SIGHUP)"},
	{exitInterrupted, "interrupted (ctrl+c); what had been measured is told"},
	{exitTerminated, "terminated (SIGTERM)"},
}

// runCodeList are the exit codes of run, one a line.
func runCodeList(indent string) string {
	var b strings.Builder
	for _, c := range runCodes {
		fmt.Fprintf(&b, "%s%-3d  %s\n", indent, c.code, c.means)
	}
	return strings.TrimRight(b.String(), "\n")
}

// outcome is what a run came to, with the code that says so.
func (r *session) outcome(s *bench.Snapshot) *report.Outcome {
	came, because := report.Judge(s)
	out := &report.Outcome{Word: came.String(), Because: because}
	switch came {
	case report.Held:
		out.ExitCode = exitOK
	case report.Broken, report.Unjudged:
		out.ExitCode = exitBroken
	case report.Saturated:
		out.ExitCode = exitSaturated
	case report.Nothing:
		out.ExitCode = exitUsage
	}
	if why := r.end.givesUp(); why != "" && came != report.Nothing {
		out.ExitCode, out.Word, out.Because = exitUsage, "ended early", append([]string{why}, because...)
	}
	if code := r.end.code(); code >= exitHungUp {
		word := map[int]string{exitInterrupted: whyInterrupted, exitTerminated: "terminated", exitHungUp: "hung up"}[code]
		out.Because = append([]string{"it was " + word + " before its end; until then: " + out.Word}, out.Because...)
		out.ExitCode, out.Word = code, word
	}
	if out.Because == nil {
		out.Because = []string{}
	}
	return out
}
