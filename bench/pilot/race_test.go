//go:build race

package pilot

// raced tells that the race detector watches, which makes a run some ten times as long.
const raced = true
