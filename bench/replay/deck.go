package replay

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"redline/bench"
	"redline/bench/record"
)

// beat is how often the position moves on while a run is played.
const beat = 100 * time.Millisecond

// Options are how a run is played.
type Options struct {
	// Speed is how fast; At where it begins. Paused waits there.
	Speed  bench.Tempo
	At     time.Duration
	Paused bool
}

// Deck plays a run file. All but Run may be called from any goroutine, and never waits for the file.
//
//	state    play        rest    end of the recording          seek
//	resting  playing     –       –                             there, resting
//	playing  –           resting resting; follows one that     there, playing
//	                             grows and stays playing
type Deck struct {
	wake chan struct{}
	done chan struct{}
	now  func() time.Time

	snap    atomic.Pointer[bench.Snapshot]
	play    atomic.Pointer[bench.Playback]
	journal atomic.Pointer[bench.Journal]

	// mu guards what is asked of it.
	mu   sync.Mutex
	want wanted

	// The rest belongs to Run's goroutine, and to New before it.
	tape  tape
	trail trail
	// rest is until when no requests are read.
	rest time.Time
}

// wanted is what has been asked for.
type wanted struct {
	playing bool
	speed   bench.Tempo
	// at was the position at the wall time since, from where it moves on while playing; length bounds it.
	at, length time.Duration
	since      time.Time
	// leap tells that at was asked for and is not shown yet; leaps counts such requests, so that the newest wins.
	leap  bool
	leaps int
	// charted tells that the landmarks of the file are known; later is the leap among them that was asked for before, 0 for none.
	charted bool
	later   int
	notes   []record.Note
	// others is how many times the next of several targets was asked for.
	others int
	// journal is when the requests were last asked for.
	journal time.Time
	said    string
	words   int
}

// New is a deck with the run at its first position, which is folded before New returns. The file is the deck's from now on.
func New(f *record.File, o Options) *Deck { return newDeck(f, o, time.Now) }

func newDeck(f *record.File, o Options, clock func() time.Time) *Deck {
	d := &Deck{wake: make(chan struct{}, 1), done: make(chan struct{}), now: clock}
	// A recorded run is over, and its results are safe.
	close(d.done)
	now := d.now()
	d.tape = newTape(f, now)
	d.want = wanted{playing: !o.Paused, speed: o.Speed, at: min(max(o.At, 0), f.Length), length: f.Length, since: now}
	if o.Speed == bench.AtOnce {
		d.want.at = f.Length
	}
	d.journal.Store(&bench.Journal{})
	d.tape.reach(d.want.at)
	d.publish(d.want.at)
	return d
}

// Run plays until ctx ends, and closes the file then.
func (d *Deck) Run(ctx context.Context) error {
	defer d.tape.close()
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		case <-d.wake:
		}
		d.turn()
	}
}

// turn brings what is shown up to what is asked for.
func (d *Deck) turn() {
	now := d.now()
	d.tape.follow(now)
	at, ask := d.take(now)
	moved := d.tape.reach(at)
	d.annotate(ask.notes)
	d.watch(ask.others)
	d.settle(ask.leaps, now)
	if now.Sub(ask.journal) < journalFor && (moved || d.journal.Load().At != d.tape.base.Folded) {
		d.readRequests(now)
	}
	if !d.busy() {
		d.trail.step(&d.tape)
	}
	d.publish(at)
	d.chart()
}

// busy tells whether something has been asked for since the turn began: it goes before looking through the file.
func (d *Deck) busy() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.want.leap
}

// requestShare is how many times as long as reading the requests took nothing is read again while the run is played: they come from a wide stretch of the file.
const requestShare = 5

// readRequests reads those of the position.
func (d *Deck) readRequests(now time.Time) {
	d.mu.Lock()
	playing := d.want.playing
	d.mu.Unlock()
	if playing && now.Before(d.rest) {
		return
	}
	d.journal.Store(d.tape.requests())
	end := d.now()
	d.rest = end.Add(requestShare * end.Sub(now))
}

// take is the position of now, and what is asked for beside it. Notes are taken out.
func (d *Deck) take(now time.Time) (time.Duration, wanted) {
	d.mu.Lock()
	defer d.mu.Unlock()
	w := &d.want
	w.length = d.tape.file.Length
	w.at, w.since = w.position(now), now
	out := *w
	w.notes, w.others = nil, 0
	return w.at, out
}

// position is where the run is at a wall time.
func (w *wanted) position(now time.Time) time.Duration {
	at := w.at
	switch {
	case w.leap || !w.playing:
	case w.speed == bench.AtOnce:
		at = w.length
	default:
		at += time.Duration(w.speed) * now.Sub(w.since)
	}
	return min(max(at, 0), w.length)
}

// settle notes that a position has been reached, unless another has been asked for since; at the end of a recording that does not grow it rests.
func (d *Deck) settle(leaps int, now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	w := &d.want
	if w.leaps != leaps {
		return
	}
	if w.leap {
		// The way there took its time: it is not part of the run's.
		w.leap, w.since = false, d.now()
	}
	if w.playing && w.at >= w.length && !d.tape.growing(now) {
		w.playing = false
	}
}

// publish hands out the picture of a position.
func (d *Deck) publish(at time.Duration) {
	d.mu.Lock()
	w := d.want
	d.mu.Unlock()
	f := d.tape.file
	grows := d.tape.growing(d.now())
	_, watched := d.tape.beside()
	p := &bench.Playback{At: at, Length: f.Length, Seeking: w.leap, Speed: w.speed, Playing: w.playing, Began: f.Header.Began, Growing: grows, Cut: !f.Complete && !grows,
		Damage: d.tape.damage(), Watched: watched, Landmarks: d.trail.with(d.tape.notes), Said: w.said, Words: w.words}
	if w.leap {
		p.At = w.at
	}
	if was := d.play.Load(); was == nil || !same(was, p) {
		d.play.Store(p)
	}
	d.snap.Store(d.tape.picture(at))
}

// same tells whether nothing has changed that is not looked at by its place in memory.
func same(a, b *bench.Playback) bool {
	x, y := *a, *b
	if len(x.Landmarks) != len(y.Landmarks) || len(x.Landmarks) > 0 && &x.Landmarks[0] != &y.Landmarks[0] {
		return false
	}
	x.Landmarks, y.Landmarks = nil, nil
	return x.At == y.At && x.Length == y.Length && x.Seeking == y.Seeking && x.Speed == y.Speed && x.Playing == y.Playing && x.Growing == y.Growing && x.Cut == y.Cut &&
		x.Damage == y.Damage && x.Watched == y.Watched && x.Words == y.Words
}

// Snapshot is the run at the position.
func (d *Deck) Snapshot() *bench.Snapshot { return d.snap.Load() }

// Done is closed: a recorded run is over.
func (d *Deck) Done() <-chan struct{} { return d.done }

// journalFor is how long requests are followed after they were asked for.
const journalFor = 2 * time.Second

// Journal is what was known of single requests at the last position for which it was asked; what it is at this one follows. A recording has no stream's text.
func (d *Deck) Journal(bool) *bench.Journal {
	d.ask(func(w *wanted, now time.Time) { w.journal = now })
	return d.journal.Load()
}
