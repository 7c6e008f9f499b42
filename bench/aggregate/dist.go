package aggregate

import "redline/bench"

// dist is a growing distribution. While it is in use it has a histogram of its own; at rest it is only the sketch.
type dist struct {
	at    bench.Sketch
	h     *bench.Histogram
	stale bool
}

func (d *dist) warm() {
	if d.h == nil {
		d.h = bench.NewHistogram()
		d.h.AddSketch(d.at)
	}
	d.stale = true
}

func (d *dist) add(v float64) {
	d.warm()
	d.h.Add(v, 1)
}

func (d *dist) addSketch(s bench.Sketch) {
	if s.N > 0 {
		d.warm()
		d.h.AddSketch(s)
	}
}

// remove takes a sample out again; it is false when there is none of that value.
func (d *dist) remove(v float64) bool {
	d.warm()
	return d.h.Remove(v)
}

// correct takes out what was wrong and adds what is right.
func (d *dist) correct(by *bench.SecondSketch) {
	if by.Wrong.N > 0 {
		d.warm()
		d.h.Subtract(by.Wrong)
	}
	d.addSketch(by.Sketch)
}

// sketch is what the distribution is now; it never changes afterwards.
func (d *dist) sketch() bench.Sketch {
	if d.stale {
		d.at, d.stale = d.h.Sketch(), false
	}
	return d.at
}

// n is the number of samples.
func (d *dist) n() int { return int(d.sketch().N) }

// rest gives the histogram back.
func (d *dist) rest() {
	d.sketch()
	d.h = nil
}
