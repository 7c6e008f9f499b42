package client

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"time"

	"redline/bench"
)

// Options say what to drive, and how.
type Options struct {
	// URL is the base URL, as ParseURL reads it.
	URL string
	// API is the protocol in which the endpoint is asked.
	API bench.API
	// Model is the model's name; empty lets Preflight take the server's first.
	Model string
	Key   Secret
	// Header is sent with each request beside our own. Values of headers named as secrets are redacted like the key.
	Header http.Header
	// Secrets are further values that no text may hold: those of Header that are named otherwise, or of Extra.
	Secrets []Secret
	// Extra are fields merged into the body, over our own; of an object (stream_options) the members are merged.
	Extra map[string]any
	// MaxTokensField names the field of the output limit; empty is max_tokens until Preflight learns otherwise.
	MaxTokensField string
	Limits         bench.Limits
	// Stall is the chunk gap above which a stall is counted; 0 counts none.
	Stall time.Duration
	// Concurrency is the most requests in flight at once; the pool keeps that many connections and as many again, for a
	// connection may still be draining when its slot goes on. At least 1.
	Concurrency int
	// Version goes into the user agent, redline/VERSION.
	Version string
	// Clock gives the instants; the zero Clock starts one at New.
	Clock bench.Clock
	// TLS is the TLS configuration; nil is the default.
	TLS *tls.Config
	// HTTP2 asks for HTTP/2 instead of HTTP/1.1: by TLS, or in plain text where the URL says http.
	HTTP2 bool
	// Rotate spreads new connections over all addresses of the host; else the first that answers serves all.
	Rotate bool
	// NoProxy ignores the proxies of the environment.
	NoProxy bool
	// Dial makes connections; nil is a net.Dialer.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}
