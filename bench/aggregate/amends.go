package aggregate

import (
	"time"

	"redline/bench"
)

// lookOn is how far behind its own second what has to be taken out is looked for.
const lookOn = 10 * time.Second

// amends is what is still to be put right of a second.
type amends struct{ bench.SecondSketch }

// left tells whether anything could not be taken out yet.
func (a *amends) left() bool {
	return a.Wrong.N > 0 || a.WrongGap.N > 0 || a.DecodeFix < 0 || a.DecodeSpare < 0
}

// make puts a bucket right, as far as it holds what is to be taken out, in a copy of it. What has been made is then no longer to be made.
func (a *amends) make(s *State, old *bench.Bucket) *bench.Bucket {
	b := *old
	b.ITL = s.sketch(func(h *bench.Histogram) {
		h.AddSketch(old.ITL)
		h.AddSketch(a.Sketch)
		a.Wrong = h.Subtract(a.Wrong)
	})
	a.Sketch = bench.Sketch{}
	if a.WrongGap.N > 0 {
		b.Gap = s.sketch(func(h *bench.Histogram) {
			h.AddSketch(old.Gap)
			a.WrongGap = h.Subtract(a.WrongGap)
		})
	}
	fix := max(a.DecodeFix, -(b.DecodeTokens + b.DecodeFix))
	spare := max(a.DecodeSpare, -(b.DecodeSeconds + b.DecodeSpare))
	b.DecodeFix += fix
	b.DecodeSpare += spare
	a.DecodeFix -= fix
	a.DecodeSpare -= spare
	return &b
}

// taken is what has gone from a sketch that was subtracted, when the rest is left of it.
func taken(all, rest bench.Sketch) bench.Sketch {
	h := bench.NewHistogram()
	h.AddSketch(all)
	h.Subtract(rest)
	return h.Sketch()
}
