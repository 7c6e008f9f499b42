package client

import (
	"fmt"
	"net"
	"slices"
	"strings"

	"redline/bench"
)

const (
	// several is how many tokens an event holds from which on it is no token.
	several = 1.2
	// continuous is the option for usage with each event.
	continuous = "continuous_usage_stats"
)

// report is what was found by the request in its final form.
func (x *probe) report(e bench.Ended, a *answer) Report {
	r := Report{
		URL: shown(x.t.base), Model: x.t.model, PromptTokens: e.Counts.Input, TokensPerEvent: e.Counts.PerEvent(),
		Source: e.Counts.Source, Timings: e.Timings.OK, Reuses: !x.t.single, Ended: e, Changed: slices.Clone(x.notes),
		Protocol: protocol(a.protocol), Quotas: x.quotas, UsedIn: x.in, UsedOut: x.out,
	}
	if a.conn != nil {
		r.Address = a.conn.RemoteAddr().String()
	}
	if ttft, ok := e.TTFT(); ok {
		r.TTFT = bench.MarkAt(ttft)
	}
	r.Proxy, _ = x.c.Proxy()
	x.unlisted()
	x.noteWay(&r)
	x.noteCounts(&e)
	r.Notes = x.notes
	return r
}

// protocol is the name of a version of HTTP; of the second there are no minor ones.
func protocol(proto string) string {
	if major, ok := strings.CutSuffix(proto, "/2.0"); ok {
		return major + "/2"
	}
	return proto
}

func (x *probe) note(format string, args ...any) {
	x.notes = append(x.notes, fmt.Sprintf(format, args...))
}

// noteWay notes what is special about the way to the server.
func (x *probe) noteWay(r *Report) {
	c := x.c
	if c.named != "" {
		x.note("%s", c.named)
	}
	if r.Proxy != "" {
		x.note("requests go through the proxy %s", r.Proxy)
	}
	if c.opt.HTTP2 && r.Protocol != "HTTP/2" {
		x.note("HTTP/2 was asked for, and %s answers in %s", r.URL, r.Protocol)
	}
	address, _, _ := net.SplitHostPort(r.Address)
	if n := c.hosts.count(); n > 1 && !net.ParseIP(address).IsLoopback() {
		if c.opt.Rotate {
			x.note("%s has %d addresses: each new connection takes the next one", c.host, n)
		} else {
			x.note("%s has %d addresses: connections go to %s", c.host, n, address)
		}
	}
}

// noteCounts notes what is special about the server's events and counts.
func (x *probe) noteCounts(e *bench.Ended) {
	n := &e.Counts
	if n.Source == bench.FromEvents {
		x.note("the server sends no usage: tokens are counted as one per event, an estimate")
	}
	if n.PerEvent() > several {
		x.note("one event holds %.1f tokens: chunk gaps are not inter-token latencies", n.PerEvent())
	}
	if n.Source != bench.FromEvents && n.Streamed() < n.Events {
		x.note("the server's usage (%d tokens) is below the events that came (%d)", n.Streamed(), n.Events)
	}
	if n.Hidden > 0 {
		x.note("%d of %d tokens were hidden reasoning, which the wait for the first token includes", n.Hidden, n.Output)
	}
	if x.t.held && lump(e) {
		all := "all"
		if n.Chunks > 1 {
			all = "nearly all of"
		}
		x.note("%s %d events of an answer came at once, and again: this is not really streaming; the server, or something on the way, holds the stream back", all, n.Events)
	}
}
