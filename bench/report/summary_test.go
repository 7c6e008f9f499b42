package report

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"redline/bench"
	"redline/bench/analysis"
	"redline/bench/report/reporttest"
)

// summaryOf is the summary of a run at a width.
func summaryOf(t *testing.T, s *bench.Snapshot, width int) string {
	t.Helper()
	var b strings.Builder
	if err := summarize(&b, s, Options{}, width); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func threshold(t *testing.T, text string) bench.Threshold {
	t.Helper()
	th, err := bench.ParseThreshold(text)
	if err != nil {
		t.Fatal(err)
	}
	return th
}

func TestTheTableOfLevelsFitsItsTerminal(t *testing.T) {
	s := reporttest.Story()
	for _, text := range []string{"e2e.p99<=20s", "ttfa<=3s", "tpot.p50<=30ms"} {
		s.Run.Thresholds = append(s.Run.Thresholds, threshold(t, text))
	}
	big := reporttest.Level(1234, 4096, 123_456, bench.Ready)
	big.Span = 99 * time.Hour
	big.Unfinished = 4096
	big.Note = strings.Repeat("a long note about it ", 20)
	big.Stats[bench.TTFT] = reporttest.Stat(123_456, bench.Few, 98_765, 123_456, 234_567, 1, 1)
	big.Stats[bench.RPM].Mean, big.Stats[bench.RPM].Half = bench.Some(123_456), bench.Some(12_345)
	big.Stats[bench.TPM].Mean, big.Stats[bench.TPM].Half = bench.Some(98_765_432), bench.Some(9_876_543)
	s.Levels = append(s.Levels, big)
	for width := 40; width <= 200; width++ {
		table, _, _ := strings.Cut(summaryOf(t, s, width)[1:], "\nrequests ")
		for _, line := range strings.Split(table, "\n")[2:] {
			if n := utf8.RuneCountInString(line); n > width {
				t.Errorf("%d columns in %d:\n%s", n, width, line)
			}
		}
	}
	wide := summaryOf(t, s, 250)
	for _, want := range []string{"E2E ms", "TTFA ms", "TPOT ms", " 1234 4096 ", "±9.88M"} {
		if !strings.Contains(wide, want) {
			t.Errorf("%q is missing in:\n%s", want, wide)
		}
	}
	if narrow := summaryOf(t, s, 80); !strings.Contains(narrow, "E2E ms") || !strings.Contains(narrow, "\nno room for: ") {
		t.Errorf("what is promised has given way to what is not:\n%s", narrow)
	}
}

func TestNumbersThatAreNotNothingDoNotReadAsNothing(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.0004: "<0.01", 0.00499: "<0.01", 0.005: "0.01", 3.416: "3.42", 21.84: "21.8", 9999: "9999", 22_400: "22.4k"} {
		if got := short(v); got != want {
			t.Errorf("%v reads as %q, want %q", v, got, want)
		}
	}
	s := reporttest.Story()
	s.Total.Stats[bench.ITL] = reporttest.Stat(801, bench.Ready, 0.0004, 1.2, 3, 0, 0)
	if text := summaryOf(t, s, 80); !strings.Contains(text, " <0.01 ") || strings.Contains(text, " 0.00 ") {
		t.Error(text)
	}
}

func TestLevelsThatMeasuredNothingAreNamed(t *testing.T) {
	s := reporttest.Story()
	for id := 4; id < 7; id++ {
		l := &bench.Level{ID: id, Load: bench.InFlight(id)}
		l.Tally.Sent = id
		s.Levels = append(s.Levels, l)
	}
	s.Levels = append(s.Levels, reporttest.Level(7, 12, 100, bench.Ready), &bench.Level{ID: 8})
	// A level with an answer and no number is no other case.
	dashes := &bench.Level{ID: 9, Load: bench.InFlight(4)}
	dashes.Tally = bench.Tally{Sent: 3, OK: 3}
	s.Levels = append(s.Levels, dashes)
	text := summaryOf(t, s, 120)
	if !strings.Contains(text, "\nnot listed: levels 4-6, 9, with too few samples for any number\n") || !strings.Contains(text, "\n     7   12 ") || strings.Contains(text, "\n     5 ") || strings.Contains(text, "\n     9 ") {
		t.Error(text)
	}
}

func TestQuotasAreNoPromises(t *testing.T) {
	s := reporttest.Story()
	s.Run.Thresholds = append(s.Run.Thresholds, threshold(t, "rpm<=600"), threshold(t, "tpm<=300k"))
	text := summaryOf(t, s, 80)
	for _, want := range []string{"(ttft.p95<=2s, tps.p5>=20, errors<=1%)\n", "\nquotas    own RPM 600, not known yet where it binds"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
	s.Run.Thresholds = s.Run.Thresholds[3:]
	if text := summaryOf(t, s, 80); strings.Contains(text, "promise (") || strings.Contains(text, "held:") {
		t.Errorf("a promise where there are only quotas:\n%s", text)
	}
}

func TestVerdict(t *testing.T) {
	promises := []bench.Threshold{threshold(t, "ttft.p95<=2s"), threshold(t, "tps.p5>=20"), threshold(t, "rpm<=600")}
	// A level: its load, then whether each promise is kept (+), broken (-) or not known (?), by a value.
	level := func(id, load int, signs string, values ...float64) *bench.Level {
		l := &bench.Level{ID: id, Load: bench.InFlight(load), Reached: bench.MarkAt(time.Second), State: bench.Settled}
		l.Stats[bench.TTFT].N, l.Tally.OK = 150, 150
		l.Span = analysis.LongEnough
		for i, sign := range signs {
			l.Verdicts = append(l.Verdicts, bench.Verdict{Threshold: promises[i], Value: bench.Some(values[i]), Known: sign != '?', Broken: sign == '-'})
		}
		return l
	}
	short := func(l *bench.Level) *bench.Level {
		l.Span = analysis.LongEnough - time.Second
		return l
	}
	left := func(l *bench.Level) *bench.Level {
		l.State = bench.Settles
		return l
	}
	rare := func(l *bench.Level) *bench.Level {
		l.Stats[bench.TTFT].N = 99
		return l
	}
	noted := func(l *bench.Level) *bench.Level {
		l.Cause, l.Note = bench.CauseNote, "kv cache fp8"
		return l
	}
	other := func(l *bench.Level) *bench.Level {
		l.Work = 1
		return l
	}
	never := func(l *bench.Level) *bench.Level {
		l.Reached = bench.Mark{}
		return l
	}
	doubted := func(l *bench.Level) *bench.Level {
		l.Verdicts[0].Broken = true
		return l
	}
	limited := func(l *bench.Level) *bench.Level {
		l.InFlight = bench.Some(12.3)
		return l
	}
	const unknown = "held: not known, no load was measured for long enough"
	for _, row := range []struct {
		sentence, want string
		levels         []*bench.Level
	}{
		{"the usual", "held: 32 · broken at 40: ttft.p95 2.8 s > 2 s", []*bench.Level{
			level(1, 16, "++", 300, 40), level(2, 32, "++", 900, 30), level(3, 64, "--", 9000, 3), level(4, 40, "-+", 2800, 25)}},
		{"as far as levels are firm", "held: ~16, short · broken at 32, few: ttft.p95 2.8 s > 2 s", []*bench.Level{left(level(1, 16, "++", 300, 40)), rare(level(2, 32, "-+", 2800, 40))}},
		{"a note lies between", "before \"kv cache fp8\", held: 8 · broken at none\nsince \"kv cache fp8\", held: none · broken at 8: ttft.p95 2.8 s > 2 s",
			[]*bench.Level{level(1, 8, "++", 300, 40), noted(level(2, 8, "-+", 2800, 40))}},
		{"nothing broken", "held: 8 · broken at none", []*bench.Level{level(1, 8, "++", 300, 40)}},
		{"nothing held, two broken", "held: none · broken at 8: ttft.p95 2.001 s > 2 s, tps.p5 19.5 tok/s < 20 tok/s", []*bench.Level{level(1, 8, "--", 2001, 19.5)}},
		{"one not known is not held", "held: not known, too few answers were measured for tps.p5>=20", []*bench.Level{level(1, 8, "+?", 300, 40)}},
		{"what is broken needs no other", "held: none · broken at 8: tps.p5 12 tok/s < 20 tok/s", []*bench.Level{level(1, 8, "?-", 300, 12)}},
		{"a quota is no promise", "held: 8 · broken at none", []*bench.Level{level(1, 8, "++-", 300, 40, 700)}},
		{"broken beats held", "held: none · broken at 8: tps.p5 12 tok/s < 20 tok/s",
			[]*bench.Level{level(1, 8, "++", 300, 40), level(2, 8, "+-", 300, 12)}},
		{"whichever came first", "held: 4 · broken at 8: tps.p5 12 tok/s < 20 tok/s",
			[]*bench.Level{level(1, 8, "+-", 300, 12), level(2, 8, "++", 300, 40), level(3, 4, "++", 300, 40)}},
		{"a higher load held", "held: 16 · broken at 8: tps.p5 12 tok/s < 20 tok/s (levels 1 and 2: the load alone does not decide)",
			[]*bench.Level{level(1, 16, "++", 300, 40), level(2, 8, "+-", 300, 12)}},
		{"a load that was never reached", "held: 8 · broken at none",
			[]*bench.Level{level(1, 8, "++", 300, 40), never(level(2, 64, "++", 300, 40)), never(level(3, 4, "+-", 300, 12))}},
		{"a load that was only touched holds nothing, and what it broke is told", "held: 8 · broken at none · but level 3, at 8 for only 4s, broke tps.p5 12 tok/s < 20 tok/s",
			[]*bench.Level{level(1, 8, "++", 300, 40), short(level(2, 64, "++", 300, 40)), short(level(3, 8, "+-", 300, 12))}},
		{"a lesser load that was only touched", "held: none · broken at 8: ttft.p95 2.8 s > 2 s · but level 1, at 4 for only 4s, broke ttft.p95 2.9 s > 2 s",
			[]*bench.Level{short(level(1, 4, "-+", 2900, 40)), level(2, 8, "-+", 2800, 40), short(level(3, 6, "-+", 2850, 40))}},
		{"a greater one says nothing that is not known", "held: none · broken at 8: ttft.p95 2.8 s > 2 s", []*bench.Level{level(1, 8, "-+", 2800, 40), short(level(2, 16, "-+", 2900, 40))}},
		{"what was kept for a moment", unknown + " · level 2, at 8 for only 4s, kept every promise", []*bench.Level{short(level(1, 4, "++", 300, 40)), short(level(2, 8, "++", 300, 40))}},
		{"nothing measured for long", unknown + " · but level 1, at 64 for only 4s, broke tps.p5 12 tok/s < 20 tok/s", []*bench.Level{short(level(1, 64, "+-", 300, 12)), never(level(2, 32, "++", 300, 40))}},
		{"another workload that was only touched", "held: 8 · broken at none · but level 2, at 16 for only 4s, broke tps.p5 12 tok/s < 20 tok/s",
			[]*bench.Level{level(1, 8, "++", 300, 40), other(short(level(2, 16, "+-", 300, 12)))}},
		{"another workload, at more than what broke", "held: none · broken at 8: ttft.p95 2.8 s > 2 s · but level 2, at 16 for only 4s, broke tps.p5 12 tok/s < 20 tok/s",
			[]*bench.Level{level(1, 8, "-+", 2800, 40), other(short(level(2, 16, "+-", 300, 12)))}},
		{"below what broke nothing is known", "held: not known, too few answers were measured for tps.p5>=20 · broken at 16: ttft.p95 2.8 s > 2 s",
			[]*bench.Level{level(1, 8, "+?", 300, 0), level(2, 16, "-?", 2800, 0)}},
		{"nor above it, which says nothing of what is below", "held: none · broken at 8: ttft.p95 2.8 s > 2 s",
			[]*bench.Level{level(1, 16, "+?", 300, 0), level(2, 8, "-?", 2800, 0)}},
		{"a load that the server never had", "held: 40 (only 12.3 in flight on average) · broken at none", []*bench.Level{limited(level(1, 40, "++", 300, 40))}},
		{"nearly all of it", "held: 15 · broken at none", []*bench.Level{limited(level(1, 15, "++", 300, 40))}},
		{"what held stands", "held: 8 · broken at none", []*bench.Level{level(1, 8, "++", 300, 40), level(2, 16, "+?", 300, 0)}},
		{"broken by what is not known", "held: not known, too few answers were measured for ttft.p95<=2s", []*bench.Level{doubted(level(1, 8, "?+", 9000, 40))}},
	} {
		if got := strings.Join(verdictLines(&bench.Snapshot{Run: &bench.Run{}, Levels: row.levels}), "\n"); got != row.want {
			t.Errorf("%s: %s\nwant %s", row.sentence, got, row.want)
		}
	}
}

// TestSummaryHoldsAnswersToNothingThatWasNotMeasured: what came in one burst, or has one token, has no pace.
func TestSummaryHoldsAnswersToNothingThatWasNotMeasured(t *testing.T) {
	burst := func(share float64, n int) *bench.Snapshot {
		s := reporttest.Story()
		s.Total.Bursts, s.Total.Stats[bench.TPS].N = bench.Some(share), n
		return s
	}
	const pace = "are not held to tps.p5>=20\n"
	for _, row := range []struct {
		sentence string
		snap     *bench.Snapshot
		has, not []string
	}{
		{"no burst", burst(0, 801), []string{"91.2% of 805 (801 ok, 4 failed; 5 were limited) kept every promise (ttft.p95<=2s, tps.p5>=20, errors<=1%)\n"}, []string{"burst", "measured:"}},
		{"some", burst(0.25, 600), []string{"kept every promise (ttft.p95<=2s, tps.p5>=20, errors<=1%); the 25.0% that came in one burst " + pace,
			"\n! 25.0% of the answers came in one burst, and are in no ITL, TPOT and TPS\n"}, []string{"not really"}},
		{"most", burst(0.75, 200), []string{"; the 75.0% that came in one burst " + pace, "! streams come in one burst: not really streaming; 75.0% of the answers"}, nil},
		{"all", burst(1, 0), []string{"91.2% of 805 (801 ok, 4 failed; 5 were limited) kept what was measured (ttft.p95<=2s, errors<=1%); not measured: tps.p5>=20\n", "streaming; 100.0% of the answers"},
			[]string{"kept every", "not held"}},
		{"answers of one token", burst(0, 0), []string{"not measured: tps.p5>=20\n"}, []string{"kept every", "burst"}},
	} {
		text := summaryOf(t, row.snap, 300)
		for _, want := range row.has {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is missing in:\n%s", row.sentence, want, text)
			}
		}
		for _, bad := range row.not {
			if strings.Contains(text, bad) {
				t.Errorf("%s: %q in:\n%s", row.sentence, bad, text)
			}
		}
	}
}

func TestSummarySaysWhichRequestsAreInNoShare(t *testing.T) {
	for _, row := range []struct {
		apart bench.Apart
		want  string
	}{
		{bench.Apart{}, "12 failed, 0 limited (429), 0 cancelled"},
		{bench.Apart{Failed: 9}, "0 cancelled; 9 of the failed were sent while the target was down or warming up, and are in no share"},
		{bench.Apart{OK: 2, Failed: 9}, "0 cancelled; 9 of the failed and 2 of the ok were sent while"},
		{bench.Apart{OK: 2}, "0 cancelled; 2 of the ok were sent while"},
	} {
		tally := bench.Tally{Sent: 183, OK: 171, Failed: 12, Apart: row.apart}
		if got := requestWords(&bench.Snapshot{Run: &bench.Run{}, Total: bench.Summary{Tally: tally}}, Options{}); !strings.HasSuffix(got, row.want) && !strings.Contains(got, row.want+" ") {
			t.Errorf("%+v: %q, want %q", row.apart, got, row.want)
		}
	}
}

func TestSummarySaysWhereTokensWereCounted(t *testing.T) {
	for _, row := range []struct {
		sentence string
		tally    bench.Tally
		source   bench.Source
		cached   int
		want     string
	}{
		{"whole answers", bench.Tally{Sent: 9, OK: 9}, bench.FromUsage, 0, "9 in, 7 out with those of the preflight, counted from usage"},
		{"some cancelled", bench.Tally{Sent: 9, OK: 5, Cancelled: 4}, bench.FromUsage, 0, "counted from usage, of the 4 cancelled as they came"},
		{"all cancelled", bench.Tally{Sent: 9, Cancelled: 9}, bench.FromUsage, 0, "counted as they came: no answer was whole"},
		{"all unfinished", bench.Tally{Sent: 9}, bench.FromUsage, 0, "counted as they came: no answer was whole"},
		{"all failed", bench.Tally{Sent: 9, Failed: 9}, bench.FromContinuous, 0, "counted as they came: no answer was whole"},
		{"no usage", bench.Tally{Sent: 9, OK: 9}, bench.FromEvents, 0, "with those of the preflight; answers counted from events (an estimate: one token each)"},
		{"a prefix cache", bench.Tally{Sent: 9, OK: 9}, bench.FromUsage, 27, "counted from usage; without the preflight, 27 from the server's prefix cache"},
	} {
		s := &bench.Snapshot{Run: &bench.Run{}, Source: row.source}
		s.Spend.In, s.Spend.Out, s.Total.Tally, s.Total.Cached = 9, 7, row.tally, row.cached
		if got := tokenWords(s); !strings.HasSuffix(got, row.want) {
			t.Errorf("%s: %q, want %q", row.sentence, got, row.want)
		}
	}
}

func TestSpansAreAsPeopleSayThem(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 400 * time.Millisecond: "400ms", 20 * time.Second: "20s", 2 * time.Minute: "2m", 150 * time.Second: "2m30s", time.Hour: "1h",
		time.Hour + 5*time.Minute: "1h5m", 20 * time.Minute: "20m", 10*time.Hour + 3*time.Second: "10h0m3s",
	} {
		if got := span(d); got != want {
			t.Errorf("%v reads as %q, want %q", d, got, want)
		}
	}
}

// TestASummaryForNoTerminalIsAsWideAsItNeeds: nothing is dropped from its table, and no entry is broken into lines; COLUMNS bounds it.
func TestASummaryForNoTerminalIsAsWideAsItNeeds(t *testing.T) {
	s := reporttest.Story()
	text := summaryOf(t, s, 0)
	for _, want := range []string{" p99 ", " p1 ", " ± ", "open\n", "counted from usage; 1 200 of them for requests that failed\n", "TLS 9.10 ms (worst 31.0)\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
	if strings.Contains(text, "no room for") {
		t.Errorf("dropped:\n%s", text)
	}
}

func TestBreachTellsWhatNeverCame(t *testing.T) {
	v := bench.Verdict{Threshold: threshold(t, "ttft.p95<=2s"), Known: true, Broken: true, Beyond: true, Missed: bench.Missed{Failed: 3, Unsent: 40}}
	if got, want := breach(v, &bench.Level{}), "ttft.p95 > 2 s (3 failed, 40 unsent)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	v.Missed.Failed = 0
	if got, want := breach(v, &bench.Level{}), "ttft.p95 > 2 s (40 unsent)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	v = bench.Verdict{Threshold: threshold(t, "errors<=1%"), Value: bench.Some(71), Known: true, Broken: true, Missed: bench.Missed{Unsent: 40}}
	if got, want := breach(v, &bench.Level{}), "errors and unsent 71% > 1%"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
