package view

// Picker is the list of themes.
type Picker struct {
	Names []string
	Row   int
}

// picker draws the list of themes over the view.
func (f *frame) picker() {}
