package view

import (
	"strconv"
	"strings"

	"redline/bench"
	"redline/ui/style"
)

// settling tells how far the present level has come: what is missing, or since when it is ready. Long names the level as well.
func (f *frame) settling(long bool) []part {
	l := f.level
	if l == nil {
		return nil
	}
	var out []part
	if long {
		out = append(out, part{style.Dim, "at " + strconv.Itoa(l.Load) + " " + length(f.s.At-l.Begin)})
		if l.State != bench.Moving {
			out = append(out, part{style.Dim, ", "})
		}
	}
	switch l.State {
	case bench.Moving:
		return out
	case bench.Reaching:
		return append(out, part{style.Accent2, "reaching " + strconv.Itoa(l.Load)})
	case bench.Settled:
		if !l.ReadyAt.OK {
			return append(out, part{style.Dim, "ready"})
		}
		if long {
			out = append(out, part{style.Good, "ready"}, part{style.Dim, " " + length(f.s.At-l.ReadyAt.At)})
			return append(out, part{style.Dim, ", n " + count(l.Stats[bench.TTFT].N)})
		}
		return append(out, part{style.Dim, "ready in " + length(l.ReadyAt.At-l.Begin)})
	case bench.Unsettled:
		return append(out, part{style.Warn, "unsettled"})
	}
	if f.s.State != bench.Running {
		return append(out, part{style.Dim, "not ready"})
	}
	m, st := f.slowest(l)
	if st == nil {
		return append(out, part{style.Accent2, "settling"})
	}
	if !long && st.Wait > 0 {
		return append(out, part{style.Accent2, m.String() + " ready in ~" + length(st.Wait)})
	}
	return append(out, part{style.Accent2, m.String() + " " + missing(st)})
}

// slowest is the lane that will be ready last.
func (f *frame) slowest(l *bench.Level) (bench.Metric, *bench.Stat) {
	var last bench.Metric
	var found *bench.Stat
	for _, m := range bench.Lanes {
		st := &l.Stats[m]
		if st.Readiness == bench.Ready || st.Need == 0 && st.Wait == 0 {
			continue
		}
		if found == nil || st.Wait > found.Wait {
			last, found = m, st
		}
	}
	return last, found
}

// missing says what a stat still waits for: "ready in ~14 s, 13 to go".
func missing(st *bench.Stat) string {
	var parts []string
	if st.Wait > 0 {
		parts = append(parts, "ready in ~"+length(st.Wait))
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
	waits := f.st.Scope == Level && f.s.State == bench.Running && f.level != nil && f.level.State >= bench.Settles
	return st, waits && st.Readiness != bench.Ready && st.Need > 0
}
