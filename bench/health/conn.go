package health

import (
	"math/rand/v2"
	"net"
	"sync/atomic"
	"time"
)

const (
	// plenty is how many reads of a second are looked at, about: more tell no more.
	plenty = 2000
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

// sample are the reads that are looked at: each while there are few, else one in so many. They are drawn at random, since streams may be in step.
type sample struct {
	lags Lags
	// oneIn is how many reads there are to one that is looked at; 0 is one.
	oneIn atomic.Uint32
}

// drawn tells whether the next read is looked at.
func (s *sample) drawn() bool {
	n := s.oneIn.Load()
	return n <= 1 || rand.Uint32N(n) == 0
}

// take ends a second, and sets the share of the reads that are looked at in the next one.
func (s *sample) take(span time.Duration) Tally {
	t := s.lags.Take()
	if span > 0 {
		reads := float64(t.N) * float64(max(s.oneIn.Load(), 1)) / span.Seconds()
		s.oneIn.Store(uint32(min(reads/plenty, 1000)))
	}
	return t
}
