package aggregate

import "redline/bench"

// serverDists are the distributions that a server tells of itself, growing.
type serverDists struct{ ttft, itl, queue dist }

// add counts those of a span in; nil has none.
func (d *serverDists) add(f *bench.ServerFacts) {
	if f == nil {
		return
	}
	d.ttft.addSketch(f.TTFT)
	d.itl.addSketch(f.ITL)
	d.queue.addSketch(f.Queue)
}

// take counts those of another scope in.
func (d *serverDists) take(o *serverDists) {
	d.ttft.addSketch(o.ttft.sketch())
	d.itl.addSketch(o.itl.sketch())
	d.queue.addSketch(o.queue.sketch())
}

// with are facts with the distributions, in a copy; nil stays nil.
func (d *serverDists) with(f *bench.ServerFacts) *bench.ServerFacts {
	if f == nil {
		return nil
	}
	out := *f
	out.TTFT, out.ITL, out.Queue = d.ttft.sketch(), d.itl.sketch(), d.queue.sketch()
	return &out
}

// rest gives back what they needed only to grow.
func (d *serverDists) rest() {
	d.ttft.rest()
	d.itl.rest()
	d.queue.rest()
}
