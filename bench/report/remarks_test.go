package report

import (
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/report/reporttest"
)

// TestPlainTellsWhatMakesNumbersDoubtful: once, and of events that could not be read again when they are twice as many.
func TestPlainTellsWhatMakesNumbersDoubtful(t *testing.T) {
	p := &Lines{}
	text := ""
	for second, malformed := range []int{0, 1, 1, 2, 3, 4} {
		s := reporttest.Story()
		s.Folded += time.Duration(second) * time.Second
		s.Total.Malformed, s.Total.Bursts = malformed, bench.Some(0.2*float64(malformed))
		text += p.Step(s)
	}
	for want, n := range map[string]int{"event warn malformed events ×1: ": 1, "event warn malformed events ×2: ": 1, "event warn malformed events ×3: ": 0,
		"event warn malformed events ×4: ": 1, "event warn streams come in one burst: not really streaming, so that they have no ITL, TPOT and TPS\n": 1} {
		if got := strings.Count(text, want); got != n {
			t.Errorf("%q is told %d times, want %d, in:\n%s", want, got, n, text)
		}
	}
}

// TestALevelWithoutAChangeOfLoadIsNoChange: a note, a resume or a recovery has a line of its own.
func TestALevelWithoutAChangeOfLoadIsNoChange(t *testing.T) {
	for load, want := range map[int]string{4: "", 8: "load 4 to 8"} {
		if got := sentence(bench.Event{Kind: bench.EventCommit, Cause: bench.CauseRecovery, From: bench.InFlight(4), To: bench.InFlight(load)}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestPlainLinesNameTheQuotaWithTheLeastLeft(t *testing.T) {
	s := reporttest.Story()
	s.Quotas = []bench.Quota{{Per: bench.Month, Limit: bench.Some(100), Remaining: bench.Some(10)}, {Kind: bench.QuotaTokens, Per: bench.Day, Limit: bench.Some(100)},
		{Kind: bench.QuotaOutput, Per: 60e9, Limit: bench.Some(100), Remaining: bench.Some(40)}}
	s.Source = bench.FromContinuous
	if line := (&Lines{}).line(s); !strings.Contains(line, " source=continuous malformed=0 quota.used=RP-month:90.0% quota.binds=- silent=- ") {
		t.Error(line)
	}
}

// TestPlainLinesTellASilence: as old as it was at the end of their second, and of none that began later.
func TestPlainLinesTellASilence(t *testing.T) {
	for _, row := range []struct {
		silent bench.Mark
		want   string
	}{{bench.Mark{}, " silent=- "}, {bench.MarkAt(reporttest.Story().Folded - 15*time.Second), " silent=15s "}, {bench.MarkAt(reporttest.Story().Folded + time.Second), " silent=- "}} {
		s := reporttest.Story()
		s.Silent = row.silent
		if line := (&Lines{}).line(s); !strings.Contains(line, row.want) {
			t.Errorf("%+v: %q is not in %s", row.silent, row.want, line)
		}
	}
}

// TestASilenceLastsAsLongAsItsSeconds: a run that has stopped sending since tells none any more, and a line is of a second before.
func TestASilenceLastsAsLongAsItsSeconds(t *testing.T) {
	p := &Lines{}
	for _, row := range []struct {
		folded time.Duration
		since  time.Duration
		state  bench.RunState
		silent bench.Mark
		want   string
	}{{9, 0, bench.Running, bench.MarkAt(2e9), " silent=7s "}, {10, 11, bench.Draining, bench.Mark{}, " silent=8s "}, {11, 11, bench.Draining, bench.Mark{}, " silent=- "}} {
		s := reporttest.Story()
		s.Folded, s.Since, s.State, s.Silent = row.folded*time.Second, row.since*time.Second, row.state, row.silent
		if line := p.line(s); !strings.Contains(line, row.want) {
			t.Errorf("at %d s: %q is not in %s", row.folded, row.want, line)
		}
	}
}

// TestAnOutageIsToldWithItsLength: in lines, and among the notes of the summary.
func TestAnOutageIsToldWithItsLength(t *testing.T) {
	s := reporttest.Story()
	s.Events = append(s.Events, bench.Event{At: 140 * time.Second, Kind: bench.EventDown, Text: "refused"}, bench.Event{At: 146 * time.Second, Kind: bench.EventUp, Span: 6 * time.Second})
	lines := (&teller{}).news(s)
	for _, want := range []string{"00:02:20 event down refused\n", "00:02:26 event up after 6s\n"} {
		if !strings.Contains(lines, want) {
			t.Errorf("%q is not in\n%s", want, lines)
		}
	}
	if text := summaryOf(t, s, 80); !strings.Contains(text, "\n00:02:20  down refused\n00:02:26  up after 6s\n") {
		t.Error(text)
	}
}
