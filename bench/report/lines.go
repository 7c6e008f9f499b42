package report

import (
	"fmt"
	"strings"
	"time"

	"redline/bench"
)

// Lines are a run as lines of text: one a second with the same numbers and names as the screen, always in the same order, and each event on a line of its
// own. It is for pipes, logs and screen readers.
type Lines struct {
	told     teller
	remarked remarks
	why      reasoner
	// begun: a line has been written; shown is the end of the second that it was of.
	begun bool
	shown time.Duration
	most  counters
	// states are those that the run has been in, each since its instant, as far as one of them may still be that of a line.
	states []since
	// quiet is the silence of the server as it was last told while the run was sending.
	quiet bench.Mark
	// each are those of the targets, where there are several.
	each []*Lines
}

// since is a state of a run with the instant at which it began.
type since struct {
	at    time.Duration
	state bench.RunState
}

// stateAt is the state at the end of the last full second: the run may be in another by now, of which an event tells first.
func (p *Lines) stateAt(s *bench.Snapshot) bench.RunState {
	if n := len(p.states); n == 0 || p.states[n-1] != (since{s.Since, s.State}) {
		p.states = append(p.states, since{s.Since, s.State})
	}
	for len(p.states) > 1 && p.states[1].at <= s.Folded {
		p.states = p.states[1:]
	}
	return p.states[0].state
}

// counters are numbers of which a reader takes differences, so that they must not fall: where the server's usage corrects an estimate downwards, what
// was shown stands until it is passed.
type counters struct {
	tokens int
	cost   float64
}

// remarks are what has been told of the run as a whole.
type remarks struct {
	malformed int
	bursts    bool
}

// news are lines for what has come up: events that could not be read, again when they are twice as many, and streams that are none.
func (r *remarks) news(s *bench.Snapshot) string {
	text := ""
	if n := s.Total.Malformed; n >= max(2*r.malformed, 1) {
		r.malformed = n
		text += fmt.Sprintf("%s event warn malformed events ×%d: they could not be read, and were left out\n", stamp(s.Folded), n)
	}
	if !r.bursts && bursting(&s.Total) {
		r.bursts = true
		text += fmt.Sprintf("%s event warn %s, so that they have no ITL, TPOT and TPS\n", stamp(s.Folded), burstWords)
	}
	return text
}

// Step is what is new, as whole lines: events, then the numbers of the last second, unless they have been told, or the run is over, whose summary follows.
func (p *Lines) Step(s *bench.Snapshot) string {
	s = Begun(s)
	if s.Rivals != nil {
		return p.severally(s)
	}
	text := p.told.news(s)
	if s.State == bench.Done || p.begun && s.Folded <= p.shown {
		return text
	}
	text += p.remarked.news(s) + p.why.news(s) + p.line(s) + "\n" + serverLine(s)
	p.begun, p.shown = true, s.Folded
	return text
}

// line is the state of a run in one line: names as --slo writes them, units in the name's order, absent numbers as "-". All counts are those of the
// last second that is complete, so that they agree, and so is the state; its end is the line's instant, and later events come below. The quota and
// the cost are those of the moment.
func (p *Lines) line(s *bench.Snapshot) string {
	var level bench.Level
	if l := s.Level(); l != nil {
		level = *l
	}
	var b strings.Builder
	state := strings.ReplaceAll(p.stateAt(s).String(), " ", "-")
	load, held := slots(s)
	fmt.Fprintf(&b, "%s %s level=%d/%s load=%s inflight=%d held=%d", stamp(s.Folded), state, level.ID, level.State, load, unfinished(s.Total.Tally), held)
	for _, m := range []bench.Metric{bench.TTFT, bench.ITL} {
		for _, at := range []bench.Percentile{bench.P50, bench.P95, bench.P99} {
			fmt.Fprintf(&b, " %s.%s=%s", strings.ToLower(m.String()), at, with(figure(&level.Stats[m], at), "ms"))
		}
	}
	for _, at := range []bench.Percentile{bench.P50, bench.P5, bench.P1} {
		fmt.Fprintf(&b, " tps.%s=%s", at, figure(&level.Stats[bench.TPS], at))
	}
	for _, t := range alsoPromised(s.Run.Thresholds) {
		fmt.Fprintf(&b, " %s.%s=%s", strings.ToLower(t.Metric.String()), t.At, with(figure(&level.Stats[t.Metric], t.At), "ms"))
	}
	for _, m := range []bench.Metric{bench.RPM, bench.TPM} {
		st, name := &level.Stats[m], strings.ToLower(m.String())
		fmt.Fprintf(&b, " %s=%s %s.half=%s", name, figure(st, bench.Mean), name, halfWidth(st))
	}
	fmt.Fprintf(&b, " out/s=%s chars/s=%s errors=%s", number(level.OutputRate), number(level.Chars), share(level.Counted.ErrorShare()))
	fmt.Fprintf(&b, " offered/s=%s due.ttft.p95=%s late.p99=%s", offeredRate(&level.Summary), with(figure(&level.DueTTFT, bench.P95), "ms"), with(figure(&level.Lag, bench.P99), "ms"))
	p.counts(&b, s)
	b.WriteString(rampFields(s) + cruiseFields(s))
	return b.String()
}

// counts are the numbers of the whole run.
func (p *Lines) counts(b *strings.Builder, s *bench.Snapshot) {
	t := s.Total.Tally
	p.most.tokens, p.most.cost = max(p.most.tokens, tokens(s)), max(p.most.cost, s.Spend.Cost.V)
	fmt.Fprintf(b, " sent=%d unsent=%d ok=%d failed=%d limited=%d cancelled=%d tokens=%d", t.Sent, t.Unsent, t.OK, t.Failed, t.Limited, t.Cancelled, p.most.tokens)
	source := absent
	if s.Folded > 0 {
		source = s.Source.String()
	}
	fmt.Fprintf(b, " source=%s malformed=%d quota.used=%s quota.binds=%s silent=%s client=%s why=%s", source, s.Total.Malformed, quotaField(s), bindsField(s), p.silence(s), s.Health.Strain, p.why.field(s))
	if s.Spend.Cost.OK {
		fmt.Fprintf(b, " cost=%s", money(p.most.cost))
	}
}

// silence is how long no token had come by the end of the last full second, though some should have. The engine tells none once the run has stopped
// sending, which may be later than that second.
func (p *Lines) silence(s *bench.Snapshot) string {
	if s.State == bench.Running || p.stateAt(s) != bench.Running {
		p.quiet = s.Silent
	}
	if !p.quiet.OK || s.Folded <= p.quiet.At {
		return absent
	}
	return span(s.Folded - p.quiet.At)
}

// tokens are those of all seconds: of those in which the run paused or drained too, which are in no rate.
func tokens(s *bench.Snapshot) int {
	sum := 0
	for _, b := range s.Buckets {
		sum += b.Tokens()
	}
	return sum
}

// slots are the load of the last full second, as it was set at its end, and how many slots were held in it on average: no more than its end had without
// a request, with which they are read together.
func slots(s *bench.Snapshot) (load bench.Setpoint, held int) {
	if len(s.Buckets) == 0 {
		return s.Target, 0
	}
	b := s.Buckets[len(s.Buckets)-1]
	mean := b.Held / max(b.Span.Seconds(), 1)
	return b.Target, max(min(int(mean+0.5), b.Target.Slots()-unfinished(s.Total.Tally)), 0)
}

// unfinished is how many requests have been sent and have not ended.
func unfinished(t bench.Tally) int { return t.Sent - t.OK - t.Failed - t.Limited - t.Cancelled }

// alsoPromised are the promises about numbers that are not shown anyway.
func alsoPromised(all []bench.Threshold) []bench.Threshold {
	var out []bench.Threshold
	for _, t := range all {
		if t.Metric == bench.E2E || t.Metric == bench.TPOT || t.Metric == bench.TTFA {
			out = append(out, t)
		}
	}
	return out
}

// with puts a unit behind a number, not behind its absence.
func with(text, unit string) string {
	if text == absent {
		return text
	}
	return text + unit
}
