package view

import "redline/ui/action"

// Palette is the list of actions that a name is typed for.
type Palette struct {
	// Found are the actions that fit what was typed, best first; Row is the chosen one.
	Found []action.Action
	Row   int
}

// palette draws the list of actions over the view.
func (f *frame) palette() {}
