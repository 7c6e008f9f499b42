package view

import (
	"redline/bench"
	"redline/ui/action"
	"redline/ui/layout"
	"redline/ui/style"
)

// page draws a view other than Live: the state, the load, what the view shows, and the keys.
func (f *frame) page() {
	switch {
	case f.Density == layout.Line:
		f.line()
		return
	case f.Density == layout.List:
		f.listHead()
	default:
		f.headLine()
	}
	if f.Density >= layout.Compact {
		f.loadLine()
		f.rule(f.st.View.String())
	} else if f.Density == layout.Small {
		f.smallLoad()
	}
	foot := 1
	if f.Density >= layout.Full {
		foot++
	}
	rows := max(f.H-len(f.out)-foot, 0)
	before := len(f.out)
	switch f.st.View {
	case action.Curve:
		f.curvePage(rows)
	case action.Heat:
		f.heatPage(rows)
	case action.Requests:
		f.requestsPage(rows)
	case action.Server:
		f.serverPage(rows)
	case action.Log:
		f.logPage(rows)
	case action.Diagnosis:
		f.diagnosisPage(rows)
	}
	if over := len(f.out) - before - rows; over > 0 {
		f.out = f.out[:len(f.out)-over]
		f.shelve(len(f.out), f.H)
	}
	for len(f.out) < before+rows {
		f.start()
		f.end()
	}
	if f.Density >= layout.Full {
		f.rule("")
	}
	if len(f.out) < f.H {
		f.footer()
	}
}

// Logarithmic are the views that begin with a logarithmic scale.
var Logarithmic = [action.NumViews]bool{action.Curve: true, action.Heat: true}

// Motion is a way to go in a list, or among lanes.
type Motion uint8

const (
	Up Motion = iota
	Down
	PageUp
	PageDown
	First
	Last
)

// Ring are the metrics that can be chosen in a view, in the order in which they are gone through; the first is the one to begin with.
func Ring(v action.View) []bench.Metric {
	switch v {
	case action.Heat:
		return []bench.Metric{bench.TTFT, bench.ITL, bench.TPS, bench.E2E}
	case action.Curve:
		return []bench.Metric{bench.TTFT, bench.ITL, bench.TPS, bench.E2E}
	}
	return bench.Lanes[:]
}

// Move goes up or down in the view that is open, as it was drawn last.
func (v *Screen) Move(s *bench.Snapshot, st *State, m Motion) {
	switch st.View {
	case action.Live:
		v.moveLane(st, m)
	case action.Curve:
		v.moveCurve(s, st, m)
	case action.Heat:
		v.moveHeat(s, st, m)
	case action.Requests:
		v.moveRequest(st, m)
	case action.Log:
		v.moveLog(s, st, m)
	case action.Server, action.Diagnosis:
		v.scroll(st, m)
	}
}

// moveLane chooses the lane above or below.
func (v *Screen) moveLane(st *State, m Motion) {
	by := map[Motion]int{Up: -1, Down: +1}[m]
	st.Choose(by)
}

// Choose goes on in the view's ring of metrics; the first step chooses the one that it stands on.
func (st *State) Choose(by int) {
	ring := Ring(st.View)
	at := -1
	for i, m := range ring {
		if m == st.Metric {
			at = i
		}
	}
	switch {
	case at < 0 || !st.Chosen && st.View == action.Live:
		at = max(at, 0)
	default:
		at = (at + by + len(ring)) % len(ring)
	}
	st.Metric, st.Chosen = ring[at], true
}

// Inside tells whether something is open within the view, which Close closes.
func (st *State) Inside() bool {
	switch {
	case st.Expanded, st.Inspecting, st.Filter[st.View] != "":
		return true
	case st.Cursor.OK && !st.timeless(), st.View == action.Heat && st.Cell.OK, st.View == action.Requests && (st.Within.OK || st.Request != 0):
		return true
	}
	return st.View == action.Live && st.Chosen
}

// Close closes the innermost thing that is open within the view, and tells whether there was one.
func (st *State) Close() bool {
	switch {
	case st.Inspecting:
		st.Inspecting = false
	case st.Cursor.OK && !st.timeless(), st.View == action.Heat && st.Cell.OK:
		st.Cursor, st.Cell = bench.Mark{}, Cell{}
	case st.View == action.Requests && st.Request != 0:
		st.Request = 0
	case st.Expanded:
		st.Expanded = false
	case st.View == action.Requests && st.Within.OK:
		st.Within = Within{}
	case st.Filter[st.View] != "":
		st.Filter[st.View] = ""
	case st.View == action.Live && st.Chosen:
		st.Chosen = false
	default:
		return false
	}
	return true
}

// absent is a page that has nothing to show yet, and why.
func (f *frame) absent(text string, rows int) {
	if rows > 1 {
		f.start()
		f.end()
	}
	if rows > 0 {
		f.start().Blank(1).Cut(style.Dim, text, f.W-2)
		f.end()
	}
}
