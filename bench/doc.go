// Package bench is the vocabulary of redline: the words that its stages hand to one another, and nothing else.
//
// Data flows one way: a Prompt becomes a Request, its bytes become Chunks, its end becomes an Ended; a second of those is
// a Batch, batches fold into a state, and the state is shown as a Snapshot. Only Commands flow back. Every stage imports
// this package and none of its neighbours; bench/engine wires them together.
//
// Conventions that hold for every exported name here:
//
//   - An instant is a time.Duration since the start of the run, on one monotonic clock (see Clock).
//   - Latencies in Stat, Sketch and Threshold are float64 milliseconds; speeds are tokens per second of one stream; rates
//     are per minute (see Metric.Unit). Everywhere else a length of time is a time.Duration.
//   - What is absent is absent: a Mark or Value carries an OK bit, and is never 0, NaN or Inf in its stead.
//   - A Snapshot, and all that it points to, never changes once it has been handed out.
package bench
