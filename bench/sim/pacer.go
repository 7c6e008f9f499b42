package sim

import (
	"container/heap"
	"math"
	"sync"
	"time"
)

// pacer writes to all paced streams from one goroutine: a thousand of them cost no wake-ups, only writes. It lives
// while there are streams.
type pacer struct {
	period time.Duration
	wg     *sync.WaitGroup

	// mu guards what follows; never held while writing.
	mu      sync.Mutex
	due     dueHeap
	running bool
	// joined counts streams, which spreads their phases.
	joined uint64
	// wake holds one element when the earliest stream may have changed.
	wake chan struct{}
}

// pacedStream is one stream of the pacer.
type pacedStream struct {
	at   time.Time
	left int
	// write sends the next token.
	write func() error
	// index in the heap, -1 while it is being written to.
	index   int
	dropped bool
	// done closes when the pacer will not touch the stream again.
	done chan struct{}
}

func newPacer(rate float64, wg *sync.WaitGroup) *pacer {
	return &pacer{period: time.Duration(float64(time.Second) / rate), wg: wg, wake: make(chan struct{}, 1)}
}

// join adds a stream of so many tokens. Phases follow multiples of the golden ratio, which leaves no gaps however many
// streams there are.
func (p *pacer) join(tokens int, write func() error) *pacedStream {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.joined++
	_, phase := math.Modf(float64(p.joined) * math.Phi)
	s := &pacedStream{at: time.Now().Add(time.Duration(phase * float64(p.period))), left: tokens, write: write, done: make(chan struct{})}
	heap.Push(&p.due, s)
	if !p.running {
		p.running = true
		p.wg.Add(1)
		go p.run()
	} else if s.index == 0 {
		p.ring()
	}
	return s
}

func (p *pacer) ring() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// drop takes a stream out and returns when nothing writes to it any more.
func (p *pacer) drop(s *pacedStream) {
	p.mu.Lock()
	if s.index >= 0 {
		heap.Remove(&p.due, s.index)
		close(s.done)
		p.ring() // an empty pacer ends now, not when its timer says
	}
	s.dropped = true
	p.mu.Unlock()
	<-s.done
}

// run writes what is due until no stream is left.
func (p *pacer) run() {
	defer p.wg.Done()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		s, wait, more := p.next()
		switch {
		case !more:
			return
		case s != nil:
			p.send(s)
		default:
			// Never less than a millisecond, so that streams with close phases share one wake-up.
			timer.Reset(max(wait, time.Millisecond))
			select {
			case <-timer.C:
			case <-p.wake:
			}
		}
	}
}

// next takes the earliest stream when it is due, else says how long to wait.
func (p *pacer) next() (s *pacedStream, wait time.Duration, more bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.due) == 0 {
		p.running = false
		return nil, 0, false
	}
	if wait = time.Until(p.due[0].at); wait > 0 {
		return nil, wait, true
	}
	return heap.Pop(&p.due).(*pacedStream), 0, true
}

// send writes one token and puts the stream back, on its absolute schedule.
func (p *pacer) send(s *pacedStream) {
	err := s.write()
	p.mu.Lock()
	defer p.mu.Unlock()
	s.left--
	if err != nil || s.left <= 0 || s.dropped {
		close(s.done)
		return
	}
	s.at = s.at.Add(p.period)
	if lag := time.Since(s.at); lag > maxLag {
		s.at = s.at.Add(lag) // what was lost is not made up for in one flood
	}
	heap.Push(&p.due, s)
}

// dueHeap orders streams by their next token.
type dueHeap []*pacedStream

func (h dueHeap) Len() int           { return len(h) }
func (h dueHeap) Less(i, j int) bool { return h[i].at.Before(h[j].at) }
func (h dueHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}
func (h *dueHeap) Push(x any) {
	s := x.(*pacedStream)
	s.index = len(*h)
	*h = append(*h, s)
}
func (h *dueHeap) Pop() any {
	old := *h
	s := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	s.index = -1
	return s
}
