package analysis

import (
	"time"

	"redline/bench"
)

// leastRequests is from how many requests on a share of them counts, leastTokens the same of tokens for the spread of their gaps.
const (
	leastRequests = bench.ReadySamples
	leastTokens   = 1000
)

// always: it takes no samples.
func always(*signals) string { return "" }

// measured: the level must have been measured for five seconds.
func measured(g *signals) string {
	if left := LongEnough - g.l.Span; left > 0 {
		return wait(left) + " more at this load"
	}
	return ""
}

// judged: so many requests must have ended, unless all that did have failed.
func judged(g *signals) string {
	t := g.l.Counted
	if bad := t.Missed().Failed; bad >= bench.FewSamples && bad == t.Judged() {
		return ""
	}
	return more(t.Judged(), leastRequests, "request")
}

// ended: so many requests must have ended well.
func ended(g *signals) string { return more(g.l.Tally.OK, leastRequests, "request") }

// started: so many requests must have shown their first token.
func started(g *signals) string { return more(g.l.Stats[bench.TTFT].N, leastRequests, "first token") }

// tokens: so many gaps between tokens.
func tokens(g *signals) string {
	if bursting(&g.l.Summary) {
		return "streams that do not come in one burst"
	}
	return more(g.l.Stats[bench.ITL].N, leastTokens, "token")
}

// compared: the level and a lesser one must have been measured.
func compared(g *signals) string {
	if text := measured(g); text != "" {
		return text
	}
	if text := started(g); text != "" {
		return text
	}
	switch {
	case !paced(g.l):
		return "a settled output rate"
	case g.k == nil:
		return "a lower load to compare with"
	}
	return ""
}

// waits: the server's own count of waiting requests, or else a lesser load.
func waits(g *signals) string {
	if g.gauge(bench.ServerWaiting).OK {
		return started(g)
	}
	if g.k == nil && len(g.lesser) > 0 && paced(g.l) {
		return ""
	}
	return compared(g)
}

// lengths: prompts of different lengths, at this load and, to tell the server's pace of reading from its queue, at a lesser one.
func lengths(g *signals) string {
	switch {
	case g.baseAt != nil:
		return ""
	case g.tilt.n < leastLengths:
		return more(g.tilt.n, leastLengths, "request")
	case g.tilt.even:
		return "prompts of different lengths"
	}
	return ""
}

// gauges: the server's own must have been read often enough.
func gauges(g *signals) string {
	switch f := g.l.Server; {
	case f == nil:
		return "the server's own gauges"
	case f.Scrapes < leastScrapes:
		return more(f.Scrapes, leastScrapes, "reading") + " of the server's gauges"
	}
	return ""
}

// outside: our TTFT and the server's own, or connections and failures alone.
func outside(g *signals) string {
	if text := started(g); text != "" {
		return text
	}
	return ""
}

// cached: prompts of which the server says what came from its cache.
func cached(g *signals) string {
	if g.gauge(bench.PrefixHits).OK {
		return ""
	}
	return ended(g)
}

// opening: the first answers since the start or the return of the server, and enough of those after them.
func opening(g *signals) string {
	if !opens(g.l.Cause) {
		return ""
	}
	return started(g)
}

// opens tells whether a level may begin with a cold server.
func opens(c bench.Cause) bool { return c == bench.CauseStart || c == bench.CauseRecovery }

// bursting tells whether most answers come in one burst.
func bursting(s *bench.Summary) bool { return s.Bursts.OK && s.Bursts.V > 0.5 }

// within is how long a level has been in force by the snapshot's last second.
func (g *signals) within() time.Duration {
	end := g.s.Folded
	if g.l.Ended.OK {
		end = g.l.Ended.At
	}
	return max(end-g.l.Begin, 0)
}
