//go:build !windows

package client

import "syscall"

// The system's error numbers by what they say of a connection.
var (
	noDescriptors = []syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.EADDRNOTAVAIL}
	noPorts       = []syscall.Errno{syscall.EADDRNOTAVAIL}
	noRoute       = []syscall.Errno{syscall.ENETUNREACH, syscall.EHOSTUNREACH, syscall.EAFNOSUPPORT, syscall.EADDRNOTAVAIL}
	refusedErrors = []syscall.Errno{syscall.ECONNREFUSED}
	resetErrors   = []syscall.Errno{syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED}
)
