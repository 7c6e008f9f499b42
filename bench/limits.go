package bench

import "time"

// Limits bound a request in time; each 0 is off. All but Connect are watched every 250 ms, so that they end a request up to
// that much late.
type Limits struct {
	// Connect bounds each making of a connection: name, TCP, and then once more the TLS handshake.
	Connect time.Duration
	// FirstToken bounds the time from the start to the first token, whatever else comes before it.
	FirstToken time.Duration
	// Idle bounds the time without a byte, once the first token has come. Any byte resets it, keep-alive comments too. Before
	// the first token a server may rightly be silent, and only FirstToken and Total hold.
	Idle time.Duration
	// Total bounds the whole request.
	Total time.Duration
}
