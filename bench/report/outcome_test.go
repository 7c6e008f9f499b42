package report

import (
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/report/reporttest"
	"redline/ui/view/viewtest"
)

// keeping is a run of two levels that keep their promises.
func keeping() *bench.Snapshot {
	s := reporttest.Story()
	s.Levels[1].Verdicts = nil
	s.Levels = s.Levels[:2]
	s.Events = nil
	for i, value := range []float64{900, 38, 0.4} {
		s.Levels[1].Verdicts = append(s.Levels[1].Verdicts, bench.Verdict{Threshold: s.Run.Thresholds[i], Value: bench.Some(value), Known: true})
	}
	return s
}

func TestARunIsJudgedByItsLevels(t *testing.T) {
	ramp := func(phase bench.RampPhase, why string) func(*bench.Snapshot) {
		return func(s *bench.Snapshot) {
			s.Levels[0].Verdicts[0].Broken = true // a search goes past the edge
			s.Ramping = &bench.Ramping{Ramp: &bench.Ramp{}, Phase: phase, Found: &bench.Redline{Load: bench.InFlight(16), Why: why}}
		}
	}
	for _, row := range []struct {
		sentence string
		change   func(*bench.Snapshot)
		want     Came
		because  string
	}{
		{"all kept", func(*bench.Snapshot) {}, Held, ""},
		{"one broken", func(s *bench.Snapshot) {
			s.Levels[1].Verdicts[0].Value, s.Levels[1].Verdicts[0].Broken = bench.Some(2480), true
		}, Broken, "ttft.p95 2.5 s > 2 s at 48 (level 2)"},
		{"one broken at both", func(s *bench.Snapshot) { s.Levels[0].Verdicts[1].Broken, s.Levels[1].Verdicts[1].Broken = true, true }, Broken, "at 16 (level 1) and at 48 (level 2)"},
		{"broken, but it is not known", func(s *bench.Snapshot) { s.Levels[1].Verdicts[0].Known, s.Levels[1].Verdicts[0].Broken = false, true }, Held, ""},
		{"not known at one of two levels", func(s *bench.Snapshot) { s.Levels[1].Verdicts[2].Known = false }, Held, ""},
		{"known at none", func(s *bench.Snapshot) { s.Levels[0].Verdicts[2].Known, s.Levels[1].Verdicts[2].Known = false, false }, Unjudged, "errors<=1% was judged at no level"},
		{"a load that was never reached says nothing", func(s *bench.Snapshot) { s.Levels[1].Reached, s.Levels[1].Verdicts[0].Broken = bench.Mark{}, true }, Held, ""},
		{"no promise", func(s *bench.Snapshot) { s.Run.Thresholds, s.Levels[0].Verdicts, s.Levels[1].Verdicts = nil, nil, nil }, Held, ""},
		{"a quota is no promise", func(s *bench.Snapshot) {
			s.Run.Thresholds = append(s.Run.Thresholds, bench.Threshold{Metric: bench.RPM, At: bench.Mean, Limit: 60})
		}, Held, ""},
		{"broken by a promise that was changed", func(s *bench.Snapshot) {
			s.Promised = []bench.Threshold{{Metric: bench.TTFT, At: bench.P95, Limit: 1}}
		}, Broken, "(level 2) (promised at the start)"},
		{"one that was changed and kept all the same", func(s *bench.Snapshot) {
			s.Promised = []bench.Threshold{{Metric: bench.TTFT, At: bench.P95, Limit: 60_000}}
		}, Held, ""},
		{"one that was changed and judged at no level", func(s *bench.Snapshot) {
			s.Promised = []bench.Threshold{{Metric: bench.TTFA, At: bench.P95, Limit: 60_000}}
		}, Unjudged, "ttfa.p95<=60s (promised at the start) was judged at no level"},
		{"a quota that was changed", func(s *bench.Snapshot) {
			s.Promised = []bench.Threshold{{Metric: bench.RPM, At: bench.Mean, Limit: 1}}
		}, Held, ""},
		{"no request ended well", func(s *bench.Snapshot) {
			s.Total.Tally = bench.Tally{Sent: 9, Failed: 9}
			s.Total.Tally.By[bench.Refused] = 9
		}, Nothing, "none of 9 requests ended well: refused ×9"},
		{"none was sent", func(s *bench.Snapshot) { s.Total.Tally = bench.Tally{} }, Nothing, "no request was sent"},
		{"an outage that ended", func(s *bench.Snapshot) {
			s.Outages = bench.Outages{N: 1, Lasted: 12 * time.Second}
		}, Broken, "the target was down, for 12s"},
		{"an outage to the end", func(s *bench.Snapshot) {
			s.Outages, s.Tail.Began = bench.Outages{N: 1, Since: bench.MarkAt(60 * time.Second)}, bench.MarkAt(90*time.Second)
		}, Broken, "the target was down, for 30s"},
		{"two of them", func(s *bench.Snapshot) { s.Outages = bench.Outages{N: 2, Lasted: 12 * time.Second} }, Broken, "the target was down 2 times, for 12s"},
		{"saturated for a tenth of a level", func(s *bench.Snapshot) { s.Levels[1].Strained[1] = 6 }, Saturated, "the client was saturated in 6 of 1m at 48 (level 2)"},
		{"saturated for a thirtieth of it", func(s *bench.Snapshot) { s.Levels[1].Strained[1] = 2 }, Held, ""},
		{"saturated for one second of a short one", func(s *bench.Snapshot) { s.Levels[1].Strained[1], s.Levels[1].Span = 1, 5*time.Second }, Held, ""},
		{"busy is not saturated", func(s *bench.Snapshot) { s.Levels[1].Strained[0] = 60 }, Held, ""},
		{"saturated, and broken: whose doing it was is not known", func(s *bench.Snapshot) { s.Levels[1].Strained[1], s.Levels[1].Verdicts[0].Broken = 60, true }, Saturated, "saturated in 60 of 1m"},
		{"a search that found", ramp(bench.RampFound, ""), Held, ""},
		{"a search that came to its most", ramp(bench.RampOpen, ""), Held, ""},
		{"a search without a load", ramp(bench.RampNone, ""), Broken, "no load keeps every promise"},
		{"a search that was left", ramp(bench.RampLeft, ""), Unjudged, "has not come to its end"},
		{"a search over an outage", func(s *bench.Snapshot) {
			ramp(bench.RampFound, "")(s)
			s.Outages = bench.Outages{N: 1, Lasted: 9 * time.Second}
		}, Broken, "the target was down, for 9s"},
		{"one that was left, over an outage", func(s *bench.Snapshot) {
			ramp(bench.RampLeft, "")(s)
			s.Outages = bench.Outages{N: 1, Lasted: 9 * time.Second}
		}, Broken, "the target was down, for 9s; the redline was not found"},
		{"a search that the client ended", ramp(bench.RampFound, "client busy"), Saturated, "at least 16"},
		{"a cruise at the edge of a promise", func(s *bench.Snapshot) {
			s.Levels[0].Verdicts[0].Broken, s.Cruising = true, &bench.Cruising{Cruise: &bench.Cruise{Threshold: s.Run.Thresholds[0]}}
		}, Held, ""},
		{"a cruise that breaks another", func(s *bench.Snapshot) {
			s.Levels[0].Verdicts[2].Broken, s.Cruising = true, &bench.Cruising{Cruise: &bench.Cruise{Threshold: s.Run.Thresholds[0]}}
		}, Broken, "errors "},
	} {
		s := keeping()
		row.change(s)
		came, because := Judge(s)
		if text := strings.Join(because, "; "); came != row.want || !strings.Contains(text, row.because) || (came == Held) != (text == "") {
			t.Errorf("%s: %v because %q, want %v and %q", row.sentence, came, text, row.want, row.because)
		}
	}
}

func TestOfSeveralTargetsTheWorstCounts(t *testing.T) {
	good, bad, none := keeping(), keeping(), keeping()
	bad.Levels[1].Verdicts[0].Broken = true
	none.Total.Tally = bench.Tally{Sent: 3, Failed: 3}
	for _, row := range []struct {
		sentence string
		of       []*bench.Snapshot
		want     Came
		because  int
	}{
		{"both hold", []*bench.Snapshot{good, good}, Held, 0},
		{"the second does not", []*bench.Snapshot{good, bad}, Broken, 1},
		{"neither does", []*bench.Snapshot{bad, bad}, Broken, 2},
		{"one answers nothing", []*bench.Snapshot{bad, none}, Nothing, 1},
	} {
		s := keeping()
		s.Rivals = &bench.Rivals{Names: []string{"red", "blue"}, Both: true, Of: row.of}
		came, because := Judge(s)
		if came != row.want || len(because) != row.because {
			t.Errorf("%s: %v because %q", row.sentence, came, because)
		}
		for _, text := range because {
			if !strings.Contains(text, "red") && !strings.Contains(text, "blue") {
				t.Errorf("%s: whose is %q", row.sentence, text)
			}
		}
	}
}

func TestJudgingEndsForAnyRun(t *testing.T) {
	for seed := range uint64(300) {
		s := viewtest.Random(seed)
		came, because := Judge(s)
		o := Outcome{Word: came.String(), Because: because}
		text := o.Text(40) + o.Markdown() + (&Brief{}).Step(s)
		for _, p := range Glance(s) {
			text += p.Text
		}
		if came.String() == "" || strings.ContainsAny(text, "\x1b\x07") {
			t.Fatalf("seed %d: %q", seed, text)
		}
	}
}

func TestALevelIsALineWhenItEnds(t *testing.T) {
	s := reporttest.Story()
	s.Levels[0].Ended, s.Levels[1].Ended = bench.MarkAt(61*time.Second), bench.MarkAt(2*time.Minute)
	var p Brief
	want := "00:01:01 level=1/firm load=16 for=1m n=312 ttft.p50=371ms ttft.p95=442ms itl.p50=21.4ms itl.p95=23.9ms tps.p50=46.7 tps.p5=41.8 rpm=478 tpm=223.9k errors=0.6% goodput=- slo=ttft.p95<=2s:kept,tps.p5>=20:kept,errors<=1%:kept\n"
	text := p.Step(s)
	if !strings.Contains(text, want) || !strings.Contains(text, "00:02:10 event note \"max_num_seqs 128\"\n") || strings.Count(text, "level=") != 2 {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	if again := p.Step(s); again != "" {
		t.Errorf("again: %s", again)
	}
	s.State, s.Tail.Began = bench.Done, bench.MarkAt(4*time.Minute)
	if last := p.Step(s); !strings.HasPrefix(last, "00:04:00 level=3/short load=40 ") || !strings.Contains(last, " rpm=- ") || !strings.HasSuffix(last, "slo=ttft.p95<=2s:unknown,tps.p5>=20:unknown,errors<=1%:unknown\n") {
		t.Errorf("the last: %s", last)
	}
	pair := (&Brief{}).Step(viewtest.Make(viewtest.Pair, 0))
	for line := range strings.Lines(pair) {
		if name := strings.Fields(line)[1]; strings.Contains(name, "=") || name == "event" {
			t.Errorf("whose is %s", line)
		}
	}
}
