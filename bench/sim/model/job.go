package model

import (
	"fmt"
	"time"
)

// ID names a job. The caller chooses it; it is unique among the jobs that have not ended.
type ID uint64

// Job is one request for an answer.
type Job struct {
	ID ID
	// PromptTokens is the prompt's length, at least 1.
	PromptTokens int
	// Prefix are hashes of the prompt's whole blocks, Params.BlockSize tokens each; each hash covers the prompt from its beginning. Prompts that begin
	// with the same tokens begin with the same hashes. It may be empty, which no earlier prompt matches.
	Prefix []uint64
	// MaxTokens bounds the answer, at least 1; prompt and bound together fit into the context.
	MaxTokens int
	// IgnoreEOS makes the answer exactly MaxTokens long.
	IgnoreEOS bool
}

// Reason is why an answer ended.
type Reason uint8

const (
	// Stop: the model was done.
	Stop Reason = iota
	// Length: MaxTokens cut it.
	Length
)

// String is the reason as finish_reason writes it.
func (r Reason) String() string { return [...]string{"stop", "length"}[r&1] }

// check tells why the engine cannot take the job.
func (p Params) check(j Job) error {
	switch {
	case j.PromptTokens < 1:
		return fmt.Errorf("prompt of %d tokens: at least 1", j.PromptTokens)
	case j.MaxTokens < 1:
		return fmt.Errorf("max tokens %d: at least 1", j.MaxTokens)
	case j.PromptTokens > p.ContextLength || j.MaxTokens > p.ContextLength-j.PromptTokens:
		return fmt.Errorf("prompt of %d and max tokens %d: together at most the context of %d", j.PromptTokens, j.MaxTokens, p.ContextLength)
	}
	return nil
}

// sequence is a job on its way through the engine.
type sequence struct {
	job Job
	// length and reason are the answer's end, drawn at submission.
	length int
	reason Reason
	// arrived is when it was submitted.
	arrived time.Duration
	// emitted is the answer so far; computed is how many tokens of prompt and answer stand in the KV cache, in blocks.
	emitted, computed, blocks int
	// admitted tells that it has been in the batch before.
	admitted bool
}

// prefix is as many hashes as the prompt has whole blocks before its last token, which is always computed: the first token comes of it.
func (s *sequence) prefix(blockSize int) []uint64 {
	return s.job.Prefix[:min(len(s.job.Prefix), (s.job.PromptTokens-1)/blockSize)]
}

// missing is how many tokens stand between the cache and the next token: 1 when decoding, the prompt at first, prompt
// and answer so far after a preemption.
func (s *sequence) missing() int { return s.job.PromptTokens + s.emitted - s.computed }
