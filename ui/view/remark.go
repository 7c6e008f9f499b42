package view

import (
	"redline/bench"
	"redline/ui/chart"
	"redline/ui/layout"
	"redline/ui/style"
)

// remark is line y (from 1) beside a lane: what the numbers are held against, and what else belongs to them.
func (f *frame) remark(r *style.Row, m bench.Metric, y int) {
	switch {
	case y == 1 && (m == bench.RPM || m == bench.TPM):
		f.quota(r, m)
	case y == 1:
		f.promise(r, m)
	case y == 2:
		f.companion(r, m)
	case y == 3:
		f.context(r, m)
	case y == 4:
		f.another(r, m)
	}
}

// promise is the threshold in words, or what a young level still lacks.
func (f *frame) promise(r *style.Row, m bench.Metric) {
	g := f.figure(m)
	if st, ok := f.young(m); ok {
		if g.grey {
			r.Put(style.Faint, "grey: level at "+f.levelName(g.from)+" · ")
		}
		r.Put(style.Accent2, f.missing(m, st))
		return
	}
	t, ok := f.threshold(m)
	if !ok {
		r.Put(style.Faint, "no promise set")
		f.compared(r, m, " · ")
		return
	}
	r.Put(style.Dim, "SLO "+t.At.String()+" "+inWords(t))
	if f.paceless(m) {
		r.Blank(2).Put(style.Warn, "not known")
		return
	}
	mark, look := f.verdict(m, g)
	why := f.broken(m, g, f.beside(r)-2)
	// That a number breaks its promise is seen in it; what else does is said first.
	if m == bench.TTFT && (mark != f.g.Fail || why == broken) && f.fromSchedule(r, " · ") {
		return
	}
	if mark == f.g.Fail {
		r.Blank(2).Put(look, why)
		if m == bench.TTFT && why != broken && f.fromSchedule(r, " · ") {
			return
		}
	}
	f.compared(r, m, " · ")
}

// fromSchedule adds the same latency as it is from the instant at which the request should have gone; false where there is none, or no room.
func (f *frame) fromSchedule(r *style.Row, gap string) bool {
	st, p := &f.scope.DueTTFT, f.key(bench.TTFT)
	if v := st.At(p); f.s.Target.Mode == bench.Open && st.Readiness != bench.Absent && sound(v) {
		text := gap + "from schedule "
		if f.st.Set.Width(text)+6 <= f.beside(r) {
			g := figure{Stat: st, few: st.Readiness == bench.Few, millis: true}
			r.Put(style.Dim, text).Put(g.ink(style.FG), g.text(v))
			return true
		}
	}
	return false
}

// compared adds what Δ compares, which is not always the number that the promise is about.
func (f *frame) compared(r *style.Row, m bench.Metric, gap string) {
	g := f.figure(m)
	if m == bench.ITL && sound(g.Mean) {
		r.Put(style.Dim, gap+"mean ").Put(g.ink(style.FG), g.text(g.Mean))
		gap = ", "
	}
	if f.compares() {
		r.Put(style.Dim, gap+f.deltaSign()+" "+f.deltaOf(m).String())
	}
}

// companion is the line under it.
func (f *frame) companion(r *style.Row, m bench.Metric) {
	if f.ghostRow(r, m) {
		return
	}
	switch m {
	case bench.TTFT:
		f.before(r, m)
	case bench.ITL:
		if f.bursts() {
			text := "streams come in one burst: not really streaming"
			if f.st.Set.Width(text) > f.beside(r) {
				text = "all in one burst: not really streaming"
			}
			r.Put(style.Warn, text)
			return
		}
		if f.chunky() {
			r.Put(style.Warn, "≈ "+chart.Num(bench.Some(f.s.PerEvent))+" tok/chunk: gap ÷ tokens")
			return
		}
		g := f.figure(m)
		if sound(g.P50) && sound(g.P99) && g.P50.V > 0 {
			r.Put(style.Dim, "p99÷p50 "+chart.Num(bench.Some(g.P99.V/g.P50.V))+" · ")
		}
		look := style.Dim
		if f.scope.Stalls > 0 {
			look = style.Warn
		}
		r.Put(look, plural(f.scope.Stalls, "stall"))
		if f.Density >= layout.Full {
			r.Put(look, " over "+length(f.s.Run.Stall))
		}
	case bench.TPS:
		if sound(f.scope.OutputRate) {
			r.Put(style.FG, chart.Num(f.scope.OutputRate)).Put(style.Dim, " tok/s out, all streams")
			if text := ", " + chart.Num(f.scope.Chars) + " char/s"; sound(f.scope.Chars) && f.st.Set.Width(text) <= f.beside(r) {
				r.Put(style.Dim, text)
			}
		}
	case bench.RPM:
		f.counts(r, f.beside(r))
	case bench.TPM:
		f.tokens(r)
	}
}

// tokens are both parts of TPM, where their counts come from, and what was for nothing.
func (f *frame) tokens(r *style.Row) {
	var parts []ranked
	gap := ""
	if sound(f.scope.PerMinuteIn) && sound(f.scope.PerMinuteOut) {
		parts = append(parts, ranked{part{style.Dim, "in " + chart.Num4(f.scope.PerMinuteIn) + ", out " + chart.Num4(f.scope.PerMinuteOut)}, 0},
			ranked{part{style.Dim, " per min"}, 2})
		gap = ", "
	}
	if f.counted() {
		from := f.source()
		from.text = gap + "by " + from.text
		parts = append(parts, ranked{from, 1})
		gap = ", "
	}
	if f.scope.Wasted > 0 {
		parts = append(parts, ranked{part{style.Dim, gap + "wasted " + amount(float64(f.scope.Wasted))}, 3})
	}
	for _, p := range f.fitting(parts, f.beside(r)) {
		r.Put(p.look, p.text)
	}
}

// before is the metric at the level that Δ compares with, the worst of it too.
func (f *frame) before(r *style.Row, m bench.Metric) {
	if !f.compares() {
		if in, _ := f.lengths(); in != "" && m == bench.TTFT {
			r.Put(style.Dim, "prompt "+in+" tok")
		} else if m != bench.TTFT {
			f.resting(r, m)
		}
		return
	}
	p := f.key(m)
	was := &f.reference.Stats[m]
	v := was.At(p)
	if !sound(v) {
		return
	}
	head := "was "
	if f.raced() {
		head = "ghost "
	}
	r.Put(style.Dim, head+p.String()+" ")
	if t, ok := f.threshold(m); ok {
		switch held := t.Judge(&f.reference.Summary); {
		case !held.Known:
		case held.Broken:
			r.Put(style.Bad, f.g.Fail).Blank(1)
		default:
			r.Put(style.Good, f.g.OK).Blank(1)
		}
	}
	few := about(was.Readiness != bench.Ready)
	r.Put(style.FG, few+inUnits(m, v)).Put(style.Dim, " at "+f.loadOf(f.reference))
	switch {
	case m.HigherIsBetter() && p != bench.P1 && sound(was.P1):
		// Of speeds the slowest are the worst.
		r.Put(style.Dim, ", slowest 1% "+chart.Num(was.P1))
	case !m.HigherIsBetter() && sound(was.Max):
		r.Put(style.Dim, ", worst "+inUnits(m, was.Max))
	}
}

// context fills a fourth line where lanes have one.
func (f *frame) context(r *style.Row, m bench.Metric) {
	switch m {
	case bench.TTFT:
		if in, _ := f.lengths(); in != "" && f.compares() {
			// Where nothing is compared the line above says it.
			r.Put(style.Dim, "prompt "+in+" tok · ")
		}
		f.resting(r, m)
	case bench.ITL:
		f.before(r, m)
	case bench.TPS:
		f.before(r, m)
	case bench.RPM:
		gap := ""
		if sound(f.scope.RPS) {
			r.Put(style.FG, chart.Num(f.scope.RPS)).Put(style.Dim, " req/s")
			gap = " · "
		}
		if sound(f.scope.GoodPerMinute) && f.measured() {
			good := gap + "good "
			if f.scope.Ungraded > 0 {
				// Those before were held to other promises, and are in no such rate.
				good = gap + "good since SLO change "
			}
			r.Put(style.Dim, good+reckoned(f.scope.GoodRateRough)+chart.Num(f.scope.GoodPerMinute)+" req/m")
		}
	case bench.TPM:
		// Where the server states no quota the second row says it.
		if len(f.quotas(m)) > 0 {
			r.Put(style.Dim, f.spent(m))
		} else if in, out := f.scope.PromptTokens, f.scope.AnswerTokens; sound(in) && sound(out) {
			r.Put(style.Dim, "a request "+whole(in)+" in, "+whole(out)+" out")
		}
	}
}

// resting is on how many samples of the scope a lane's numbers rest, and the worst of them: "level: n 34 039 tokens · max 412".
func (f *frame) resting(r *style.Row, m bench.Metric) {
	g := f.figure(m)
	if g.N < 1 {
		return
	}
	parts := []ranked{{part{style.Dim, f.st.Scope.String() + ": n " + count(g.N)}, 0}, {part{style.Dim, " " + samples(m)}, 2}}
	if !m.HigherIsBetter() && sound(g.Max) {
		parts = append(parts, ranked{part{style.Dim, " · max " + inUnits(m, g.Max)}, 1})
	}
	for _, p := range f.fitting(parts, f.beside(r)) {
		r.Put(p.look, p.text)
	}
}
