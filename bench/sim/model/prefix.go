package model

import "container/list"

// prefixes are the blocks of earlier prompts that the cache still holds, by their hashes; the one that was used longest ago goes first.
type prefixes struct {
	room  int
	known map[uint64]*list.Element
	// order has the last used at its front.
	order *list.List
}

func newPrefixes(blocks int) *prefixes {
	return &prefixes{room: blocks, known: make(map[uint64]*list.Element), order: list.New()}
}

// match is how many of a prompt's first blocks are there.
func (c *prefixes) match(hashes []uint64) int {
	if c == nil {
		return 0
	}
	n := 0
	for n < len(hashes) && c.known[hashes[n]] != nil {
		n++
	}
	c.touch(hashes[:n])
	return n
}

// enter keeps a prompt's blocks, as far as the cache has room.
func (c *prefixes) enter(hashes []uint64) {
	if c == nil {
		return
	}
	c.touch(hashes[:min(len(hashes), c.room)])
	for c.order.Len() > c.room {
		oldest := c.order.Back()
		delete(c.known, oldest.Value.(uint64))
		c.order.Remove(oldest)
	}
}

// touch makes these blocks the last used ones. The first of them comes last: without it the others match nothing.
func (c *prefixes) touch(hashes []uint64) {
	for i := len(hashes) - 1; i >= 0; i-- {
		if e := c.known[hashes[i]]; e != nil {
			c.order.MoveToFront(e)
			continue
		}
		c.known[hashes[i]] = c.order.PushFront(hashes[i])
	}
}
