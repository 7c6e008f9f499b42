//go:build !race

package pilot

const cruiseUnderRace = false
