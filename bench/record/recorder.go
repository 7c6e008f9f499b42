package record

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"sync"
	"time"
	"unsafe"

	"redline/bench"
)

// What a recorder holds of a run that is not on the disk yet is bounded, in bytes by its own estimate: what the engines have handed over, what has to wait for the
// batch of its request, and what is on its way to the disk. Together they are 32 MiB.
const (
	handedBytes  = 12 << 20
	waitingBytes = 4 << 20
	boxedBytes   = 16 << 20
)

const (
	// again is how long after a failure the disk is tried once more.
	again = 10 * time.Second
	// slowAfter is how long a disk may take nothing before that is told.
	slowAfter = 5 * time.Second
	// checkpointEvery is the least span between two checkpoints, in time of the run; checkpointWithin the longest, where with one more of the last one's size
	// checkpoints would be more than a checkpointShare-th of the file: one of them in ten has all parts of the states, and may be many times as large as the others.
	checkpointEvery  = time.Minute
	checkpointWithin = 40 * time.Minute
	checkpointShare  = 6
	// patience is how long Close waits for the disk.
	patience = 5 * time.Second
)

// Options are how a run is kept. Path or Dir is required, and the Header.
type Options struct {
	// Path is the file, which must not exist; without it one is made in the folder Dir (see Name).
	Path, Dir string
	Header    Header
	// Stand says which target is shown, and whether all are driven; nil for a run of one.
	Stand func() (shown int, both bool)
	// Most is how large the file may become, in bytes: past half of it the gaps of requests are left out, and at it the run is kept by single seconds, one in ten
	// minutes. 0 is no bound.
	Most int64
	// Keep bounds the folder Dir.
	Keep Keep
	// Tell is told of each turn, in a sentence for the log of the run: that the run is not kept any more, and that it is again. It is called from a goroutine of the
	// recorder, and must wait for nothing. May be nil.
	Tell func(text string)
	// Panic is told of a panic of the recorder, which ends the recording and nothing else, and of the stack it came from; as Tell is. May be nil.
	Panic func(reason any, stack []byte)

	disk disk
}

// Recorder writes one run file. Its methods are safe for concurrent use, and none of them waits for a disk but Close.
type Recorder struct {
	o      Options
	scribe *scribe
	press  *press
	// woken says that the engines have handed something over.
	woken chan struct{}
	ended chan struct{}

	mu     sync.Mutex
	in     []item
	extras []extra
	// inBytes is an estimate of what they hold.
	inBytes int
	// closing: the last has been handed over. dead: nothing is kept any more, for good.
	closing, dead bool
	standing      Standing
}

// item is what an engine has handed over of a target.
type item struct {
	track   int
	batches []*bench.Batch
	moment  moment
	// until is the end of the last batch.
	until time.Duration
}

// extra is what a batch does not keep of a request.
type extra struct {
	track       int
	id          uint64
	gaps        bench.GapList
	text, reply string
	// ended is when it ended.
	ended time.Duration
}

// size is about how much it holds, in bytes.
func (x *extra) size() int {
	return int(unsafe.Sizeof(extra{})) + x.gaps.Size() + len(x.text) + len(x.reply)
}

// Create begins a run file at a path, which must not exist.
func Create(path string, h Header, stand func() (shown int, both bool)) (*Recorder, error) {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
		}
		return nil, err
	}
	r := Begin(Options{Path: path, Header: h, Stand: stand})
	return r, nil
}

// Begin begins to keep a run. It waits for nothing: what is wrong with the disk is in the Standing, and told.
func Begin(o Options) *Recorder {
	if o.disk == nil {
		o.disk = system{}
	}
	r := &Recorder{o: o, woken: make(chan struct{}, 1), ended: make(chan struct{}), standing: Standing{Path: o.Path}}
	r.press = newPress(r)
	r.scribe = newScribe(r)
	go r.press.run()
	go r.scribe.run()
	return r
}

// Track is the recorder of one target of the run, by its place in the header; it is an engine.Recorder.
func (r *Recorder) Track(i int) *Track { return &Track{r: r, i: i} }

// Standing is how the recording stands.
func (r *Recorder) Standing() Standing {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.standing
}

// Close writes what is left, and the file's end. It waits for the disk no longer than five seconds; an error says what the file lacks.
func (r *Recorder) Close() error {
	r.mu.Lock()
	r.closing = true
	r.mu.Unlock()
	wake(r.woken)
	wake(r.press.woken)
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-r.ended:
	case <-late.C:
		r.turn(func(s *Standing) { s.Phase, s.Why = Failing, whySlow })
		return fmt.Errorf("the disk has taken nothing for %s: the file may lack its end", patience)
	}
	s := r.Standing()
	if s.Phase == Saved {
		return nil
	}
	return errors.New(s.Why)
}

// turn changes the standing.
func (r *Recorder) turn(change func(*Standing)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.standing.Phase != Saved {
		change(&r.standing)
	}
}

// tell hands a sentence to the log of the run.
func (r *Recorder) tell(format string, values ...any) {
	if r.o.Tell != nil {
		r.o.Tell("recording: " + fmt.Sprintf(format, values...))
	}
}

// end ends the recording for good.
func (r *Recorder) end(why string) {
	r.mu.Lock()
	told := r.dead
	r.dead, r.in, r.extras, r.inBytes = true, nil, nil, 0
	if r.standing.Phase != Saved {
		r.standing.Phase, r.standing.Why = Failing, why
	}
	r.mu.Unlock()
	if !told {
		r.tell("%s, the run is kept no further", why)
	}
}

// guarded runs f, whose panic ends the recording and nothing else.
func (r *Recorder) guarded(f func()) {
	defer func() {
		if reason := recover(); reason != nil {
			if r.o.Panic != nil {
				r.o.Panic(reason, debug.Stack())
			}
			r.end(whyBroken)
		}
	}()
	f()
}

// hand takes what an engine has folded. What does not fit ends the recording: what comes behind it would be wrong.
func (r *Recorder) hand(it item, size int) {
	r.mu.Lock()
	full := r.inBytes+size > handedBytes
	if !r.dead && !r.closing && !full {
		r.in, r.inBytes = append(r.in, it), r.inBytes+size
	}
	r.mu.Unlock()
	if full {
		r.end(whyBusy)
	}
	wake(r.woken)
}

// taken empties the queue, into what was taken before, and tells whether that was the last of it.
func (r *Recorder) taken(items []item, extras []extra) (in []item, more []extra, last bool) {
	clear(items)
	clear(extras)
	r.mu.Lock()
	defer r.mu.Unlock()
	in, more = r.in, r.extras
	r.in, r.extras, r.inBytes = items[:0], extras[:0], 0
	return in, more, r.closing || r.dead
}

func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Track records one target.
type Track struct {
	r *Recorder
	i int
}

// Ended takes what a batch does not keep of a request. What has no room is left out.
func (t *Track) Ended(e *bench.Ended) {
	x := extra{track: t.i, id: e.ID, gaps: e.Gaps, ended: e.Marks.Ended.At}
	r := t.r
	if r.o.Header.Texts {
		x.text, x.reply = head(e.Prompt.Text), e.Reply
	}
	size := x.size()
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.dead && !r.closing && r.inBytes+size <= handedBytes/2 {
		r.extras, r.inBytes = append(r.extras, x), r.inBytes+size
	}
}

// Seconds takes what was folded.
func (t *Track) Seconds(batches []*bench.Batch, shown *bench.Snapshot) {
	it := item{track: t.i, batches: batches, moment: moment{Gauges: shown.Gauges, Tail: shown.Tail}}
	for i := range shown.Events {
		if e := &shown.Events[i]; e.At >= shown.Folded {
			it.moment.Fresh = append(it.moment.Fresh, *e)
		}
	}
	if t.r.o.Stand != nil {
		it.moment.Shown, it.moment.Both = t.r.o.Stand()
	}
	size := 0
	for _, b := range batches {
		size += sizeOf(b)
		it.until = max(it.until, b.Start+b.Span)
	}
	t.r.hand(it, size)
}

// sizeOf is about how much a batch holds, in bytes.
func sizeOf(b *bench.Batch) int {
	const fixed = 8 << 10
	return fixed + len(b.Ended)*int(unsafe.Sizeof(bench.Ended{})) + len(b.FirstTokens)*int(unsafe.Sizeof(bench.FirstToken{})) + len(b.Fixes)*int(unsafe.Sizeof(bench.TokenFix{}))
}
