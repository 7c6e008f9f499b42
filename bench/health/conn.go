package health

import (
	"net"
	"time"
)

const (
	// oneIn is how many reads there are to one that is looked at.
	oneIn = 4
	// credible is the longest lag that is believed: where the wall clock is set, the difference is the setter's.
	credible = time.Minute
)

// Watch gives a connection whose reads tell how long their bytes had lain in the kernel. What cannot tell (another kind of connection, another system)
// is given back as it is; so is everything else about the connection.
func (m *Monitor) Watch(c net.Conn) net.Conn {
	if tcp, ok := c.(*net.TCPConn); ok {
		return watched(tcp, &m.reads)
	}
	return c
}
