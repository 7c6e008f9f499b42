package main

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"redline/bench"
)

// summaryOf is the summary of a run at a width.
func summaryOf(t *testing.T, s *bench.Snapshot, width int) string {
	t.Helper()
	var b strings.Builder
	if err := summarize(&b, s, ending{}, width); err != nil {
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
	s := story()
	for _, text := range []string{"e2e.p99<=20s", "ttfa<=3s", "tpot.p50<=30ms"} {
		s.Run.Thresholds = append(s.Run.Thresholds, threshold(t, text))
	}
	big := storyLevel(1234, 4096, 123_456, bench.Ready)
	big.Span = 99 * time.Hour
	big.Unfinished = 4096
	big.Note = strings.Repeat("a long note about it ", 20)
	big.Stats[bench.TTFT] = stat(123_456, bench.Few, 98_765, 123_456, 234_567, 1, 1)
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
	if narrow := summaryOf(t, s, 0); !strings.Contains(narrow, "E2E ms") || !strings.Contains(narrow, "\nno room for: ") {
		t.Errorf("what is promised has given way to what is not:\n%s", narrow)
	}
}

func TestNumbersThatAreNotNothingDoNotReadAsNothing(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.0004: "<0.01", 0.00499: "<0.01", 0.005: "0.01", 3.416: "3.42", 21.84: "21.8", 9999: "9999", 22_400: "22.4k"} {
		if got := short(v); got != want {
			t.Errorf("%v reads as %q, want %q", v, got, want)
		}
	}
	s := story()
	s.Total.Stats[bench.ITL] = stat(801, bench.Ready, 0.0004, 1.2, 3, 0, 0)
	if text := summaryOf(t, s, 0); !strings.Contains(text, " <0.01 ") || strings.Contains(text, " 0.00 ") {
		t.Error(text)
	}
}

func TestLevelsThatMeasuredNothingAreCounted(t *testing.T) {
	s := story()
	for id := 4; id < 7; id++ {
		l := &bench.Level{ID: id, Load: id}
		l.Tally.Sent = id
		s.Levels = append(s.Levels, l)
	}
	s.Levels = append(s.Levels, storyLevel(7, 12, 100, bench.Ready), &bench.Level{ID: 8})
	text := summaryOf(t, s, 120)
	if !strings.Contains(text, "\n3 levels too short to measure\n") || !strings.Contains(text, "\n     7   12 ") || strings.Contains(text, "\n     5 ") {
		t.Error(text)
	}
}

func TestQuotasAreNoPromises(t *testing.T) {
	s := story()
	s.Run.Thresholds = append(s.Run.Thresholds, threshold(t, "rpm<=600"), threshold(t, "tpm<=300k"))
	text := summaryOf(t, s, 0)
	for _, want := range []string{"kept every promise (ttft.p95<=2000ms, tps.p5>=20, errors<=1%)\n", "\nquotas    rpm<=600, tpm<=300000 (no promises"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
	s.Run.Thresholds = s.Run.Thresholds[3:]
	if text := summaryOf(t, s, 0); strings.Contains(text, "promise (") || strings.Contains(text, "held:") {
		t.Errorf("a promise where there are only quotas:\n%s", text)
	}
}

func TestVerdict(t *testing.T) {
	promises := []bench.Threshold{threshold(t, "ttft.p95<=2s"), threshold(t, "tps.p5>=20"), threshold(t, "rpm<=600")}
	// A level: its load, then whether each promise is kept (+), broken (-) or not known (?), by a value.
	level := func(id, load int, signs string, values ...float64) *bench.Level {
		l := &bench.Level{ID: id, Load: load, Reached: bench.MarkAt(time.Second)}
		l.Span = longEnough
		for i, sign := range signs {
			l.Verdicts = append(l.Verdicts, bench.Verdict{Threshold: promises[i], Value: bench.Some(values[i]), Known: sign != '?', Broken: sign == '-'})
		}
		return l
	}
	short := func(l *bench.Level) *bench.Level {
		l.Span = longEnough - 1
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
	const unknown = "held: not known, no load was measured for long enough for every promise"
	for _, row := range []struct {
		sentence, want string
		levels         []*bench.Level
	}{
		{"the usual", "held: 32 · broken at 40: ttft.p95 2.8 s > 2 s", []*bench.Level{
			level(1, 16, "++", 300, 40), level(2, 32, "++", 900, 30), level(3, 64, "--", 9000, 3), level(4, 40, "-+", 2800, 25)}},
		{"nothing broken", "held: 8 · broken at none", []*bench.Level{level(1, 8, "++", 300, 40)}},
		{"nothing held, two broken", "held: none · broken at 8: ttft.p95 2.001 s > 2 s, tps.p5 19.5 tok/s < 20 tok/s", []*bench.Level{level(1, 8, "--", 2001, 19.5)}},
		{"one not known is not held", unknown, []*bench.Level{level(1, 8, "+?", 300, 40)}},
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
		{"a load that was only touched", "held: 8 · broken at none",
			[]*bench.Level{level(1, 8, "++", 300, 40), short(level(2, 64, "++", 300, 40)), short(level(3, 8, "+-", 300, 12))}},
		{"nothing measured", unknown, []*bench.Level{short(level(1, 64, "+-", 300, 12)), never(level(2, 32, "++", 300, 40))}},
		{"broken by what is not known", unknown, []*bench.Level{doubted(level(1, 8, "?+", 9000, 40))}},
	} {
		if got := fmt.Sprint(findVerdict(row.levels)); got != row.want {
			t.Errorf("%s: %s\nwant %s", row.sentence, got, row.want)
		}
	}
}
