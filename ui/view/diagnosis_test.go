package view

import (
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

func init() {
	pageScenes = append(pageScenes,
		pageScene{name: "diagnosis", scene: viewtest.Running, view: action.Diagnosis},
		pageScene{name: "diagnosis-breach", scene: viewtest.Breach, view: action.Diagnosis},
		pageScene{name: "diagnosis-settling", scene: viewtest.Settling, view: action.Diagnosis},
		pageScene{name: "diagnosis-saturated", scene: viewtest.Saturated, view: action.Diagnosis},
		pageScene{name: "diagnosis-ready", scene: viewtest.Ready, view: action.Diagnosis},
	)
}
