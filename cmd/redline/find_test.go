package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"redline/bench"
	"redline/ui/view/viewtest"
)

func TestFindNamesTheFlagThatIsWrong(t *testing.T) {
	for args, want := range map[string]string{
		"--from 8 --to 4":          "--to 4: 8..4: want a range that rises",
		"--steps x1":               "--steps x1: step x1: want a factor of 1.01 to 16",
		"--steps 4,8 --from 2":     "--steps 4,8: want no --from and --to with a list",
		"--to 9999":                "--to 9999: want at most 256, it comes to 9999 (raise --max)",
		"--cap 1s":                 "--cap 1s: cap 1s: want 5s to 1h",
		"--cap soon":               "--cap soon: cap \"soon\": want a time or a number of requests",
		"--slo none":               "--slo none: want a promise that a load could break",
		"--profile 4:1m":           "--profile 4:1m: want no profile with find",
		"--from x":                 "--from x: load \"x\": want a whole number",
		"--rate 2 --to 5000":       "--to 5000: want at most 1000, it comes to 5000/s (raise --max-rate)",
		"--slo none --steps apart": "--steps apart",
	} {
		o := start(t, nil, append(append([]string{"find"}, strings.Fields(args)...), "--plain", "--config", "none")...)
		if code := o.Run(t.Context()); code != exitUsage || !strings.Contains(o.errs.String(), want) {
			t.Errorf("find %s ends with %d and %q, want %q", args, code, o.errs.String(), want)
		}
	}
}

func TestFindMakesTheRampOfItsFlags(t *testing.T) {
	for _, c := range []struct {
		sentence string
		seek     seeking
		change   func(*settings)
		want     string
	}{
		{"nothing said", seeking{}, nil, "8..256 x2"},
		{"all said", seeking{from: "4", to: "64", steps: "+4", cap: "30s 200", pastLimits: true}, nil, "4..64 +4 cap 30s cap 200 past 429"},
		{"a list", seeking{steps: "4,8,16"}, nil, "4,8,16"},
		{"one end", seeking{to: "32"}, nil, "8..32 x2"},
		{"a rate", seeking{to: "20"}, func(s *settings) { s.rate = 2 }, "2/s..20/s x2"},
		{"rates by their unit", seeking{from: "2/s", to: "20/s"}, nil, "2/s..20/s x2"},
	} {
		s, found := defaults(), problems{from: origins{}}
		s.concurrency, s.thresholds = 8, []bench.Threshold{{Metric: bench.TTFT, At: bench.P95, Limit: 500}}
		if c.change != nil {
			c.change(&s)
		}
		s.seek = c.seek
		s.seek.asked = true
		if s.look(&found); len(found.list) > 0 || s.seek.ramp == nil || s.seek.ramp.String() != c.want {
			t.Errorf("%s: %v, %v; want %s", c.sentence, s.seek.ramp, found.list, c.want)
		} else if load := s.load(); load.N != s.seek.ramp.From {
			t.Errorf("%s: the run begins at %s", c.sentence, load)
		}
	}
}

func TestFindEndsWithWhatItCameTo(t *testing.T) {
	found := viewtest.Make(viewtest.Found, 0)
	bounded, unknown := *found, *found.Ramping
	what := *unknown.Found
	what.Why, unknown.Found, bounded.Ramping = "client busy", &what, &unknown
	for _, c := range []struct {
		sentence string
		s        *bench.Snapshot
		code     int
		line     string
	}{
		{"found", found, exitOK, "redline: concurrency 40 · RPM 478 · TPM 224k · bound by TTFT p95 (905 ms at 48) · goodput 98.1%"},
		{"the client could ask for no more", &bounded, exitLeft, "redline: at least concurrency 40 · RPM 478 · TPM 224k · not the server's limit: the client was busy at 48"},
		{"none", viewtest.Make(viewtest.Unfound, 0), exitNone, "redline: none, not even concurrency 16"},
		{"not over", viewtest.Make(viewtest.Seeking, 0), exitLeft, "redline: not found, the search has not ended"},
		{"never begun", viewtest.Make(viewtest.Running, 0), exitLeft, "redline: not found, the search has not ended"},
	} {
		var words, machines bytes.Buffer
		k := seeking{asked: true, json: true, out: &machines}
		if err := k.tell(c.s, &words, false, nil); err != nil || !strings.HasPrefix(words.String(), "\n"+c.line) || !strings.HasSuffix(words.String(), "\n") || k.code(c.s) != c.code {
			t.Errorf("%s: %q, %v, code %d; want %q and %d", c.sentence, words.String(), err, k.code(c.s), c.line, c.code)
		}
		var report struct {
			Ramp *struct {
				Phase  string
				Trials []struct{ Verdict string }
			}
		}
		if err := json.Unmarshal(machines.Bytes(), &report); err != nil || (report.Ramp == nil) != (c.s.Ramping == nil) {
			t.Errorf("%s: %v, %+v", c.sentence, err, report)
		}
	}
	if k := (&seeking{}); k.code(found) != exitOK {
		t.Error("a run that looked for nothing ends with a code of find")
	}
}
