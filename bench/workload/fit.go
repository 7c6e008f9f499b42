package workload

import (
	"math"
	"slices"
	"sync"
)

// fit learns how a server counts the prompts that we write: server = a + b·ours, where a is what its template adds and b what its tokenizer makes of a token of ours. The
// last counts decide, those that stand apart least. Safe for concurrent use.
//
//	count                                     | what it teaches
//	0, or the server did not say              | nothing
//	below half of ours, or far above any sense | nothing: it counts something else, as only what its cache did not have
//	the same for prompts of unlike lengths     | nothing, and all that was learned is forgotten
//	well below what is known, prompt shared    | nothing: what its cache had may be left out
//	else                                      | one point of the line
type fit struct {
	mu     sync.Mutex
	points [fitPoints]point
	n      int
	a, b   float64
	steady steady
}

// point is one prompt: ours and the server's count.
type point struct{ x, y float64 }

const (
	// fitPoints is how many counts are remembered.
	fitPoints = 64
	// leastSlope and mostSlope bound what a server may make of a token of ours. A slope near 0 would make prompts grow without end.
	leastSlope, mostSlope = 0.5, 10
	// likelyTemplate and likelySlope are what is believed before any count, with their deviations.
	likelyTemplate, templateSpread = 8, 30
	likelySlope, slopeSpread       = 1, 0.3
	// perMessage is what templates put around each message after the first, in tokens.
	perMessage = 4
)

func newFit() *fit { return &fit{a: likelyTemplate, b: likelySlope} }

// learn takes one count of a prompt of x tokens of ours; shared tells that a part of it may have been in the server's cache.
func (f *fit) learn(x, y float64, shared bool) {
	if !(x > 0 && y > 0) {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	fixed, since := f.steady.hear(x, y)
	if since {
		f.n, f.a, f.b = 0, likelyTemplate, likelySlope
	}
	if fixed || y < leastSlope*x || y > mostSlope*x+20_000 || shared && f.n >= 3 && y < 0.9*(f.a+f.b*x) {
		return
	}
	f.points[f.n%fitPoints] = point{x, y}
	f.n++
	// Once there are many, one more moves little, and at thousands a second each would cost.
	if f.n <= fitPoints || f.n%8 == 0 {
		f.solve()
	}
}

// solve draws the line through the points: least squares in which what stands apart weighs less and less, held to what is likely as far as
// the points leave it open.
func (f *fit) solve() {
	points := f.points[:min(f.n, fitPoints)]
	weights := make([]float64, len(points))
	for i := range weights {
		weights[i] = 1
	}
	left := make([]float64, len(points))
	for round := range 8 {
		f.draw(points, weights)
		if len(points) < 4 {
			return
		}
		for i, p := range points {
			left[i] = math.Abs(p.y-f.a-f.b*p.x) / deviation(p)
		}
		scale := max(1.48*median(left), 0.3)
		for i := range points {
			weights[i] = weigh(math.Abs(points[i].y-f.a-f.b*points[i].x)/deviation(points[i])/scale, round >= 4)
		}
	}
}

// deviation is how far a count of a prompt may be off the line.
func deviation(p point) float64 { return 1 + 0.005*p.x }

// weigh is the weight of a point so many deviations off: first what is far off weighs less, then nothing.
func weigh(off float64, hard bool) float64 {
	switch {
	case hard && off >= 4.7:
		return 0
	case hard:
		u := off / 4.7
		return (1 - u*u) * (1 - u*u)
	case off > 1.5:
		return 1.5 / off
	}
	return 1
}

// draw solves for a and b.
func (f *fit) draw(points []point, weights []float64) {
	const u, v = 1.0 / (templateSpread * templateSpread), 1.0 / (slopeSpread * slopeSpread)
	s, sx, sxx := float64(u), 0.0, float64(v)
	sy, sxy := float64(u)*likelyTemplate, float64(v)*likelySlope
	for i, p := range points {
		d := deviation(p)
		w := weights[i] / (d * d)
		s, sx, sxx = s+w, sx+w*p.x, sxx+w*p.x*p.x
		sy, sxy = sy+w*p.y, sxy+w*p.x*p.y
	}
	det := s*sxx - sx*sx
	if !(det > 0) {
		return
	}
	a, b := (sy*sxx-sx*sxy)/det, (s*sxy-sx*sy)/det
	if a < 0 || b < leastSlope || b > mostSlope {
		// At the bound of one, the other follows.
		b = min(max(b, leastSlope), mostSlope)
		a = max((sy-sx*b)/s, 0)
		b = min(max((sxy-sx*a)/sxx, leastSlope), mostSlope)
	}
	f.a, f.b = a, b
}

// median reorders the values.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// ours is how many tokens of ours make a prompt of the asked length, at least 1.
func (f *fit) ours(asked float64) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return max(int(math.Round((asked-f.a)/f.b)), 1)
}

// part is how many tokens of ours make a part of a prompt, to which the template adds nothing; sure tells that it is learned.
func (f *fit) part(asked float64) (n int, sure bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return max(int(math.Round(asked/f.b)), 1), f.n >= 2
}

// line is what is believed: a + b·ours.
func (f *fit) line() (a, b float64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.a, f.b
}

// theirs is the best estimate of the server's count.
func (f *fit) theirs(ours float64) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return max(int(math.Round(f.a+f.b*ours)), 1)
}
