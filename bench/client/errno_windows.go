package client

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// The system's error numbers by what they say of a connection. Windows' sockets have their own, and syscall's names for them
// are never returned.
var (
	noDescriptors = []syscall.Errno{windows.WSAEMFILE, windows.WSAENOBUFS, windows.WSAEADDRNOTAVAIL, windows.WSAEADDRINUSE}
	noPorts       = []syscall.Errno{windows.WSAEADDRNOTAVAIL, windows.WSAENOBUFS, windows.WSAEADDRINUSE}
	noRoute       = []syscall.Errno{windows.WSAENETUNREACH, windows.WSAEHOSTUNREACH, windows.WSAEAFNOSUPPORT, windows.WSAEADDRNOTAVAIL}
	refusedErrors = []syscall.Errno{windows.WSAECONNREFUSED}
	resetErrors   = []syscall.Errno{windows.WSAECONNRESET, windows.WSAECONNABORTED}
)
