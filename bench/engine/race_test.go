//go:build race

package engine_test

// underRace: the race detector makes all of it ten times as slow.
const underRace = true
