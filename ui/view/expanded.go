package view

// expanded draws the chosen lane alone, in full.
func (f *frame) expanded() { f.lanes() }
