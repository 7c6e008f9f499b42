package action

import (
	"slices"
	"strings"

	"redline/bench"
)

// Why is why an action can not be carried out in a state, in a few words; empty where it can. The question that is open in front of the dashboard is left
// out of account.
func (m *Map) Why(b *Binding, s State) string {
	s.Mode = Driving
	switch {
	case b.Works(s) && b.Refused(s):
		return "locked: " + m.Key(Lock) + " unlocks"
	case b.Works(s):
		return ""
	case len(b.Views) > 0 && !slices.Contains(b.Views, s.View):
		return "only in " + titles(b.Views)
	}
	switch b.Action {
	case ShowLive, ShowCurve, ShowHeat, ShowRequests, ShowServer, ShowLog, ShowDiagnosis:
		return "this is it"
	case Back:
		return "nothing is open"
	}
	switch {
	case s.over():
		return "the run is over"
	case s.Run == bench.Waiting && (b.Action == Cancel || b.Action == Drain || b.Action == Note):
		return "nothing runs yet"
	}
	switch b.Action {
	case Undo:
		return "nothing to undo"
	case Redo:
		return "nothing to redo"
	case Flip:
		return "there was no other load yet"
	case Work:
		return "there is one workload only"
	}
	return "not now"
}

// titles are views as a sentence lists them.
func titles(views []View) string {
	var out []string
	for _, v := range views {
		out = append(out, v.Title())
	}
	last := len(out) - 1
	if last < 1 {
		return strings.Join(out, "")
	}
	return strings.Join(out[:last], ", ") + " and " + out[last]
}
