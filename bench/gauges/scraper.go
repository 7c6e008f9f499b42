package gauges

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/url"
	"sync"

	"redline/bench"
)

// Options say what is scraped, and how.
type Options struct {
	// URLs are where metrics are: one without a path gets /metrics. Each is a server, or an exporter, of its own; what adds up is added up.
	URLs []*url.URL
	// Guessed tells that nobody has named them: nothing is said of it where there are none.
	Guessed bool
	// Version goes into the user agent, redline/VERSION.
	Version string
	// TLS is the TLS configuration; nil is the default. Proxy finds the proxy of a request; nil goes without.
	TLS   *tls.Config
	Proxy func(*http.Request) (*url.URL, error)
	// HTTP2 offers HTTP/2 beside HTTP/1.1, by TLS.
	HTTP2 bool
	// Authorize puts the target's key into a header; nil sends none. It is called for URLs of the target's Origin (scheme, host and port, as Origin makes it) only.
	Authorize func(http.Header)
	Origin    string
	// Dial makes connections; nil is a net.Dialer.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Origin is the scheme, host and port of a URL, as Options.Origin has them.
func Origin(u *url.URL) string { return origin(u) }

// Scraper reads the metrics of a run's servers while Run runs. Its methods are safe for concurrent use, and none waits for a server.
type Scraper struct {
	opt       Options
	clock     bench.Clock
	transport *http.Transport
	addresses []*address
}

// New is a scraper that has asked nothing yet; its instants are the clock's.
func New(o Options, clock bench.Clock) *Scraper {
	s := &Scraper{opt: o, clock: clock, transport: newTransport(&o)}
	for _, u := range o.URLs {
		s.addresses = append(s.addresses, newAddress(s, u))
	}
	return s
}

// Run scrapes until ctx ends. When it returns, its goroutines and connections are gone.
func (s *Scraper) Run(ctx context.Context) {
	var wg sync.WaitGroup
	for _, a := range s.addresses {
		wg.Go(func() { a.run(ctx) })
	}
	wg.Wait()
	s.transport.CloseIdleConnections()
}

// Second is how the scraping goes, what was read since the last call, and what happened since; the facts are nil where nothing was read.
func (s *Scraper) Second() ([]bench.Scrape, *bench.ServerFacts, []bench.Event) {
	scrapes := make([]bench.Scrape, 0, len(s.addresses))
	var all []gathered
	var events []bench.Event
	for _, a := range s.addresses {
		scrape, g, told := a.take()
		scrapes, all, events = append(scrapes, scrape), append(all, g), append(events, told...)
	}
	return scrapes, combine(scrapes, all), events
}
