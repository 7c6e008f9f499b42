package workload

import (
	"math/bits"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
)

// speller writes prompts of words that are one token each, so that a number of words is a number of tokens (see TestWordsAddUp). The text is a
// function of the seed, the class and the number of the prompt alone.
type speller struct {
	seed uint64
	// class keeps the prompts of sources that share a seed apart: measured, warm-up, and first tries of either.
	class uint64
	// step and offset walk through all pairs of words without repeating one.
	step, offset uint64
}

// classes is how many there are.
const classes = 4

// uniqueTokens are left for what is unique in a prompt whose shared part would fill it.
const uniqueTokens = 8

func newSpeller(seed, class uint64) speller {
	r := rand.New(rand.NewPCG(seed, 0x70616972))
	pairs := uint64(len(words) * len(words))
	step := r.Uint64N(pairs-2) + 1
	for gcd(step, pairs) != 1 {
		step++
	}
	return speller{seed: seed, class: class, step: step, offset: r.Uint64N(pairs)}
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// draft is a prompt being written: its text, and the tokens that are in it.
type draft struct {
	strings.Builder
	tokens int
}

// spaced are the words with the space before each.
var spaced = strings.Split(" "+strings.Join(words, "\x00 "), "\x00")

// word writes one more word.
func (d *draft) word(i uint64) {
	if d.tokens > 0 {
		d.WriteString(spaced[i])
	} else {
		d.WriteString(words[i])
	}
	d.tokens++
}

// run writes n words drawn from a stream.
func (d *draft) run(n int, stream *rand.PCG) {
	for range n {
		i, _ := bits.Mul64(stream.Uint64(), uint64(len(words)))
		d.word(i)
	}
}

// again writes n words that are the same wherever the key and the kind of thing recur; fewer words are the beginning of more.
func (s *speller) again(d *draft, kind, key uint64, n int) {
	d.run(n, rand.NewPCG(mix(s.seed^s.class<<56, kind), mix(key, kind)))
}

// once writes n words that no other prompt has from its first two words on.
func (s *speller) once(d *draft, number uint64, n int) {
	if n <= 0 {
		return
	}
	pairs := uint64(len(words) * len(words))
	hi, lo := bits.Mul64(s.step, (number*classes+s.class)%pairs)
	_, at := bits.Div64(hi%pairs, lo, pairs)
	at = (at + s.offset) % pairs
	// The first word changes from each prompt to the next.
	d.word(at % uint64(len(words)))
	if n > 1 {
		d.word(at / uint64(len(words)))
	}
	d.run(n-2, rand.NewPCG(mix(s.seed, 1), mix(number*classes+s.class, 1)))
}

// mix makes unlike streams of like numbers.
func mix(a, b uint64) uint64 {
	x := a ^ bits.RotateLeft64(b*0x9e3779b97f4a7c15, 31)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// request is the plain wish at the end of a prompt, for an answer of about so many tokens; 0: as long as it gets.
func request(out int) string {
	if out <= 0 {
		return ". Write a long story that uses all these words."
	}
	// Three words are about four tokens.
	n := max((out*3+2)/4, 1)
	if n == 1 {
		return ". Answer with one word."
	}
	return ". Write about " + strconv.Itoa(n) + " words."
}

// requestTokens counts a request. What is around its number is counted once; of a number each three digits are a token.
func requestTokens(out int) int {
	if out <= 0 {
		return storyTokens()
	}
	n := max((out*3+2)/4, 1)
	if n == 1 {
		return wordTokens()
	}
	return aboutTokens() + (len(strconv.Itoa(n))+2)/3
}

var (
	storyTokens = sync.OnceValue(func() int { return tokens(request(0)) })
	wordTokens  = sync.OnceValue(func() int { return tokens(request(1)) })
	aboutTokens = sync.OnceValue(func() int { return tokens(request(100)) - 1 })
)

// compose writes a prompt of want tokens of ours, at least 1: first what shared writes, then what is unique, then the request if it fits.
func (s *speller) compose(number uint64, want, out int, shared func(d *draft, most int)) *draft {
	d := &draft{}
	d.Grow(want*7 + 64)
	if shared != nil {
		shared(d, max(want-uniqueTokens, 0))
	}
	rest := want - d.tokens
	ask := requestTokens(out)
	if rest < ask+uniqueTokens {
		s.once(d, number, rest)
		return d
	}
	s.once(d, number, rest-ask)
	d.WriteString(request(out))
	d.tokens += ask
	return d
}
