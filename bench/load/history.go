package load

// History is the list of committed loads, with the place in it where the operator is.
type History struct {
	loads []int
	at    int
}

// historyLimit bounds the steps that are kept.
const historyLimit = 256

// Commit adds a load after the present place; what lay ahead is dropped. A load equal to the present one changes nothing.
func (h *History) Commit(n int) {
	if len(h.loads) > 0 && h.loads[h.at] == n {
		return
	}
	if len(h.loads) > 0 {
		h.loads = h.loads[:h.at+1]
	}
	h.loads = append(h.loads, n)
	if len(h.loads) > historyLimit {
		h.loads = append(h.loads[:0], h.loads[1:]...)
	}
	h.at = len(h.loads) - 1
}

// Look is the load so many steps away from the present place, back (below 0) or forward.
func (h *History) Look(steps int) (int, bool) {
	if at := h.at + steps; at >= 0 && at < len(h.loads) {
		return h.loads[at], true
	}
	return 0, false
}

// Move goes there; the steps must be ones that Look has found.
func (h *History) Move(steps int) { h.at += steps }

// Depth is how many steps there are back and forward.
func (h *History) Depth() (back, forward int) {
	if len(h.loads) == 0 {
		return 0, 0
	}
	return h.at, len(h.loads) - 1 - h.at
}
