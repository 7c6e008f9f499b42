// Package replay plays a run file as if it were an engine: the screens that showed the run show it again.
//
// It owns the position in the run and how it moves: by the clock, by leaps, by events; it reads a clock, and all reading of the file is done by one goroutine,
// so that whoever looks never waits. It must not know how a run file is made up, which record does, nor how a screen is drawn.
package replay
