package view

import (
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

// gauged is the Server view of a scene whose server tells its gauges, once they were changed.
func gauged(scene viewtest.Scene, w, h int, change func(*bench.Snapshot)) string {
	return drawn(scene, w, h, func(s *bench.Snapshot, st *State) {
		viewtest.Serve(s)
		st.View = action.Server
		if change != nil {
			change(s)
		}
	})
}

// tells sets a gauge's mean and greatest reading in the present level.
func tells(s *bench.Snapshot, g bench.Gauge, mean, most float64) {
	s.Level().Server.Gauges[g] = bench.Amount{Sum: mean * 600, Weight: 600, Max: most}
}

func TestGaugesSayWhatTheyMean(t *testing.T) {
	for _, c := range []struct {
		sentence string
		scene    viewtest.Scene
		change   func(*bench.Snapshot)
		want     string
	}{
		{"a batch that is full, with a queue before it", viewtest.Breach, nil, "capped at 42 by the server"},
		{"also where the server does not say its size", viewtest.Breach, func(s *bench.Snapshot) { s.Server[0].MaxRunning = bench.Value{} }, "capped at 42 by the server"},
		{"a queue before a batch that has room", viewtest.Breach, func(s *bench.Snapshot) { tells(s, bench.ServerRunning, 30, 33) }, "queue, yet 12 of 42 are free"},
		{"a batch of our own requests", viewtest.Running, nil, "all are ours"},
		{"a batch of more than ours", viewtest.Running, func(s *bench.Snapshot) {
			s.Server[0].MaxRunning = bench.Some(256)
			tells(s, bench.ServerRunning, 70, 75)
		}, "30 not ours: others use it"},
		{"a batch of fewer", viewtest.Running, func(s *bench.Snapshot) { tells(s, bench.ServerRunning, 20, 22) }, "40 are ours, some on the way"},
		{"the one load at which there was a queue", viewtest.Running, nil, "queue only while load was 48"},
		{"the present one", viewtest.Breach, nil, "queue only at this load, 48"},
		{"no queue", viewtest.Open, nil, "no lasting queue at any load so far"},
		{"a queue from a load on", viewtest.Running, func(s *bench.Snapshot) { tells(s, bench.ServerWaiting, 3, 5) }, "queue from load 40 on"},
		{"a queue at some loads", viewtest.Running, func(s *bench.Snapshot) { s.Levels[0].Server.Gauges[bench.ServerWaiting].Sum = 1e4 }, "queue at 2 of 4 loads"},
		{"where the cache was fullest", viewtest.Running, nil, "peak 91% at 48"},
		{"a cache that is nearly full", viewtest.Running, func(s *bench.Snapshot) { tells(s, bench.KVUsage, 0.93, 0.97) }, "nearly full; peak 97% at 40"},
		{"a full one, for which requests wait", viewtest.Breach, func(s *bench.Snapshot) { tells(s, bench.KVUsage, 0.99, 1) }, "full: requests wait for it"},
		{"what was thrown out, and when", viewtest.Running, nil, "4 at 48, none since"},
		{"what is thrown out now", viewtest.Breach, nil, "4 thrown out at this load"},
		{"nothing was thrown out", viewtest.Open, nil, "none so far"},
		{"prompts that are computed whole", viewtest.Running, func(s *bench.Snapshot) { tells(s, bench.PrefixHits, 0.001, 0.1) }, "prompts are computed whole"},
		{"what the power buys", viewtest.Running, nil, "0.18 J a generated token"},
	} {
		if got := gauged(c.scene, 120, 36, c.change); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q is not in\n%s", c.sentence, c.want, got)
		}
	}
}

func TestOursAndItsAreCompared(t *testing.T) {
	for _, c := range []struct {
		sentence, want string
		change         func(*bench.Snapshot)
	}{
		{"the network's share of a first token", "ours 370    its 356    14.0 between (3.8%)", func(s *bench.Snapshot) {}},
		{"times that cannot be of the same requests", "its is more: it is not of the same", func(s *bench.Snapshot) { tells(s, bench.ServerTTFT, 400, 400) }},
		{"tokens that agree", "ours 1 699  its 1 706  ✓ agree", func(s *bench.Snapshot) {}},
		{"a level of a few seconds is not compared", "its 1 706  too short to compare", func(s *bench.Snapshot) { s.Level().Span = 9 * time.Second }},
		{"more tokens, of more requests than ours", "others use this server", func(s *bench.Snapshot) {
			tells(s, bench.GenerationRate, 3000, 3000)
			tells(s, bench.ServerRunning, 70, 70)
		}},
		{"more tokens, where events are counted", "we count events, not tokens", func(s *bench.Snapshot) {
			s.Source = bench.FromEvents
			tells(s, bench.GenerationRate, 3000, 3000)
		}},
		{"fewer tokens, of one server of two", "not all addresses are read", func(s *bench.Snapshot) {
			s.Server = append(s.Server, bench.Scrape{State: bench.ScrapeDenied})
			tells(s, bench.GenerationRate, 800, 800)
		}},
		{"fewer tokens than came", "fewer than came: does another server", func(s *bench.Snapshot) { tells(s, bench.GenerationRate, 800, 800) }},
		{"fewer, of a server that counts a request when it ends", "✓ agree", func(s *bench.Snapshot) { s.Server[0].Late = true }},
		{"by as many as are under way", "its 1 600  counted when ended", func(s *bench.Snapshot) {
			s.Server[0].Late = true
			tells(s, bench.GenerationRate, 1600, 1650)
		}},
		{"by more than are under way", "fewer than came: does another server", func(s *bench.Snapshot) {
			s.Server[0].Late = true
			tells(s, bench.GenerationRate, 400, 400)
		}},
		{"in a part of the level only", "read in 12 of 20 s", func(s *bench.Snapshot) {
			s.Level().Server.Gauges[bench.GenerationRate] = bench.Amount{Sum: 12 * 800, Weight: 12, Max: 800}
		}},
		{"what speculation keeps", "71% of drafted tokens were kept", func(s *bench.Snapshot) { tells(s, bench.Accepted, 0.71, 0.8) }},
	} {
		if got := gauged(viewtest.Running, 120, 36, c.change); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q is not in\n%s", c.sentence, c.want, got)
		}
	}
}

func TestWhyNothingIsReadIsSaid(t *testing.T) {
	at := "http://gpu-7:8000/metrics"
	for _, c := range []struct {
		sentence string
		scrape   bench.Scrape
		want     string
	}{
		{"nobody has answered yet", bench.Scrape{URL: at}, "no metrics read yet at gpu-7:8000/metrics"},
		{"none there", bench.Scrape{URL: at, State: bench.ScrapeAbsent, Why: "404 Not Found"}, "no metrics at gpu-7:8000/metrics (404 Not Found): set --metrics-url"},
		{"a key is wanted", bench.Scrape{URL: at, State: bench.ScrapeDenied, Why: "401"}, "the metrics at gpu-7:8000/metrics want a key (401)"},
		{"no answer", bench.Scrape{URL: at, State: bench.ScrapeUnreachable, Why: "connection refused"}, "no answer from gpu-7:8000/metrics (connection refused): set --metrics-url"},
		{"JSON", bench.Scrape{URL: at, State: bench.ScrapeForeign, Why: "JSON"}, "no Prometheus text at gpu-7:8000/metrics (JSON): set --metrics-url"},
		{"too much", bench.Scrape{URL: at, State: bench.ScrapeTooLarge}, "the metrics at gpu-7:8000/metrics are more than is read"},
		{"the cure is said once", bench.Scrape{URL: at, State: bench.ScrapeAbsent, Why: "it redirects: name that one with --metrics-url"}, "(it redirects: name that one with --metrics-url)"},
	} {
		got := drawn(viewtest.Running, 120, 36, func(s *bench.Snapshot, st *State) {
			s.Server, st.View = []bench.Scrape{c.scrape}, action.Server
		})
		if !strings.Contains(got, c.want) || strings.Count(got, "--metrics-url") > 2 {
			t.Errorf("%s: %q is not in\n%s", c.sentence, c.want, got)
		}
	}
	if got := drawn(viewtest.Running, 120, 36, func(s *bench.Snapshot, st *State) {
		s.Server, st.View, st.Private = []bench.Scrape{{URL: at, State: bench.ScrapeAbsent, Why: "gpu-7 says no"}}, action.Server, true
	}); strings.Contains(got, "gpu-7 says") || strings.Contains(got, "8000/metrics") {
		t.Errorf("private:\n%s", got)
	}
}

// TestACoarseHistogramHasNoQuantile: where its first bucket holds nearly all, the mean says more than a quantile that was made up within it.
func TestACoarseHistogramHasNoQuantile(t *testing.T) {
	if got := gauged(viewtest.Running, 120, 36, nil); !strings.Contains(got, "its  2.00   p95 ≈2.80") {
		t.Error(got)
	}
	if got := gauged(viewtest.Running, 120, 36, func(s *bench.Snapshot) { tells(s, bench.ServerQueue, 0.2, 0.2) }); strings.Contains(got, "p95 ≈") {
		t.Error(got)
	}
}

// TestAnOldReadingTellsItsAge: what is read every second says no age, so that the row stands still.
func TestAnOldReadingTellsItsAge(t *testing.T) {
	if got := gauged(viewtest.Running, 120, 36, nil); !strings.Contains(got, "gpu-7:8000/metrics · read every second") {
		t.Error(got)
	}
	if got := gauged(viewtest.Running, 120, 36, func(s *bench.Snapshot) { s.Server[0].At = bench.MarkAt(s.At - 7*time.Second) }); !strings.Contains(got, "last read 7 s ago") {
		t.Error(got)
	}
}

// TestTheTimeCursorReadsGauges: it goes about in the lanes of gauges, and where there are none there is none.
func TestTheTimeCursorReadsGauges(t *testing.T) {
	s, st := dressed(viewtest.Running, "plain", 120, 36)
	st.View = action.Server
	v := NewScreen()
	v.Rows(s, st)
	if v.Turn(st, -1) {
		t.Error("there is a time axis without gauges")
	}
	viewtest.Serve(s)
	s.Folded += time.Second
	v.Rows(s, st)
	if !v.Turn(st, -1) || !st.Cursor.OK {
		t.Fatal("no cursor")
	}
	if got := strings.Join(v.Rows(s, st), "\n"); !strings.Contains(got, "at 04:1") {
		t.Error(got)
	}
	if !st.Close() || st.Cursor.OK {
		t.Error("the cursor stays")
	}
}

// TestAQuantileOfBucketsIsOfWhatTheyHold, though the sketch's own sum is the server's: a mean that is far from what the buckets make of it tells that they are coarse.
func TestAQuantileOfBucketsIsOfWhatTheyHold(t *testing.T) {
	h := bench.NewHistogram()
	for i := range 100 {
		h.Add(3*float64(i)+1.5, 1) // a first bucket up to 300 ms, spread
	}
	coarse := h.Sketch()
	coarse.Sum = 5.01 * 100
	if resolves(coarse, bench.Some(5.01)) {
		t.Error("5 ms on average, all of them in a bucket up to 300: it has no p95")
	}
	coarse.Sum = 140 * 100
	if !resolves(coarse, bench.Some(140)) || resolves(bench.Sketch{}, bench.Some(1)) {
		t.Error("140 ms on average in a bucket up to 300")
	}
}
