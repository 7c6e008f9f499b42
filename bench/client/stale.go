package client

import "time"

// refusalTime is how long a machine may take, beside the way there and back, to refuse bytes for a connection that it no longer has.
const refusalTime = time.Millisecond

// stale tells whether a request broke because the server had closed its kept connection before the request arrived there, and not because
// of the request. The end was then on its way already, and meets the client within a round trip from its writing. A reset may also be the
// answer of the server's machine to the request, which takes the whole of one. What takes longer has been with the server, and had broken a
// new connection as well.
func (c *Client) stale(f *flight, err error) bool {
	if !f.reused.Load() || f.headers.Load() > 0 || f.hints.Load() > 0 {
		return false
	}
	written := mark(&f.written)
	if !written.OK {
		return true
	}
	trip := time.Duration(c.trip.Load())
	if isAny(err, resetErrors) {
		trip = 2*trip + refusalTime
	}
	return c.now()-written.At <= trip
}

// travelled takes the time that making a connection took: at least a round trip. The shortest is nearest to one.
func (c *Client) travelled(took time.Duration) {
	for {
		shortest := c.trip.Load()
		if shortest > 0 && int64(took) >= shortest || c.trip.CompareAndSwap(shortest, int64(took)) {
			return
		}
	}
}
