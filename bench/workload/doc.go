// Package workload makes the next prompt: of asked lengths, from a file of prompts or conversations, or as a trace of real traffic tells. All
// that can go wrong is told by Open; after it nothing blocks, and nothing here knows who sends the prompts.
//
// Lengths are counted by a tokenizer of our own, and then by what the server counts: see fit.
package workload
