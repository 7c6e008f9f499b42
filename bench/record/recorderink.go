package record

import (
	"bytes"
	"encoding/json"

	"redline/bench"
	"redline/bench/aggregate"
)

// ink is what a scribe writes with.
type ink interface {
	// second writes what a target has handed over; the requests that ended in it come with what their batch does not keep.
	second(track int, batches []*bench.Batch, ended [][]bench.Ended, m moment) error
	// checkpoint begins a new frame with the states.
	checkpoint(states []*aggregate.State) error
	// flush brings all that was written so far out, and tells whether a frame is open.
	flush() (open bool, err error)
	// close ends the file.
	close() error
}

type jsonInk struct{ out *json.Encoder }

func newInk(out *bytes.Buffer, h Header, at *place, states []*aggregate.State) (ink, error) {
	k := &jsonInk{json.NewEncoder(out)}
	if at.at == 0 {
		return k, k.out.Encode(h)
	}
	return k, nil
}

func (k *jsonInk) second(track int, batches []*bench.Batch, ended [][]bench.Ended, m moment) error {
	return k.out.Encode(second{track, batches, m})
}
func (k *jsonInk) checkpoint([]*aggregate.State) error { return nil }
func (k *jsonInk) flush() (bool, error)                { return true, nil }
func (k *jsonInk) close() error                        { return nil }
