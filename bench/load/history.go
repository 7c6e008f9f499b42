package load

import "redline/bench"

// History is the list of committed loads, with the place in it where the operator is.
type History struct {
	loads []bench.Setpoint
	at    int
}

// historyLimit bounds the steps that are kept.
const historyLimit = 256

// Commit adds a load after the present place; what lay ahead is dropped. A load equal to the present one, in the same
// mode, changes nothing.
func (h *History) Commit(s bench.Setpoint) {
	if len(h.loads) > 0 && h.loads[h.at] == s {
		return
	}
	if len(h.loads) > 0 {
		h.loads = h.loads[:h.at+1]
	}
	h.loads = append(h.loads, s)
	if len(h.loads) > historyLimit {
		h.loads = append(h.loads[:0], h.loads[1:]...)
	}
	h.at = len(h.loads) - 1
}

// Place is where the operator is; -1 before the first load.
func (h *History) Place() int {
	if len(h.loads) == 0 {
		return -1
	}
	return h.at
}

// Look is the load at a place.
func (h *History) Look(place int) (bench.Setpoint, bool) {
	if place < 0 || place >= len(h.loads) {
		return bench.Setpoint{}, false
	}
	return h.loads[place], true
}

// Go moves to a place if the load there is still s: the history may have changed since the place was looked at.
func (h *History) Go(place int, s bench.Setpoint) bool {
	if there, ok := h.Look(place); !ok || there != s {
		return false
	}
	h.at = place
	return true
}

// Depth is how many steps there are back and forward.
func (h *History) Depth() (back, forward int) {
	if len(h.loads) == 0 {
		return 0, 0
	}
	return h.at, len(h.loads) - 1 - h.at
}
