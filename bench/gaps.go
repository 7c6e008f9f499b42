package bench

import (
	"encoding/binary"
	"time"
)

// GapList holds the chunk gaps of one stream compactly: per chunk the gap in microseconds, its token events and its tokens, as varints,
// at most GapBytes; past that every second entry is folded into its neighbour, so that sums stay true.
type GapList struct {
	bytes []byte
	// thin is how many chunks one entry stands for.
	thin, pending  int
	gap            time.Duration
	events, tokens int
	// told and untold: entries were added with and without the server's count of their tokens.
	told, untold bool
}

// GapBytes bounds a GapList.
const GapBytes = 8 << 10

// Add appends one chunk of whose tokens the server said nothing: each of its events stands for one.
func (g *GapList) Add(gap time.Duration, events int) {
	g.untold = true
	g.add(gap, events, events)
}

// AddTokens appends one chunk whose tokens the server has counted (see Chunk.Tokens). They may be 0, where the next chunk's count holds
// them too.
func (g *GapList) AddTokens(gap time.Duration, events, tokens int) {
	g.told = true
	g.add(gap, events, tokens)
}

func (g *GapList) add(gap time.Duration, events, tokens int) {
	if g.thin == 0 {
		g.thin = 1
	}
	g.gap += gap
	g.events += events
	g.tokens += tokens
	if g.pending++; g.pending < g.thin {
		return
	}
	g.flush()
	if len(g.bytes) > GapBytes-3*binary.MaxVarintLen64 {
		g.halve()
	}
}

// flush writes the entry that was gathered. The lowest bit of its second number tells that a third one follows: the tokens, where they
// are not as many as the events.
func (g *GapList) flush() {
	if g.pending == 0 {
		return
	}
	if g.bytes == nil {
		// Room for the gaps of a usual answer, three bytes each.
		g.bytes = make([]byte, 0, 768)
	}
	g.bytes = binary.AppendUvarint(g.bytes, uint64(max(g.gap, 0)/time.Microsecond))
	if g.tokens == g.events {
		g.bytes = binary.AppendUvarint(g.bytes, uint64(g.events)<<1)
	} else {
		g.bytes = binary.AppendUvarint(g.bytes, uint64(g.events)<<1|1)
		g.bytes = binary.AppendUvarint(g.bytes, uint64(g.tokens))
	}
	g.gap, g.events, g.tokens, g.pending = 0, 0, 0, 0
}

func (g *GapList) halve() {
	old := *g
	*g = GapList{bytes: make([]byte, 0, GapBytes), thin: 2, told: old.told, untold: old.untold}
	for c := old.cursor(); c.next(); {
		g.add(c.gap, c.events, c.tokens)
	}
	g.thin = 2 * old.thin
	// An odd last entry is a full one already: write it, so that the next ones count from zero.
	g.flush()
}

// Size is how much memory it takes beside its own fields, in bytes.
func (g *GapList) Size() int { return cap(g.bytes) }

// Thinned tells whether entries stand for several chunks.
func (g *GapList) Thinned() bool { return g.thin > 1 }

// Tokens tells whether the server has counted the tokens of every chunk in the list; false for an empty list.
func (g *GapList) Tokens() bool { return g.told && !g.untold }

// All yields the gaps in order with their token events; a thinned list yields sums.
func (g *GapList) All() func(yield func(gap time.Duration, events int) bool) {
	return func(yield func(time.Duration, int) bool) {
		for c := g.cursor(); c.next(); {
			if !yield(c.gap, c.events) {
				return
			}
		}
	}
}

// AllTokens yields the gaps in order with what was known of their tokens as they came: the server's count where it gave one (0 where the
// next entry's holds them too), else their events; a thinned list yields sums.
func (g *GapList) AllTokens() func(yield func(gap time.Duration, tokens int) bool) {
	return func(yield func(time.Duration, int) bool) {
		for c := g.cursor(); c.next(); {
			if !yield(c.gap, c.tokens) {
				return
			}
		}
	}
}

// Densest is the most token events that came within any span of that length, if first events came at the instant from which the list's
// first gap counts.
func (g *GapList) Densest(first int, span time.Duration) int {
	// From tail to head is the span looked at: tail's events are still in it.
	head, tail := g.cursor(), g.cursor()
	within, most, length := first, first, time.Duration(0)
	leaving := first
	for head.next() {
		length += head.gap
		within += head.events
		for length > span && tail.next() {
			length -= tail.gap
			within -= leaving
			leaving = tail.events
		}
		most = max(most, within)
	}
	return most
}

// cursor is a place in a list; its fields are the entry that next stepped to.
type cursor struct {
	list           *GapList
	rest           []byte
	ended          bool
	gap            time.Duration
	events, tokens int
}

func (g *GapList) cursor() cursor { return cursor{list: g, rest: g.bytes} }

// next steps to the next entry; false behind the last, which may be one that is not written yet.
func (c *cursor) next() bool {
	if len(c.rest) == 0 {
		if c.ended || c.list.pending == 0 {
			return false
		}
		c.ended = true
		c.gap, c.events, c.tokens = c.list.gap, c.list.events, c.list.tokens
		return true
	}
	c.gap = time.Duration(c.number()) * time.Microsecond
	n := c.number()
	c.events = int(n >> 1)
	c.tokens = c.events
	if n&1 != 0 {
		c.tokens = int(c.number())
	}
	return true
}

func (c *cursor) number() uint64 {
	v, n := binary.Uvarint(c.rest)
	c.rest = c.rest[n:]
	return v
}
