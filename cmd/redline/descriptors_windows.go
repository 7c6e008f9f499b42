package main

// openFiles is not known: there is no such limit here.
func openFiles() uint64 { return 0 }
