package client

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"net/url"
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
	// KeyVariable names the variable of the environment that holds the key, for Curl; empty is the customary one.
	KeyVariable string
	// Header is sent with each request, and wins over our own: an Authorization replaces the key, an empty value takes ours away. Values
	// are redacted like the key, but for those that are short, and those of headers known to be harmless.
	Header http.Header
	// Secrets are further values that no text may hold: those of Header that are named otherwise, or of Extra.
	Secrets []Secret
	// Extra are fields merged into the body, over our own; of an object (stream_options) the members are merged.
	Extra map[string]any
	// MaxTokensField names the field of the output limit; empty is the protocol's own until Preflight learns otherwise.
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
	// Proxy finds the proxy of a request; nil is the environment's.
	Proxy func(*http.Request) (*url.URL, error)
	// Dial makes connections; nil is a net.Dialer. It is given names, unless Resolve is set as well.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Watch is given each connection before anything is sent on it, and gives what is to carry it; nil leaves all as they are.
	Watch func(net.Conn) net.Conn
	// Resolve finds the addresses of the host, in the order in which to try them; nil is the system's resolver. It is asked once, and again
	// only when none of them answers any more; never for a host behind a proxy.
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error)
}
