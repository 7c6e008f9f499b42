package record

import (
	"sync"
	"time"
)

// press brings chunks to the disk, in a goroutine of its own, which may hang in it for as long as the disk does. A chunk that could not be written makes all that
// follow it worthless, until the scribe has begun anew behind what is there.
//
//	state     | input                    | next
//	begins    | the file is made         | asks
//	asks      | a fresh chunk is written | goes on; what was lost is told
//	goes on   | a write fails            | rests, the box is emptied; told
//	goes on   | the box is full          | goes on with what is in it, then asks; told
//	rests     | ten seconds, or Close    | cuts the file back to what is whole, then asks
//	goes on   | the last chunk           | over
//	rests     | fails once more at Close | over
type press struct {
	r     *Recorder
	woken chan struct{}

	// Of its own goroutine: the file, how much of it is whole, where in the run that ends, what the writer knew there, and when it is tried again.
	file    target
	lock    lock
	path    string
	whole   int64
	until   time.Duration
	mark    mark
	next    time.Time
	looked  time.Time
	cleared time.Time
	tried   bool

	mu    sync.Mutex
	box   []chunk
	boxed int
	// accepting: chunks follow one another. asking: the scribe is to begin anew there. full: the box was.
	accepting, full bool
	asking          *place
	// busy is since when a write has not returned.
	busy time.Time
	// ending: the run is over. gone: there is nobody who could begin anew. over: nothing more will be written.
	ending, gone, over bool
	// failing is what was told to be wrong; empty while all is well.
	failing string
}

// chunk is what belongs together on the disk.
type chunk struct {
	bytes []byte
	// until is where in the run it ends, mark what the writer knew there.
	until time.Duration
	mark  mark
	// fresh: it begins anew, with a state. last: the file ends with it.
	fresh, last bool
}

// place is where a file is whole: so many bytes, and what the writer knew there.
type place struct {
	at   int64
	mark mark
}

func newPress(r *Recorder) *press { return &press{r: r, woken: make(chan struct{}, 1)} }

// put hands a chunk over; false where it was not taken, and the scribe has to begin anew when it is asked to.
func (p *press) put(c chunk) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.over, !c.fresh && !p.accepting:
		return false
	case c.fresh && p.asking == nil:
		return false
	case !c.fresh && !c.last && p.boxed+len(c.bytes) > boxedBytes:
		p.accepting, p.full = false, true
		return false
	}
	if c.fresh {
		p.asking, p.accepting = nil, true
	}
	p.box, p.boxed = append(p.box, c), p.boxed+len(c.bytes)
	wake(p.woken)
	return true
}

// asked is where the scribe is to begin anew; nil where it is not.
func (p *press) asked() *place {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asking
}

// run writes until the file is closed.
func (p *press) run() {
	defer close(p.r.ended)
	defer p.leave()
	p.r.guarded(p.work)
}

func (p *press) work() {
	p.attempt()
	alarm := time.NewTimer(again)
	defer alarm.Stop()
	for !p.done() {
		select {
		case <-p.woken:
		case <-alarm.C:
		}
		alarm.Reset(time.Second)
		p.print()
		p.look()
	}
}

// leave closes the file, whatever became of it.
func (p *press) leave() {
	p.mu.Lock()
	p.over, p.accepting, p.box, p.boxed, p.asking = true, false, nil, 0, nil
	p.mu.Unlock()
	if p.file != nil {
		_ = p.file.Close()
	}
	p.lock.release()
}

// finish says that no chunk will come any more but a last one that is asked for; with gone not even that.
func (p *press) finish(gone bool) {
	p.mu.Lock()
	p.ending, p.gone = true, p.gone || gone
	p.mu.Unlock()
	wake(p.woken)
}

func (p *press) done() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.over
}

// print writes what is in the box.
func (p *press) print() {
	for {
		p.mu.Lock()
		if len(p.box) == 0 {
			p.mu.Unlock()
			return
		}
		c := p.box[0]
		p.box, p.boxed, p.busy = p.box[1:], p.boxed-len(c.bytes), time.Now()
		p.mu.Unlock()
		_, err := p.file.Write(c.bytes)
		if c.last && err == nil {
			err = p.file.sync()
		}
		p.mu.Lock()
		p.busy = time.Time{}
		p.mu.Unlock()
		if err != nil {
			p.fail(err)
			return
		}
		p.went(c)
	}
}

// went books a chunk that is on the disk.
func (p *press) went(c chunk) {
	lost := time.Duration(0)
	if c.fresh {
		lost = max(c.until-p.until, 0)
	}
	from := p.until
	p.whole, p.until, p.mark = p.whole+int64(len(c.bytes)), c.until, c.mark
	p.mu.Lock()
	healed := p.failing != "" && (c.fresh || !p.full)
	if healed {
		p.failing = ""
	}
	if c.last {
		p.over = true
	}
	p.mu.Unlock()
	p.r.turn(func(s *Standing) {
		s.Path, s.Bytes = p.path, p.whole
		if c.fresh {
			s.Lost += lost
		}
		switch {
		case p.r.dead:
		case c.last:
			s.Phase, s.Why = Saved, ""
		case healed, s.Phase == Beginning:
			s.Phase, s.Why = Recording, ""
		}
	})
	switch {
	case healed && lost > 0:
		p.r.tell("the run is kept again; from %s to %s it is lost", from.Round(time.Second), c.until.Round(time.Second))
	case healed:
		p.r.tell("the run is kept again")
	}
}

// fail gives up what is on its way.
func (p *press) fail(err error) {
	p.mu.Lock()
	p.box, p.boxed, p.accepting, p.full, p.asking = nil, 0, false, false, nil
	if p.ending && p.tried {
		p.over = true
	}
	p.mu.Unlock()
	p.next = time.Now().Add(again)
	p.fault(whyOf(err))
}

// fault says what is wrong, once.
func (p *press) fault(why string) {
	p.mu.Lock()
	before := p.failing
	p.failing = why
	p.mu.Unlock()
	p.r.turn(func(s *Standing) { s.Phase, s.Why = Failing, why })
	if before == "" {
		p.r.tell("%s, the run is not kept; tried again every %s", why, length(again))
	}
}

// slow says that the disk takes nothing, where it does not. It is called by the scribe.
func (p *press) slow(now time.Time) {
	p.mu.Lock()
	is := !p.busy.IsZero() && now.Sub(p.busy) >= slowAfter && p.failing == "" || p.full && p.failing == ""
	p.mu.Unlock()
	if is {
		p.fault(whySlow)
	}
}

// fails tells whether something is wrong, or nothing will come of it any more.
func (p *press) fails() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failing != "" || p.over
}

// look does what has nothing to do with a chunk: it tries again, and sees to the file and its folder.
func (p *press) look() {
	now := time.Now()
	p.mu.Lock()
	p.over = p.over || p.gone && len(p.box) == 0
	idle := !p.accepting && p.asking == nil && len(p.box) == 0 && !p.over
	ending, full := p.ending, p.full
	p.mu.Unlock()
	switch {
	case idle && ending && p.tried:
		p.mu.Lock()
		p.over = true
		p.mu.Unlock()
	case idle && (full || ending || !now.Before(p.next)):
		p.tried = ending
		p.attempt()
	case !idle && p.file != nil && now.Sub(p.looked) >= again:
		p.looked = now
		if !p.r.o.disk.same(p.path, p.file) {
			p.fail(errGone)
			p.next = now
			return
		}
		if !p.lock.held() {
			p.lock = hold(p.path)
		}
	}
	if p.r.o.Dir != "" && p.file != nil && now.Sub(p.cleared) >= time.Minute {
		p.cleared = now
		// What could not be removed is tried again in a minute; a folder that cannot be read holds no run that could grow.
		if n, freed, _ := p.r.o.Keep.Clear(p.r.o.Dir, p.path, now); n > 0 {
			p.r.tell("%d of the oldest runs (%.1f MB) removed, which --keep has no room for", n, float64(freed)/(1<<20))
		}
	}
}

// attempt brings the file into a state in which it can go on, and asks the scribe for a fresh chunk.
func (p *press) attempt() {
	if p.file != nil && !p.r.o.disk.same(p.path, p.file) {
		_ = p.file.Close()
		p.lock.release()
		p.file, p.lock = nil, lock{}
	}
	p.mu.Lock()
	p.busy = time.Now()
	p.mu.Unlock()
	err := p.ready()
	p.mu.Lock()
	p.busy = time.Time{}
	p.mu.Unlock()
	if err != nil {
		p.fail(err)
		return
	}
	p.mu.Lock()
	p.full, p.asking = false, &place{p.whole, p.mark}
	p.mu.Unlock()
	wake(p.r.woken)
}

// ready makes the file, or cuts off what of it is not whole.
func (p *press) ready() error {
	if p.file != nil {
		return p.file.cut(p.whole)
	}
	path := p.r.o.Path
	if path == "" {
		var err error
		if path, err = Free(p.r.o.Dir, p.r.o.Header.Began, p.r.o.model()); err != nil {
			return err
		}
	}
	f, err := p.r.o.disk.create(path)
	if err != nil {
		return err
	}
	p.file, p.path, p.whole, p.until, p.looked = f, path, 0, 0, time.Now()
	p.lock = hold(path)
	// What an earlier file had, and what that had lost, is lost with the beginning of this one.
	p.r.turn(func(s *Standing) { s.Path, s.Bytes, s.Lost = path, 0, 0 })
	return nil
}

// model is what the first target's model is called.
func (o *Options) model() string {
	for _, t := range o.Header.Tracks {
		if t.Run != nil {
			return t.Run.Model
		}
	}
	return ""
}
