package engine

import (
	"sync"
	"sync/atomic"
	"time"

	"redline/bench"
	"redline/bench/stream"
)

const (
	// readFor is how long a stream is followed after the last that anybody asked for its text.
	readFor = 3 * time.Second
	// linger is how long a stream that has ended stays, for a reader to finish.
	linger = 2 * time.Second
	// patience is how long the beginning of a stream is waited for, before one is followed from its middle.
	patience = time.Second
	// early is how many characters a stream may have brought for its text to be there from its beginning.
	early = 1000
	// candidates bounds the requests in flight that are looked at for one to follow.
	candidates = 256
	// keptText is how much of a followed text is kept as it came: more than is shown, so that what is left of a secret that was cut off at the
	// front is not shown.
	keptText = 3 * bench.ReadingBytes
	// longSecret is how long that may be.
	longSecret = 4 << 10
)

// reading follows the text of one stream at a time. It has no goroutine: who asks for the text chooses the stream, and the stream's own goroutine
// brings the text, and stops when it was not asked for a while.
//
//	followed          | asked for                                   | a stream's first chunk comes
//	none              | one that has only begun; else wait, with the oldest that waits for its first token meanwhile | follow it, if waiting
//	waits for a token | as none, once it has ended for 2 s          | follow that one instead
//	runs              | stay                                        | stay
//	ended under 2 s ago | stay                                      | stay
//	ended before      | one that has only begun; else wait, and show this meanwhile | follow it
//
// Who has waited for a second is given one that runs, from its middle.
type reading struct {
	e *Engine
	// wanted: the next stream that begins is to be followed.
	wanted atomic.Bool

	mu sync.Mutex
	// asked is when the text was last asked for, waits since when a stream is wanted.
	asked, waits bench.Mark
	// of is the stream that is followed; nil for none.
	of *watch
	// text is its last text as it came; late tells that there was more before it.
	text []byte
	late bool
	// ended is the request, once it has ended, and over when that was noticed.
	ended bench.Ended
	over  bench.Mark
}

// show is the stream that is followed, as far as it has come.
func (r *reading) show(now time.Duration, read bool, perEvent float64) bench.Reading {
	r.mu.Lock()
	defer r.mu.Unlock()
	if read {
		r.asked = bench.MarkAt(now)
		r.choose(now)
	}
	if r.stale(now) {
		r.drop()
	}
	if r.of == nil {
		return bench.Reading{}
	}
	out := r.facts(now, perEvent)
	out.Text = r.shown()
	return out
}

// stale tells whether nobody has asked for the text for a while.
func (r *reading) stale(now time.Duration) bool { return !r.asked.OK || now-r.asked.At > readFor }

// drop ends the following.
func (r *reading) drop() {
	r.wanted.Store(false)
	r.waits = bench.Mark{}
	r.follow(nil)
}

// follow follows another stream, or none.
func (r *reading) follow(t *watch) {
	if r.of != nil {
		r.of.listens.Store(false)
	}
	r.of, r.text, r.late, r.over, r.ended = t, r.text[:0], false, bench.Mark{}, bench.Ended{}
	if t == nil {
		r.text = nil
		return
	}
	t.listens.Store(true)
}

// choose finds a stream to follow where a new one is due.
func (r *reading) choose(now time.Duration) {
	switch {
	case r.of != nil && !r.over.OK && r.of.begun():
		return
	case r.over.OK && now-r.over.At < linger:
		return
	}
	var room [candidates]*watch
	young := r.e.older.youngest(room[:0], candidates)
	var runs *watch
	for _, t := range young {
		switch chars, begun := t.progress(); {
		case !begun:
		case chars <= early:
			r.settleOn(t)
			return
		case runs == nil:
			runs = t
		}
	}
	if !r.waits.OK {
		r.waits = bench.MarkAt(now)
	}
	if runs != nil && now-r.waits.At > patience {
		r.settleOn(runs)
		return
	}
	r.wanted.Store(true)
	if r.of == nil || r.over.OK && !r.ended.Marks.FirstToken.OK {
		r.wait()
	}
}

// settleOn follows a stream that runs.
func (r *reading) settleOn(t *watch) {
	r.wanted.Store(false)
	r.waits = bench.Mark{}
	r.follow(t)
}

// wait follows the oldest request that waits for its first token, until a stream begins.
func (r *reading) wait() {
	var room [candidates]*watch
	for _, t := range r.e.older.oldest(room[:0], candidates) {
		if _, begun := t.progress(); !begun && t.sent() {
			r.follow(t)
			return
		}
	}
}

// begun is told of a stream's first chunk, by its own goroutine.
func (r *reading) begun(t *watch) {
	if !r.wanted.Load() {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case !r.wanted.Load():
	case r.stale(r.e.clock.Now()):
		r.drop()
	case r.of == t:
		r.wanted.Store(false)
		r.waits = bench.Mark{}
	default:
		r.settleOn(t)
	}
}

// end is told of a request that has ended.
func (r *reading) end(e *bench.Ended) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == nil || r.of.request.ID != e.ID || r.over.OK {
		return
	}
	r.over, r.ended = bench.MarkAt(r.e.clock.Now()), *e
	r.ended.Gaps, r.ended.Prompt, r.ended.Header, r.ended.Answer = bench.GapList{}, bench.Prompt{}, nil, ""
	r.of.listens.Store(false)
}

// Listens implements bench.Listener.
func (t *watch) Listens() bool { return t.listens.Load() }

// Text implements bench.Listener.
func (t *watch) Text(text []byte) {
	r := &t.e.reading
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.of != t:
	case r.stale(t.e.clock.Now()):
		r.drop()
	default:
		r.take(text)
	}
}

// take appends what has come, and forgets what is too long ago.
func (r *reading) take(text []byte) {
	r.text = append(r.text, text...)
	if len(r.text) > keptText {
		r.text = append(r.text[:0], r.text[len(r.text)-keptText/2:]...)
		r.late = true
	}
}

// shown is the text as it may be shown.
func (r *reading) shown() string {
	clean := r.e.opt.Clean
	if clean == nil || len(r.text) == 0 {
		return ""
	}
	text := r.text
	if !r.over.OK {
		text = stream.WholeRunes(text)
	}
	s := clean(stream.Text(text), !r.over.OK)
	most := bench.ReadingBytes
	if r.late { // what stands first may be the end of a secret
		most = min(most, max(len(s)-longSecret, 0))
	}
	if len(s) > most {
		s = s[len(s)-most:]
		for len(s) > 0 && s[0]&0xC0 == 0x80 {
			s = s[1:]
		}
	}
	return s
}

// facts are the stream's numbers, by the server's own counts once it has ended.
func (r *reading) facts(now time.Duration, perEvent float64) bench.Reading {
	p := &r.of.pulse
	p.mu.Lock()
	defer p.mu.Unlock()
	out := bench.Reading{
		ID: r.of.request.ID, Started: p.started.At, FirstToken: p.first, LastToken: p.last,
		Tokens: p.tokens(perEvent), Chars: p.chars, Over: r.over.OK, Outcome: r.ended.Outcome,
	}
	if e := &r.ended; r.over.OK {
		if e.Counts.Source != bench.FromEvents && e.Counts.Streamed() > 0 {
			out.Tokens = float64(e.Counts.Streamed())
		}
		if speed, ok := e.Speed(); ok {
			out.Speed = bench.Some(speed)
		}
		return out
	}
	if span := now - p.first.At; p.first.OK && span > 0 && p.last.At > p.first.At {
		out.Speed = bench.Some(p.later(perEvent) / span.Seconds())
	}
	return out
}

// progress is how many characters a request has brought, and whether any token has come.
func (t *watch) progress() (chars int, begun bool) {
	t.pulse.mu.Lock()
	defer t.pulse.mu.Unlock()
	return t.pulse.chars, t.pulse.first.OK
}

func (t *watch) begun() bool {
	_, begun := t.progress()
	return begun
}

// sent tells whether a request was handed over to the transport.
func (t *watch) sent() bool {
	t.pulse.mu.Lock()
	defer t.pulse.mu.Unlock()
	return t.pulse.started.OK
}
