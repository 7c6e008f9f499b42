package record

import (
	"bytes"
	"time"

	"redline/bench/aggregate"
)

// mark is what a writer knew when a chunk ended: what it goes on from where nothing behind that chunk came to the disk.
type mark struct {
	flushed  int64
	kept     int
	keptOpen bool
	safe     tally
}

func (w *writer) mark() mark { return mark{w.flushed, w.kept, w.keptOpen, w.safe} }

// rewind goes back to a mark, and on into out.
func (w *writer) rewind(to mark, out *bytes.Buffer) error {
	w.flushed, w.kept, w.keptOpen, w.safe = to.flushed, to.kept, to.keptOpen, to.safe
	return w.resume(out)
}

// stand is what has been folded of the run, whether or not it was written.
type stand struct {
	states  []*aggregate.State
	moments []*moment
	folded  []time.Duration
	sum     tally
}

// freshInk begins a file, or goes on in one from a place, with what has been folded by now.
func freshInk(w *writer, out *bytes.Buffer, h Header, at *place, s *stand) (*writer, error) {
	var err error
	if w == nil || at.at == 0 {
		w, err = newWriter(out, h)
	} else {
		err = w.rewind(at.mark, out)
	}
	if err != nil || at.at == 0 && s.sum.Length == 0 {
		return w, err
	}
	w.follow(s)
	return w, w.checkpoint(s.states)
}

// follow tells a writer what has been folded, though some of it was not written: its next checkpoint is of that.
func (w *writer) follow(s *stand) {
	copy(w.folded, s.folded)
	for i, m := range s.moments {
		if m != nil {
			w.moments[i], w.shown, w.both = m, m.Shown, m.Both
		}
	}
	if w.lost = nil; s.sum.Length > w.sum.Length {
		w.lost = &Lost{From: w.sum.Length, To: s.sum.Length, Requests: max(s.sum.Requests-w.sum.Requests, 0)}
	}
	w.sum = s.sum
}
