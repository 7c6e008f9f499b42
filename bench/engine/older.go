package engine

import "sync"

// older numbers the requests, knows those in flight, and can wait for the end of all of them. Safe for concurrent use.
type older struct {
	mu     sync.Mutex
	last   uint64
	flying int
	// first and newest are the ends of the list of those in flight, in the order of their numbers.
	first, newest *watch
	// left of those up to the number mark are waited for, on behalf of a level; none if that is 0. gone is told, outside the lock, when there are no more.
	mark  uint64
	left  int
	level int
	gone  func(level int)
}

// begin counts a request in and gives it its number, from 1.
func (o *older) begin(t *watch) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last++
	o.flying++
	t.request.ID = o.last
	if t.older = o.newest; t.older == nil {
		o.first = t
	} else {
		t.older.younger = t
	}
	o.newest = t
}

// oldest and youngest append at most n of those in flight, from that end of the list.
func (o *older) oldest(to []*watch, n int) []*watch {
	o.mu.Lock()
	defer o.mu.Unlock()
	for t := o.first; t != nil && n > 0; t, n = t.younger, n-1 {
		to = append(to, t)
	}
	return to
}

func (o *older) youngest(to []*watch, n int) []*watch {
	o.mu.Lock()
	defer o.mu.Unlock()
	for t := o.newest; t != nil && n > 0; t, n = t.older, n-1 {
		to = append(to, t)
	}
	return to
}

// count is how many are in flight.
func (o *older) count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.flying
}

// unlink takes a request out of the list.
func (o *older) unlink(t *watch) {
	if t.older == nil {
		o.first = t.younger
	} else {
		t.older.younger = t.younger
	}
	if t.younger == nil {
		o.newest = t.older
	} else {
		t.younger.older = t.older
	}
	t.older, t.younger = nil, nil
}

// end counts a request out.
func (o *older) end(t *watch) {
	o.mu.Lock()
	o.unlink(t)
	o.flying--
	if o.level > 0 && t.request.ID <= o.mark {
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
