package record

import (
	"bytes"
	"strconv"
	"time"

	"redline/bench"
	"redline/bench/aggregate"
)

const (
	// sparsely is the span between two seconds that are kept of a run whose file is at its bound.
	sparsely = 10 * time.Minute
	// missing is how long what was told of a request waits for the batch that it is in, in time of the run.
	missing = time.Minute
)

// scribe turns what engines have handed over into chunks, in a goroutine of its own. It never waits for the disk, so that the states that it folds are those of the
// run at every second, and a fresh chunk can begin at any.
type scribe struct {
	r *Recorder
	// ink writes into out. flowing: what it writes comes to the disk, as far as is known.
	ink     *writer
	flowing bool
	out     bytes.Buffer
	// stand is what has been folded, up to until.
	stand
	until time.Duration
	// extras are what is known of requests that no batch has had yet, by target and request; waiting is how much they hold.
	extras  []map[uint64]extra
	waiting int
	// checked is when the last checkpoint was written, expired when extras were looked through.
	checked, expired time.Duration
	// bytes is how large the file is, or will be; told how much less is kept than all, as it was told.
	bytes int64
	// spent is how much of it are checkpoints, weight how large the last of them was.
	spent, weight int64
	told          amount
	// begun: there is a file, or none for now. dirty: something was written that is not in a chunk yet. last: all has been handed over.
	begun, dirty, last bool

	in   []item
	more []extra
	full bench.Ended
}

func newScribe(r *Recorder) *scribe {
	s := &scribe{r: r}
	for _, t := range r.o.Header.Tracks {
		s.states = append(s.states, aggregate.NewState(t.Run))
		s.extras = append(s.extras, map[uint64]extra{})
	}
	s.folded, s.moments = make([]time.Duration, len(s.states)), make([]*moment, len(s.states))
	return s
}

// run goes on until the press has ended.
func (s *scribe) run() {
	s.r.guarded(s.work)
	// Whatever ended it, nothing more will come.
	s.r.press.finish(true)
}

func (s *scribe) work() {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-s.r.woken:
		case <-tick.C:
		case <-s.r.ended:
			return
		}
		s.r.press.slow(time.Now())
		if s.ready() {
			s.take()
			s.answer()
			s.send()
		}
	}
}

// ready tells whether it is known that there is a file, or that there is none for now: what comes before is written, once there is one.
func (s *scribe) ready() bool {
	if !s.begun {
		s.answer()
		s.begun = s.flowing || s.r.press.fails()
	}
	return s.begun
}

// take folds and writes what has been handed over.
func (s *scribe) take() {
	var last bool
	s.in, s.more, last = s.r.taken(s.in, s.more)
	for i := range s.more {
		x := &s.more[i]
		if size := x.size(); s.waiting+size <= waitingBytes {
			s.extras[x.track][x.id] = *x
			s.waiting += size
		}
	}
	for i := range s.in {
		s.second(&s.in[i])
	}
	s.last = s.last || last
}

// second writes what one target has handed over, and folds it.
func (s *scribe) second(it *item) {
	if s.flowing && s.due(it) {
		s.check(s.ink.seconds(it.track, it.batches, it.moment, s.whole(it.track)))
		s.dirty = true
	}
	m := it.moment
	s.moments[it.track] = &m
	for _, b := range it.batches {
		for i := range b.Ended {
			s.drop(it.track, b.Ended[i].ID)
		}
		s.count(it.track, b)
		s.states[it.track].Fold(b)
	}
	s.until = max(s.until, it.until)
	s.folded[it.track] = it.until
	s.expire(it.track)
	if s.even() && s.until-s.checked >= s.span() {
		s.checkpoint()
	}
}

// count keeps the tally of all that was folded.
func (s *scribe) count(track int, b *bench.Batch) {
	s.sum.Requests += len(b.Ended)
	s.sum.Length = max(s.sum.Length, b.Start+b.Span)
	for i := range b.Events {
		if track == 0 && b.Events[i].Kind == bench.EventOpen {
			s.sum.Levels++
		}
	}
}

// whole finds what was told of a target's requests when they ended, for the writer.
func (s *scribe) whole(track int) func(id uint64) *bench.Ended {
	known, gaps := s.extras[track], s.phase() == all
	if len(known) == 0 {
		return nil
	}
	return func(id uint64) *bench.Ended {
		x, ok := known[id]
		if !ok {
			return nil
		}
		s.full = bench.Ended{}
		if gaps {
			s.full.Gaps = x.gaps
		}
		s.full.Prompt.Text, s.full.Reply = x.text, x.reply
		return &s.full
	}
}

// drop forgets what was told of a request.
func (s *scribe) drop(track int, id uint64) {
	if x, ok := s.extras[track][id]; ok {
		delete(s.extras[track], id)
		s.waiting -= x.size()
	}
}

// expire drops what was told of requests that no batch will bring.
func (s *scribe) expire(track int) {
	if len(s.extras[track]) == 0 || s.until-s.expired < missing {
		return
	}
	s.expired = s.until
	for id, x := range s.extras[track] {
		if x.ended < s.until-missing {
			s.drop(track, id)
		}
	}
}

// even tells whether all targets have come to the same instant, so that what follows begins with the same second for each.
func (s *scribe) even() bool {
	for _, at := range s.folded {
		if at != s.until {
			return s.until-s.checked >= s.span()+5*time.Second
		}
	}
	return true
}

// amount is how much of a run is kept.
type amount uint8

const (
	all amount = iota
	// gapless: all but the gaps of requests. sparse: a second in ten minutes.
	gapless
	sparse
)

// phase is how much is kept, by how near the file is to its bound.
func (s *scribe) phase() amount {
	switch most := s.r.o.Most; {
	case most <= 0 || s.bytes < most/2:
		return all
	case s.bytes < most:
		return gapless
	}
	return sparse
}

// span is that between two checkpoints.
func (s *scribe) span() time.Duration {
	if s.phase() == sparse {
		return sparsely
	}
	if (s.spent+s.weight)*checkpointShare > s.written() {
		return checkpointWithin
	}
	return checkpointEvery
}

// due tells whether a second is written: where the file is at its bound only those behind a checkpoint are.
func (s *scribe) due(it *item) bool {
	return s.phase() != sparse || it.until-s.checked <= time.Second+time.Second/2
}

// checkpoint begins a frame with the states.
func (s *scribe) checkpoint() {
	s.checked = s.until
	if !s.flowing || s.phase() == sparse && s.bytes > s.r.o.Most+s.r.o.Most/4 {
		return
	}
	s.check(s.ink.flush())
	before := s.written()
	s.ink.follow(&s.stand)
	s.check(s.ink.checkpoint(s.states))
	s.check(s.ink.flush())
	s.weight = s.written() - before
	s.spent += s.weight
	s.dirty = true
}

// written is how large the file is with what waits to be handed over.
func (s *scribe) written() int64 { return s.bytes + int64(s.out.Len()) }

// check gives up what cannot be written down at all, which no disk is to blame for.
func (s *scribe) check(err error) {
	if err != nil {
		panic(err)
	}
}

// answer begins anew where the press asks for it.
func (s *scribe) answer() {
	at := s.r.press.asked()
	if at == nil {
		return
	}
	s.out = bytes.Buffer{}
	var err error
	s.ink, err = freshInk(s.ink, &s.out, s.r.o.Header, at, &s.stand)
	s.check(err)
	s.flowing, s.checked, s.bytes = true, s.until, at.at
	if s.weight = 0; at.at == 0 {
		s.spent = 0
	}
	s.ship(true)
}

// send hands over what was written since it last did.
func (s *scribe) send() {
	if s.flowing && (s.dirty || s.last) {
		s.ship(false)
	}
	if s.last {
		s.r.press.finish(false)
	}
}

// ship makes a chunk of what was written; where the press does not take it the scribe waits until it is asked to begin anew.
func (s *scribe) ship(fresh bool) {
	s.dirty = false
	if s.last {
		s.check(s.ink.close(true))
	} else {
		s.check(s.ink.flush())
	}
	c := chunk{bytes: append([]byte(nil), s.out.Bytes()...), until: s.until, mark: s.ink.mark(), fresh: fresh, last: s.last}
	s.out.Reset()
	s.bytes += int64(len(c.bytes))
	if !s.r.press.put(c) || s.last {
		s.flowing = false
	}
	s.say()
}

// say tells when the file comes near its bound.
func (s *scribe) say() {
	now := s.phase()
	if now <= s.told {
		return
	}
	s.told = now
	switch now {
	case gapless:
		s.r.turn(func(st *Standing) { st.Short = whyNoGaps })
		s.r.tell("the file is half as large as it may be, gaps of requests are left out from now on")
	case sparse:
		s.r.turn(func(st *Standing) { st.Short = whySparse })
		s.r.tell("the file is as large as it may be, single requests are left out from now on, and one second in %s is kept", length(sparsely))
	}
}

// length words a span of whole minutes or seconds.
func length(d time.Duration) string {
	if d%time.Minute == 0 {
		return strconv.Itoa(int(d/time.Minute)) + " min"
	}
	return strconv.Itoa(int(d/time.Second)) + " s"
}
