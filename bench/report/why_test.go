package report

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/report/reporttest"
)

// queueStory is a story whose last level has 40 requests in flight, most of which wait before a batch of eight; folded at so many seconds.
func queueStory(seconds int) *bench.Snapshot {
	s := reporttest.Story()
	l := *s.Levels[2]
	l.Note, l.State = "", bench.Settled
	l.Stats[bench.TTFT] = reporttest.Stat(100, bench.Ready, 4200, 4600, 4900, 400, 380)
	l.Stats[bench.TTFT].Mean, l.InFlight = bench.Some(4200), bench.Some(40)
	l.Verdicts = nil
	server := &bench.ServerFacts{Scrapes: 30}
	server.Gauges[bench.ServerWaiting] = bench.Amount{Sum: 32 * 30, Weight: 30, Max: 33}
	server.Gauges[bench.ServerRunning] = bench.Amount{Sum: 8 * 30, Weight: 30, Max: 8}
	l.Server = server
	s.Levels = []*bench.Level{s.Levels[0], s.Levels[1], &l}
	s.Folded, s.Events = time.Duration(seconds)*time.Second, nil
	return s
}

func TestPlainTellsWhyWhenItChanges(t *testing.T) {
	p := &Lines{}
	run := queueStory(0).Run
	text := ""
	for second := 100; second < 120; second++ {
		s := queueStory(second)
		s.Run = run
		if second >= 110 {
			// The queue is gone.
			s.Levels[2].Server, s.Levels[2].Stats[bench.TTFT] = nil, reporttest.Stat(100, bench.Ready, 371, 442, 498, 300, 280)
		}
		text += p.Step(s)
	}
	var events []string
	for line := range strings.Lines(text) {
		if strings.Contains(line, " event why ") {
			events = append(events, strings.TrimSpace(line))
		}
	}
	want := []string{"00:01:40 event why at 40: queueing: 32 waiting; 8 running of 40 in flight", "00:01:55 event why at 40: no longer queueing, nothing stands out"}
	if !slices.Equal(events, want) {
		t.Errorf("events %q, want %q", events, want)
	}
	if with, without := strings.Count(text, " why=queueing"), strings.Count(text, " why=-"); with != 15 || without != 5 {
		t.Errorf("%d lines with a cause, %d without, want 15 and 5", with, without)
	}
}

func TestSummaryAndReportsSayWhy(t *testing.T) {
	s := queueStory(252)
	s.Levels[0].Note = ""
	var b strings.Builder
	if err := summarize(&b, s, Options{}, 0); err != nil {
		t.Fatal(err)
	}
	want := "why at 40: queueing: 32 waiting; 8 running of 40 in flight · try a larger batch if the KV cache allows, more replicas, admission control\n"
	if !strings.Contains(b.String(), want) {
		t.Errorf("no %q in\n%s", want, b.String())
	}
	if text := markdown(s, Options{Saved: savedAt}); !strings.Contains(text, "## Why\n\n- why at 40: queueing: 32 waiting;") {
		t.Error(text)
	}
	data, err := reportOf(s, Options{Saved: savedAt}).json()
	if err != nil {
		t.Fatal(err)
	}
	var out struct {
		Levels []struct {
			Diagnosis struct {
				NotEnough string `json:"not_enough_yet"`
				Found     []struct {
					Cause, Grade, Try string
					Weight            float64
					Saw               []string
					Refuted           string `json:"refuted_by"`
				}
				NotJudged []struct{ Cause, Needs string } `json:"not_judged"`
			}
		}
	}
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	d := out.Levels[2].Diagnosis
	if len(d.Found) != 1 || d.Found[0].Cause != "queueing" || d.Found[0].Grade != "alarm" || d.Found[0].Saw[0] != "32 waiting" || d.Found[0].Try == "" || d.Found[0].Refuted == "" || !(d.Found[0].Weight > 0.5) {
		t.Errorf("found %+v", d.Found)
	}
	if len(d.NotJudged) == 0 || d.NotJudged[0].Needs == "" {
		t.Errorf("not judged %+v", d.NotJudged)
	}
}

func TestWhyIsVeiledInPrivate(t *testing.T) {
	s := queueStory(252)
	l := s.Levels[2]
	l.Server = nil
	l.Counted.Failed, l.Counted.By[bench.ServerError] = 30, 30
	s.Failures = []bench.Ended{{Outcome: bench.ServerError, Message: "no room at " + hostMarker}}
	if line := (&Lines{}).Step(s); !strings.Contains(line, "errors first: ") || !strings.Contains(line, hostMarker) {
		t.Fatalf("the test proves nothing: %s", line)
	}
	var veil bench.Veil
	line := (&Lines{}).Step(veil.Snapshot(s))
	if !strings.Contains(line, "errors first: ") || strings.Contains(line, hostMarker) {
		t.Error(line)
	}
}

// TestALevelThatBeginsTakesNoCauseBack: what limits may only not show yet where another level has begun.
func TestALevelThatBeginsTakesNoCauseBack(t *testing.T) {
	r := &reasoner{}
	run := queueStory(0).Run
	text := ""
	for second := 100; second < 130; second++ {
		s := queueStory(second)
		s.Run = run
		if second >= 110 {
			again := *s.Levels[2]
			if again.ID = 9; second < 118 {
				again.Stats[bench.TTFT].N = 12
			}
			if second < 114 {
				again.Stats[bench.TTFT].N, again.Server = 25, nil
			}
			s.Levels = append(s.Levels, &again)
		}
		text += r.news(s)
	}
	want := "00:01:40 event why at 40: queueing: 32 waiting; 8 running of 40 in flight\n00:01:58 event why at 40: queueing: 32 waiting; 8 running of 40 in flight\n"
	if text != want {
		t.Errorf("%q, want %q", text, want)
	}
}

// TestTheSummaryTellsWhatSpoilsItsNumbers, though it limits nothing.
func TestTheSummaryTellsWhatSpoilsItsNumbers(t *testing.T) {
	s := queueStory(252)
	l := s.Levels[2]
	l.Server.Gauges[bench.ServerWaiting] = bench.Amount{Weight: 30}
	l.Server.Gauges[bench.ServerRunning] = bench.Amount{Sum: 90 * 30, Weight: 30, Max: 90}
	l.Stats[bench.TTFT] = reporttest.Stat(100, bench.Ready, 371, 442, 498, 300, 280)
	want := "remark at 40: others use this server: 90 requests there, 40 of them ours · say so beside the results; measure alone"
	if lines := whyLines(s); !slices.Contains(lines, want) {
		t.Errorf("no %q in %q", want, lines)
	}
}
