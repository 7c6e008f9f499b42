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
	// Where the transport was in its own code says nothing to anybody.
	outcome, text := classify(err, f.connected.Load() > 0), strings.TrimPrefix(err.Error(), "readLoopPeekFailLocked: ")
	switch {
	case outcome == bench.Reset && c.stale(f, err):
		outcome = bench.Stale
	case outcome == bench.NoDescriptors && isAny(err, noPorts):
		text = "no local port left: " + text
	case outcome == bench.NoDescriptors:
		text = "no file descriptor left: " + text
	}
	return outcome, stream.Message(text, c.redact.clean)
}

// closedIdle tells whether the pool handed out a connection that the server had closed, or begun to close, while it was idle. The request
// was never taken on it, so that taking another connection is no retry; a connection that breaks after the request has gone out is a
// sample. The transport does so by itself for methods other than POST, and has no exported names for the errors.
func closedIdle(err error) bool {
	text := err.Error()
	return strings.HasSuffix(text, "http: server closed idle connection") || strings.HasSuffix(text, "http2: client conn not usable") ||
		strings.HasSuffix(text, "http2: client conn is closed") || strings.HasSuffix(text, "Server's graceful shutdown GOAWAY")
}

// classify is the class of a transport's error. connected tells whether there was a connection.
func classify(err error, connected bool) bench.Outcome {
	var limit *limitError
	var timeout net.Error
	var dns *net.DNSError
	var proxy *proxyError
	switch {
	case errors.As(err, &limit):
		return limit.outcome
	case errors.As(err, &proxy):
		return proxy.outcome()
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
	case closedIdle(err), isAny(err, resetErrors), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), lost(err):
		return bench.Reset
	case strings.Contains(err.Error(), "REFUSED_STREAM"):
		return bench.Overloaded
	}
	return bench.Network
}

// lost tells whether HTTP/2 says that the server ended a connection, or the stream of a request, without an answer. Its errors are
// not exported.
func lost(err error) bool {
	text := err.Error()
	for _, words := range []string{"client connection lost", "client conn could not be established", "sent GOAWAY", "; INTERNAL_ERROR", "; CANCEL", "; NO_ERROR"} {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
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
	// An alert, ours or the server's, is an error of its own kind only in the words for QUIC.
	var op *net.OpError
	if errors.As(err, &op) && (op.Op == "remote error" || op.Op == "local error") {
		return true
	}
	return as[*tls.CertificateVerificationError](err) || as[tls.RecordHeaderError](err) || as[tls.AlertError](err) ||
		as[x509.UnknownAuthorityError](err) || as[x509.HostnameError](err) || as[x509.CertificateInvalidError](err) ||
		as[*tls.ECHRejectionError](err) || strings.HasPrefix(err.Error(), "tls: ")
}

func as[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}
