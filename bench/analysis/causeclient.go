package analysis

import (
	"fmt"
	"strings"
	"time"

	"redline/bench"
)

// seesDeath: nothing answers any more. It speaks of this moment alone.
func seesDeath(g *signals) (sight, bool) {
	if !g.present || g.s.State != bench.Down {
		return sight{}, false
	}
	out := sight{urgent: 4, saw: []string{"no answer for " + wait(max(g.s.Folded-g.s.Since, 0))}}
	for o := bench.OK; o < bench.NumOutcomes; o++ {
		if n := g.s.Total.Tally.By[o]; n > 0 && o.TargetDown() {
			out.saw = append(out.saw, fmt.Sprintf("%s ×%d", o, n))
		}
	}
	if e, ok := g.lastRise(); ok {
		out.saw = append(out.saw, "after the load was raised from "+e.From.String()+" to "+e.To.String())
	}
	for i := range g.s.Server {
		if c := &g.s.Server[i]; c.State == bench.ScrapeUnreachable && c.At.OK {
			out.saw = append(out.saw, "its gauges are gone too")
			break
		}
	}
	return out, true
}

// soonAfter is how long after a rise of the load a death may be its doing.
const soonAfter = 30 * time.Second

// lastRise is the rise of the load shortly before the server died.
func (g *signals) lastRise() (bench.Event, bool) {
	for i := len(g.s.Events) - 1; i >= 0; i-- {
		e := g.s.Events[i]
		if e.Kind != bench.EventCommit || e.At > g.s.Since {
			continue
		}
		return e, e.To.Mode == e.From.Mode && e.To.N > e.From.N && g.s.Since-e.At <= soonAfter
	}
	return bench.Event{}, false
}

// seesClient: what is on the screen may be this process's own doing.
func seesClient(g *signals) (sight, bool) {
	busy, saturated := g.l.Strained[0], g.l.Strained[1]
	now := bench.Unstrained
	if g.present {
		now = g.s.Health.Strain
	}
	out := sight{}
	switch {
	case saturated >= 2 && (share(saturated, g.l.Span) >= 0.05 || now == bench.Saturated):
		out.urgent = 3.5
		out.saw = append(out.saw, fmt.Sprintf("saturated in %d of %s", saturated, wait(g.within())))
	case busy+saturated >= 3 && (share(busy+saturated, g.l.Span) >= 0.2 || now != bench.Unstrained):
		if out.urgent = 3; g.farBeyondTheClient() {
			out.urgent = aside
		}
		out.saw = append(out.saw, fmt.Sprintf("busy in %d of %s", busy+saturated, wait(g.within())))
	default:
		return sight{}, false
	}
	if g.present {
		if why := g.s.Health.Why; why != "" && now != bench.Unstrained {
			out.saw = append(out.saw, why)
		}
		if lag := g.s.Health.Lag(); lag.OK && now != bench.Unstrained {
			out.saw = append(out.saw, "its instants are up to "+millis(lag.V)+" late")
		}
	}
	return out, true
}

const (
	// aside is the weight of what is to be known beside the cause of a broken promise, below all that explains one.
	aside = 0.05
	// leastLate is how late a busy client is taken for, in ms, and farBeyond how many times that a wait must lie past its promise for the client not to be why.
	leastLate = 5
	farBeyond = 20
)

// farBeyondTheClient tells whether a promise is broken by far more than a client that is merely busy delays what it sees.
func (g *signals) farBeyondTheClient() bool {
	late := float64(leastLate)
	if lag := g.s.Health.Lag(); g.present && lag.OK {
		late = max(late, lag.V)
	}
	for _, v := range g.broken {
		switch v.Threshold.Metric {
		case bench.TTFT, bench.TTFA, bench.E2E:
			if v.Value.OK && v.Value.V-v.Threshold.Limit > farBeyond*late {
				return true
			}
		}
	}
	return false
}

// seesErrors: more requests fail than was promised, or than one in a hundred where nothing was.
func seesErrors(g *signals) (sight, bool) {
	t := g.l.Counted
	bad, of := t.Missed().Failed, t.Judged()
	limit := 1.0
	for _, p := range g.s.Run.Thresholds {
		if p.Metric == bench.Errors {
			limit = p.Limit
		}
	}
	if bad < 3 || of <= 0 || 100*float64(bad)/float64(of) <= limit {
		return sight{}, false
	}
	class, n := bench.OK, 0
	for o, k := range t.By {
		if o := bench.Outcome(o); o.Failed() && k > n {
			class, n = o, k
		}
	}
	failed := float64(bad) / float64(of)
	out := sight{urgent: 1 + failed, failed: 1, saw: []string{ofAll(bad, of) + " failed"}}
	if n > 0 {
		text := fmt.Sprintf("mostly %s", class)
		if n == bad {
			text = "all " + class.String()
		}
		out.saw = append(out.saw, text)
	}
	if g.present {
		if said := g.said(class); said != "" {
			out.saw = append(out.saw, "“"+said+"”")
		}
	}
	return out, true
}

// longestSaid bounds what is repeated of a server's words.
const longestSaid = 120

// said is what the newest failure of a class said.
func (g *signals) said(class bench.Outcome) string {
	for i := range g.s.Failures {
		if e := &g.s.Failures[i]; e.Outcome == class {
			text := []rune(strings.Join(strings.Fields(e.Message), " "))
			if len(text) > longestSaid {
				return string(text[:longestSaid-1]) + "…"
			}
			return string(text)
		}
	}
	return ""
}

// seesBuffer: something on the way holds streams back and hands them on in pieces.
func seesBuffer(g *signals) (sight, bool) {
	if b := g.l.Bursts; b.OK && b.V > 0.5 {
		return sight{urgent: 1.9, pace: 1, saw: []string{percent(b.V) + " of the answers came in one burst", "TTFT is then the time of the whole answer"}}, true
	}
	// The figure is the run's, not the level's.
	if per := g.s.PerEvent; g.present && per > 8 && !g.gauge(bench.Accepted).OK {
		return sight{urgent: 1.2, pace: 0.5, saw: []string{digits(per) + " tokens a chunk, and the server tells of no speculative decoding"}}, true
	}
	return sight{}, false
}

// coldSpans is how many spans after the first are looked at: seconds, unless the run is long.
const coldSpans = 60

// seesCold: nobody saw a first token for far longer than nearly all waited later. (Of requests that begin together the first one served is quick on a warm
// server, whatever the others wait for one another.)
func seesCold(g *signals) (sight, bool) {
	if !opens(g.l.Cause) {
		return sight{}, false
	}
	var first *bench.Bucket
	var later []bench.Sketch
	for _, b := range g.s.Buckets {
		switch {
		case b.Level != g.l.ID || b.TTFT.N == 0:
		case first == nil:
			first = b
		case len(later) < coldSpans:
			later = append(later, b.TTFT)
		}
	}
	rest := bench.Merge(later...)
	most := rest.Quantile(0.9)
	if first == nil || rest.N < leastRequests || !most.OK {
		return sight{}, false
	}
	// In the open loop nobody may have asked so early: then it is the longest wait that counts.
	waited := min(bench.Millis(first.Start-g.l.Begin), first.TTFT.Quantile(1).V)
	if waited < 3*most.V || waited-most.V < 500 {
		return sight{}, false
	}
	return sight{saw: []string{"no token for " + millis(waited) + " at first", "nine in ten first tokens since then within " + millis(most.V)}}, true
}
