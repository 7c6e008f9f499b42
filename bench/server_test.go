package bench

import (
	"strings"
	"testing"
)

func TestAdditiveFactsOfTwoSpansAreWeighed(t *testing.T) {
	a := &ServerFacts{Scrapes: 1, TTFT: SketchOf(10)}
	a.Gauges[ServerRunning] = Amount{Sum: 4, Weight: 1, Max: 4}
	a.Gauges[PrefixHits] = Amount{Sum: 10, Weight: 100, Max: 0.1}
	b := &ServerFacts{Scrapes: 3, Missed: 1, Restarts: 1, TTFT: SketchOf(30)}
	b.Gauges[ServerRunning] = Amount{Sum: 24, Weight: 3, Max: 10}
	b.Gauges[PrefixHits] = Amount{Sum: 90, Weight: 100, Max: 0.9}
	f, g := Facts{Server: a}, Facts{Server: b}
	f.Add(&g)
	s := f.Server
	if v := s.Mean(ServerRunning); v != Some(7) {
		t.Errorf("%v run, want 28 over 4 readings", v)
	}
	if v := s.Mean(PrefixHits); v != Some(0.5) {
		t.Errorf("hits %v, want 100 of 200", v)
	}
	if v := s.Max(ServerRunning); v != Some(10) {
		t.Errorf("at most %v", v)
	}
	if s.Scrapes != 4 || s.Missed != 1 || s.Restarts != 1 || s.TTFT.N != 2 {
		t.Errorf("facts %+v", s)
	}
	if v := s.Mean(KVUsage); v.OK {
		t.Errorf("a gauge that nobody told is %v", v)
	}
	if a.Scrapes != 1 || a.Gauges[ServerRunning].Sum != 4 {
		t.Error("what was added to has changed")
	}
	var none *ServerFacts
	if none.Mean(ServerRunning).OK || none.Max(ServerRunning).OK {
		t.Error("no facts have a gauge")
	}
}

func TestAddressesOfMetricsAreHiddenInPrivate(t *testing.T) {
	s := &Snapshot{
		Run: &Run{},
		Server: []Scrape{
			{URL: "http://gpu-7:8000/metrics", Engine: "vLLM", Version: "0.11.2", State: ScrapeOK},
			{URL: "http://gpu-8:8000/metrics", Version: "built by alice on gpu-8", State: ScrapeAbsent, Why: "Not Found"},
		},
		Events: []Event{{Kind: EventServer, Text: "vLLM tells its gauges" + ServerAt + "gpu-7:8000"}},
	}
	var v Veil
	out := v.Snapshot(s)
	if out.Server[0].URL != Hidden || out.Server[0].Version != "0.11.2" || out.Server[0].Engine != "vLLM" || out.Server[1].Version != Hidden || out.Server[1].Why != "Not Found" {
		t.Errorf("scrapes %+v", out.Server)
	}
	if text := out.Events[0].Text; text != "vLLM tells its gauges" {
		t.Errorf("event %q", text)
	}
	if !strings.Contains(s.Server[0].URL, "gpu-7") {
		t.Error("the original has changed")
	}
}
