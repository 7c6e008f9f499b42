package view

import (
	"redline/ui/action"
	"redline/ui/layout"
)

// offer is the state as the footer needs it: with what there is to go about in, in the view as it has just been drawn.
func (f *frame) offer() action.State {
	s := f.st.Action(f.live)
	if f.Density == layout.Line {
		// Nothing of the view is drawn but a line.
		return s
	}
	switch f.st.View {
	case action.Curve:
		s.Rows = len(f.loads.all)
		s.Picked = chosenRow(f.st, f.loads.all) >= 0
	case action.Heat:
		if column, up, ok := f.heat.chosen(f.st); f.heat.empty() {
			// There is no picture.
		} else if s.Picked = ok && f.heat.inCell(column, up) > 0; s.Picked || !ok {
			s.Rows = len(f.heat.columns)
		}
	case action.Requests:
		f.offerRequests(&s)
	case action.Log:
		s.Rows = len(f.shown)
		s.Picked = s.Rows > 0
	case action.Server, action.Diagnosis:
		s.Scrolls = f.scrolled > 0
	}
	return s
}

func (f *frame) offerRequests(s *action.State) {
	list := &f.requests
	if f.st.Journal == nil || len(f.st.Journal.Flights)+len(f.st.Journal.Ended) == 0 {
		return
	}
	chosen, _ := list.find(f.st.Request)
	s.Rows, s.Picked, s.Alone = len(list.rows), chosen != nil, f.st.Inspecting
	s.Scrolls = s.Alone && chosen != nil && list.lines > list.height
}
