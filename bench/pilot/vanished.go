package pilot

import (
	"net/http"

	"redline/bench"
)

// vanished tells whether the newest requests found no target: it has gone, and the run does not know yet. What they say is no load's doing, and is not judged by
// until another answers, and they count, or the run knows, and what follows is another level.
type vanished bool

// take takes in what has ended, in its order.
func (v *vanished) take(ended []bench.Ended) {
	for i := range ended {
		if e := &ended[i]; !e.Outcome.Withdrawn() {
			*v = vanished(noTarget(e))
		}
	}
}

// noTarget tells whether a request found no target: nothing that answers, or a gateway that says that there is nothing behind it.
func noTarget(e *bench.Ended) bool {
	if e.Status == http.StatusBadGateway || e.Status == http.StatusGatewayTimeout {
		return true
	}
	return e.Outcome.TargetDown() && e.Status == 0 && !e.Marks.FirstToken.OK
}
