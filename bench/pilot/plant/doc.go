// Package plant is an endpoint under load in virtual time, for the tests of what sets a load by itself: clients in a closed loop, or arrivals in an open one,
// before the engine of bench/sim/model. It yields one bench.Batch a second, with the events of the levels, as bench/engine does, and folds it if that is asked for.
//
// It reads no clock and draws its chances from a seed, so that a run of an hour is a loop, and the same each time. Share tells what such a run can only
// estimate: which share of all requests breaks a promise at a load.
package plant
