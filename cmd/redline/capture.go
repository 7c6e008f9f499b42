package main

import (
	"io"
	"os"
)

// capture takes what libraries write to os.Stderr while the screen is open, so that no stray line tears it. The returned function gives it back
// and returns what came. The descriptor itself stays: the runtime's own last words must reach the terminal.
func capture() (release func() string) {
	kept := &tail{}
	r, w, err := os.Pipe()
	if err != nil {
		return kept.String
	}
	stderr := os.Stderr
	os.Stderr = w
	copied := make(chan struct{})
	go func() {
		defer close(copied)
		_, _ = io.Copy(kept, r)
	}()
	return func() string {
		os.Stderr = stderr
		_ = w.Close()
		<-copied
		_ = r.Close()
		return kept.String()
	}
}
