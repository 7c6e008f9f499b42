package engine

import (
	"bytes"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

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
	// early is how many characters a stream may have brought for its text to be there from its beginning, of which bench.ReplyBytes times two are kept: a
	// character has up to four bytes.
	early = 500
	// candidates bounds the requests in flight that are looked at for one to follow.
	candidates = 256
	// keptText is how much of a followed text is kept as it came: more than is shown, since what stands for a secret may be shorter than that.
	keptText = 3 * bench.ReadingBytes
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
	// text is its last text as it came, heard whether any came, and late whether there was more before it. news counts what has changed in it.
	text        []byte
	heard, late bool
	news        uint64
	// ended is the request, once it has ended, and over when that was noticed.
	ended bench.Ended
	over  bench.Mark
	// made is what was shown last, of the text that had brought so many news.
	made   string
	madeOf uint64
}

// part is a text that is to be made fit to show: whether there was more before it, and whether there is more to come.
type part struct {
	text         []byte
	late, goesOn bool
	news         uint64
}

// show is the stream that is followed, as far as it has come. Its text is made fit to show outside the lock: the stream's own goroutine and the collector,
// which take it too, must not wait for that.
func (r *reading) show(now time.Duration, read bool, perEvent float64) bench.Reading {
	out, p := r.look(now, read, perEvent)
	if p == nil {
		return out
	}
	out.Text = p.shown(r.e.opt.Clean)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.news == p.news {
		r.made, r.madeOf = out.Text, p.news
	}
	return out
}

// look is the stream that is followed, with its text where that has been made fit to show already, or else what is to be made so.
func (r *reading) look(now time.Duration, read bool, perEvent float64) (bench.Reading, *part) {
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
		return bench.Reading{}, nil
	}
	out := r.facts(now, perEvent)
	switch {
	case r.madeOf == r.news:
		out.Text = r.made
	case len(r.text) > 0 && r.e.opt.Clean != nil:
		return out, &part{bytes.Clone(r.text), r.late, !r.over.OK, r.news}
	}
	return out, nil
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
	r.of, r.text, r.heard, r.late, r.over, r.ended = t, r.text[:0], false, false, bench.Mark{}, bench.Ended{}
	r.news++
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
	r.news++
	r.ended.Gaps, r.ended.Prompt, r.ended.Header, r.ended.Answer = bench.GapList{}, bench.Prompt{}, nil, ""
	r.of.listens.Store(false)
}

// Listens implements bench.Listener.
func (t *watch) Listens() bool { return t.listens.Load() }

// Text implements bench.Listener.
func (t *watch) Text(text []byte, begins bool) {
	r := &t.e.reading
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.of != t:
	case r.stale(t.e.clock.Now()):
		r.drop()
	default:
		r.take(text, begins)
	}
}

// take appends what has come, and forgets what is too long ago. A stream that is followed from its middle may be in the middle of a secret.
func (r *reading) take(text []byte, begins bool) {
	if begins || !r.heard {
		r.text, r.heard, r.late = r.text[:0], true, !begins
	}
	r.news++
	r.text = append(r.text, text...)
	if len(r.text) > keptText {
		r.text = append(r.text[:0], r.text[len(r.text)-keptText/2:]...)
		r.late = true
	}
}

// shown is the last of a text, as it may be shown.
func (p *part) shown(clean func(text string, late, goesOn bool) string) string {
	text := p.text
	if p.late {
		text = fromRune(text)
	}
	if p.goesOn {
		text = stream.WholeRunes(text)
	}
	s := clean(stream.Text(text), p.late, p.goesOn)
	if len(s) > bench.ReadingBytes {
		s = fromRune(s[len(s)-bench.ReadingBytes:])
	}
	return s
}

// fromRune is a text without the rest of a character that it begins with.
func fromRune[T string | []byte](text T) T {
	for len(text) > 0 && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	return text
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
