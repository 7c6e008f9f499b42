//go:build !windows

package client

import "syscall"

// The system's error numbers by what they say of a connection.
var (
	noDescriptors = []syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.EADDRNOTAVAIL}
	refusedErrors = []syscall.Errno{syscall.ECONNREFUSED}
	resetErrors   = []syscall.Errno{syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED}
)
