//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// ignorePipe turns the signals of a broken pipe, and of a file that may grow no further, into errors of the writes that met them.
func ignorePipe() { signal.Ignore(syscall.SIGPIPE, syscall.SIGXFSZ) }
