package report

import (
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/report/reporttest"
)

func TestGoodputSaysOfHowManyItIs(t *testing.T) {
	for _, row := range []struct {
		sentence string
		tally    bench.Tally
		cut      int
		want     string
	}{
		{"all were answered", bench.Tally{Sent: 9, OK: 9}, 0, "of 9 that were answered"},
		{"most were cut by the drain", bench.Tally{Sent: 35, OK: 4, Cancelled: 31}, 31, "of 4 that were answered (31 were cut at the end)"},
		{"one was cut, others by the operator", bench.Tally{Sent: 9, OK: 4, Cancelled: 5}, 1, "of 4 that were answered (1 was cut at the end; 4 were cancelled)"},
		{"some failed, some were never sent", bench.Tally{Sent: 12, OK: 9, Failed: 3, Unsent: 8}, 0, "of 20 (9 ok, 3 failed, 8 unsent)"},
		{"some were limited", bench.Tally{Sent: 12, OK: 9, Limited: 3}, 0, "of 9 that were answered (3 were limited)"},
		{"an outage is in no share", bench.Tally{Sent: 12, OK: 9, Failed: 3, Apart: bench.Apart{OK: 2, Failed: 3}}, 0, "of 7 that were answered"},
		{"a drain that cut what the tally does not have yet", bench.Tally{Sent: 5, OK: 5}, 3, "of 5 that were answered"},
	} {
		s := &bench.Snapshot{Run: &bench.Run{}, Total: bench.Summary{Tally: row.tally}, Tail: bench.Tail{Cut: row.cut}}
		if got := goodputOf(s); got != row.want {
			t.Errorf("%s: %q, want %q", row.sentence, got, row.want)
		}
	}
}

func TestAWarmUpIsToldFromAnOutage(t *testing.T) {
	for _, row := range []struct {
		sentence string
		warmup   int
		down     bool
		want     string
	}{
		{"a warm-up", 6, false, "; 6 of the ok were of the warm-up, and are in no share"},
		{"an outage", 0, true, "; 6 of the ok were sent while the target was down or warming up, and are in no share"},
		{"both", 6, true, "; 6 of the ok were of the warm-up, or were sent while the target was down or warming up, and are in no share"},
	} {
		s := reporttest.Story()
		s.Run.Warmup, s.Warmed, s.Total.Tally.Apart = row.warmup, row.warmup, bench.Apart{OK: 6}
		if row.down {
			s.Outages = bench.Outages{N: 1, Lasted: time.Second}
		}
		text := summaryOf(t, s, 0)
		if !strings.Contains(text, row.want) || !row.down && strings.Contains(text, "was down") {
			t.Errorf("%s: %q is missing in:\n%s", row.sentence, row.want, text)
		}
		if !strings.Contains(text, "\n   all       4m 795 ") {
			t.Errorf("%s: they are in the run's n:\n%s", row.sentence, text)
		}
	}
}

func TestBrokenPromisesTellWhatWasMeasuredToo(t *testing.T) {
	level := func(p95 float64, readiness bench.Readiness) *bench.Level {
		l := &bench.Level{Load: bench.PerSecond(3)}
		l.Tally = bench.Tally{Sent: 48, OK: 48, Unsent: 52}
		l.Counted = l.Tally
		l.Stats[bench.TTFT] = bench.Stat{N: 48, Missing: 52, Readiness: readiness, P95: bench.Some(p95)}
		return l
	}
	beyond := bench.Verdict{Threshold: threshold(t, "ttft.p95<=2s"), Known: true, Broken: true, Beyond: true, Missed: bench.Missed{Unsent: 52}}
	within := beyond
	within.Beyond, within.Value, within.Missed = false, bench.Some(9000), bench.Missed{Failed: 2}
	errors := bench.Verdict{Threshold: threshold(t, "errors<=1%"), Value: bench.Some(52), Known: true, Broken: true, Missed: bench.Missed{Unsent: 52}}
	for _, row := range []struct {
		sentence string
		verdict  bench.Verdict
		level    *bench.Level
		want     string
	}{
		{"the percentile lies among the unsent", beyond, level(6360, bench.Ready), "ttft.p95 > 2 s (6.4 s of those that were answered; 52 unsent)"},
		{"those that were answered kept it", beyond, level(300, bench.Ready), "ttft.p95 > 2 s (300 ms of those that were answered; 52 unsent)"},
		{"hardly anything was answered", beyond, level(300, bench.Absent), "ttft.p95 > 2 s (52 unsent)"},
		{"failures push the percentile up", within, level(6360, bench.Ready), "ttft.p95 9 s > 2 s (6.4 s of those that were answered; 2 failed)"},
		{"failures that do not", within, level(9000, bench.Ready), "ttft.p95 9 s > 2 s"},
		{"errors", errors, level(300, bench.Ready), "errors and unsent 52% > 1% (errors alone 0.0%)"},
	} {
		if got := breach(row.verdict, row.level); got != row.want {
			t.Errorf("%s: %q, want %q", row.sentence, got, row.want)
		}
	}
}

func TestBothSharesOfErrorsStandInOnePlace(t *testing.T) {
	s := reporttest.Story()
	l := reporttest.Level(4, 3, 48, bench.Ready)
	l.Load = bench.PerSecond(3)
	l.Tally = bench.Tally{Sent: 48, OK: 48, Unsent: 52}
	l.Counted = l.Tally
	l.Verdicts = []bench.Verdict{{Threshold: threshold(t, "errors<=1%"), Value: bench.Some(52), Known: true, Broken: true, Missed: bench.Missed{Unsent: 52}}}
	s.Levels = append(s.Levels, l)
	s.Total.Tally.Unsent = 52
	text := summaryOf(t, s, 0)
	for _, want := range []string{
		"✗ errors<=1% (0.0% failed, 52.0% with the unsent)\n",
		"0.5% of those that were sent failed; with the 52 that were not sent it is 6.5%, which errors<=1% is held to\n",
		" errors: of those that were sent; promises count the unsent too.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
	if text := summaryOf(t, reporttest.Story(), 0); strings.Contains(text, "unsent") {
		t.Errorf("nothing is unsent:\n%s", text)
	}
}

func TestRatesOfAFewArrivalsAreNotTold(t *testing.T) {
	for _, row := range []struct {
		offered       bench.Value
		span          time.Duration
		rpm           bench.Readiness
		offers, ended string
	}{
		{bench.Some(3.38), 30 * time.Second, bench.Ready, "3.38", "3.60"},
		{bench.Some(3.38), 4 * time.Second, bench.Few, "~3.38", "~3.60"},
		{bench.Some(0), 2 * time.Second, bench.Absent, absent, absent},
		{bench.Some(2), 2 * time.Second, bench.Absent, absent, absent},
		{bench.Value{}, 0, bench.Absent, absent, absent},
	} {
		s := bench.Summary{Offered: row.offered, Span: row.span, RPS: bench.Some(3.6)}
		s.Stats[bench.RPM].Readiness = row.rpm
		if a, b := offeredRate(&s), doneRate(&s); a != row.offers || b != row.ended {
			t.Errorf("%+v: offered %s, done %s", row, a, b)
		}
	}
}

func TestLengthsSayWhatTheyAreOf(t *testing.T) {
	s := &bench.Snapshot{Run: &bench.Run{Works: []bench.Workload{{InputTokens: 1155, MaxTokens: 1000, OutputTokens: 90}}}}
	s.Total.AskedTokens, s.Total.PromptTokens, s.Total.AnswerTokens = bench.Some(725), bench.Some(726), bench.Some(91)
	if got, want := promptWords(s), "mean tokens 1155 in the workload, 725 of those that were sent, 726 by the server's count; answers at most 1000 tokens, mean 91"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := workWords(&bench.Workload{Name: "a", Left: "3306 of 19366 rows left out: 3306 too long"}); strings.Count(got, "left out") != 1 {
		t.Error(got)
	}
}

func TestAnswersThatAreLongerThanAskedAreTold(t *testing.T) {
	one, two := []bench.Workload{{Name: "a", OutputTokens: 32}}, []bench.Workload{{Name: "a", OutputTokens: 32}, {Name: "b", OutputTokens: 512}}
	level := func(work, ok int, answers float64) *bench.Level {
		l := &bench.Level{Work: work}
		l.Tally.OK, l.AnswerTokens = ok, bench.Some(answers)
		return l
	}
	for _, row := range []struct {
		sentence string
		works    []bench.Workload
		mean     float64
		levels   []*bench.Level
		want     string
	}{
		{"much longer", one, 512, nil, "! the answers are 512 tokens long on average, and 32 were asked for: bound them there with --max-tokens, or max= of the workload; --body ignore_eos=true makes"},
		{"a little longer", one, 38, nil, ""},
		{"nothing was asked for", []bench.Workload{{Name: "a"}}, 512, nil, ""},
		{"nothing was answered", one, 0, nil, ""},
		{"of two workloads the one", two, 400, []*bench.Level{level(0, 10, 60), level(0, 10, 40), level(1, 10, 512)}, "! the answers of a are 50 tokens long on average, and 32 were asked for"},
	} {
		s := &bench.Snapshot{Run: &bench.Run{Works: row.works}, Levels: row.levels}
		s.Total.AnswerTokens = bench.Value{V: row.mean, OK: row.mean > 0}
		var b strings.Builder
		writeLongAnswers(&b, s, boundless)
		if got := b.String(); !strings.HasPrefix(got, row.want) || (row.want == "") != (got == "") || strings.Count(got, "\n") > 1 {
			t.Errorf("%s: %q, want %q", row.sentence, got, row.want)
		}
	}
}
