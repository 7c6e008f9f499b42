package workload

import (
	"math/rand/v2"

	"redline/bench"
)

// writer makes prompts of asked lengths.
type writer struct {
	speller
	fit *fit
	// prefix is the shared length that is asked for, share how many prompts have it, prefixes how many there are.
	prefix   int
	share    float64
	prefixes int
	pick     *rand.Rand
	// prefixTokens and blockTokens are the lengths of ours of a shared prefix and of a block, kept once the server's counting is known, since what
	// is shared must stay what it is.
	prefixTokens, blockTokens kept
	number                    uint64
}

// kept is a length that follows what is learned until that is sure.
type kept struct {
	n    int
	sure bool
}

func (k *kept) of(asked int, f *fit) int {
	if !k.sure {
		k.n, k.sure = f.part(float64(asked))
	}
	return k.n
}

func newWriter(s *Source) writer {
	w := writer{speller: newSpeller(s.seed, s.class), fit: s.fit, prefix: s.spec.Prefix, share: s.spec.Share, prefixes: max(s.spec.Prefixes, 1),
		pick: s.stream(streamShare)}
	if w.share == 0 {
		w.share = 1
	}
	return w
}

// prompt is the next prompt of about in tokens by the server that asks for an answer of out tokens (0: a long one); blocks begin it where there are any.
func (w *writer) prompt(in, out int, blocks []uint64) bench.Prompt {
	var shared func(d *draft, most int)
	switch {
	case len(blocks) > 0:
		shared = func(d *draft, most int) { w.blocks(d, most, blocks) }
	case w.prefix > 0 && w.pick.Float64() < w.share:
		which := w.pick.Uint64N(uint64(w.prefixes))
		shared = func(d *draft, most int) {
			w.again(d, streamPrefix, which, min(w.prefixTokens.of(w.prefix, w.fit), most))
		}
	}
	d := w.compose(w.number, w.fit.ours(float64(in)), out, shared)
	w.number++
	return bench.Prompt{Text: d.String(), InputTokens: in, Counted: d.tokens, Chars: d.Len()}
}

// blocks writes the blocks of a trace.
func (w *writer) blocks(d *draft, most int, blocks []uint64) {
	size := w.blockTokens.of(blockLength, w.fit)
	for _, id := range blocks {
		w.again(d, streamBlock, id, min(size, most-d.tokens))
	}
}
