package pilot

import (
	"slices"
	"time"

	"redline/bench"
)

// lookout is what a cruise sees of its promise.
//
// Counting the requests of an epoch that broke the promise would say little: of a hundred, five do, give or take two, and that is a load of ±20 % where a
// latency rises slowly with it. So a request is taken apart. How long its first token took and how fast its stream was are the server's doing; how long its
// answer became is the workload's. The share is that of the last requests' paces crossed with the lengths of all answers so far, which knows the tail of
// the lengths from two thousand requests and the server of now from its last hundred. It also does away with a bias: under a fresh load short answers end
// first. Metrics that do not depend on the length (all but E2E) need no crossing, and go by the last requests alone.
//
// What was seen at another load is carried over to the present one by the elasticity, and counts the less the further that is.
type lookout struct {
	t   bench.Threshold
	aim float64
	// limit is in ms, and more is worse; memory is how many requests the last ones are.
	limit, memory float64
	recent        []seen
	lengths       lengths
	pending       pending
	// moves are the loads that were set. since is when the present one was, or when the run went on; epoch when this epoch began.
	moves        []moved
	since, epoch time.Duration
	// drains is how many times more all that is in flight has to end before what began since says something: a rate that came down leaves a backlog, and who
	// comes meanwhile still waits behind it. stay is how long requests are in flight, in seconds, smoothed.
	drains int
	stay   float64
	open   bool
	// faster: this epoch found the server faster than those before.
	faster bool
	knows  bool
}

// seen is one request, or n that were lost whatever the limit: base ms, and pace ms for each token of its answer.
type seen struct {
	at, started time.Duration
	load        float64
	base, pace  float64
	lost        bool
	n           float64
}

type moved struct {
	at   time.Duration
	load float64
}

const (
	// epochRequests is how many requests an epoch takes, epochLeast how many if they come slowly, in epochSlow; epochTime how long it lasts at least.
	epochRequests = 20
	epochLeast    = 8
	epochSlow     = 30 * time.Second
	epochTime     = 2 * time.Second
	// longestWait bounds the wait for a backlog.
	longestWait = time.Minute
	keptMoves   = 64
	// backlogRounds is how many rounds of requests a backlog takes.
	backlogRounds = 2
)

func newLookout(t bench.Threshold, aim float64) *lookout {
	s := &lookout{t: t, aim: aim, limit: t.Limit, memory: min(max(5/min(aim, 1-aim), 50), 500), pending: pending{}}
	if t.Metric == bench.TPS {
		s.limit = 1000 / t.Limit // by what a token takes, so that more is worse
	}
	return s
}

func (s *lookout) begin(now time.Duration, load bench.Setpoint) {
	s.moves = []moved{{now, load.N}}
	s.open = load.Mode == bench.Open
	s.anew(now)
}

// anew begins an epoch of which nothing is seen yet: only what starts from now on is of it.
func (s *lookout) anew(now time.Duration) { s.since, s.epoch, s.drains = now, now, 0 }

// forget drops all that was seen of the server, and begins anew; how long answers are is the workload's doing, and stays known.
func (s *lookout) forget(now time.Duration, load bench.Setpoint) {
	s.recent, s.stay, s.faster = nil, 0, false
	s.moves = []moved{{now, load.N}}
	s.anew(now)
}

// next begins the epoch after a judgement.
func (s *lookout) next(now time.Duration, load bench.Setpoint) {
	s.epoch = now
	if last := s.moves[len(s.moves)-1].load; last != load.N {
		s.moves = append(s.moves, moved{now, load.N})
		if len(s.moves) > keptMoves {
			s.moves = s.moves[1:]
		}
		if s.since, s.drains = now, 0; s.open && load.N < last {
			s.drains = backlogRounds
		}
	}
	if over := len(s.recent) - 4*int(s.memory); over > 0 {
		s.recent = slices.Delete(s.recent, 0, over)
	}
}

// loadAt is the load that was in force at an instant.
func (s *lookout) loadAt(at time.Duration) float64 {
	for _, m := range slices.Backward(s.moves) {
		if m.at <= at {
			return m.load
		}
	}
	return s.moves[0].load
}

// know takes the lengths of answers from what the run has seen of the same workload before.
func (s *lookout) know(snap *bench.Snapshot) {
	if s.knows || snap == nil || len(snap.Levels) == 0 {
		return
	}
	s.knows = true
	if s.t.Metric != bench.E2E {
		return
	}
	work := snap.Level().Work
	for _, l := range slices.Backward(snap.Levels) {
		for i := range l.Sample {
			if r := &l.Sample[i]; l.Work == work && r.TPOT > 0 && s.lengths.len() < lengthsKnown {
				s.lengths.add(0, float64(r.E2E-r.TTFT)/float64(r.TPOT))
			}
		}
	}
}

// take takes in a second.
func (s *lookout) take(b *bench.Batch) {
	for _, st := range b.Starts {
		if st.Level != bench.NoLevel {
			s.pending.add(b.Start, st.Sent)
		}
	}
	if s.t.Metric == bench.TTFT {
		for i := range b.FirstTokens {
			if f := &b.FirstTokens[i]; f.Level != bench.NoLevel {
				s.pending.add(f.Started, -1)
				s.see(seen{at: f.At, started: f.Started, base: bench.Millis(f.TTFT)})
			}
		}
	}
	for i := range b.Ended {
		if e := &b.Ended[i]; e.Level != bench.NoLevel && e.Marks.Started.OK {
			s.end(e)
		}
	}
	for _, u := range b.Unsent {
		if u.Level != bench.NoLevel {
			s.see(seen{at: u.At, started: u.At, lost: true, n: float64(u.N)})
		}
	}
}

// see keeps a request. What began before the cruise was under another load, of which nothing is known.
func (s *lookout) see(r seen) {
	if r.started < s.moves[0].at {
		return
	}
	if r.load = s.loadAt(r.started); r.n == 0 {
		r.n = 1
	}
	s.recent = append(s.recent, r)
}

// end takes a request in that has ended.
func (s *lookout) end(e *bench.Ended) {
	r := seen{at: e.Marks.Ended.At, started: e.Marks.Started.At}
	if s.t.Metric != bench.TTFT || !e.Marks.FirstToken.OK {
		s.pending.add(r.started, -1)
	}
	if stay, ok := measure(e, bench.E2E); ok && e.Outcome == bench.OK {
		if s.stay == 0 {
			s.stay = stay / 1000
		}
		s.stay += 0.05 * (stay/1000 - s.stay)
	}
	switch {
	case e.Outcome.Withdrawn():
	case e.Outcome != bench.OK:
		if s.t.Metric == bench.TTFT && e.Marks.FirstToken.OK {
			s.disown(r.started)
		}
		r.lost = true
		s.see(r)
	case s.t.Metric == bench.TTFT:
	case s.t.Metric == bench.E2E:
		s.endToEnd(e, r)
	default:
		m := perRequest(s.t.Metric)
		if m == bench.TPS {
			m = bench.TPOT
		}
		if v, ok := measure(e, m); ok {
			r.base = v
			s.see(r)
		}
	}
}

// endToEnd takes a request's latency apart. One that has no pace is taken as it is.
func (s *lookout) endToEnd(e *bench.Ended, r seen) {
	whole, ok := measure(e, bench.E2E)
	if !ok {
		return
	}
	first, began := e.TTFT()
	pace, paced := e.TPOT()
	if r.base = whole; began && paced {
		r.base, r.pace = bench.Millis(first), pace
		s.lengths.add(r.started, (whole-r.base)/pace)
	}
	s.see(r)
}

// disown takes back the first token of a request that failed in the end.
func (s *lookout) disown(started time.Duration) {
	for i, r := range slices.Backward(s.recent) {
		if r.started == started && !r.lost {
			s.recent = slices.Delete(s.recent, i, i+1)
			return
		}
	}
}

// fresh are the requests that began under the load in force and were seen in this epoch, late those of them that broke the promise; overdue are those that
// are still awaited, and have broken it by now.
func (s *lookout) fresh(now time.Duration) (n, late, overdue float64) {
	for i := range s.recent {
		if r := &s.recent[i]; r.started >= s.since && r.at >= s.epoch {
			n += r.n
			if s.breaks(r) {
				late += r.n
			}
		}
	}
	if s.t.Metric == bench.TTFT || s.t.Metric == bench.E2E {
		from := s.since.Truncate(time.Second)
		if n == 0 {
			from = 0 // nothing comes at all: whenever they began, they are late
		}
		overdue = s.pending.before(now-time.Duration(s.limit*float64(time.Millisecond)), from)
	}
	return n, late, overdue
}

// awaitsLate tells whether most of an epoch's requests are late, those that are still awaited among them: of those that are in the middle of their answers
// nothing is known before they end.
func (s *lookout) awaitsLate(now time.Duration) bool {
	n, late, overdue := s.fresh(now)
	return overdue > 0 && late+overdue > 0.6*(n+overdue)
}

// breaks tells whether a request broke the promise, as it was.
func (s *lookout) breaks(r *seen) bool {
	return r.lost || r.base > s.limit || r.pace > 0 && r.base+r.pace*s.lengths.middle() > s.limit
}

// enough tells whether the epoch has seen enough to be judged.
func (s *lookout) enough(now time.Duration) bool {
	if now-s.epoch < epochTime {
		return false
	}
	waits := s.open && s.waits(now)
	n, late, overdue := s.fresh(now)
	switch {
	case s.drains > 0:
		return false
	case n+overdue >= epochLeast && late+overdue > 0.6*(n+overdue):
		return true
	case waits:
		return false
	case n >= epochRequests:
		return true
	case n+overdue >= epochLeast:
		return now-s.epoch >= epochSlow
	}
	// Nothing comes: three times the limit is long enough to know.
	return overdue > 0 && now-s.epoch >= epochTime+3*time.Duration(s.limit*float64(time.Millisecond))
}

// waits waits, in the open loop, for what the load before has left, and for the present one to show: a rate takes as long as a request is in flight to
// become a load of the server.
func (s *lookout) waits(now time.Duration) bool {
	switch {
	case s.drains == 0:
	case now-s.epoch >= longestWait:
		s.drains, s.since = 0, now
	case s.pending.before(s.since, 0) > 0:
		return true
	default:
		s.drains--
		s.since = now
		return true
	}
	return now-s.since < min(time.Duration(1.5*s.stay*float64(time.Second)), longestWait/2)
}

// perRequest is the metric of a single request that a promise goes by: single tokens are not told.
func perRequest(m bench.Metric) bench.Metric {
	if m == bench.ITL {
		return bench.TPOT
	}
	return m
}
