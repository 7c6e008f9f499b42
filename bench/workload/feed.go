package workload

import (
	"math/rand/v2"
	"time"

	"redline/bench"
)

// feed is one kind of work. Its methods are called under the source's lock.
type feed interface {
	// next is the next prompt, ready to be sent but for InputTokens where it is 0; false once there is none.
	next(now time.Duration) (bench.Prompt, bool)
	// ended learns how a turn of a conversation ended.
	ended(now time.Duration, e *bench.Ended)
	// pending is how many conversations are going on.
	pending() int
	// gap is the operational time before what next returns.
	gap() float64
}

// single is a feed without conversations and without times.
type single struct{}

func (single) ended(time.Duration, *bench.Ended) {}
func (single) pending() int                      { return 0 }
func (single) gap() float64                      { return 1 }

// synthesis makes prompts of drawn lengths, without end.
type synthesis struct {
	single
	write            writer
	in, out          Lengths
	most             int
	lengths, answers *rand.Rand
}

func (y *synthesis) next(time.Duration) (bench.Prompt, bool) {
	out := 0
	if y.out.set() {
		out = int(y.out.draw(y.answers))
	}
	p := y.write.prompt(int(y.in.draw(y.lengths)), out, nil)
	p.MaxTokens = bound(y.most, out)
	return p, true
}

// bound is max_tokens: as set, else the wanted length, else the default.
func bound(most, out int) int {
	switch {
	case most > 0:
		return most
	case out > 0:
		return out
	}
	return defaultLength
}

// replay makes prompts of the lengths of a trace, row by row.
type replay struct {
	single
	write writer
	table *table
	most  int
	once  bool
	// arrivals: the times are replayed too.
	arrivals bool
	at       int
	around   bool
}

func (r *replay) next(time.Duration) (bench.Prompt, bool) {
	if r.at == len(r.table.rows) {
		if r.once {
			return bench.Prompt{}, false
		}
		r.at, r.around = 0, true
	}
	row := r.table.rows[r.at]
	r.at++
	// The last block of a row is whole only by chance; what is beyond the whole ones is its tail.
	p := r.write.prompt(int(row.in), int(row.out), row.blocks[:min(len(row.blocks), int(row.in)/blockLength)])
	p.MaxTokens = int(row.out)
	if r.most > 0 {
		p.MaxTokens = min(p.MaxTokens, r.most)
	}
	return p, true
}

func (r *replay) gap() float64 {
	t := r.table
	if !r.arrivals || t.span == 0 {
		return 1
	}
	if r.at == 0 || r.at == len(t.rows) {
		if r.at == 0 && !r.around {
			return 0
		}
		return 1
	}
	return (t.rows[r.at].at - t.rows[r.at-1].at) * float64(len(t.rows)-1) / t.span
}

// alike warms a data set up: synthetic prompts of the lengths of its first turns, since its own are to be new to the server when they are measured.
type alike struct {
	single
	measure *yardstick
	write   writer
	table   *table
	spec    *Spec
	answers *rand.Rand
	at      int
}

func (a *alike) next(time.Duration) (bench.Prompt, bool) {
	c := &a.table.chats[a.at]
	a.at = (a.at + 1) % len(a.table.chats)
	in := a.measure.unseen(float64(c.head + c.lengths[0] + perMessage*len(c.history)))
	p := a.write.prompt(min(in, maxLength), 0, nil)
	p.MaxTokens = c.bound(a.spec, a.answers)
	return p, true
}
