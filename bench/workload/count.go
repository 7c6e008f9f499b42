package workload

import (
	"bytes"
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// chatLine takes one row of a data set.
func (r *reader) chatLine(number int, raw []byte) error {
	c, err := readChat(raw)
	size := 0
	for _, m := range c.history {
		size += len(m.Text) + 64
	}
	for _, t := range c.turns {
		size += len(t) + 64
	}
	if full := r.room(size); full != nil {
		return full
	}
	if err != nil {
		r.leave(err.Error(), number, raw)
		return nil
	}
	if r.spec.OneTurn {
		c.turns = c.turns[:1]
	}
	r.uncounted = append(r.uncounted, uncounted{chat: c, line: number, read: bytes.Clone(raw[:min(len(raw), 200)])})
	if len(r.uncounted) == countAtOnce {
		r.count()
	}
	return nil
}

// uncounted is a row whose tokens are not counted yet.
type uncounted struct {
	chat
	line int
	read []byte
}

// countAtOnce is how many rows are counted together, on all processors: counting is what takes the time of reading.
const countAtOnce = 512

// count counts the tokens of the rows that wait for it, and keeps those that are not too long.
func (r *reader) count() {
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(r.uncounted)) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(r.uncounted) && r.ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				r.uncounted[i].count(r.ctx)
			}
		})
	}
	all.Wait()
	if r.ctx.Err() != nil {
		return
	}
	for _, u := range r.uncounted {
		if !r.tooLong(u.head+u.lengths[0], u.line, u.read) {
			r.table.turns += len(u.turns)
			r.table.chats = append(r.table.chats, u.chat)
		}
	}
	clear(r.uncounted)
	r.uncounted = r.uncounted[:0]
}

func (c *chat) count(ctx context.Context) {
	for _, m := range c.history {
		c.head += tokensUntil(ctx, m.Text)
	}
	c.lengths = make([]int, len(c.turns))
	for i, t := range c.turns {
		c.lengths[i] = tokensUntil(ctx, t)
	}
}
