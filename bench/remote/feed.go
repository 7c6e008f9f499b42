package remote

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"redline/bench"
)

const (
	// lookEvery is how often the run is looked at for a second that is new.
	lookEvery = 200 * time.Millisecond
	// feedKept is how many objects are kept for readers who come back: ten minutes.
	feedKept = 600
)

// object is one of the stream: the second that it is of, and its text.
type object struct {
	second int64
	text   []byte
}

// feed makes each second's object once for all who read them. Nothing waits for a reader: who is too slow for what is kept misses some.
type feed struct {
	s *Server
	// asked: somebody has read; before that nothing is made. readers are how many do.
	asked   atomic.Bool
	readers atomic.Int32

	mu      sync.Mutex
	objects []object
	// last is the second of the newest object. over: no more will come; the run has ended, or its server.
	last  int64
	over  bool
	fresh chan struct{}
}

func newFeed(s *Server) *feed { return &feed{s: s, last: -1, fresh: make(chan struct{})} }

// join lets one more read, if there is room; leave ends that.
func (f *feed) join() bool {
	if f.readers.Add(1) > mostStreams {
		f.readers.Add(-1)
		return false
	}
	f.asked.Store(true)
	f.look()
	return true
}

func (f *feed) leave() { f.readers.Add(-1) }

// run makes objects until the run has ended, or ctx.
func (f *feed) run(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	defer f.close()
	for {
		select {
		case <-ctx.Done():
			f.look()
			return
		case <-f.s.o.Engine.Done():
			f.look()
			f.close()
			return
		case <-tick.C:
			f.look()
		}
	}
}

// look makes the object of the newest second, unless it is made.
func (f *feed) look() {
	if !f.asked.Load() {
		return
	}
	snap, _ := f.s.shown()
	second := int64(snap.Folded / time.Second)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.over || second <= f.last && !(snap.State == bench.Done && len(f.objects) > 0) {
		return
	}
	text, err := f.s.o.Second(snap)
	if err != nil {
		return
	}
	if second <= f.last {
		second = f.last + 1 // the last part of a second, at the run's end
	}
	if f.objects = append(f.objects, object{second, text}); len(f.objects) > feedKept {
		f.objects = f.objects[1:]
	}
	f.last = second
	f.wake()
}

// close tells readers that no more will come.
func (f *feed) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.over {
		f.over = true
		f.wake()
	}
}

func (f *feed) wake() {
	close(f.fresh)
	f.fresh = make(chan struct{})
}

// after are the objects behind a second, whether there will be more, and what is closed when there are.
func (f *feed) after(second int64) (found []object, over bool, fresh <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := len(f.objects) - 1; i >= 0 && f.objects[i].second > second; i-- {
		found = f.objects[i:]
	}
	return found[:len(found):len(found)], f.over, f.fresh
}
