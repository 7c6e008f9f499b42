package view

import (
	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

func init() {
	journaled := func(m bench.Metric, a Across) func(s *bench.Snapshot, st *State) {
		return func(s *bench.Snapshot, st *State) { st.Metric, st.Across, st.Journal = m, a, viewtest.Journal(s) }
	}
	turned := func(v *Screen, s *bench.Snapshot, st *State) {
		for range 6 {
			v.turnHeat(s, st, -1)
		}
		v.moveHeat(s, st, Down)
	}
	pageScenes = append(pageScenes,
		pageScene{name: "heat", scene: viewtest.Running, view: action.Heat},
		pageScene{name: "heat-cell", scene: viewtest.Breach, view: action.Heat, act: turned},
		pageScene{name: "heat-linear", scene: viewtest.Breach, view: action.Heat, set: func(s *bench.Snapshot, st *State) { st.Log[action.Heat], st.Scope = false, Window }},
		pageScene{name: "heat-itl", scene: viewtest.Breach, view: action.Heat, set: func(s *bench.Snapshot, st *State) { st.Metric, st.Scope = bench.ITL, Run }},
		pageScene{name: "heat-tps", scene: viewtest.Breach, view: action.Heat, set: journaled(bench.TPS, OverTime)},
		pageScene{name: "heat-plan", scene: viewtest.Profiled, view: action.Heat, set: journaled(bench.E2E, OverTime)},
		pageScene{name: "heat-prompt", scene: viewtest.Works, view: action.Heat, set: journaled(bench.TTFT, OverPrompt)},
		pageScene{name: "heat-prompt-cell", scene: viewtest.Works, view: action.Heat, set: journaled(bench.E2E, OverPrompt), act: turned},
		pageScene{name: "heat-position", scene: viewtest.Running, view: action.Heat, set: journaled(bench.ITL, OverPosition)},
		pageScene{name: "heat-position-cell", scene: viewtest.Running, view: action.Heat, set: journaled(bench.ITL, OverPosition), act: turned},
		pageScene{name: "heat-empty", scene: viewtest.Ready, view: action.Heat},
		pageScene{name: "heat-position-empty", scene: viewtest.Running, view: action.Heat, set: func(s *bench.Snapshot, st *State) { st.Metric, st.Across = bench.ITL, OverPosition }},
	)
}
