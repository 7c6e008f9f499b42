package report

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/report/reporttest"
	"redline/ui/view/viewtest"
)

// TestThePageComparesItsRuns: each with the first, number by number, with verdicts in words; a single run with nothing.
func TestThePageComparesItsRuns(t *testing.T) {
	a, b := driven(t, 60, 4, 12), driven(t, 60, 4, 12)
	for _, l := range b.Levels {
		l.Note = "fp8"
	}
	var page bytes.Buffer
	set := Set{Of(a, Options{Origin: &Origin{Name: "before", Began: savedAt, Complete: true}}), Of(b, Options{Origin: &Origin{Name: "after", Began: savedAt.Add(time.Hour)}})}
	if err := set.HTML(&page); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<h3>B (after) against A (before)</h3>", "no difference seen", "All numbers at 12", "What else differs", "fp8", "B was cut off", "ttft.p50 ms"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("%q is not on the page", want)
		}
	}
	if strings.Contains(pageOf(t, a), "against A") {
		t.Error("a run alone is compared")
	}
}

// TestTargetsOfARunAreComparedOnThePage, and in private none is named.
func TestTargetsOfARunAreComparedOnThePage(t *testing.T) {
	s, _ := viewtest.Planted(hostMarker)
	of := driven(t, 30, 4)
	both := *s
	both.Rivals = &bench.Rivals{Names: []string{hostMarker + "-1", hostMarker + "-2"}, Both: true, Of: []*bench.Snapshot{of, driven(t, 30, 4)}}
	if text := pageOf(t, &both); !strings.Contains(text, "<h3>B ("+hostMarker+"-2) against A ("+hostMarker+"-1)</h3>") || !strings.Contains(text, "All numbers at 4") {
		t.Error("the targets are not compared")
	}
	var veil bench.Veil
	if text := pageOf(t, veil.Snapshot(&both)); strings.Contains(text, hostMarker) || !strings.Contains(text, "<h3>B against A</h3>") {
		t.Error("the private page names a target, or compares none")
	}
}

// TestTheServersGaugesAreLanes on the axis of the others, where it told any: a gauge that it did not tell has no pane, a second without a reading is a gap.
func TestTheServersGaugesAreLanes(t *testing.T) {
	var all []*bench.Bucket
	for i := range 4 {
		b := &bench.Bucket{Start: time.Duration(i) * time.Second, Span: time.Second, Active: time.Second}
		if i != 2 {
			b.Server = &bench.ServerFacts{Scrapes: 1}
			b.Server.Gauges[bench.ServerRunning] = bench.Amount{Sum: 3, Weight: 1, Max: 3}
			b.Server.Gauges[bench.KVUsage] = bench.Amount{Sum: 0.5, Weight: 1, Max: 0.5}
		}
		all = append(all, b)
	}
	panes := serverPanes(all)
	if len(panes) != 2 || len(panes[0].Lines) != 1 || panes[0].Lines[0].Name != "running" || panes[1].Lines[0].Points[0].Y != 50 {
		t.Fatalf("%+v", panes)
	}
	if at := panes[0].Lines[0].Points; at[1].Y != 3 || at[2].Y == at[2].Y {
		t.Errorf("%v", at)
	}
	if serverPanes([]*bench.Bucket{{Span: time.Second}}) != nil {
		t.Error("a server that told nothing has a lane")
	}
	if s := reporttest.Story(); s.Total.Server == nil && strings.Contains(pageOf(t, s), "Server: ") {
		t.Error("and so has one in the story")
	}
}
