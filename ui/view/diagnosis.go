package view

import (
	"strconv"
	"strings"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/style"
)

// diagnosisPage draws what can be said of the promises, why they are broken, of the client and of the numbers themselves.
func (f *frame) diagnosisPage(rows int) {
	f.sections([]section{f.promisesHeld(), f.causes(), f.unseen(), f.clientHeld(), f.readiness(), f.lookOn()}, rows)
}

// promisesHeld are the promises with their verdicts in the present scope, and what they rest on.
func (f *frame) promisesHeld() section {
	s := section{title: "promises, in the " + f.st.Scope.String()}
	if f.st.Scope == Level && f.level != nil {
		s.title += " at " + named(f.level.Load)
	}
	for _, t := range f.s.Run.Thresholds {
		if t.Quota() {
			f.say(&s, t.Metric.String(), nearingQuota(f.use(t.Metric)/t.Limit), "quota: "+f.used(t.Metric)+" of "+chart.Tick(t.Limit)+" used in the last 60 s")
			continue
		}
		f.promiseHeld(&s, t)
	}
	if len(s.lines) == 0 {
		f.say(&s, "none", style.FG, "no promise is set; t sets one")
	}
	if sound(f.scope.Goodput) && f.measured() {
		text := reckoned(f.scope.GoodputRough) + portion(f.scope.Goodput) + " of requests kept every promise"
		if n := f.scope.Ungraded; n > 0 {
			text += "; " + count(n) + " ended before the promises were changed and are not in it"
		}
		f.say(&s, "goodput", style.FG, text)
	}
	return s
}

// promiseHeld is one promise: kept, broken or not known, the value it was held to, and of how many.
func (f *frame) promiseHeld(s *section, t bench.Threshold) {
	v := t.Judge(f.scope)
	st := &f.scope.Stats[t.Metric]
	if f.level == nil && f.st.Scope == Level {
		v, st = bench.Verdict{Threshold: t}, &bench.Stat{}
	}
	mark, word, look := f.g.Absent, "not known", style.Dim
	switch {
	case v.Known && v.Broken:
		mark, word, look = f.g.Fail, broken, style.Bad
	case v.Known:
		mark, word, look = f.g.OK, "kept", style.Good
	}
	parts := []ranked{{part{look, f.padded(mark, f.st.Set.Width(f.g.OK)+1) + f.padded(word, 9)}, 0}, {part{style.FG, " " + f.padded(f.heldValue(&v, st), 12)}, 0},
		{part{style.Dim, " " + f.padded(strings.TrimSuffix(inWords(t), " a stream"), 10)}, 1}, {part{style.Dim, " n " + count(st.N) + " " + samples(t.Metric)}, 2}}
	if n := v.Missed; n.All() > 0 {
		parts = append(parts, ranked{part{style.Warn, ", " + missed(n)}, 3})
	}
	f.fact(s, subject(t), parts...)
}

// heldValue is the value that a promise is held to, with its unit.
func (f *frame) heldValue(v *bench.Verdict, st *bench.Stat) string {
	switch {
	case v.Beyond:
		return "beyond all"
	case !sound(v.Value):
		return "–"
	case v.Threshold.Metric == bench.Errors:
		return portion(v.Value)
	}
	return inUnit(figure{Stat: st, few: st.Readiness == bench.Few}, v.Value, v.Threshold)
}

// clientHeld is the verdict on this process: whether it could be the cause of what is on the screen.
func (f *frame) clientHeld() section {
	s := section{title: "this client"}
	h := &f.s.Health
	if f.s.Folded == 0 {
		f.say(&s, "verdict", style.FG, "not known yet")
		return s
	}
	look, word := style.Good, "keeps up"
	switch h.Strain {
	case bench.Busy:
		look, word = style.Warn, "busy: more than one in a hundred of its instants is late"
	case bench.Saturated:
		look, word = style.Bad, "saturated: latencies and speeds are its own"
	}
	f.say(&s, "verdict", look, word)
	f.say(&s, "because", style.FG, h.Why)
	f.say(&s, "measured", style.FG, f.client())
	return s
}

// readiness is how far each number can be believed, and what it waits for.
func (f *frame) readiness() section {
	s := section{title: "what can be believed, in the " + f.st.Scope.String()}
	for _, m := range append(bench.Lanes[:], bench.E2E) {
		st := &f.scope.Stats[m]
		look, word := style.Dim, "absent"
		switch {
		case f.paceless(m):
			look, word = style.Warn, "bursts"
		case st.Readiness == bench.Ready:
			look, word = style.Good, "ready"
		case st.Readiness == bench.Few:
			look, word = style.Warn, "few"
		}
		parts := []ranked{{part{look, f.padded(word, 8)}, 0}, {part{style.FG, f.padded(" n "+count(st.N)+" "+samples(m), 20)}, 1}}
		if why := f.lacks(m, st); why != "" {
			parts = append(parts, ranked{part{style.Dim, " " + why}, 2})
		}
		f.fact(&s, m.String(), parts...)
	}
	if l := f.level; l != nil && f.st.Scope == Level {
		text := l.State.String()
		if why := shortfall(l); why != "" {
			text += ": " + why
		}
		f.say(&s, "level", inkIf(shortfall(l) != "", style.Warn), strconv.Itoa(l.ID)+", "+text)
	}
	return s
}

// lacks is what a number waits for; empty for one that is ready.
func (f *frame) lacks(m bench.Metric, st *bench.Stat) string {
	switch {
	case f.paceless(m):
		return "most answers came in one burst: waiting does not help"
	case st.Readiness == bench.Ready:
		return ""
	}
	if waits, young := f.young(m); young {
		return f.missing(m, waits)
	}
	if st.Need > 0 {
		return strconv.Itoa(st.Need) + " to go"
	}
	return "not ready"
}
