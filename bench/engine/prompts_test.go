package engine_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"redline/bench"
	"redline/bench/engine"
)

// equal makes prompts of so many words, each unlike the others from its first on.
type equal struct {
	words, maxTokens int
	made             atomic.Int64
}

func equalPrompts(words, maxTokens int) []engine.Prompts {
	return []engine.Prompts{&equal{words: words, maxTokens: maxTokens}}
}

func (e *equal) Next(time.Duration) (bench.Prompt, bool) {
	text := fmt.Sprintf("%d%s", e.made.Add(1), strings.Repeat(" word", e.words-1))
	return bench.Prompt{Text: text, InputTokens: e.words, Counted: e.words, MaxTokens: e.maxTokens}, true
}

func (e *equal) Ended(time.Duration, *bench.Ended) {}

func (e *equal) Pending() int { return 0 }

func (e *equal) Gap() float64 { return 1 }
