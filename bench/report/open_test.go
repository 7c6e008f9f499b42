package report

import (
	"math"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/report/reporttest"
	"redline/ui/view/viewtest"
)

// openStory is the story with a level at a rate behind it, some of whose arrivals found no room.
func openStory() *bench.Snapshot {
	s := reporttest.Story()
	l := reporttest.Level(4, 0, 240, bench.Ready)
	l.Load = bench.PerSecond(2.5)
	l.Tally.Unsent = 12
	l.Offered, l.RPS = bench.Some(2.52), bench.Some(2.4)
	l.DueTTFT = reporttest.Stat(240, bench.Ready, 380, 520, 900, 300, 280)
	l.Lag = reporttest.Stat(240, bench.Ready, 0.2, 1.2, 4.5, 0, 0)
	for i, value := range []float64{442, 41.8, 0.6} {
		l.Verdicts = append(l.Verdicts, bench.Verdict{Threshold: s.Run.Thresholds[i], Value: bench.Some(value), Known: true})
	}
	s.Levels = append(s.Levels, l)
	s.Total.Tally.Unsent, s.Total.Offered = 12, bench.Some(2.52)
	s.Total.Lag, s.Total.DueTTFT = l.Lag, l.DueTTFT
	s.Total.Chars, s.Total.AskedTokens, s.Total.PromptTokens = bench.Some(7123), bench.Some(498), bench.Some(531)
	s.Run.Arrivals = bench.Arrivals{Shape: bench.Gamma, Burstiness: 0.5}
	s.Run.Scenario, s.Run.Warmup, s.Warmed = "chat", 8, 8
	s.Run.Works = []bench.Workload{{Name: "mail", Words: "chats of mail.jsonl", Left: "3 of 9 rows left out: 3 without a question", MaxTokens: 300}, {Name: "short", InputTokens: 64, MaxTokens: 64}}
	s.Strained = [2]int{12, 3}
	s.Health.Why = "cpu 94%"
	s.Tail = bench.Tail{Began: bench.MarkAt(4 * time.Minute), Span: 4200 * time.Millisecond, Finished: 7, Cut: 1}
	s.Target = bench.PerSecond(2.5)
	s.Buckets[0].Target = bench.PerSecond(2.5)
	return s
}

func TestSummaryOfTheOpenLoop(t *testing.T) {
	s := openStory()
	var b strings.Builder
	if err := summarize(&b, s, Options{Aim: AimGoodput}, 160); err != nil {
		t.Fatal(err)
	}
	golden(t, "summary-open.txt", b.String())
}

func TestPlainLinesTellARate(t *testing.T) {
	line := (&Lines{}).line(openStory())
	for _, want := range []string{" load=2.5/s ", " offered/s=2.52 due.ttft.p95=520ms late.p99=4.50ms ", " unsent=12 ", " held=0 ", " client=ok"} {
		if !strings.Contains(line, want) {
			t.Errorf("%q is missing in %s", want, line)
		}
	}
}

func TestVerdictsNeverMixKindsOfLoad(t *testing.T) {
	s := openStory()
	s.Levels[2].Note = "" // a note would part them, too
	want := "held: 16 · broken at 48: ttft.p95 2.5 s > 2 s\nheld: 2.5/s (12 of 255 arrivals were not sent) · broken at none"
	mixed := strings.Join(verdictLines(s), "\n")
	if got := strings.NewReplacer("closed loop, ", "", "open loop, ", "").Replace(mixed); got != want || !strings.HasPrefix(mixed, "closed loop, held: 16") {
		t.Errorf("got\n%s\nwant\n%s", mixed, want)
	}
	s.Levels = s.Levels[:2]
	s.Levels[1].Work = 1
	if got, want := strings.Join(verdictLines(s), "\n"), "mail, held: 16 · broken at none\nshort, held: none · broken at 48: ttft.p95 2.5 s > 2 s"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	s.Levels[0].Work = 1
	if got, want := strings.Join(verdictLines(s), "\n"), "held: 16 · broken at 48: ttft.p95 2.5 s > 2 s"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestEventsOfEveryKindOfLoadAreTold(t *testing.T) {
	for _, row := range []struct {
		event bench.Event
		want  string
	}{
		{bench.Event{Kind: bench.EventCommit, Cause: bench.CauseLoad, From: bench.PerSecond(1), To: bench.PerSecond(2.5)}, "load 1/s to 2.5/s"},
		{bench.Event{Kind: bench.EventMode, From: bench.InFlight(8), To: bench.PerSecond(2.5)}, "mode open loop at 2.5/s, closed loop at 8 before"},
		{bench.Event{Kind: bench.EventWork, Text: "mail"}, "work mail"},
		{bench.Event{Kind: bench.EventPromise, Text: "ttft.p95<=500ms, was ttft.p95<=2s"}, "slo promise ttft.p95<=500ms, was ttft.p95<=2s"},
		{bench.Event{Kind: bench.EventClear}, "clear all before is forgotten"},
		{bench.Event{Kind: bench.EventUnsent, N: 7}, "unsent ×7: arrivals found no room"},
		{bench.Event{Kind: bench.EventProfile, N: bench.ProfileBegins, Text: "profile evening begins"}, "profile evening begins"},
		{bench.Event{Kind: bench.EventProfile, N: bench.ProfileHeld, Span: 25 * time.Second, Text: "the hand has taken over from profile evening"}, "profile held: the hand has taken over from profile evening, after 25s of it"},
		{bench.Event{Kind: bench.EventProfile, N: bench.ProfileGoesOn, Span: 25 * time.Second, Text: "profile evening goes on"}, "profile evening goes on, after 25s of it"},
		{bench.Event{Kind: bench.EventProfile, N: bench.ProfileOver, To: bench.InFlight(12), Text: "profile evening is over"}, "profile evening is over, load 12"},
	} {
		if got := sentence(row.event); got != row.want {
			t.Errorf("%q, want %q", got, row.want)
		}
	}
}

func TestTheAimIsReachedWhereNoPromiseIsBroken(t *testing.T) {
	s := reporttest.Story()
	s.Run.Scenario = "search"
	s.Levels[1].Stats[bench.RPM].Mean = bench.Some(900)
	if got, want := aimWords(s, AimRequests), "search, which is about RPM: most at 16 (level 1), 478 requests a minute"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	s.Levels = s.Levels[1:2]
	if got, want := aimWords(s, AimRequests), "search, which is about RPM: most at 48 (level 2), 900 requests a minute, though it broke ttft.p95<=2s"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	s.Levels[0].PerMinuteIn, s.Levels[0].PerMinuteOut = bench.Some(3000), bench.Some(1000)
	if got, want := aimWords(s, AimTokens), "223.9k tokens a minute, 1.20 a million output tokens, though"; !strings.Contains(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	s.Levels = nil
	if got, want := aimWords(s, AimGoodput), "search, which is about goodput"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTheClientsOwnStrainIsTold(t *testing.T) {
	for _, row := range []struct {
		strained [2]int
		strain   bench.Strain
		why      string
		folded   time.Duration
		want     string
	}{
		{[2]int{}, bench.Unstrained, "", time.Minute, ""},
		{[2]int{12, 0}, bench.Unstrained, "", time.Minute, "the client itself was busy 12 s of 60 s"},
		{[2]int{12, 3}, bench.Busy, "cpu 94%", time.Minute, "the client itself was busy 12 s, saturated 3 s of 60 s (cpu 94%)"},
		{[2]int{0, 2}, bench.Saturated, "", time.Second, "the client itself was saturated 2 s of 2 s"},
		{[2]int{}, bench.Busy, "timers", 0, "the client itself was busy (timers)"},
	} {
		s := &bench.Snapshot{Folded: row.folded, Strained: row.strained, Health: bench.Health{Strain: row.strain, Why: row.why}}
		if got := strainWords(s); got != row.want {
			t.Errorf("%+v: %q", row, got)
		}
	}
}

func TestTheSummaryTellsWhenAHandTookAProfileOver(t *testing.T) {
	s := reporttest.Story()
	for i, text := range []string{"profile evening begins", "the hand has taken over from profile evening", "profile evening goes on", "profile evening is over"} {
		s.Events = append(s.Events, bench.Event{At: time.Duration(i) * 10 * time.Second, Kind: bench.EventProfile, N: i, Span: 10 * time.Second, Text: text})
	}
	s.Events = append(s.Events, bench.Event{At: 50 * time.Second, Kind: bench.EventProfile, Text: "profile evening begins again"})
	var b strings.Builder
	if writeNotes(&b, s, 140); strings.Count(b.String(), "evening") != 3 {
		t.Errorf("%s", b.String())
	}
	for _, want := range []string{"profile held: the hand has taken over from profile evening, after 10s of it", "profile evening goes on, after 10s of it", "profile evening begins again"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("want %q in\n%s", want, b.String())
		}
	}
}

func TestTheLengthsOfEachWorkloadAreTold(t *testing.T) {
	for _, row := range []struct {
		sentence string
		works    []bench.Workload
		want     string
	}{
		{"one", []bench.Workload{{Name: "a", InputTokens: 128, MaxTokens: 64}}, "mean tokens 128 in the workload; answers at most 64 tokens"},
		{"two", []bench.Workload{{Name: "a", InputTokens: 128, MaxTokens: 64}, {Name: "b", InputTokens: 4096, MaxTokens: 512}}, "mean tokens 128 in a, 4096 in b; answers at most 64 in a, 512 in b"},
		{"two, of which one is not known", []bench.Workload{{Name: "a", MaxTokens: 64}, {Name: "b", InputTokens: 4096, MaxTokens: 64}}, "mean tokens not known in a, 4096 in b; answers at most 64 in a, 64 in b"},
		{"two that are not known", []bench.Workload{{Name: "a", MaxTokens: 64}, {Name: "b", MaxTokens: 64}}, "length not known beforehand; answers at most 64 in a, 64 in b"},
	} {
		if got := promptWords(&bench.Snapshot{Run: &bench.Run{Works: row.works}}); got != row.want {
			t.Errorf("%s: %q, want %q", row.sentence, got, row.want)
		}
	}
}

// TestNoLengthIsWhatIsNoNumber, whatever a snapshot holds.
func TestNoLengthIsWhatIsNoNumber(t *testing.T) {
	s := &bench.Snapshot{Run: &bench.Run{}}
	none := bench.Value{V: math.NaN(), OK: true}
	s.Total.AskedTokens, s.Total.PromptTokens, s.Total.AnswerTokens = none, none, bench.Value{V: math.Inf(1), OK: true}
	if got := promptWords(s); got != "length not known beforehand" {
		t.Errorf("%q", got)
	}
	for seed := range uint64(80) {
		if got := promptWords(Begun(viewtest.Random(seed))); strings.Contains(got, "NaN") || strings.Contains(got, "Inf") {
			t.Errorf("seed %d: %q", seed, got)
		}
	}
}
