package engine

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"redline/bench"
)

const (
	// wholePrompt is how many bytes a prompt, its history with it, may have to be kept whole with its request.
	wholePrompt = 64 << 10
	// promptRoom is how many bytes of prompts each of the two rings keeps whole; beyond, the oldest are cut.
	promptRoom = 8 << 20
	// promptHead is how many bytes are left of a prompt that is cut.
	promptHead = 4 << 10
)

// book keeps the requests that ended last, in two rings, so that a failure is not pushed out by a thousand successes. It is bounded: 16 MiB of prompts
// kept whole and 5 MiB of those that are cut, 8 KiB of gaps, 1 KiB of reply, 4 KiB of header and 1 KiB of facts for each of 1,280 requests make
// less than 40 MiB; of answers of 256 tokens to prompts of 512 it is about 6 MiB. The strings of prompts are the workload's own, as far as it
// keeps them too.
type book struct {
	mu         sync.Mutex
	ok, failed ring
	total      int
	// from: what ended before it is forgotten.
	from time.Duration
	// listed is the list that was handed out last; nil once it is old.
	listed []*bench.Ended
}

// add takes a request that has ended.
func (b *book) add(e *bench.Ended) {
	kept := *e
	kept.Answer = ""
	size := promptSize(&kept.Prompt)
	if size > wholePrompt {
		cutPrompt(&kept)
		size = len(kept.Prompt.Text)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if e.Marks.Ended.At < b.from {
		return
	}
	b.total++
	b.listed = nil
	b.ringOf(&kept).add(entry{b.total, size, &kept})
}

func (b *book) ringOf(e *bench.Ended) *ring {
	if e.Outcome == bench.OK {
		b.ok.size = bench.JournalOK
		return &b.ok
	}
	b.failed.size = bench.JournalFailed
	return &b.failed
}

// list is all that is kept in the order of the ends, and how many more there have been.
func (b *book) list() (ended []*bench.Ended, gone int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.listed == nil {
		b.listed = b.inOrder()
	}
	return b.listed, b.total - len(b.listed)
}

// inOrder is all that is kept in the order of the ends. The collector takes them about in that order, but not quite.
func (b *book) inOrder() []*bench.Ended {
	out := make([]*bench.Ended, 0, len(b.ok.of)+len(b.failed.of))
	i, j := 0, 0
	for i < len(b.ok.of) || j < len(b.failed.of) {
		if j == len(b.failed.of) || i < len(b.ok.of) && b.ok.nth(i).number < b.failed.nth(j).number {
			out, i = append(out, b.ok.nth(i).Ended), i+1
		} else {
			out, j = append(out, b.failed.nth(j).Ended), j+1
		}
	}
	byEnd := func(x, y *bench.Ended) int { return cmp.Compare(x.Marks.Ended.At, y.Marks.Ended.At) }
	if !slices.IsSortedFunc(out, byEnd) {
		slices.SortStableFunc(out, byEnd)
	}
	return out
}

// forget drops what has ended before an instant, and counts anew: what is told of single requests is of the same run as all other counts.
func (b *book) forget(before time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.listed, b.total, b.from = nil, 0, before
	for _, e := range b.inTurn() {
		if e.Marks.Ended.At >= before {
			b.total++
			e.number = b.total
			b.ringOf(e.Ended).add(e)
		}
	}
}

// inTurn empties both rings and gives what was in them, in the order in which it came.
func (b *book) inTurn() []entry {
	all := append(b.ok.take(), b.failed.take()...)
	slices.SortFunc(all, func(x, y entry) int { return cmp.Compare(x.number, y.number) })
	return all
}

// void makes requests interrupted, by their numbers: time has jumped while they ran.
func (b *book) void(ids map[uint64]bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.listed = nil
	for _, e := range b.inTurn() {
		if ids[e.ID] {
			other := *e.Ended
			void(&other)
			e.Ended = &other
		}
		b.ringOf(e.Ended).add(e)
	}
}

// entry is a request in a ring: its number among all that have ended, and how many bytes its prompt has.
type entry struct {
	number, bytes int
	*bench.Ended
}

// ring holds the entries that came last. Once it is full, the oldest is at the place at.
type ring struct {
	of       []entry
	size, at int
	// bytes are those of all prompts in it; whole is how many entries, the youngest, have theirs whole.
	bytes, whole int
}

// add puts an entry in the place of the oldest.
func (r *ring) add(e entry) {
	if len(r.of) < r.size {
		r.of = append(r.of, e)
	} else {
		r.bytes -= r.of[r.at].bytes
		r.of[r.at] = e
		r.at = (r.at + 1) % r.size
	}
	r.bytes += e.bytes
	r.whole = min(r.whole+1, len(r.of))
	for r.bytes > promptRoom && r.whole > 1 {
		r.cutOldest()
	}
}

// cutOldest cuts the prompt of the oldest entry that has it whole. Who was handed the entry before keeps it as it was.
func (r *ring) cutOldest() {
	e := r.nth(len(r.of) - r.whole)
	r.whole--
	if e.bytes <= promptHead {
		return
	}
	other := *e.Ended
	cutPrompt(&other)
	r.bytes += len(other.Prompt.Text) - e.bytes
	e.Ended, e.bytes = &other, len(other.Prompt.Text)
}

// nth is an entry by its age, the oldest first.
func (r *ring) nth(i int) *entry {
	if i += r.at; i >= len(r.of) {
		i -= len(r.of)
	}
	return &r.of[i]
}

// take empties the ring and gives what was in it.
func (r *ring) take() []entry {
	of := r.of
	*r = ring{size: r.size}
	return of
}

// promptSize is how many bytes of text a prompt has, all that was said before it with it.
func promptSize(p *bench.Prompt) int {
	n := len(p.Text)
	for i := range p.History {
		n += len(p.History[i].Text)
	}
	return n
}

// cutPrompt leaves the beginning of a request's prompt.
func cutPrompt(e *bench.Ended) {
	p := &e.Prompt
	text := p.Text
	if len(text) > promptHead {
		n := promptHead
		for n > 0 && !utf8.RuneStart(text[n]) {
			n--
		}
		text = strings.Clone(text[:n]) // the whole must not be held by its beginning
	}
	p.Text, p.History, p.Cut = text, nil, true
}
