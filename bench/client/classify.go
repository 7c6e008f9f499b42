package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"

	"redline/bench"
	"redline/bench/stream"
)

// cancelled is the outcome of a request whose context ended, by the cause.
func (c *Client) cancelled(cause error) (bench.Outcome, string) {
	var limit *limitError
	if errors.As(cause, &limit) {
		return limit.outcome, limit.text
	}
	return bench.Cancelled, stream.Message(cause.Error(), c.redact.clean)
}

// roundTripError is the outcome of a request that had no answer.
func (c *Client) roundTripError(ctx context.Context, f *flight, err error) (bench.Outcome, string) {
	if ctx.Err() != nil {
		return c.cancelled(context.Cause(ctx))
	}
	if errors.Is(err, errClosed) {
		return bench.Cancelled, errClosed.Error()
	}
	return classify(err, f.connected.Load() > 0), stream.Message(err.Error(), c.redact.clean)
}

// closedIdle tells whether the pool handed out a connection that the server had closed while it was idle. The request never went
// out on it, so that taking another connection is no retry; a connection that breaks after the request has gone out is a sample.
// The transport does so by itself for methods other than POST, and has no exported name for the error.
func closedIdle(err error) bool {
	return strings.HasSuffix(err.Error(), "http: server closed idle connection")
}

// classify is the class of a transport's error. connected tells whether there was a connection.
func classify(err error, connected bool) bench.Outcome {
	var limit *limitError
	var timeout net.Error
	var dns *net.DNSError
	switch {
	case errors.As(err, &limit):
		return limit.outcome
	case isAny(err, noDescriptors): // before DNS: a resolver without descriptors says so as a DNS error
		return bench.NoDescriptors
	case isAny(err, refusedErrors):
		return bench.Refused
	case isTLS(err):
		return bench.TLS
	case errors.As(err, &timeout) && timeout.Timeout() && !connected:
		return bench.TimeoutConnect
	case errors.As(err, &dns):
		return bench.DNS
	case closedIdle(err), isAny(err, resetErrors), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return bench.Reset
	}
	return bench.Network
}

func isAny(err error, set []syscall.Errno) bool {
	for _, e := range set {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

func isTLS(err error) bool {
	return as[*tls.CertificateVerificationError](err) || as[tls.RecordHeaderError](err) || as[tls.AlertError](err) ||
		as[x509.UnknownAuthorityError](err) || as[x509.HostnameError](err) || as[x509.CertificateInvalidError](err) ||
		as[*tls.ECHRejectionError](err)
}

func as[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}
