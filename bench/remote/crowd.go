package remote

import (
	"context"
	"net"
	"net/http"
	"slices"
	"sync"
)

// crowd is a listener with at most so many connections at once. Who comes when it is full takes the place of the one that has been there longest without showing
// the token, so that whoever says nothing keeps nobody out; where all have shown it the one that comes is closed.
type crowd struct {
	net.Listener
	most int

	mu sync.Mutex
	// strangers have shown no token, the one that came first at the front; friends counts those that have.
	strangers []*guest
	friends   int
}

func newCrowd(ln net.Listener, most int) *crowd { return &crowd{Listener: ln, most: most} }

// Accept takes the next connection for which there is room, or room can be made.
func (c *crowd) Accept() (net.Conn, error) {
	for {
		conn, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if g := c.enter(conn); g != nil {
			return g, nil
		}
		_ = conn.Close()
	}
}

// enter lets a connection in; nil where there is no room.
func (c *crowd) enter(conn net.Conn) *guest {
	c.mu.Lock()
	var out *guest
	switch {
	case len(c.strangers)+c.friends < c.most:
	case len(c.strangers) > 0:
		out, c.strangers = c.strangers[0], c.strangers[1:]
		out.left = true
	default:
		c.mu.Unlock()
		return nil
	}
	g := &guest{Conn: conn, of: c}
	c.strangers = append(c.strangers, g)
	c.mu.Unlock()
	if out != nil {
		_ = out.Conn.Close()
	}
	return g
}

// guest is one of them. Its crowd's lock is its own.
type guest struct {
	net.Conn
	of           *crowd
	friend, left bool
}

// Close gives its room back.
func (g *guest) Close() error {
	g.of.mu.Lock()
	if !g.left {
		g.left = true
		if g.friend {
			g.of.friends--
		} else {
			g.part()
		}
	}
	g.of.mu.Unlock()
	return g.Conn.Close()
}

// trust keeps that the token was shown.
func (g *guest) trust() {
	g.of.mu.Lock()
	defer g.of.mu.Unlock()
	if !g.left && !g.friend {
		g.friend = true
		g.of.friends++
		g.part()
	}
}

// part takes it from among the strangers.
func (g *guest) part() {
	g.of.strangers = slices.DeleteFunc(g.of.strangers, func(o *guest) bool { return o == g })
}

// guestKey is where the context of a connection has its guest.
type guestKey struct{}

func withGuest(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, guestKey{}, conn)
}

// trusted keeps that a request has shown the token.
func trusted(r *http.Request) {
	if g, ok := r.Context().Value(guestKey{}).(*guest); ok {
		g.trust()
	}
}
