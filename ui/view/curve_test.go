package view

import (
	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

func init() {
	down := func(n int) func(v *Screen, s *bench.Snapshot, st *State) {
		return func(v *Screen, s *bench.Snapshot, st *State) {
			for range n {
				v.Move(s, st, Down)
			}
		}
	}
	pageScenes = append(pageScenes,
		pageScene{name: "curve", scene: viewtest.Running, view: action.Curve},
		pageScene{name: "curve-knee", scene: viewtest.Knee, view: action.Curve},
		pageScene{name: "curve-chosen", scene: viewtest.Knee, view: action.Curve, act: down(3)},
		pageScene{name: "curve-tps", scene: viewtest.Knee, view: action.Curve, set: func(_ *bench.Snapshot, st *State) {
			st.Metric = bench.TPS
			st.Log[action.Curve] = false
		}},
		pageScene{name: "curve-open", scene: viewtest.Open, view: action.Curve},
		pageScene{name: "curve-settling", scene: viewtest.Settling, view: action.Curve},
		pageScene{name: "curve-works", scene: viewtest.Works, view: action.Curve},
		pageScene{name: "curve-empty", scene: viewtest.Settling, view: action.Curve, set: func(s *bench.Snapshot, _ *State) {
			s.Levels = s.Levels[len(s.Levels)-1:]
		}},
		pageScene{name: "curve-ready", scene: viewtest.Ready, view: action.Curve},
	)
}
