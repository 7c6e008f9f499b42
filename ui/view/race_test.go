//go:build race

package view

// raced tells that the race detector watches. A frame is drawn by one goroutine, so that tests which draw for long have nothing to show it.
const raced = true
