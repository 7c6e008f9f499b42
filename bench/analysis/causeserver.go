package analysis

import (
	"fmt"

	"redline/bench"
)

// felt is from how many ms on a wait outside the server matters where no promise speaks of it.
const felt = 200

// seesNetwork: the first token waits outside the server, by its own clock; or connections are not kept, or break.
func seesNetwork(g *signals) (sight, bool) {
	var s sight
	ours, theirs := g.l.Stats[bench.TTFT].Mean, g.gauge(bench.ServerTTFT)
	// Where a queue grows or shrinks the two means are not of the same requests.
	if queue := g.found[KVCache] || g.found[Queueing] || g.found[PrefillBound]; ours.OK && theirs.OK && !queue && g.l.State == bench.Settled {
		outside := ours.V - theirs.V
		if matters := outside >= felt || g.breaks(bench.TTFT, bench.TTFA, bench.E2E); outside > max(20, 0.2*ours.V) && matters {
			s.first = outside / ours.V
			s.saw = append(s.saw, fmt.Sprintf("%s of %s to the first token pass outside the server", millis(outside), millis(ours.V)))
		}
	}
	if text, share := g.connecting(); text != "" {
		s.first = max(s.first, share)
		s.saw = append(s.saw, text)
	}
	if n := g.l.Tally.By[bench.Reset] + g.l.Tally.By[bench.Stale] + g.l.Tally.By[bench.Network]; n >= 3 && n*100 >= g.l.Tally.Judged() {
		s.failed = float64(n) / float64(max(g.l.Tally.Failed, 1))
		s.saw = append(s.saw, fmt.Sprintf("%d connections broke", n))
	}
	return s, len(s.saw) > 0
}

// connecting is what new connections cost beyond those that the load itself asks for, and which share of TTFT that is; empty where it is little.
func (g *signals) connecting() (string, float64) {
	n, c := float64(g.l.Tally.Judged()+g.l.Tally.Limited), g.l.NewConnections
	if !c.OK || n < leastRequests || c.V*n-loadOf(g.l) < 0.05*n || c.V < 0.05 {
		return "", 0
	}
	cost := g.l.Connect.Mean.V + g.l.Handshake.Mean.V
	ttft := g.l.Stats[bench.TTFT].Mean
	if !ttft.OK || cost < max(20, 0.05*ttft.V) {
		return "", 0
	}
	return fmt.Sprintf("%s of the requests open a connection, which takes %s", percent(c.V), millis(cost)), min(c.V*cost/ttft.V, 1)
}

// seesOthers: more requests run there than are ours, or more tokens come out than we get.
func seesOthers(g *signals) (sight, bool) {
	running, waiting := g.gauge(bench.ServerRunning), g.gauge(bench.ServerWaiting)
	ours := g.l.InFlight
	var s sight
	if running.OK && ours.OK {
		if all := running.V + waiting.V; all-ours.V > max(1, 0.1*ours.V) {
			s.saw = append(s.saw, fmt.Sprintf("%s requests there, %s of them ours", digits(all), digits(ours.V)))
			s.first, s.pace = 1-ours.V/all, 1-ours.V/all
		}
	}
	if made, got := g.gauge(bench.GenerationRate), g.l.OutputRate; made.OK && got.OK && g.s.Source != bench.FromEvents && made.V-got.V > max(10, 0.15*got.V) && len(s.saw) > 0 {
		s.saw = append(s.saw, fmt.Sprintf("it generates %s tok/s, we get %s", whole(made.V), whole(got.V)))
	}
	return s, len(s.saw) > 0
}

// flattering is the share of prompt tokens, 0..1, from the prefix cache, from which on numbers are not those of prompts that are new.
const flattering = 0.1

// seesPrefix: a good part of the prompts came from the prefix cache, by the answers' own usage or else by the server's gauge.
func seesPrefix(g *signals) (sight, bool) {
	hits, from := bench.Value{}, "by its usage"
	if n := float64(g.l.Tally.OK) * g.l.PromptTokens.V; n > 0 && g.l.Cached > 0 {
		hits = bench.Some(min(float64(g.l.Cached)/n, 1))
	} else if hits = g.gauge(bench.PrefixHits); hits.OK {
		from = "by its gauge"
	}
	if !hits.OK || hits.V <= flattering {
		return sight{}, false
	}
	return sight{saw: []string{percent(hits.V) + " of the prompt tokens came from its cache, " + from, "unique prompts would wait longer"}}, true
}
