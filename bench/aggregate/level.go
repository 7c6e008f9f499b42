package aggregate

import (
	"time"

	"redline/bench"
)

// level is a bench.Level in the making. Its life by events; what is not in the table is ignored:
//
//	state                           | event              | next
//	--------------------------------|--------------------|---------------------------------------------------------------------
//	any                             | Open of a newer ID | this level ends; the new one is Moving, or committed if it is not the
//	                                |                    | load that changes (and reached too if it is a note on a reached level)
//	Moving                          | Open, same ID      | Moving, to the new load; not reached any more
//	Moving                          | Commit             | Reaching; Settles if it was reached while moving
//	Moving, Reaching                | Reach              | reached (Moving stays Moving)
//	Settles, Settled, Unsettled     | Reach              | Settles, from the new instant; what was measured before is dropped
//	Settles                         | all lanes ready,   | Settled
//	                                | the load in force  |
//	Settles                         | 60 s of active time| Unsettled
//	Settled                         | a fifth of the load| Unsettled: what was measured is another load's
//	                                | is held, not sent, |
//	                                | or 2 % of arrivals |
//	                                | are unsent         |
type level struct {
	id                        int
	load, was                 bench.Setpoint
	work                      int
	cause                     bench.Cause
	begin                     time.Duration
	committed, reached, ended bench.Mark
	state                     bench.Settling
	readyAt                   bench.Mark
	note                      string

	// unsent counts all arrivals of the level that were dropped, sent and by all of its requests; ending those of them that ended while it lasted, and tardy those of its first tokens that
	// came when it was over.
	unsent, sent, ending, tardy int
	by                          [bench.NumOutcomes]int

	requests requests
	windows
	// stood: the load had been in force for so long when the level was said to be reached that all in flight was its own; earlier is how many of sent had been sent by then.
	stood   bool
	earlier int
	// goesOn: the level after this one has the same load (a note began it).
	goesOn bool
	// recount: the level ended earlier than what was counted for it.
	recount  bool
	verdicts []bench.Verdict

	// dirty: shown is not the level's present state. It was made behind the second that ended at shownAt.
	// It is bare until it is part of a snapshot.
	dirty, bare bool
	shown       *bench.Level
	shownAt     time.Duration
}

// event applies one of the control's events.
func (s *State) event(e bench.Event) {
	if e.Kind == bench.EventClear {
		s.clear()
	}
	s.log.add(e)
	s.outages.Take(&e)
	now := s.present()
	switch {
	case e.Kind == bench.EventPromise:
		s.promise(&e)
	case e.Kind == bench.EventOpen && (now == nil || e.Level > now.id):
		s.open(&e)
	case now == nil || now.id != e.Level:
	case e.Kind == bench.EventOpen && now.state == bench.Moving:
		now.load, now.work = e.To, e.Work
		now.unreach()
	case e.Kind == bench.EventCommit && now.state == bench.Moving:
		now.commit(e.At, e.To)
	case e.Kind == bench.EventReach:
		now.reach(e.At)
		if now.stood = e.N > 0; now.stood {
			now.earlier = now.sent
		}
	}
}

// open begins a level and ends the one before.
func (s *State) open(e *bench.Event) {
	l := &level{id: e.Level, load: e.To, was: e.From, work: e.Work, cause: e.Cause, begin: e.At, note: e.Text, dirty: true}
	before := s.present()
	if before != nil {
		l.begin = max(l.begin, before.begin)
		before.end(l.begin, s.counted)
		before.goesOn = e.Cause == bench.CauseNote && before.same(l)
	}
	s.levels = append(s.levels, l)
	if e.Cause == bench.CauseLoad || e.Cause == bench.CauseProfile {
		return
	}
	l.commit(l.begin, e.To)
	if e.Cause == bench.CauseNote && before != nil && before.reached.OK && before.same(l) {
		// The load goes on as it was.
		l.reach(l.begin)
	}
}

// passing tells whether the level was what a profile did between two plateaus: its requests count in the run, and it is shown only while it lasts.
func (l *level) passing() bool { return l.cause == bench.CauseProfile && !l.committed.OK && l.ended.OK }

// same tells whether two levels have the same load and workload.
func (l *level) same(o *level) bool { return l.load == o.load && l.work == o.work }

func (l *level) commit(at time.Duration, load bench.Setpoint) {
	l.load, l.committed, l.dirty = load, bench.MarkAt(max(at, l.begin)), true
	if l.state = bench.Reaching; l.reached.OK {
		l.state = bench.Settles
	}
}

func (l *level) reach(at time.Duration) {
	l.unreach()
	l.reached = bench.MarkAt(max(at, l.begin))
	if l.state != bench.Moving {
		l.state = bench.Settles
	}
}

// unreach drops what was measured under a load that is no longer the level's.
func (l *level) unreach() {
	l.reached, l.readyAt, l.dirty = bench.Mark{}, bench.Mark{}, true
	l.requests, l.windows, l.verdicts, l.tardy, l.stood, l.earlier = requests{}, windows{}, nil, 0, false, 0
}

// end closes the level; counted is the end of the last bucket that was measured.
func (l *level) end(at, counted time.Duration) {
	l.ended, l.dirty = bench.MarkAt(at), true
	l.recount = at < counted
}

// unfinished is how many of the level's requests ran when it ended.
func (l *level) unfinished() int {
	if !l.ended.OK {
		return 0
	}
	return max(l.sent-l.ending, 0)
}

// counts tells whether a request that started at an instant belongs to the level's statistics.
func (l *level) counts(started time.Duration) bool { return l.reached.OK && started >= l.reached.At }

// within tells whether what happened at an instant was still this level's doing: before its end, or under the same load.
func (l *level) within(at time.Duration) bool { return !l.ended.OK || at <= l.ended.At || l.goesOn }

func (l *level) start(n int) {
	l.sent += n
	l.dirty = true
}

// drop counts arrivals that were dropped; those under the load in force are what promises are broken by.
func (l *level) drop(u *bench.Unsent) {
	l.unsent += u.N
	if l.counts(u.At) {
		l.requests.facts.Unsent += u.N
	}
	l.dirty = true
}

func (l *level) first(f *bench.FirstToken) {
	switch {
	case !l.counts(f.Started):
	case l.within(f.At):
		l.requests.first(f)
		l.dirty = true
	default:
		l.tardy++
		l.dirty = true
	}
}

func (l *level) request(e *bench.Ended, good bool) {
	l.dirty = true
	l.by[min(e.Outcome, bench.NumOutcomes-1)]++
	if !l.ended.OK || e.Marks.Ended.At <= l.ended.At {
		l.ending++
	}
	if !e.Marks.Started.OK || !l.counts(e.Marks.Started.At) {
		return
	}
	if ttft, ok := e.TTFT(); ok && e.Outcome.Broken() {
		if l.within(e.Marks.FirstToken.At) {
			l.requests.disown(e, ttft)
		} else {
			l.tardy--
		}
	}
	l.requests.end(e, good, l.within(e.Marks.Ended.At), uint64(l.id))
}
