package bench

import (
	"strings"
	"time"
)

// Limits bound a request in time; each 0 is off. All but Connect are watched every 250 ms, so that they end a request up to
// that much late.
type Limits struct {
	// Connect bounds each making of a connection: name, TCP, and then once more the TLS handshake.
	Connect time.Duration `json:",omitzero"`
	// FirstToken bounds the time from the start to the first token, whatever else comes before it.
	FirstToken time.Duration `json:",omitzero"`
	// Idle bounds the time without a byte, once the first token has come. Any byte resets it, keep-alive comments too. Before
	// the first token a server may rightly be silent, and only FirstToken and Total hold.
	Idle time.Duration `json:",omitzero"`
	// Total bounds the whole request.
	Total time.Duration `json:",omitzero"`
}

// Words names the limits in the order in which they come into force, each with its length as a caller writes it; one that is off is left out.
func (l Limits) Words(length func(time.Duration) string) string {
	var out []string
	for _, one := range []struct {
		name string
		d    time.Duration
	}{{"connect", l.Connect}, {"first token", l.FirstToken}, {"silence", l.Idle}, {"whole request", l.Total}} {
		if one.d > 0 {
			out = append(out, one.name+" "+length(one.d))
		}
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, ", ")
}
