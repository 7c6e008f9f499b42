package view

import (
	"math/rand/v2"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

func init() {
	on := func(scene viewtest.Scene, name string, set func(s *bench.Snapshot, st *State), act func(v *Screen, s *bench.Snapshot, st *State)) {
		pageScenes = append(pageScenes, pageScene{"requests-" + name, scene, action.Requests, func(s *bench.Snapshot, st *State) {
			st.Journal = viewtest.Journal(s)
			if set != nil {
				set(s, st)
			}
		}, act})
	}
	// ended is the newest request that ended so.
	ended := func(st *State, o bench.Outcome) uint64 {
		id := uint64(0)
		for _, e := range st.Journal.Ended {
			if e.Outcome == o {
				id = e.ID
			}
		}
		return id
	}
	inspect := func(o bench.Outcome) func(*bench.Snapshot, *State) {
		return func(_ *bench.Snapshot, st *State) { st.Request, st.Inspecting = ended(st, o), true }
	}
	on(viewtest.Running, "newest", nil, nil)
	on(viewtest.Running, "chosen", nil, func(v *Screen, s *bench.Snapshot, st *State) {
		for range 50 {
			v.Move(s, st, Down)
		}
	})
	on(viewtest.Running, "slowest", func(_ *bench.Snapshot, st *State) {
		st.Sort, st.Filter[action.Requests] = ByTTFT, "ended"
	}, func(v *Screen, s *bench.Snapshot, st *State) { v.Move(s, st, First) })
	on(viewtest.Breach, "failed", func(_ *bench.Snapshot, st *State) {
		st.Sort, st.Reversed, st.Filter[action.Requests] = ByE2E, true, "status:error"
	}, nil)
	on(viewtest.Running, "ok", inspect(bench.OK), nil)
	on(viewtest.Running, "500", inspect(bench.ServerError), nil)
	on(viewtest.Running, "429", inspect(bench.RateLimited), nil)
	on(viewtest.Running, "truncated", inspect(bench.Truncated), nil)
	on(viewtest.Running, "stall", func(_ *bench.Snapshot, st *State) {
		for _, e := range st.Journal.Ended {
			if e.Stalls > 0 && e.Outcome == bench.OK {
				st.Request, st.Inspecting = e.ID, true
			}
		}
	}, nil)
	on(viewtest.Open, "flying", func(_ *bench.Snapshot, st *State) {
		st.Request, st.Inspecting = st.Journal.Flights[3].ID, true
	}, nil)
	on(viewtest.Network, "burst", inspect(bench.OK), nil)
	on(viewtest.Busy, "chunks", inspect(bench.OK), nil)
	on(viewtest.Running, "private", func(_ *bench.Snapshot, st *State) {
		st.Private, st.Request, st.Inspecting = true, ended(st, bench.ServerError), true
	}, nil)
	on(viewtest.Running, "within", func(s *bench.Snapshot, st *State) {
		st.Within = Within{OK: true, Metric: bench.TTFT, Begin: s.At - 30e9, End: s.At - 25e9, From: 400, To: 500}
	}, nil)
	on(viewtest.Silent, "silent", nil, nil)
	on(viewtest.Ready, "none", nil, nil)
	chances = append(chances, func(r *rand.Rand, s *bench.Snapshot, st *State) {
		if r.IntN(6) == 0 {
			st.Journal = viewtest.Journal(s)
			hostile(r, st.Journal)
		}
		st.Scroll = r.IntN(100) - 5
		if r.IntN(3) == 0 {
			st.Filter[action.Requests] = []string{"ok", "slow", "ttft>300", "接続 \x07", "status:error", "new", "\"", "level:2 gap>0.1s", "no:such"}[r.IntN(9)]
		}
	})
}

// hostile fills some requests of a journal with what no server should send.
func hostile(r *rand.Rand, j *bench.Journal) {
	words := []string{"", "\x1b[2J\x1b]0;x\x07", "👩‍👩‍👧‍👦\u202e e\u0301\u0301\u0301", "\xff\xfe\x00", "第\t\n\r\r\n\n\n行", "שלום عالم", string(make([]byte, 4000))}
	word := func() string { return words[r.IntN(len(words))] }
	for _, e := range j.Ended {
		if r.IntN(3) > 0 {
			continue
		}
		e.Reply, e.Message, e.Head, e.Finish, e.Prompt.Text = word(), word(), word(), word(), word()
		e.Header = map[string][]string{word(): {word()}, "X-Request-Id": {word()}, "Empty": nil}
		e.Status, e.Outcome, e.Level = r.IntN(1000)-5, bench.Outcome(r.IntN(int(bench.NumOutcomes)+2)), r.IntN(9)-2
		e.Marks.FirstToken.At += bench.Mark{}.At - 1e12*1
		e.Counts = bench.Counts{Source: bench.Source(r.IntN(4)), Output: r.IntN(1<<40) - 5, Hidden: r.IntN(9), Events: r.IntN(1 << 30), FirstEvents: r.IntN(4) - 1, Chunks: r.IntN(3) * r.IntN(1<<30)}
		e.Prompt.Turn, e.RetryAfter, e.Burst = r.IntN(5)-1, 1<<r.IntN(63), r.IntN(4) == 0
		e.Timings = bench.Timings{OK: r.IntN(2) == 0, PromptMs: 1e300, PredictedMs: -1, PredictedN: 3}
	}
	for i := range j.Flights {
		if r.IntN(3) == 0 {
			f := &j.Flights[i]
			f.Prompt.Text, f.Tokens, f.Events = word(), float64(r.IntN(1<<50)), -3
			f.LastToken.At = -1e15
		}
	}
}
