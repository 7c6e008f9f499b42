package model

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// Params describe one engine. Presets give complete ones; Validate tells everything that is out of range.
type Params struct {
	// Seed makes lengths and jitter repeatable; any value.
	Seed uint64
	// Slots is how many sequences a batch holds at most (vLLM's max_num_seqs), at least 1.
	Slots int
	// TokenBudget is how many tokens one step computes at most, decode and prefill together; at least Slots, so that
	// a full batch can always decode.
	TokenBudget int
	// ContextLength is prompt and answer of one sequence together, in tokens; it must fit into the KV cache.
	ContextLength int

	// StepFloor is the time to read the weights once: what a step costs however small the batch; above 0.
	StepFloor time.Duration
	// PerSequence is the compute of one decoding sequence in one step; at least 0.
	PerSequence time.Duration
	// PerPrefillToken is the compute of one prompt token; at least 0.
	PerPrefillToken time.Duration
	// PerKiloContext is the time to read 1,000 tokens of KV cache, paid for every sequence in the batch; at least 0.
	PerKiloContext time.Duration
	// Sharpness joins floor and compute as (floor^s + compute^s)^(1/s): 1 adds them, a large value takes the larger;
	// 1 to 16.
	Sharpness float64
	// Jitter is the sigma of the log-normal factor on each step (its median is 1); 0 to 1.
	Jitter float64

	// BlockSize is how many tokens one KV block holds, at least 1.
	BlockSize int
	// Blocks is the KV cache's capacity in blocks, at least 1.
	Blocks int

	// PrefixCache lets a prompt that begins as an earlier one did skip the blocks that both have.
	PrefixCache bool

	// OutputMean is the mean length of an answer in tokens before max_tokens cuts it; at least 1.
	OutputMean float64
	// OutputSigma is the sigma of the log-normal lengths; 0 to 2.
	OutputSigma float64
}

// Validate returns every problem at once, each with its value and what is allowed.
func (p Params) Validate() error {
	var errs []error
	need := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	within := func(v, low, high float64) bool { return v >= low && v <= high }
	need(p.Slots >= 1, "slots %d: at least 1", p.Slots)
	need(p.TokenBudget >= max(p.Slots, 1), "token budget %d: at least the %d slots", p.TokenBudget, p.Slots)
	need(p.StepFloor > 0, "step floor %v: more than 0", p.StepFloor)
	need(p.PerSequence >= 0, "time per sequence %v: at least 0", p.PerSequence)
	need(p.PerPrefillToken >= 0, "time per prefill token %v: at least 0", p.PerPrefillToken)
	need(p.PerKiloContext >= 0, "time per 1,000 tokens of context %v: at least 0", p.PerKiloContext)
	need(within(p.Sharpness, 1, 16), "sharpness %g: 1 to 16", p.Sharpness)
	need(within(p.Jitter, 0, 1), "jitter %g: 0 to 1", p.Jitter)
	need(p.BlockSize >= 1, "block size %d: at least 1 token", p.BlockSize)
	need(p.Blocks >= 1, "KV blocks %d: at least 1", p.Blocks)
	need(p.ContextLength >= 2, "context length %d: at least 2 tokens", p.ContextLength)
	if p.BlockSize >= 1 && p.Blocks >= 1 {
		// Else the longest sequence would preempt itself for ever.
		need(p.blocksFor(p.ContextLength) <= p.Blocks, "context length %d: at most the KV cache's %d tokens",
			p.ContextLength, p.Blocks*p.BlockSize)
	}
	need(within(p.OutputMean, 1, 1e6), "mean output %g: 1 to 1,000,000 tokens", p.OutputMean)
	need(within(p.OutputSigma, 0, 2), "output sigma %g: 0 to 2", p.OutputSigma)
	return errors.Join(errs...)
}

// blocksFor is how many blocks hold that many tokens.
func (p Params) blocksFor(tokens int) int { return (tokens + p.BlockSize - 1) / p.BlockSize }

// stepTime is the time of a step without jitter.
func (p Params) stepTime(decoding, prefill, context int) time.Duration {
	floor := float64(p.StepFloor)
	compute := float64(decoding)*float64(p.PerSequence) + float64(prefill)*float64(p.PerPrefillToken)
	// Relative to the floor, so that the power stays small.
	joined := floor * math.Pow(1+math.Pow(compute/floor, p.Sharpness), 1/p.Sharpness)
	return time.Duration(joined + float64(context)/1000*float64(p.PerKiloContext))
}
