package bench

import (
	"encoding/binary"
	"time"
)

// Chunk is what one socket read brought of a stream, if it held at least one token event.
type Chunk struct {
	At time.Duration
	// First marks the stream's first chunk; TTFT is then set and Gap is not.
	First bool
	TTFT  time.Duration
	// Gap is the time since the stream's previous chunk.
	Gap time.Duration
	// Events is how many token events it held, at least 1.
	Events int
	// Tokens is how many tokens those were by continuous usage; 0 when the server does not say so as it goes.
	Tokens int
}

// GapList holds the chunk gaps of one stream compactly: per chunk the gap in microseconds and its token events, as varints,
// at most GapBytes; past that every second entry is folded into its neighbour, so that sums stay true.
type GapList struct {
	bytes []byte
	// thin is how many chunks one entry stands for.
	thin, pending int
	gap           time.Duration
	events        int
}

// GapBytes bounds a GapList.
const GapBytes = 8 << 10

// Add appends one chunk.
func (g *GapList) Add(gap time.Duration, events int) {
	if g.thin == 0 {
		g.thin = 1
	}
	g.gap += gap
	g.events += events
	if g.pending++; g.pending < g.thin {
		return
	}
	g.flush()
	if len(g.bytes) > GapBytes-2*binary.MaxVarintLen64 {
		g.halve()
	}
}

func (g *GapList) flush() {
	if g.pending == 0 {
		return
	}
	if g.bytes == nil {
		// Room for the gaps of a usual answer, three bytes each.
		g.bytes = make([]byte, 0, 768)
	}
	g.bytes = binary.AppendUvarint(g.bytes, uint64(max(g.gap, 0)/time.Microsecond))
	g.bytes = binary.AppendUvarint(g.bytes, uint64(g.events))
	g.gap, g.events, g.pending = 0, 0, 0
}

func (g *GapList) halve() {
	old := *g
	*g = GapList{bytes: make([]byte, 0, GapBytes), thin: 2}
	for gap, events := range old.All() {
		g.Add(gap, events)
	}
	g.thin = 2 * old.thin
	// An odd last entry is a full one already: write it, so that the next ones count from zero.
	g.flush()
}

// Thinned tells whether entries stand for several chunks.
func (g *GapList) Thinned() bool { return g.thin > 1 }

// All yields the gaps in order with their token events; a thinned list yields sums.
func (g *GapList) All() func(yield func(gap time.Duration, events int) bool) {
	return func(yield func(time.Duration, int) bool) {
		for b := g.bytes; len(b) > 0; {
			us, n := binary.Uvarint(b)
			if n <= 0 {
				return
			}
			events, m := binary.Uvarint(b[n:])
			if m <= 0 {
				return
			}
			b = b[n+m:]
			if !yield(time.Duration(us)*time.Microsecond, int(events)) {
				return
			}
		}
		if g.pending > 0 {
			yield(g.gap, g.events)
		}
	}
}

// Observer is told of a request while it runs, from the goroutine that reads it: it must not wait.
type Observer interface {
	// Started says that the request is handed over to the transport at that instant (Marks.Started); once, first.
	Started(at time.Duration)
	// Quotas brings what the answer's headers say of quotas; at most once, before the first chunk, and only if they say anything.
	Quotas(q []Quota)
	// Chunk brings the stream's next chunk; the hot path.
	Chunk(c Chunk)
}
