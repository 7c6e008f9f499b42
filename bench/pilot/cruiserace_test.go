//go:build race

package pilot

// cruiseUnderRace: the race detector makes long runs ten times as slow.
const cruiseUnderRace = true
