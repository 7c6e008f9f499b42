// Package pilot steers the load from what each second says: a ramp looks for the redline, a cruise holds a promise at its edge.
//
// A pilot is pure. It has no clock, no goroutine and no chance: instants come in with each second, what it wants goes out as an Order, and the same
// seconds make the same orders. It knows nothing of gates, levels in the making, keys or screens; the engine puts its orders into force, within the run's bounds, as
// long as it has the load, and ends it when something else takes that.
package pilot
