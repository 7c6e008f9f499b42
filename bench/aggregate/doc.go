// Package aggregate turns what streams do into what a screen can say.
//
// It has two halves that meet in a bench.Batch. The Meter is the hot path: many goroutines book chunks in it, and once a second its
// shards are cut and merged into a batch. The State is the fold: batches go in, in order, and a snapshot comes out; it is the only way
// to a state, so that a live run, a replay and a recovery are the same thing.
//
// It owns attribution (which level a fact belongs to), readiness and everything derived from counts. It must not know how requests are
// sent, who draws the numbers, or what time it is: every instant comes in as an argument.
package aggregate
