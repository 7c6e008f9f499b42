package view

import (
	"strings"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/chart"
	"redline/ui/view/viewtest"
)

// story is what an invented stream says.
const story = "The cache tier began to evict at 09:14 UTC, and every request that missed it went to the database instead.\n\nWithin two minutes its connections were used up. " +
	"负载均衡器随后把流量转移到了另一个区域，那里的容量也不足。 Retries made it worse: each client asked three times, at once, and without a pause.\n- evict less\n- retry later"

// streaming is a journal in which that stream is read.
func streaming(over bool) *bench.Journal {
	return &bench.Journal{Reading: bench.Reading{ID: 1234, Over: over, Started: 250 * time.Second, FirstToken: bench.MarkAt(250*time.Second + 380*time.Millisecond), LastToken: bench.MarkAt(254 * time.Second),
		Text: story, Tokens: 212, Chars: 300, Speed: bench.Some(47.2)}}
}

// opened is Live with a lane in full.
func opened(m bench.Metric) func(*bench.Snapshot, *State) {
	return func(_ *bench.Snapshot, st *State) {
		st.Metric, st.Chosen, st.Expanded = m, true, true
		st.Log[action.Live] = false
		st.Journal = streaming(false)
	}
}

func init() {
	live := func(name string, scene viewtest.Scene, set func(*bench.Snapshot, *State)) {
		pageScenes = append(pageScenes, pageScene{name: "live-" + name, scene: scene, view: action.Live, set: set})
	}
	live("chosen", viewtest.Running, func(_ *bench.Snapshot, st *State) { st.Metric, st.Chosen = bench.TPS, true })
	for _, m := range bench.Lanes {
		live("open-"+strings.ToLower(m.String()), viewtest.Running, opened(m))
	}
	live("open-settling", viewtest.Settling, opened(bench.TTFT))
	live("open-breach", viewtest.Breach, opened(bench.ITL))
	live("open-quota", viewtest.Limited, opened(bench.RPM))
	live("private", viewtest.Running, func(s *bench.Snapshot, st *State) {
		opened(bench.TPS)(s, st)
		st.Private, st.Journal = true, streaming(true)
	})
	live("no-stream", viewtest.Ready, func(s *bench.Snapshot, st *State) {
		opened(bench.TPS)(s, st)
		st.Journal = nil
	})
	live("cursor", viewtest.Running, func(s *bench.Snapshot, st *State) { st.Cursor = bench.MarkAt(s.Folded - 40*time.Second) })
	live("cursor-open", viewtest.Running, func(s *bench.Snapshot, st *State) {
		opened(bench.TTFT)(s, st)
		st.Cursor = bench.MarkAt(s.Folded - 40*time.Second)
	})
	live("ghost", viewtest.Running, func(s *bench.Snapshot, st *State) { st.NextGhost(s) })
	live("race-load", viewtest.Running, func(_ *bench.Snapshot, st *State) { st.Earlier, st.Aligned = earlier(viewtest.Knee), ByLoad })
	live("race-none", viewtest.Running, func(_ *bench.Snapshot, st *State) { st.Earlier, st.Aligned = earlier(viewtest.Breach), ByLoad })
	live("race-time", viewtest.Running, func(_ *bench.Snapshot, st *State) { st.Earlier, st.Aligned = earlier(viewtest.Breach), ByTime })
	live("replay", viewtest.Breach, func(s *bench.Snapshot, st *State) {
		st.Keys, st.Replay = (*action.Map)(nil).Recording(), recordedAt(s.At, 2*s.At)
	})
	live("replay-tps", viewtest.Running, func(s *bench.Snapshot, st *State) {
		opened(bench.TPS)(s, st)
		st.Keys, st.Replay, st.Journal = (*action.Map)(nil).Recording(), recordedAt(s.At, 2*s.At), nil
	})
	live("log", viewtest.Running, func(_ *bench.Snapshot, st *State) { st.Log[action.Live] = true })
	live("braille", viewtest.Running, func(_ *bench.Snapshot, st *State) { st.Graph = chart.Braille })
	live("braille-profile", viewtest.Profiled, func(_ *bench.Snapshot, st *State) { st.Graph = chart.Braille })
	live("ramp", viewtest.Running, func(_ *bench.Snapshot, st *State) { st.Graph = chart.Ramp })
	live("welcome", viewtest.Running, func(s *bench.Snapshot, _ *State) {
		run := *s.Run
		run.Demo = true
		s.Run, s.At, s.Events = &run, 20*time.Second, s.Events[:1]
	})
}
