//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// ignorePipe turns the signal of a broken pipe into the error of the write that met it.
func ignorePipe() { signal.Ignore(syscall.SIGPIPE) }
