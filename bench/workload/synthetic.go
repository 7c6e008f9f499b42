// Package workload makes the next prompt. It never blocks once it has started, and knows nothing of who sends it.
package workload

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"

	"redline/bench"
)

// Synthetic makes prompts of one asked length, each unlike the others from its first token on, so that no prefix cache flatters the server.
// It is seeded: the same seed gives the same prompts. Safe for concurrent use.
type Synthetic struct {
	input, output int

	mu  sync.Mutex
	rng *rand.Rand
	n   int
	// perWord is the server's tokens per word of ours, its chat template's overhead included.
	perWord float64
}

// NewSynthetic makes prompts of about inputTokens (at least 1) that ask for at most maxTokens.
func NewSynthetic(seed uint64, inputTokens, maxTokens int) *Synthetic {
	return &Synthetic{
		input: max(inputTokens, 1), output: max(maxTokens, 1),
		rng:     rand.New(rand.NewPCG(seed, 0x7265646c696e65)),
		perWord: 1,
	}
}

// frameWords is how many words of a prompt are not drawn: its number and its request.
const frameWords = 11

// Next is the next prompt.
func (s *Synthetic) Next() bench.Prompt {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	want := s.words()
	var b strings.Builder
	b.Grow(want * 7)
	word := func() string { return words[s.rng.IntN(len(words))] }
	if want < frameWords+4 {
		for i := range want {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(word())
		}
		return bench.Prompt{Text: b.String(), InputTokens: s.input, Words: want, MaxTokens: s.output}
	}
	fmt.Fprintf(&b, "%s %d:", word(), s.rng.IntN(1_000_000))
	for range want - frameWords {
		b.WriteByte(' ')
		b.WriteString(word())
	}
	b.WriteString(". Write a long story that uses all these words.")
	return bench.Prompt{Text: b.String(), InputTokens: s.input, Words: want, MaxTokens: s.output}
}

// Words is how many words the next prompt will be made of, as far as is known by now.
func (s *Synthetic) Words() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.words()
}

func (s *Synthetic) words() int { return max(int(float64(s.input)/s.perWord+0.5), 1) }

// leastPerWord is less than any tokenizer makes of a word. A server that counts fewer counts something else (only what its cache did not
// have, or one number for every prompt); to believe it would make each prompt longer than the last, without end.
const leastPerWord = 0.5

// Learn takes the server's own count of a prompt's tokens, so that the next prompts come closer to the asked length. A count that cannot be
// one of the prompt's tokens teaches nothing.
func (s *Synthetic) Learn(words, promptTokens int) {
	if words <= 0 || promptTokens <= 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := float64(promptTokens) / float64(words)
	if seen < leastPerWord {
		return
	}
	// The first few answers set the ratio, later ones refine it.
	weight := 0.5
	if s.n > 32 {
		weight = 0.05
	}
	if s.n <= 1 {
		weight = 1
	}
	s.perWord += weight * (seen - s.perWord)
}
