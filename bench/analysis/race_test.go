//go:build race

package analysis_test

// raced tells that the race detector watches. Analysis is pure, and the engine has tests of its own there: long runs have nothing to show it.
const raced = true
