package remote

import (
	"net"
	"sync"
)

// crowd is a listener with at most so many connections at once. More are closed as they come: they do not wait, since those that are there may stay.
type crowd struct {
	net.Listener
	room chan struct{}
}

func newCrowd(ln net.Listener, most int) *crowd { return &crowd{ln, make(chan struct{}, most)} }

// Accept takes the next connection for which there is room.
func (c *crowd) Accept() (net.Conn, error) {
	for {
		conn, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		select {
		case c.room <- struct{}{}:
			return &guest{Conn: conn, leave: sync.OnceFunc(func() { <-c.room })}, nil
		default:
			_ = conn.Close()
		}
	}
}

// guest is one of them.
type guest struct {
	net.Conn
	leave func()
}

// Close gives its room back.
func (g *guest) Close() error {
	g.leave()
	return g.Conn.Close()
}
