package report

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/report/reporttest"
)

func TestPlainColumnsAreAlwaysTheSame(t *testing.T) {
	names := func(s *bench.Snapshot) string {
		var out []string
		for _, field := range strings.Fields((&Lines{}).line(s))[2:] {
			name, _, _ := strings.Cut(field, "=")
			out = append(out, name)
		}
		return strings.Join(out, " ")
	}
	empty := &bench.Snapshot{Run: &bench.Run{}}
	full := reporttest.Story()
	full.Spend.Cost = bench.Value{}
	if a, b := names(empty), names(full); a != b {
		t.Errorf("an empty run has the columns\n%s\na full one\n%s", a, b)
	}
}

func TestEachEventIsToldOnceAndAGroupOfFailuresWhenItIsWhole(t *testing.T) {
	s := func(at int, gone int, events ...bench.Event) *bench.Snapshot {
		folded := time.Duration(at) * time.Second
		return &bench.Snapshot{Folded: folded, Events: events, EventsGone: gone, Gauges: bench.Gauges{At: folded, State: bench.Running}}
	}
	begin := bench.Event{Kind: bench.EventStart, To: bench.InFlight(4)}
	failures := func(n int) bench.Event {
		return bench.Event{At: 2 * time.Second, Kind: bench.EventFailure, Outcome: bench.ServerError, N: n, Text: "boom"}
	}
	note := bench.Event{At: 3500 * time.Millisecond, Kind: bench.EventNote, Text: "now"}
	// Derived in the fold of the fourth second: it comes before a note that was shown first.
	broken := bench.Event{At: 3400 * time.Millisecond, Kind: bench.EventBroken, Text: "ttft"}
	late := bench.Event{At: 8900 * time.Millisecond, Kind: bench.EventFailure, Outcome: bench.Refused, N: 1}
	end := s(9, 3, note, late)
	end.State = bench.Done
	var told teller
	var got []string
	for _, snap := range []*bench.Snapshot{
		s(1, 0, begin), s(1, 0, begin), s(2, 0, begin, failures(1)), s(3, 0, begin, failures(3), note), s(4, 0, begin, failures(4), broken, note),
		s(6, 0, begin, failures(9), broken, note), s(7, 0, begin, failures(11), broken, note), s(8, 1, failures(11), broken, note), end, end,
	} {
		got = append(got, strings.ReplaceAll(told.news(snap), "\n", ";"))
	}
	want := []string{"00:00:00 event start load 4;", "", "", "", "00:00:03 event slo broken: ttft;00:00:03 event note \"now\";", "",
		"00:00:06 event error 5xx ×11 boom (since 00:00:02);", "", "00:00:08 event error refused ×1;", ""}
	if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("told\n%q, want\n%q", got, want)
	}
}

func TestPlainCountsAgreeWithOneAnother(t *testing.T) {
	for _, row := range []struct {
		sentence           string
		sent, load         int
		held, span         float64
		want               string
		targetNow, heldNow int
	}{
		{"what was held is what the second's end had free", 72, 4, 1, 1, " load=4 inflight=3 held=1 ", 4, 1},
		{"what is held by now is not of that second", 72, 3, 0, 1, " load=3 inflight=3 held=0 ", 3, 3},
		{"what was held for a part of it has come back", 72, 3, 1.9, 1, " load=3 inflight=3 held=0 ", 3, 0},
		{"all of it", 69, 3, 3, 1, " load=3 inflight=0 held=3 ", 3, 0},
		{"a span of two seconds", 69, 3, 4, 2, " load=3 inflight=0 held=2 ", 3, 0},
		{"more run than the load, while it drains", 79, 2, 0.7, 1, " load=2 inflight=10 held=0 ", 2, 0},
		{"the load of the second, not that of the moment", 79, 10, 0, 1, " load=10 inflight=10 held=0 ", 20, 0},
	} {
		s := reporttest.Story()
		s.Target, s.Held, s.InFlight = bench.InFlight(row.targetNow), row.heldNow, 12
		s.Total.Tally = bench.Tally{Sent: row.sent, OK: 60, Failed: 4, Limited: 3, Cancelled: 2}
		b := &bench.Bucket{Span: time.Duration(row.span * float64(time.Second)), Target: bench.InFlight(row.load)}
		b.Held, b.In, b.Out = row.held, 300, 74
		s.Buckets = []*bench.Bucket{{Facts: bench.Facts{In: 70, OutFix: -4}}, b}
		if line := (&Lines{}).line(s); !strings.Contains(line, row.want) || !strings.Contains(line, " tokens=440 ") {
			t.Errorf("%s: want%s in\n%s", row.sentence, row.want, line)
		}
	}
}

func TestPlainTellsEachSecondOnce(t *testing.T) {
	p := &Lines{}
	text := ""
	for _, at := range []time.Duration{0, 0, 1, 2, 2, 1, 9} {
		s := reporttest.Story()
		s.Folded, s.Events = at*time.Second, nil
		text += p.Step(s)
	}
	var instants []string
	for line := range strings.Lines(text) {
		instants = append(instants, line[:8])
	}
	if got, want := strings.Join(instants, " "), "00:00:00 00:00:01 00:00:02 00:00:09"; got != want {
		t.Errorf("lines at %s, want %s", got, want)
	}
}

func TestPlainCountersNeverFall(t *testing.T) {
	p := &Lines{}
	for i, row := range []struct {
		tokens int
		cost   float64
		want   string
	}{{3825, 2, " tokens=3825 .* cost=2.00"}, {3809, 1, " tokens=3825 .* cost=2.00"}, {3824, 1.99, " tokens=3825 .* cost=2.00"}, {3826, 2.5, " tokens=3826 .* cost=2.50"}} {
		s := reporttest.Story()
		s.Buckets, s.Spend.Cost = []*bench.Bucket{{Facts: bench.Facts{In: row.tokens}}}, bench.Some(row.cost)
		if line := p.line(s); !regexp.MustCompile(row.want).MatchString(line) {
			t.Errorf("line %d: want %q in\n%s", i, row.want, line)
		}
	}
}

func TestPlainRatesSayHowFarTheyCanBeBelieved(t *testing.T) {
	s := reporttest.Story()
	rpm, tpm := &s.Levels[2].Stats[bench.RPM], &s.Levels[2].Stats[bench.TPM]
	*rpm = bench.Stat{N: 9, Readiness: bench.Few, Mean: bench.Some(57.6)}
	*tpm = bench.Stat{N: 900, Readiness: bench.Ready, Mean: bench.Some(5120), Half: bench.Some(431)}
	if line := (&Lines{}).line(s); !strings.Contains(line, " rpm=~57.6 rpm.half=- tpm=5120 tpm.half=431 ") {
		t.Error(line)
	}
}

func TestPlainShowsWhatIsPromised(t *testing.T) {
	s := reporttest.Story()
	for _, text := range []string{"e2e.p99<=20s", "ttfa<=3s", "tpot.p50<=30ms", "rpm<=600"} {
		threshold, err := bench.ParseThreshold(text)
		if err != nil {
			t.Fatal(err)
		}
		s.Run.Thresholds = append(s.Run.Thresholds, threshold)
	}
	s.Levels[2].Stats[bench.E2E] = reporttest.Stat(400, bench.Ready, 5000, 6000, 7000, 0, 0)
	if line := (&Lines{}).line(s); !strings.Contains(line, " e2e.p99=7000ms ttfa.p95=- tpot.p50=- rpm=") {
		t.Error(line)
	}
}

// TestPlainTellsAStateAfterItsEvent: the run is ahead of the seconds that are folded, and a line is of its second.
func TestPlainTellsAStateAfterItsEvent(t *testing.T) {
	p := &Lines{}
	text := ""
	for _, row := range []struct {
		folded, since float64
		state         bench.RunState
	}{{1, 0, bench.Running}, {2, 0, bench.Running}, {3, 3.4, bench.Paused}, {4, 4.2, bench.Draining}, {5, 4.2, bench.Draining}, {6, 6.1, bench.Running}, {7, 6.1, bench.Running}} {
		seconds := func(v float64) time.Duration { return time.Duration(v * float64(time.Second)) }
		s := reporttest.Story()
		s.Folded, s.At, s.Since, s.State, s.Events = seconds(row.folded), seconds(row.folded+1.1), seconds(row.since), row.state, nil
		for _, e := range []bench.Event{{At: seconds(3.4), Kind: bench.EventPause}, {At: seconds(4.2), Kind: bench.EventDrain}, {At: seconds(6.1), Kind: bench.EventResume}} {
			if e.At <= s.At {
				s.Events = append(s.Events, e)
			}
		}
		text += p.Step(s)
	}
	var got []string
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if fields[1] == "event" {
			fields[1] = fields[2]
		}
		got = append(got, fields[0][7:]+" "+fields[1])
	}
	want := "1 RUNNING, 2 RUNNING, 3 RUNNING, 3 pause, 4 PAUSED, 4 drain, 5 DRAINING, 6 DRAINING, 6 resume, 7 RUNNING"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("told %s\nwant %s", text, want)
	}
}
