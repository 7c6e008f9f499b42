package main

import (
	"net"
	"net/url"
	"strings"
	"sync"

	"redline/bench"
	"redline/bench/report"
)

// veiled is a run as it may be told in private.
type veiled struct {
	run
	mu   sync.Mutex
	veil bench.Veil
}

// Snapshot is the newest state without what is private.
func (v *veiled) Snapshot() *bench.Snapshot {
	s := v.run.Snapshot()
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.veil.Snapshot(s)
}

// concealed is a text of a library or an error without secrets, and in private without the target's names.
func (r *session) concealed(text string) string {
	text = r.clean(text)
	if !r.private {
		return text
	}
	s := report.Begun(r.engine.Snapshot())
	text = conceal(text, s.Run.Target, s.Run.Address)
	if s.Rivals == nil {
		return text
	}
	for i, of := range s.Rivals.Of {
		text = conceal(conceal(text, of.Run.Target, of.Run.Address), s.Rivals.Names[i], "")
	}
	return text
}

// conceal takes a URL, its host and an address out of a text, in whatever length they stand there.
func conceal(text, base, address string) string {
	names := []string{base, strings.TrimSuffix(base, "/")}
	if u, err := url.Parse(base); err == nil {
		names = append(names, u.Host, u.Hostname())
	}
	if host, _, err := net.SplitHostPort(address); err == nil {
		names = append(names, address, host)
	} else {
		names = append(names, address)
	}
	for _, name := range names {
		if name != "" {
			text = strings.ReplaceAll(text, name, bench.Hidden)
		}
	}
	return text
}
