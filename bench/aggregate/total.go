package aggregate

import (
	"time"

	"redline/bench"
)

// total is the whole run.
type total struct {
	facts  bench.Facts
	active time.Duration
	// live are the facts of the seconds that were active all through, for rates.
	live                            bench.Facts
	lasted                          time.Duration
	ttft, ttfa, itl, tps, e2e, tpot dist
	connect, handshake              dist
	lag, dueTTFT, dueE2E            dist
	server                          serverDists
	// open are the facts of the seconds in which the open loop was sending all through, opened how long they are.
	open   bench.Facts
	opened time.Duration
}

func (t *total) add(b *bench.Bucket) {
	counters := b.Facts
	counters.DropSketches()
	t.facts.Add(&counters)
	t.active += b.Active
	if b.Whole() {
		t.live.Add(&counters)
		t.lasted += b.Active
	}
	if b.Opened() {
		t.open.Add(&counters)
		t.opened += b.Active
	}
	t.ttft.addSketch(b.TTFT)
	t.ttfa.addSketch(b.TTFA)
	t.itl.addSketch(b.ITL)
	t.tps.addSketch(b.TPS)
	t.e2e.addSketch(b.E2E)
	t.tpot.addSketch(b.TPOT)
	t.connect.addSketch(b.Connect)
	t.handshake.addSketch(b.Handshake)
	t.lag.addSketch(b.Lag)
	t.dueTTFT.addSketch(b.DueTTFT)
	t.dueE2E.addSketch(b.DueE2E)
	t.server.add(b.Server)
}

func (t *total) summary() bench.Summary {
	f := t.facts
	f.TTFT, f.TTFA, f.ITL = t.ttft.sketch(), t.ttfa.sketch(), t.itl.sketch()
	f.TPS, f.E2E, f.TPOT = t.tps.sketch(), t.e2e.sketch(), t.tpot.sketch()
	f.Connect, f.Handshake = t.connect.sketch(), t.handshake.sketch()
	f.Lag, f.DueTTFT, f.DueE2E = t.lag.sketch(), t.dueTTFT.sketch(), t.dueE2E.sketch()
	f.Server = t.server.with(f.Server)
	out := bench.Summarise(&f, t.active)
	out.RatesOf(&t.live, t.lasted)
	out.ArrivalsOf(&t.open, t.opened)
	return out
}
