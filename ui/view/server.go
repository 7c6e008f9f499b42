package view

// serverPage draws the target's own gauges.
func (f *frame) serverPage(rows int) { f.absent("no metrics of the server are read", rows) }
