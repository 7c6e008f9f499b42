package engine

import (
	"testing"
	"time"

	"redline/bench"
)

func TestWhatTheOperatorCutIsNoFailureInARow(t *testing.T) {
	inBubble(t, opened(10, evenly), func(t *testing.T, r *run) {
		r.after(10 * time.Second)
		r.post(bench.Cancel{}) // 40 in flight are cut
		r.after(time.Second)
		if n := r.failing.Load(); n != 0 {
			t.Errorf("%d failures in a row after an emergency stop: the first failure since is held for 5 s, not for 0.25 s", n)
		}
	})
}
