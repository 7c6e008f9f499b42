package remote

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// lookEvery is how often the run is looked at for what is new.
	lookEvery = 200 * time.Millisecond
	// feedKept is how many objects are kept for readers who come back: ten minutes of one target.
	feedKept = 600
)

// object is one of the stream: its number, its type, and its text.
type object struct {
	id    int64
	event string
	text  []byte
	// private: what is private was hidden when it was made. Else nobody gets it while that is so.
	private bool
}

// feed makes what is new once for all who read it. Nothing waits for a reader: who is too slow for what is kept misses some.
type feed struct {
	s *Server
	// asked: somebody has read; before that nothing is made. readers are how many do.
	asked   atomic.Bool
	readers atomic.Int32

	mu      sync.Mutex
	objects []object
	// last is the number of the newest object, from 1; before is that of the last one before those that came with it, of all targets of a run. over: no more will come; the run has ended, or its server.
	last, before int64
	over         bool
	fresh        chan struct{}
}

func newFeed(s *Server) *feed { return &feed{s: s, fresh: make(chan struct{})} }

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

// run makes objects, and keeps the books of what is forgotten on the screen, until the run has ended, or ctx.
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
			return
		case <-tick.C:
			f.look()
			f.s.book()
		}
	}
}

// look makes the objects of what is new.
func (f *feed) look() {
	if !f.asked.Load() {
		return
	}
	snap, private := f.s.shown()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.over {
		return
	}
	news := f.s.o.News(snap)
	if len(news) > 0 {
		f.before = f.last
	}
	for _, text := range news {
		var of struct {
			Type string `json:"type"`
		}
		_ = json.Unmarshal(text, &of)
		if of.Type == "start" {
			continue
		}
		f.last++
		if f.objects = append(f.objects, object{f.last, of.Type, text, private}); len(f.objects) > feedKept {
			f.objects = f.objects[1:]
		}
	}
	if len(news) > 0 {
		f.wake()
	}
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

// after are the objects behind one that may be told, whether there will be more, and what is closed when there are.
func (f *feed) after(id int64) (found []object, over bool, fresh <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := len(f.objects) - 1; i >= 0 && f.objects[i].id > id; i-- {
		found = f.objects[i:]
	}
	if f.s.private() {
		found = slices.DeleteFunc(slices.Clone(found), func(o object) bool { return !o.private })
	}
	return found[:len(found):len(found)], f.over, f.fresh
}
