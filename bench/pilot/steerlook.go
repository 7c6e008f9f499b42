package pilot

import (
	"math"
	"slices"
	"time"
)

// view is what an epoch says at the load in force.
type view struct {
	// share is the share of requests, 0..1, that break the promise; low and high bound it with 95 %; worth is how many requests it rests on.
	share, low, high, worth float64
	// room is how many times as great, as a logarithm, all that is measured could be until the promise is just kept; below 0 where it is broken.
	room float64
	// gross: this epoch's requests alone break the promise by far; last is the share of those.
	gross bool
	last  float64
}

const (
	// mostRoom bounds how far is looked.
	mostRoom = 2.0
	// near is how far, as a logarithm, what was seen at another load may be carried over to the present one.
	near = 0.3
	// lostElasticity stands for how steeply losses rise with the load, which nobody can tell from them: those under another load soon count for nothing.
	lostElasticity = 3
	// grossly is how many times the aim the lower bound of an epoch's share must be for it to be broken grossly, and never less than grossLeast.
	grossly    = 3
	grossLeast = 0.15
	// normal95 is how many standard errors to each side hold 95 %.
	normal95 = 1.96
)

// look judges at a load, and learns how the metric answers to it.
func (s *lookout) look(now time.Duration, load float64, e *elasticity) view {
	s.lengths.sort(now - 2*time.Duration(s.limit*float64(time.Millisecond)))
	s.learn(load, e)
	n, late, overdue := s.fresh(now)
	all := s.weigh(load, e.value())
	if s.lengths.len() == 0 {
		// An answer whose length is crossed is not known to be late before it has ended, for others are waited for as well.
		for range int(overdue) {
			all = append(all, weighted{w: 1, lost: true})
		}
	}
	var sum, squares float64
	for i := range all {
		sum += all[i].w
		squares += all[i].w * all[i].w
	}
	v := view{worth: sum * sum / max(squares, 1e-9)}
	v.share = s.share(all, sum, 1)
	v.low, v.high = wilson(v.share, v.worth, normal95)
	v.room = s.room(all, sum)
	v.last = (late + overdue) / max(n+overdue, 1)
	low, _ := wilson(v.last, n+overdue, normal95)
	v.gross = low > max(min(grossly*s.aim, (1+s.aim)/2), grossLeast)
	return v
}

// weighted is a request as it counts now: carried over to the load in force.
type weighted struct {
	base, pace, w float64
	lost          bool
}

// weigh carries what was seen over to a load.
func (s *lookout) weigh(load, elasticity float64) []weighted {
	out := make([]weighted, 0, len(s.recent))
	age := 0.0
	for _, r := range slices.Backward(s.recent) {
		shift := elasticity * math.Log(load/r.load)
		if r.lost {
			shift = lostElasticity * math.Log(load/r.load)
		}
		if w := r.n * math.Exp(-age/s.memory-shift*shift/(near*near)); w > 1e-3 {
			scale := math.Exp(shift)
			out = append(out, weighted{base: r.base * scale, pace: r.pace * scale, w: w, lost: r.lost})
		}
		age += r.n
	}
	return out
}

// share is the share of requests, by weight, that break the promise when all that is measured is so many times as great.
func (s *lookout) share(all []weighted, sum, times float64) float64 {
	if sum <= 0 {
		return 0
	}
	limit, broke := s.limit/times, 0.0
	for i := range all {
		switch r := &all[i]; {
		case r.lost || r.base > limit:
			broke += r.w
		case r.pace > 0:
			broke += r.w * s.lengths.beyond((limit-r.base)/r.pace)
		}
	}
	return broke / sum
}

// room finds how many times as great, as a logarithm, all could be for the share to be what the promise allows.
func (s *lookout) room(all []weighted, sum float64) float64 {
	low, high := -mostRoom, mostRoom
	for range 24 {
		if mid := (low + high) / 2; s.share(all, sum, math.Exp(mid)) > s.aim {
			high = mid
		} else {
			low = mid
		}
	}
	return (low + high) / 2
}

// learn compares this epoch's requests with those before. Where the load was moved between, the difference teaches the elasticity; where it is more than that
// explains, the server is another one now, and what was seen of it before is forgotten.
func (s *lookout) learn(load float64, e *elasticity) {
	first := len(s.recent)
	for first > 0 && s.recent[first-1].at >= s.epoch {
		first--
	}
	long := s.lengths.at(1 - s.aim)
	s.faster = false
	now, before, loads := moments{}, moments{}, moments{}
	age := 0.0
	for i, r := range slices.Backward(s.recent) {
		if r.lost || r.base <= 0 {
			continue
		}
		y := math.Log(r.base + r.pace*long)
		if i >= first && r.started >= s.since {
			now.add(y, 1)
		} else if i < first {
			w := math.Exp(-age / s.memory)
			before.add(y+e.value()*math.Log(load/r.load), w)
			loads.add(math.Log(load/r.load), w)
		}
		age++
	}
	if now.n < epochLeast {
		e.skip()
		return
	}
	mean, of := now.mean()
	was, ofWas := before.mean()
	if d := mean - was; before.n >= epochRequests && math.Abs(d) > max(changed, certain*math.Hypot(of, ofWas)) {
		s.recent = slices.DeleteFunc(s.recent[first:], func(r seen) bool { return r.started < s.since })
		e.skip()
		// A load that was lowered makes room by itself, and how much is what is known least where a server was asked too much.
		risen, _ := loads.mean()
		s.faster = d < 0 && risen >= 0
	}
	e.learn(math.Log(load), mean, of)
}

const (
	// changed is the least change, as a logarithm, that passes for another server; certain how many standard errors it must be.
	changed = 0.12
	certain = 4
)

// moments are a weighted mean in the making.
type moments struct{ n, w, ww, sum, squares float64 }

func (m *moments) add(y, w float64) {
	m.n++
	m.w += w
	m.ww += w * w
	m.sum += w * y
	m.squares += w * y * y
}

// mean is the mean with its standard error.
func (m *moments) mean() (mean, of float64) {
	if m.w <= 0 {
		return 0, math.Inf(1)
	}
	mean = m.sum / m.w
	return mean, math.Sqrt(max(m.squares/m.w-mean*mean, 1e-6) * m.ww / (m.w * m.w))
}

// elasticity is by how many percent a metric grows with one percent of load. It begins with one, give or take one, and learns from neighbouring epochs, whose
// difference no slow drift of the server can have made; what it has learned fades.
type elasticity struct {
	// precise is what was learned beyond the beginning, as a precision, and toward that times what it says.
	precise, toward float64
	x, y, of        float64
	some            bool
}

const (
	elasticityLeast = 0.3
	elasticityMost  = 10
	fades           = 0.97
)

func newElasticity() elasticity { return elasticity{} }

func (e *elasticity) value() float64 {
	return min(max((1+e.toward)/(1+e.precise), elasticityLeast), elasticityMost)
}

// skip leaves out the difference to the epoch before the next.
func (e *elasticity) skip() { e.some = false }

func (e *elasticity) learn(x, y, of float64) {
	if dx := x - e.x; e.some && dx != 0 {
		p := dx * dx / (e.of*e.of + of*of)
		e.precise, e.toward = fades*e.precise+p, fades*e.toward+p*(y-e.y)/dx
	}
	e.x, e.y, e.of, e.some = x, y, of, true
}
