//go:build !linux

package health

import "net"

// watched: no kernel but Linux says when the bytes of a connection came.
func watched(c *net.TCPConn, _ *sample) net.Conn { return c }
