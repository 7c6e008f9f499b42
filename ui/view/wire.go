package view

import (
	"strconv"
	"strings"
	"time"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/style"
)

// asking is the protocol in words: "chat stream"; the version of HTTP too where it is not the usual one.
func (f *frame) asking() string {
	out := f.s.Run.API.String() + " stream"
	if v := version(f.s.Run); v != "" && v != "HTTP/1.1" {
		out += " · " + v
	}
	return out
}

// version is that of HTTP: "HTTP/2" for HTTP/2.0.
func version(r *bench.Run) string { return strings.TrimSuffix(r.Protocol, ".0") }

// source is where the counts of tokens come from: "usage"; "events (estimate)".
func (f *frame) source() part {
	if f.s.Source == bench.FromEvents {
		return part{style.Warn, "events (estimate)"}
	}
	return part{style.Dim, f.s.Source.String()}
}

// counting is source where there is little room: "tokens by usage", "tokens ≈events".
func (f *frame) counting() part {
	if f.s.Source == bench.FromEvents {
		return part{style.Warn, "tokens ≈events"}
	}
	return part{style.Dim, "tokens by " + f.s.Source.String()}
}

// counted tells whether anything has been counted yet.
func (f *frame) counted() bool { return f.s.Folded > 0 && f.s.Total.Tally.Sent > 0 }

// connections are how many requests made a connection of their own and what that took, as much as there is room for: "new connections 12%, connect
// 0.4 ms (worst 3.1), TLS 9 ms (worst 31)".
func (f *frame) connections(room int) []part {
	t := f.scope
	if !sound(t.NewConnections) || t.NewConnections.V < 0 {
		return nil
	}
	parts := []ranked{{part{style.Dim, "new connections " + percent(bench.Some(100*t.NewConnections.V))}, 0}}
	for i, of := range []struct {
		name string
		*bench.Stat
	}{{"connect", &t.Connect}, {"TLS", &t.Handshake}} {
		if of.N < 1 || !sound(of.P50) {
			continue
		}
		parts = append(parts, ranked{part{style.Dim, ", " + of.name + " " + chart.Num(of.P50) + " ms"}, 1})
		if of.N > 1 && sound(of.Max) {
			parts = append(parts, ranked{part{style.Dim, " (worst " + chart.Num(of.Max) + ")"}, 2 + i})
		}
	}
	return f.fitting(parts, room)
}

// bursts tells whether most answers came in one burst, so that their gaps are no latencies.
func (f *frame) bursts() bool {
	t := f.scope
	return t.Tally.OK >= bench.FewSamples && sound(t.Bursts) && t.Bursts.V > 0.5
}

// paceless tells whether a metric is about the pace of streams, and most of these come in one burst, which has none: nothing becomes known by waiting.
func (f *frame) paceless(m bench.Metric) bool {
	return (m == bench.ITL || m == bench.TPS || m == bench.TPOT) && f.bursts()
}

// limitLength is a limit as it was set.
func limitLength(d time.Duration) string {
	if d < time.Second {
		return chart.Num(bench.Some(bench.Millis(d))) + " ms"
	}
	if d >= 100*time.Second && d < time.Hour && d%time.Minute == 0 {
		return strconv.Itoa(int(d/time.Minute)) + " min"
	}
	return length(d)
}

// counts are the run's requests by what became of them. They add up: sent is all the others together. Where there is no room, counts of nothing
// give way first, then what was sent or what ended well, since the others tell it.
func (f *frame) counts(r *style.Row, room int) {
	t := &f.s.Total.Tally
	failed, limited := style.Dim, style.Dim
	if t.Failed > 0 {
		failed = style.Bad
	}
	if t.Limited > 0 {
		limited = style.Warn
	}
	unless := func(n, rank int) int {
		if n == 0 {
			return 6
		}
		return rank
	}
	parts := []ranked{
		{part{style.Dim, " run"}, 7}, {part{style.Dim, " " + count(t.Sent) + " sent"}, 5}, {part{style.Dim, " " + count(t.OK) + " ok"}, 4},
		{part{failed, " " + count(t.Failed) + " failed"}, unless(t.Failed, 2)}, {part{limited, " 429×" + count(t.Limited)}, unless(t.Limited, 3)},
	}
	if t.Cancelled > 0 {
		parts = append(parts, ranked{part{style.Dim, " " + count(t.Cancelled) + " cancelled"}, 1})
	}
	parts = append(parts, ranked{part{style.Dim, " " + count(stillOpen(t)) + " open"}, 0})
	// The first one's blank is none.
	for i, p := range f.fitting(parts, room+1) {
		if i == 0 {
			p.text = strings.TrimPrefix(p.text, " ")
		}
		r.Put(p.look, p.text)
	}
}

// stillOpen is how many of the requests that were sent had not ended at the moment of their counts.
func stillOpen(t *bench.Tally) int { return max(t.Sent-t.OK-t.Failed-t.Limited-t.Cancelled, 0) }
