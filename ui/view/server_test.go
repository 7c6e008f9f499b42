package view

import (
	"testing"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

func init() {
	pageScenes = append(pageScenes,
		pageScene{name: "server", scene: viewtest.Running, view: action.Server},
		pageScene{name: "server-quotas", scene: viewtest.Quotas, view: action.Server},
		pageScene{name: "server-limited", scene: viewtest.Limited, view: action.Server, set: failures},
		pageScene{name: "server-scrolled", scene: viewtest.Limited, view: action.Server, set: failures, act: func(v *Screen, s *bench.Snapshot, st *State) { v.Move(s, st, Last) }},
		pageScene{name: "server-ready", scene: viewtest.Ready, view: action.Server},
	)
}

// failures are the last of three classes, with the words of the server.
func failures(s *bench.Snapshot, _ *State) {
	one := func(o bench.Outcome, status int, ago time.Duration, message string) bench.Ended {
		s.Total.Tally.By[o] += 3
		return bench.Ended{Outcome: o, Status: status, Message: message, Marks: bench.Marks{Ended: bench.MarkAt(s.At - ago)}}
	}
	limited := one(bench.RateLimited, 429, 4*time.Second, "Rate limit reached for requests per min (RPM): Limit 60, Used 59, Requested 1. Please try again in 724 ms.")
	limited.RetryAfter = 2 * time.Second
	s.Failures = []bench.Ended{limited, one(bench.ServerError, 500, 40*time.Second, "\x1b[31mCUDA error: an illegal memory access was encountered \u8bf7\u6c42"),
		one(bench.TimeoutFirst, 0, 90*time.Second, "no token within 2m0s")}
}

func TestAnAddressIsSaidOnce(t *testing.T) {
	for _, c := range []struct{ sentence, target, address, want string }{
		{"a name and what it resolved to", "http://gpu-7:8000/v1", "10.0.0.7:8000", "gpu-7:8000/v1, 10.0.0.7:8000"},
		{"a number is its own address", "http://127.0.0.1:8000/v1", "127.0.0.1:8000", "127.0.0.1:8000/v1"},
		{"with the port that its scheme stands for", "http://10.0.0.7/v1", "10.0.0.7:80", "10.0.0.7/v1"},
		{"a longer number is another", "http://10.0.0.7/v1", "10.0.0.71:80", "10.0.0.7/v1, 10.0.0.71:80"},
		{"the sixth version", "http://[::1]:8000", "[::1]:8000", "[::1]:8000"},
		{"none is known yet", "http://gpu-7:8000/v1", "", "gpu-7:8000/v1"},
	} {
		s, st := dressed(viewtest.Running, "plain", 120, 36)
		run := *s.Run
		run.Target, run.Address, s.Run = c.target, c.address, &run
		st.View = action.Server
		if got := NewScreen().frame(s, st).whereabouts(); got != c.want {
			t.Errorf("%s: %q, want %q", c.sentence, got, c.want)
		}
	}
}

func init() {
	served := func(s *bench.Snapshot, _ *State) { viewtest.Serve(s) }
	pageScenes = append(pageScenes,
		pageScene{name: "server-gauges", scene: viewtest.Running, view: action.Server, set: served},
		pageScene{name: "server-gauges-queue", scene: viewtest.Breach, view: action.Server, set: func(s *bench.Snapshot, st *State) {
			viewtest.Serve(s)
			st.Scope = Window
		}},
		pageScene{name: "server-gauges-cursor", scene: viewtest.Running, view: action.Server, set: func(s *bench.Snapshot, st *State) {
			viewtest.Serve(s)
			st.Cursor = bench.MarkAt(s.At - 45*time.Second)
		}},
		pageScene{name: "server-gauges-end", scene: viewtest.Running, view: action.Server, set: served, act: func(v *Screen, s *bench.Snapshot, st *State) { v.Move(s, st, Last) }},
		pageScene{name: "server-gauges-absent", scene: viewtest.Running, view: action.Server, set: func(s *bench.Snapshot, _ *State) {
			s.Server = []bench.Scrape{{URL: "http://gpu-7:8000/metrics", State: bench.ScrapeAbsent, Why: "404 Not Found"}}
		}},
		pageScene{name: "server-gauges-several", scene: viewtest.Open, view: action.Server, set: func(s *bench.Snapshot, _ *State) {
			viewtest.Serve(s)
			gpu := bench.Scrape{URL: "http://gpu-7:9400/metrics", Engine: "DCGM exporter", State: bench.ScrapeOK, At: bench.MarkAt(s.Folded), Took: time.Millisecond, Size: 9100}
			s.Server = append(s.Server, gpu, bench.Scrape{URL: "http://gpu-8:8000/metrics", State: bench.ScrapeUnreachable, Why: "connection refused"})
		}},
	)
}
