package view

import (
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
