package view

import (
	"math"
	"strconv"
	"strings"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/layout"
	"redline/ui/style"
)

// serverPage draws the server's gauges over the run's time, its clock beside ours, and what is known of it from its answers.
func (f *frame) serverPage(rows int) {
	before := len(f.out)
	var all []section
	reads := len(f.s.Server) > 0 && len(f.toldLanes()) > 0
	if !reads {
		f.Screen.drawn = span{} // nothing here is over time
	}
	switch {
	case reads && f.Chart > 0:
		f.scrapeHead()
		f.serverPlots(rows)
		all = append(all, f.serverBeside())
		if f.Density == layout.Small {
			all = append(all, f.serverGauges())
		}
	case reads:
		f.scrapeHead()
		all = append(all, f.serverGauges(), f.serverBeside())
	case len(f.s.Server) > 0:
		f.scrapeHead()
	}
	all = append(all, f.serverQuotas(), f.serverSeen(), f.serverTokens(), f.serverWire(), f.serverFailures())
	if len(f.s.Server) == 0 {
		all[0], all[1] = all[1], all[0]
	} else {
		all = append(all, f.serverAddresses())
	}
	f.sections(all, math.MaxInt32)
	f.scrolledTo(before, rows)
}

// scrolledTo leaves of the rows that were drawn so many, from the line on that was scrolled to.
func (f *frame) scrolledTo(before, rows int) {
	height := len(f.out) - before
	f.scrolled, f.sectionRows = 0, rows
	if height <= rows || rows < 1 {
		return
	}
	f.sectionRows = max(rows-1, 1) // the last row tells that there is more
	f.scrolled = height - f.sectionRows
	from := min(max(f.st.Row[f.st.View], 0), f.scrolled)
	copy(f.out[before:], f.out[before+from:before+from+f.sectionRows])
	f.out = f.out[:before+f.sectionRows]
	if rows > 1 {
		f.moreBelow(f.scrolled - from)
	}
}

// serverSeen is what the server is and was asked, and last what it was not asked for.
func (f *frame) serverSeen() section {
	run := f.s.Run
	s := section{title: "server, as seen from outside"}
	f.say(&s, "address", style.FG, f.whereabouts())
	f.say(&s, "model", style.FG, run.Model)
	asked := run.API.String() + " stream"
	if v := version(run); v != "" {
		asked += ", " + v
	}
	f.say(&s, "asked", style.FG, asked)
	// What is in flight is of the same moment as the others, so that they add up.
	t := &f.s.Total.Tally
	counts := []part{{style.FG, count(t.Sent) + " sent"}, {style.FG, ", " + count(t.OK) + " ok"}, {inkIf(t.Failed > 0, style.Bad), ", " + count(t.Failed) + " failed"},
		{inkIf(t.Limited > 0, style.Warn), ", " + count(t.Limited) + " limited"}}
	if t.Cancelled > 0 {
		counts = append(counts, part{style.FG, ", " + count(t.Cancelled) + " cancelled"})
	}
	f.strung(&s, "requests", append(counts, part{style.FG, ", " + count(stillOpen(t)) + " in flight"})...)
	if len(f.s.Server) == 0 {
		f.say(&s, "not asked", style.Dim, f.unread())
	}
	return s
}

// unread says that the server's own gauges are not on this page.
func (f *frame) unread() string {
	if f.Density <= layout.Small {
		return "its own gauges"
	}
	return "its own gauges (/metrics): all here is from its answers"
}

// whereabouts are the host, what it resolved to, and what kind of place it is.
func (f *frame) whereabouts() string {
	run := f.s.Run
	if f.st.Private {
		return "hidden"
	}
	out := host(run)
	if run.Address != "" && !names(out, run.Address) {
		out += ", " + run.Address
	}
	switch {
	case run.Demo:
		out += ", the embedded simulated server"
	case run.Public:
		out += ", a public address"
	}
	return out
}

// names tells whether a host with its path says an address already.
func names(host, address string) bool {
	host, _, _ = strings.Cut(host, "/")
	return host == address || strings.HasPrefix(address, host+":")
}

// inkIf is a look where something holds, and the plain one elsewhere.
func inkIf(holds bool, look style.Token) style.Token {
	if holds {
		return look
	}
	return style.FG
}

// serverTokens is how tokens are counted and where they come from.
func (f *frame) serverTokens() section {
	s := section{title: "tokens, of the run"}
	t := &f.s.Total
	if !f.counted() {
		f.say(&s, "counted", style.FG, "nothing yet")
		return s
	}
	from := f.source()
	f.say(&s, "counted by", inkIf(from.look == style.Warn, style.Warn), from.text)
	if v := bench.Some(f.s.PerEvent); sound(v) && v.V > 0 {
		text := "holds " + chart.Num(v) + " tokens"
		if v.V == 1 {
			text = "holds one token"
		}
		f.say(&s, "a chunk", style.FG, text)
	}
	if sound(t.PromptTokens) && sound(t.AnswerTokens) {
		f.say(&s, "a request", style.FG, chart.Num(t.PromptTokens)+" in, "+chart.Num(t.AnswerTokens)+" out on average")
	}
	if sound(t.AskedTokens) && sound(t.CountedTokens) {
		f.say(&s, "prompts", style.FG, "asked for "+chart.Num(t.AskedTokens)+", counted by the server "+chart.Num(t.CountedTokens))
	}
	f.say(&s, "cached", style.FG, f.cached())
	if t.Wasted > 0 {
		f.say(&s, "wasted", style.Warn, count(t.Wasted)+" on requests that failed")
	}
	if t.Malformed > 0 {
		f.say(&s, "malformed", style.Warn, plural(t.Malformed, "event")+" that could not be read")
	}
	if sound(t.Bursts) && t.Bursts.V > 0 {
		f.say(&s, "bursts", style.Warn, percent(bench.Some(100*t.Bursts.V))+" of answers came in one burst: those have no pace")
	}
	return s
}

// cached is what the server says that it took from its cache of prompts, as a share where the whole is known.
func (f *frame) cached() string {
	t := &f.s.Total
	if t.Cached <= 0 {
		return "none of the prompts' tokens is said to come from its cache"
	}
	out := count(t.Cached) + " prompt tokens from its cache"
	if whole := t.PromptTokens.V * float64(t.Tally.OK); sound(t.PromptTokens) && whole >= float64(t.Cached) {
		out += ", " + percent(bench.Some(100*float64(t.Cached)/whole)) + " of those that were answered"
	}
	return out
}

// serverWire are the connections to it.
func (f *frame) serverWire() section {
	s := section{title: "connections, of the run"}
	t := &f.s.Total
	if !sound(t.NewConnections) || t.NewConnections.V < 0 {
		f.say(&s, "opened", style.FG, "not known yet")
		return s
	}
	f.say(&s, "opened", style.FG, "by "+percent(bench.Some(100*t.NewConnections.V))+" of requests; the others used one again")
	for _, of := range []struct {
		name string
		*bench.Stat
	}{{"connect", &t.Connect}, {"TLS", &t.Handshake}} {
		if of.N < 1 || !sound(of.P50) {
			continue
		}
		text := chart.Num(of.P50) + " ms"
		if of.N > 1 && sound(of.Max) {
			text += ", worst " + chart.Num(of.Max) + " ms"
		}
		f.say(&s, of.name, style.FG, text+", n "+count(of.N))
	}
	return s
}

// serverFailures are the newest request of each class that failed or was limited, with the server's own words.
func (f *frame) serverFailures() section {
	s := section{title: "last failures, by class"}
	for i := range f.s.Failures {
		e := &f.s.Failures[i]
		look := style.Bad
		if e.Outcome == bench.RateLimited {
			look = style.Warn
		}
		n := 0
		if int(e.Outcome) < len(f.s.Total.Tally.By) {
			n = f.s.Total.Tally.By[e.Outcome]
		}
		parts := []ranked{{part{look, "×" + count(max(n, 1))}, 0}, {part{style.Dim, ", last " + length(f.s.At-e.Marks.Ended.At) + " ago at " + stamp(e.Marks.Ended.At)}, 1}}
		if e.Status > 0 {
			parts = append(parts, ranked{part{style.Dim, ", HTTP " + strconv.Itoa(e.Status)}, 2})
		}
		if e.RetryAfter > 0 {
			parts = append(parts, ranked{part{style.Dim, ", asked to wait " + length(e.RetryAfter)}, 3})
		}
		f.fact(&s, e.Outcome.String(), parts...)
		switch {
		case e.Message == "":
			f.say(&s, "", style.Dim, "without a word")
		case f.st.Private:
			f.say(&s, "", style.Dim, "its words are hidden")
		default:
			f.say(&s, "", style.FG, e.Message)
		}
	}
	switch n := f.s.Total.Tally.Failed + f.s.Total.Tally.Limited; {
	case len(f.s.Failures) > 0:
	case n > 0:
		f.say(&s, "words", style.FG, "none are kept of "+plural(n, "request"))
	default:
		f.say(&s, "none", style.FG, "no request has failed or was limited")
	}
	return s
}
