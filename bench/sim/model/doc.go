// Package model is an inference engine in virtual time: continuous batching over a fixed number of slots, chunked
// prefill, a paged KV cache with preemption, and step times that follow a roofline.
//
// It is stepped, never run: the caller says what time it is, Step says how long the step that begins now takes and
// which sequences have one more token at its end. There is no clock, no goroutine and no channel here, so a sweep over
// a thousand loads is a loop. It knows nothing of HTTP, of text or of quotas.
//
// A step follows the order of vLLM's scheduler:
//
//  1. running sequences in order of admission: one token each if decoding, the rest of the prompt if not,
//     as far as the token budget reaches
//  2. a sequence that finds no free block preempts the one admitted last (perhaps itself), which loses its
//     cache, goes to the head of the queue and will compute prompt and answer so far again
//  3. if nobody was preempted: the queue's head is admitted, first come first served, while a slot, the budget
//     and the blocks for its whole prompt are there
//
// A sequence whose prompt is complete gets a token in the same step.
//
// With a prefix cache, the whole blocks at a prompt's beginning that an earlier prompt had too need no computing. What is kept are hashes of the
// blocks of prompts, as many as the KV cache has blocks; the blocks of answers are not kept, and sequences do not share memory.
package model
