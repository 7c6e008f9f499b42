package engine

import (
	"testing"
	"time"

	"redline/bench"
)

// A rise from 1 to 50 by undo is asked, in one mode and across the two.
func TestUndoAcrossModesIsGuarded(t *testing.T) {
	inBubble(t, opened(50, evenly), func(t *testing.T, r *run) {
		r.after(5 * time.Second)
		r.post(bench.Set{N: 1})
		r.after(10 * time.Second)
		r.post(bench.Undo{})
		if ask := r.Snapshot().Ask; ask == nil {
			t.Error("in one mode: not asked")
		}
		r.wantLoad(bench.PerSecond(1))
	})
	inBubble(t, opened(50, evenly), func(t *testing.T, r *run) {
		r.after(5 * time.Second)
		r.post(bench.Switch{})
		r.post(bench.Answer{ID: r.Snapshot().Ask.ID, Yes: true})
		r.after(10 * time.Second)
		r.post(bench.Set{N: 1})
		r.after(10 * time.Second)
		r.post(bench.Undo{}, bench.Undo{}, bench.Undo{})
		if s := r.Snapshot(); s.Ask == nil {
			t.Errorf("from 1 in flight to %s without a question", s.Target)
		}
	})
}
