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
		f.pilotRule(f.st.View.String())
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

// layer is what can be open in a view, innermost first. What is open in another view stays open there, and is nothing that Close sees.
type layer uint8

const (
	notOpen layer = iota
	openRequest
	openCursor
	openRow
	openLane
	openCell
	openFilter
	openChoice
)

// innermost is the innermost thing that is open within the view.
func (st *State) innermost() layer {
	live, list := st.View == action.Live, st.View == action.Requests
	switch {
	case list && st.Inspecting:
		return openRequest
	case st.Cursor.OK && !st.timeless(), st.View == action.Heat && st.Cell.OK:
		return openCursor
	case list && st.Request != 0:
		return openRow
	case live && st.Expanded:
		return openLane
	case list && st.Within.OK:
		return openCell
	case st.Filter[st.View] != "":
		return openFilter
	case live && st.Chosen:
		return openChoice
	}
	return notOpen
}

// Inside tells whether something is open within the view, which Close closes.
func (st *State) Inside() bool { return st.innermost() != notOpen }

// Close closes the innermost thing that is open within the view, and tells whether there was one.
func (st *State) Close() bool {
	switch st.innermost() {
	case openRequest:
		st.Inspecting = false
	case openCursor:
		st.Cursor, st.Cell = bench.Mark{}, Cell{}
	case openRow:
		st.Request = 0
	case openLane:
		st.Expanded = false
	case openCell:
		st.Within = Within{}
	case openFilter:
		st.Filter[st.View] = ""
	case openChoice:
		st.Chosen = false
	default:
		return false
	}
	return true
}

// Back closes the innermost thing that is open within the view, as it was drawn last, and tells whether there was one. Where nothing fits what a list is
// held to, that is what goes.
func (v *Screen) Back(st *State) bool {
	if st.View == action.Requests && !st.Inspecting && v.requests.barren(st) {
		st.Within, st.Filter[action.Requests] = Within{}, ""
		return true
	}
	return st.Close()
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
