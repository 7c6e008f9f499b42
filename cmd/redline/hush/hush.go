// Package hush keeps the terminal from being asked for its background colour while packages are initialised.
//
// Bubble Tea has an init that asks, by way of termenv, before main runs: it writes to the terminal and waits up to five seconds for an answer
// that many never give, even when all that is wanted is the version. Nothing of ours depends on the answer. termenv does not ask when TERM says
// that the terminal lives inside screen, where the answer would be anybody's; so that is what TERM says until main begins.
//
// That this package comes first is the language's doing: packages are initialised in the order of their paths among those whose imports are all
// ready. This one imports nothing but syscall, which os needs too, and termenv needs os, fmt and strings; our path stands before strings. A test
// runs the program in a terminal that never answers.
package hush

import "syscall"

// before is TERM as the operator has set it.
var before, set = cover()

// cover hides the terminal's kind behind a name that termenv does not ask; a name with the kind in it, as screen itself makes them.
func cover() (string, bool) {
	kind, ok := syscall.Getenv("TERM")
	name := "screen"
	if kind != "" {
		name += "." + kind
	}
	if err := syscall.Setenv("TERM", name); err != nil {
		return kind, ok // then the question is asked, and the program begins later
	}
	return kind, ok
}

// Over gives TERM back; to be called before anything reads it.
func Over() {
	if set {
		_ = syscall.Setenv("TERM", before)
		return
	}
	_ = syscall.Unsetenv("TERM")
}
