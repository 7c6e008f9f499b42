package client

import (
	"fmt"
	"strings"
	"time"

	"redline/bench"
)

// unreachable says why no answer, or none of use, came from a URL.
func (c *Client) unreachable(at string, e *bench.Ended, a *answer) string {
	if text := c.proxySentence(at, e, a); text != "" {
		return text
	}
	if text := c.noHandshake(at, e); text != "" {
		return text
	}
	if c.streams != nil && strings.HasPrefix(at, "http://") && (e.Outcome == bench.Reset || e.Outcome == bench.Network) {
		return fmt.Sprintf("%s does not speak HTTP/2 without TLS (%s): leave --http2 out", at, e.Message)
	}
	switch e.Outcome {
	case bench.Refused:
		return fmt.Sprintf("nothing listens at %s: start the server, or check host and port", at)
	case bench.DNS:
		return fmt.Sprintf("the host name %s of %s does not resolve: check its spelling", c.host, at)
	case bench.TLS:
		return c.tlsSentence(at, e, a.failed)
	case bench.Reset, bench.Stale:
		return fmt.Sprintf("%s closed the connection without an answer (%s): check the port, and whether it wants https://", at, e.Message)
	case bench.TimeoutConnect:
		return fmt.Sprintf("no connection to %s within %s: check host, port and firewall", at, c.limit(e.Outcome))
	case bench.TimeoutFirst, bench.TimeoutTotal, bench.Stalled:
		return fmt.Sprintf("%s did not answer in time (%s of %s): raise the limit if it is loading a model", at, e.Message, c.limit(e.Outcome))
	case bench.NoDescriptors:
		if strings.HasPrefix(e.Message, "no local port") {
			return fmt.Sprintf("this machine has no local port left to reach %s (%s): wait a minute for old connections to go, or drive less", at, e.Message)
		}
		return fmt.Sprintf("this machine has no file descriptor left to reach %s (%s): raise its limit on open files", at, e.Message)
	case bench.ClientError:
		return fmt.Sprintf("%s refuses the request (%s): change what it names", at, said(e))
	case bench.ServerError:
		return fmt.Sprintf("%s fails (%s): look at the server's log", at, said(e))
	}
	return fmt.Sprintf("no answer from %s (%s): check the network between", at, e.Message)
}

// limit is the limit that an outcome is over, in words.
func (c *Client) limit(o bench.Outcome) string {
	limit := map[bench.Outcome]time.Duration{
		bench.TimeoutConnect: c.opt.Limits.Connect, bench.TimeoutFirst: c.opt.Limits.FirstToken, bench.TimeoutTotal: c.opt.Limits.Total,
		bench.Stalled: c.opt.Limits.Idle,
	}[o]
	if limit == 0 {
		return "the system's limit"
	}
	return limit.String()
}

// tlsSentence says why there is no trusted connection, in the words of the first error.
func (c *Client) tlsSentence(at string, e *bench.Ended, err error) string {
	text := strings.ToLower(e.Message)
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(text, w) {
				return true
			}
		}
		return false
	}
	none := c.anonymous()
	switch {
	case has("does not look like a tls handshake"):
		return fmt.Sprintf("%s does not speak TLS: write http:// instead of https://", at)
	case none && has("certificate required", "remote error: tls: bad certificate", "remote error: tls: handshake failure"):
		return fmt.Sprintf("%s wants a client certificate (%s): give one with --client-cert and --client-key", at, e.Message)
	case has("remote error: tls: bad certificate", "remote error: tls: unknown certificate", "remote error: tls: certificate", "remote error: tls: expired", "remote error: tls: revoked", "remote error: tls: access denied"):
		return fmt.Sprintf("%s does not accept the client certificate (%s): check the one of --client-cert and --client-key", at, e.Message)
	case has("remote error", "local error", "protocol version"):
		return fmt.Sprintf("%s and redline do not agree on TLS (%s): check the versions and names that the server takes", at, e.Message)
	}
	return distrust(at, e, err)
}

// noHandshake is for an https URL whose port was reached, but did not take part in a TLS handshake; else it is empty.
func (c *Client) noHandshake(at string, e *bench.Ended) string {
	if !strings.HasPrefix(at, "https://") || e.Marks.Connected.OK {
		return ""
	}
	switch {
	case e.Outcome == bench.TimeoutConnect && strings.Contains(e.Message, "TLS handshake timeout"):
		return fmt.Sprintf("the TLS handshake with %s got no answer: does it speak plain http?", at)
	case e.Outcome == bench.Reset:
		return fmt.Sprintf("%s closed the connection in the TLS handshake (%s): does it speak plain http?", at, e.Message)
	}
	return ""
}
