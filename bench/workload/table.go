package workload

import (
	"math/rand/v2"
	"slices"

	"redline/bench"
)

// table is what a file holds. It never changes once it is read.
type table struct {
	// trace: rows are in force, else chats. blocks: some rows have blocks that recur.
	trace, blocks bool
	rows          []row
	chats         []chat
	// turns are those of all chats.
	turns int
	// span is from the first row's time to the last's, in seconds; 0 where there are no times.
	span float64
	left tally
	// cut: the file was not read to its end. size is how long it is, in bytes.
	cut  bool
	size int64
}

// row is one request of a trace.
type row struct {
	// at is in seconds from any instant.
	at      float64
	in, out int32
	blocks  []uint64
}

// chat is one row of a data set.
type chat struct {
	// history goes before the first turn; head are its tokens.
	history []bench.Message
	head    int
	// turns are what the user says, lengths their tokens.
	turns   []string
	lengths []int
	// most is the row's own max_tokens, 0 if it has none.
	most int
}

// blockLength is how many tokens one block of a trace stands for.
const blockLength = 512

// bounds are what a file may take in memory, in rows and in bytes; the rest of it is not read. To get there at most so many bytes are read.
type bounds struct {
	rows, bytes int
	read        int64
}

// usual keeps what is read within seconds, and the heap within what a client may take.
var usual = bounds{rows: 100_000, bytes: 32 << 20, read: 4 << 30}

// settle sorts the rows by time and takes their span.
func (t *table) settle() {
	if len(t.rows) == 0 {
		return
	}
	slices.SortStableFunc(t.rows, func(a, b row) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	})
	t.span = t.rows[len(t.rows)-1].at - t.rows[0].at
}

// bound is the bound of an answer to a row: its own, within what is set.
func (c *chat) bound(s *Spec, r *rand.Rand) int {
	if c.most > 0 {
		if s.Max > 0 {
			return min(c.most, s.Max)
		}
		return c.most
	}
	out := 0
	if s.Out.set() {
		out = int(s.Out.draw(r))
	}
	return bound(s.Max, out)
}
