package main

import "redline/bench/record"

// openRun opens a run file that was named on the command line.
func (m *Main) openRun(word string) (*record.File, error) { return record.Open(word) }
