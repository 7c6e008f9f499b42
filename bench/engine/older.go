package engine

import "sync"

// older numbers the requests, and can wait for the end of all that are in flight. Safe for concurrent use.
type older struct {
	mu     sync.Mutex
	last   uint64
	flying int
	// left of those up to the number mark are waited for, on behalf of a level; none if that is 0. gone is told, outside the lock, when there are no more.
	mark  uint64
	left  int
	level int
	gone  func(level int)
}

// begin counts a request in and gives it its number, from 1.
func (o *older) begin() uint64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last++
	o.flying++
	return o.last
}

// end counts a request out.
func (o *older) end(id uint64) {
	o.mu.Lock()
	o.flying--
	if o.level > 0 && id <= o.mark {
		o.left--
	}
	o.settle()
}

// await waits, for a level, until all that is in flight now has ended.
func (o *older) await(level int) {
	o.mu.Lock()
	o.mark, o.left, o.level = o.last, o.flying, level
	o.settle()
}

// rebind goes on to wait on behalf of another level; false if nothing is waited for.
func (o *older) rebind(level int) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.level == 0 {
		return false
	}
	o.level = level
	return true
}

// forget ends the waiting.
func (o *older) forget() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.level = 0
}

// settle unlocks mu, having told what has come true.
func (o *older) settle() {
	level := o.level
	if o.left > 0 {
		level = 0
	} else {
		o.level = 0
	}
	o.mu.Unlock()
	if level > 0 {
		o.gone(level)
	}
}
