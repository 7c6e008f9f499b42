package bench

import (
	"strings"
	"testing"
	"time"
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

// TestTokensAreHeldAgainstTheSameSeconds: what came while nothing could be read is not what the server generated less.
func TestTokensAreHeldAgainstTheSameSeconds(t *testing.T) {
	seconds := func(read func(i int) float64) (all []*Bucket) {
		for i := range 30 {
			b := &Bucket{Start: time.Duration(i) * time.Second, Span: time.Second}
			b.Out = 100
			if w := read(i); w > 0 {
				b.Server = &ServerFacts{Scrapes: 1}
				b.Server.Gauges[GenerationRate] = Amount{Sum: 100 * w, Weight: w, Max: 100}
			}
			all = append(all, b)
		}
		return all
	}
	for _, c := range []struct {
		sentence string
		read     func(int) float64
		want     float64
		seconds  time.Duration
	}{
		{"every second", func(int) float64 { return 1 }, 3000, 30 * time.Second},
		{"none", func(int) float64 { return 0 }, 0, 0},
		{"an outage of which nothing is known", func(i int) float64 {
			if i >= 6 && i < 22 {
				return 0
			}
			return 1
		}, 1400, 14 * time.Second},
		{"a counter that was away for three seconds", func(i int) float64 {
			switch {
			case i >= 10 && i < 13:
				return 0
			case i == 13:
				return 4
			}
			return 1
		}, 3000, 30 * time.Second},
	} {
		if generated, came, read := Beside(seconds(c.read)); generated != c.want || came != c.want || read != c.seconds {
			t.Errorf("%s: %v generated, %v came in %v; want %v in %v", c.sentence, generated, came, read, c.want, c.seconds)
		}
		joined := seconds(c.read)
		joined = append([]*Bucket{Join(joined[:15])}, Join(joined[15:]))
		if generated, came, _ := Beside(joined); generated != came || generated != c.want {
			t.Errorf("%s, joined: %v generated, %v came, want %v", c.sentence, generated, came, c.want)
		}
	}
}
