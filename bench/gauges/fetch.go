package gauges

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"time"

	"redline/bench"
)

const (
	// patience bounds one scrape; maxBody the text that it may bring, once unpacked.
	patience = time.Second
	maxBody  = 8 << 20
	// maxHops is how many redirects are followed, none to another origin.
	maxHops = 3
	// idleConn is how long a connection waits for the next scrape. While nothing is found there is none.
	idleConn = 5 * time.Second
)

// finding is what came of one request: a text, or what is wrong.
type finding struct {
	state bench.Scraping
	why   string
	text  []byte
	// at is the instant at which the answer began, took how long all of it took.
	at, took time.Duration
	// read is the text, of those engines, which are called so.
	read   *exposition
	of     []*engine
	engine string
}

// newTransport is a transport for scraping alone: one connection to a host, and whom it trusts and goes through as the measured ones do.
func newTransport(o *Options) *http.Transport {
	dial := o.Dial
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	t := &http.Transport{
		Proxy: o.Proxy, DialContext: dial, Protocols: new(http.Protocols), MaxIdleConnsPerHost: 1, IdleConnTimeout: idleConn,
		TLSHandshakeTimeout: patience, MaxResponseHeaderBytes: 256 << 10,
	}
	t.Protocols.SetHTTP1(true)
	t.Protocols.SetHTTP2(o.HTTP2)
	if o.TLS != nil {
		t.TLSClientConfig = o.TLS.Clone()
	}
	return t
}

// fetch asks one URL, once.
func (s *Scraper) fetch(ctx context.Context, u *url.URL) finding {
	began := s.clock.Now()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for range maxHops {
		r := (&http.Request{Method: http.MethodGet, URL: u, Host: u.Host, Header: s.header(u)}).WithContext(ctx)
		resp, err := s.transport.RoundTrip(r)
		if err != nil {
			return finding{state: bench.ScrapeUnreachable, why: sentence(ctx, err)}
		}
		at := s.clock.Now()
		if resp.StatusCode >= 300 && resp.StatusCode < 400 {
			_ = resp.Body.Close()
			next, err := u.Parse(resp.Header.Get("Location"))
			if err != nil || resp.Header.Get("Location") == "" || origin(next) != origin(u) {
				return finding{state: bench.ScrapeAbsent, why: "it redirects to another host, which is not followed: name that one with --metrics-url"}
			}
			next.User = nil
			u = next
			continue
		}
		f := s.answer(ctx, resp, u)
		f.at, f.took = at, s.clock.Now()-began
		return f
	}
	return finding{state: bench.ScrapeAbsent, why: "it redirects in a circle"}
}

// header is what a request says: the key only to its own origin, and only where the operator asked for that.
func (s *Scraper) header(u *url.URL) http.Header {
	h := http.Header{"Accept": {"text/plain;version=0.0.4"}, "User-Agent": {"redline/" + s.opt.Version}}
	if s.opt.Authorize != nil && origin(u) == s.opt.Origin {
		s.opt.Authorize(h)
	}
	return h
}

// answer reads an answer to its end.
func (s *Scraper) answer(ctx context.Context, resp *http.Response, u *url.URL) finding {
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return refusal(resp.StatusCode, s.opt.Authorize == nil && origin(u) == s.opt.Origin)
	}
	if resp.ContentLength > maxBody {
		return finding{state: bench.ScrapeTooLarge, why: tooLarge}
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	switch {
	case len(text) > maxBody:
		return finding{state: bench.ScrapeTooLarge, why: tooLarge}
	case err != nil:
		return finding{state: bench.ScrapeUnreachable, why: sentence(ctx, err)}
	}
	if why := foreign(text, resp.Header); why != "" {
		return finding{state: bench.ScrapeForeign, why: why}
	}
	return finding{state: bench.ScrapeOK, text: text}
}

const tooLarge = "more than 8 MB, which is not read"

// refusal is what a status other than 200 means. keyed tells that the target's key was not sent, and could be.
func refusal(status int, keyed bool) finding {
	code := http.StatusText(status)
	if code == "" {
		code = "an odd status"
	}
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		why := code + ": the metrics want a key"
		if keyed {
			why += "; --metrics-url with --metrics-key sends that of the target"
		}
		return finding{state: bench.ScrapeDenied, why: why}
	case status == http.StatusProxyAuthRequired:
		return finding{state: bench.ScrapeUnreachable, why: "the proxy wants credentials"}
	case status == http.StatusNotFound:
		return finding{state: bench.ScrapeAbsent, why: "Not Found: no metrics there (SGLang has them with --enable-metrics)"}
	case status == http.StatusNotImplemented:
		return finding{state: bench.ScrapeAbsent, why: "Not Implemented: the metrics are off (llama.cpp has them with --metrics)"}
	case status == http.StatusTooManyRequests || status >= 500:
		return finding{state: bench.ScrapeUnreachable, why: code + ": it answers with an error"}
	}
	return finding{state: bench.ScrapeAbsent, why: code + ": no metrics there"}
}

// foreign is why an answer is no text of metrics; empty where it may be one.
func foreign(text []byte, h http.Header) string {
	if coding := h.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return "packed in a way that was not asked for"
	}
	head := bytes.TrimSpace(text[:min(len(text), 512)])
	switch {
	case strings.Contains(h.Get("Content-Type"), "protobuf"):
		return "protobuf, not text"
	case len(head) == 0:
		return "the answer is empty"
	case head[0] == '[' || head[0] == '{' && object(head):
		return "JSON, not metrics (trtllm-serve has them under /prometheus/metrics, with return_perf_metrics: true)"
	case head[0] == '<':
		return "a web page, not metrics"
	case bytes.IndexByte(head, 0) >= 0:
		return "no text"
	}
	return ""
}

// object tells an object of JSON from a metric whose name stands in its braces: {"name", label="value"} 1.
func object(head []byte) bool {
	rest := bytes.TrimSpace(head[1:])
	if len(rest) == 0 || rest[0] != '"' {
		return true
	}
	end := bytes.IndexByte(rest[1:], '"')
	if end < 0 {
		return true
	}
	after := bytes.TrimSpace(rest[end+2:])
	return len(after) > 0 && after[0] == ':'
}

// sentence says why there is no answer, in words that name no host.
func sentence(ctx context.Context, err error) string {
	var dns *net.DNSError
	var cert *tls.CertificateVerificationError
	var unknown x509.UnknownAuthorityError
	var plain tls.RecordHeaderError
	var op *net.OpError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return "no answer within 1 s"
	case errors.As(err, &dns):
		return "the host name does not resolve"
	case errors.As(err, &cert), errors.As(err, &unknown):
		return "its certificate is not trusted: --ca-file names whom to trust"
	case errors.As(err, &plain):
		return "it does not speak TLS: want http://"
	case errors.As(err, &op) && op.Op == "proxyconnect":
		return "the proxy does not connect: --no-proxy goes without it"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "nothing listens there"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "the answer broke off"
	}
	return "the connection broke"
}
