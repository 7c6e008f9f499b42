package view

import (
	"strconv"
	"strings"
	"time"

	"redline/bench"
	"redline/ui/style"
)

// since is when a level's load was set: after a ramp of a profile, when that had come to its end.
func since(l *bench.Level) time.Duration {
	if l.Cause == bench.CauseProfile && l.Committed.OK {
		return l.Committed.At
	}
	return l.Begin
}

// settling tells how far the present level has come: what is missing, or since when it is ready. Long names the level as well. While nothing is
// sent nothing becomes ready, and nothing is promised.
func (f *frame) settling(long bool) []part {
	l := f.level
	if l == nil {
		return nil
	}
	var out []part
	if _, left, ok := ramping(f.s); ok && f.s.State == bench.Running {
		// What is passed on the way is no load at which anything becomes ready.
		words, load := toward(f.s)
		out = append(out, part{style.Accent2, words + " " + load})
		if long {
			out = append(out, part{style.Dim, ", " + length(left) + " to go"})
		}
		return out
	}
	if long {
		out = append(out, part{style.Dim, "at " + named(l.Load) + " " + length(f.moment()-since(l))})
	}
	state := f.progress(l, long)
	if state == nil {
		if n := l.Stats[bench.TTFT].N; long && n > 0 {
			out = append(out, part{style.Dim, ", n " + count(n)})
		}
		return out
	}
	if long {
		out = append(out, part{style.Dim, ", "})
	}
	return append(out, state...)
}

// progress is the state of a level that is being measured; nil for nothing to say.
func (f *frame) progress(l *bench.Level, long bool) []part {
	s := f.s
	switch {
	case s.Moving.OK || l.State == bench.Moving, l.State == bench.Reaching && l.Load != s.Target:
		// The level is behind the hand: what counts is where the load goes.
		words, load := toward(s)
		return []part{{style.Accent2, words + " " + load}}
	case s.State == bench.Warming:
		return []part{{style.Warn, "warming up"}}
	case s.State != bench.Running || l.Load.N <= 0:
		return nil
	}
	if text := silence(s); text != "" {
		// Nothing becomes ready by waiting.
		return []part{{style.Warn, text}}
	}
	switch l.State {
	case bench.Reaching:
		return []part{{style.Accent2, "reaching " + named(l.Load)}}
	case bench.Settled:
		return f.settled(l, long)
	case bench.Unsettled:
		return []part{{style.Warn, shortOf("unsettled", l, long)}}
	}
	if shortfall(l) != "" {
		return []part{{style.Warn, shortOf("not settling", l, long)}}
	}
	if f.piling {
		return f.backlogged(long)
	}
	m, st := f.slowest(l)
	if st == nil && f.bursts() {
		return []part{{style.Warn, "bursts: no ITL, TPS"}}
	}
	if st == nil {
		return []part{{style.Accent2, "settling"}}
	}
	if wait := f.awaited(m, st); !long && wait > 0 {
		return []part{{style.Accent2, m.String() + " ready in " + forecast(wait)}}
	}
	return []part{{style.Accent2, m.String() + " " + f.missing(m, st)}}
}

// backlogged is the state of a level of which requests pile up: what is measured then is how long the run has lasted.
func (f *frame) backlogged(long bool) []part {
	if !long {
		return []part{{style.Bad, "backlog grows"}}
	}
	return []part{{style.Bad, "not settling: backlog grows"}}
}

// shortfall tells what keeps a level from settling whatever its numbers say; empty where nothing does.
func shortfall(l *bench.Level) string {
	switch l.Short {
	case bench.SlotsHeld:
		return "slots are held"
	case bench.ArrivalsUnsent:
		return "arrivals unsent"
	}
	return ""
}

// shortOf is a state with what it is short of, or where there is little room that alone.
func shortOf(state string, l *bench.Level, long bool) string {
	switch why := shortfall(l); {
	case why == "":
		return state
	case long:
		return state + ": " + why
	default:
		return why
	}
}

// settled is how long a level took to become ready, or in the long form since when it is.
func (f *frame) settled(l *bench.Level, long bool) []part {
	switch {
	case !long && l.ReadyAt.OK:
		return []part{{style.Good, "settled"}, {style.Dim, " in " + length(l.ReadyAt.At-l.Begin)}}
	case !long:
		return []part{{style.Good, "settled"}}
	}
	out := []part{{style.Good, "ready"}}
	if l.ReadyAt.OK && !resting(f.s) {
		out = append(out, part{style.Dim, " " + length(f.s.At-l.ReadyAt.At) + " ago"})
	}
	return append(out, part{style.Dim, ", n " + count(l.Stats[bench.TTFT].N)})
}

// slowest is the lane that will be ready last.
func (f *frame) slowest(l *bench.Level) (bench.Metric, *bench.Stat) {
	var last bench.Metric
	var found *bench.Stat
	for _, m := range bench.Lanes {
		st := &l.Stats[m]
		if st.Readiness == bench.Ready || st.Need == 0 && st.Wait == 0 || f.paceless(m) {
			continue
		}
		if found == nil || f.awaited(m, st) > f.awaited(last, found) {
			last, found = m, st
		}
	}
	return last, found
}

// forecast is a length of time that is yet to pass. Above 20 s it stands in steps of 5: it is a guess, and a guess that changes with every second
// is not believed; far off it stands in minutes. What is yet to pass takes a second at least.
func forecast(d time.Duration) string {
	d = max(d, time.Second)
	switch {
	case d >= 100*time.Second && d < 100*time.Minute:
		return "~" + strconv.Itoa(int(d.Round(time.Minute)/time.Minute)) + " min"
	case d > 20*time.Second:
		d = d.Round(5 * time.Second)
	}
	return "~" + length(d)
}

// missing says what a stat still waits for: "ready in ~14 s, 13 to go". While the server is silent, or cannot do what is
// asked of it, no instant is forecast.
func (f *frame) missing(m bench.Metric, st *bench.Stat) string {
	var parts []string
	if wait := f.awaited(m, st); wait > 0 {
		parts = append(parts, "ready in "+forecast(wait))
	}
	if st.Need > 0 {
		parts = append(parts, strconv.Itoa(st.Need)+" to go")
	}
	if len(parts) == 0 {
		return "not ready"
	}
	return strings.Join(parts, ", ")
}

// young is the stat of a metric that a level which is being measured still waits for.
func (f *frame) young(m bench.Metric) (*bench.Stat, bool) {
	st := &f.scope.Stats[m]
	waits := !f.paceless(m) && f.st.Scope == Level && f.s.State == bench.Running && f.level != nil && f.level.Load.N > 0 && f.level.State >= bench.Settles
	return st, waits && st.Readiness != bench.Ready && st.Need > 0
}
