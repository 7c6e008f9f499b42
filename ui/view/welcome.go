package view

import (
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/style"
)

// welcomeFor is how long a run of the simulated server explains itself.
const welcomeFor = 2 * time.Minute

// welcome tells who starts the program without a target what it is that they see, in one row; false where it would be in the way.
func (f *frame) welcome() bool {
	if !f.s.Run.Demo || f.live.At >= welcomeFor || f.live.State == bench.Done || f.st.Replay != nil {
		return false
	}
	r := f.start().Blank(1)
	parts := []ranked{
		{part{style.Accent2, "this is "}, 4}, {part{style.Accent2, "a simulated server"}, 0}, {part{style.FG, ": --url http://HOST:PORT/v1"}, 1}, {part{style.FG, " drives yours"}, 2},
		{part{style.Dim, " · " + f.st.Keys.Key(action.Help) + " keys"}, 3}, {part{style.Dim, " · " + f.st.Keys.Key(action.Raise) + " " + f.st.Keys.Key(action.Lower) + " change the load"}, 5},
	}
	for _, p := range f.fitting(parts, r.Left()-1) {
		r.Put(p.look, p.text)
	}
	f.end()
	return true
}
