package view

import (
	"strconv"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/chart"
	"redline/ui/layout"
	"redline/ui/style"
)

// compact draws Compact: two header lines, lanes of two rows, four number columns with Δ below.
func (f *frame) compact() {
	f.headLine()
	f.loadLine()
	f.pilotRule(f.loop())
	cause := f.cause()
	for i := range f.Cause {
		r := f.start().Blank(1).Cell(style.Strong, "LOAD", 5)
		f.causeLabel(r, &cause, i)
		f.draw(r, &cause, i)
		r.Put(style.Faint, f.g.Edge)
		if i == 0 && f.cursor.ok {
			f.cursorHead(r.Blank(1), r.Left()-1)
		} else if i == 0 {
			r.Right(style.Dim, "now", 7).Right(style.Dim, "p50", 7).Blank(1).Right(style.Dim, "p95", 7).Blank(1).Right(style.Dim, "p99", 7)
		}
		f.end()
	}
	for i, m := range bench.Lanes {
		lane := f.lane(i)
		for k := range f.Lane {
			r := f.laneStart(&lane, m, k)
			switch {
			case f.cursor.ok && k == 0:
				f.cursorNumbers(r.Blank(1), m, 3, 10)
			case f.cursor.ok:
				f.cursorRemark(r.Blank(1), m, k)
			case k == 0:
				f.compactNumbers(r, m)
			case k == 1:
				f.compactRemark(r, m)
			default:
				r.Blank(1)
				f.remark(r, m, k)
			}
			f.end()
		}
	}
	r := f.axisStart()
	f.axis().Cornered(r)
	r.Blank(1)
	f.dwell(r)
	f.end()
	f.errors()
	log := f.whyRow(f.Log)
	f.rule("")
	f.log(log)
	f.footer()
}

// laneStart writes a lane's name with what it plots below, its label and plot, up to its right edge.
func (f *frame) laneStart(lane *chart.Lane, m bench.Metric, y int) *style.Row {
	r := f.start()
	f.clickable(Hit{Spot: OnLane, Metric: m})
	switch f.pointed(r, m, y); {
	case y == 0:
		r.Put(f.nameInk(m), m.String())
	case y == 1 && distributed(m, f.percentile(m)):
		r.Put(style.Dim, f.plotted(m).String())
	}
	r.To(6)
	lane.Label(r, y, f.Label-r.Cells())
	f.draw(r, lane, y)
	return r.Put(style.Faint, f.g.Edge)
}

// loop is how requests are sent: in closed loop clients wait for their answers, and send less to a server that is slow.
func (f *frame) loop() string {
	if f.opened() {
		return "open loop, " + f.arrivals()
	}
	return "closed loop"
}

// axisStart begins the row of the time axis. Where lanes have no room for it, what is logarithmic stands there: those in ms.
func (f *frame) axisStart() *style.Row {
	r := f.start()
	if f.st.Log[action.Live] && f.Density < layout.Full {
		text := " ms log"
		if len(text) > f.Label-1 {
			text = " log"
		}
		r.Put(style.Dim, text)
	}
	return r.To(f.Label - 1)
}

// dwell is how long the level lasts and how much it holds, or what it lacks.
func (f *frame) dwell(r *style.Row) {
	l := f.level
	if f.cursor.ok {
		f.cursorLevel(r, r.Left()-1)
		return
	}
	if l == nil {
		return
	}
	if to, left, ok := ramping(f.s); ok && f.s.State == bench.Running {
		r.Put(style.Accent2, "on the way to "+named(to)).Put(style.Dim, ", "+length(left)+" to go")
		return
	}
	r.Put(style.Dim, "at "+named(l.Load)+": "+length(f.moment()-since(l)))
	n := l.Stats[bench.TTFT].N
	switch {
	case f.s.Moving.OK, l.State == bench.Moving:
		r.Put(style.Accent2, ", to "+named(f.s.Target))
	case f.s.State != bench.Running || l.Load.N <= 0:
		if n > 0 {
			r.Put(style.Dim, ", n "+count(n))
		}
	case silence(f.s) != "":
		r.Put(style.Warn, ", no token")
	case l.State == bench.Settled:
		r.Put(style.Dim, ", n "+count(n)).Put(style.Good, " ready")
	case l.State == bench.Unsettled:
		r.Put(style.Warn, ", unsettled")
	case shortfall(l) != "":
		text := shortfall(l)
		if f.st.Set.Width(text)+2 > r.Left() {
			text = "cannot settle"
		}
		r.Put(style.Warn, ", "+text)
	case f.piling:
		r.Put(style.Bad, ", backlog grows")
	default:
		r.Put(style.Accent2, ", "+l.State.String())
	}
}

// loadLine is the load control in one line: the number, the bar, the change, promises and spend.
func (f *frame) loadLine() {
	s := f.live
	r := f.start().Put(style.Dim, " "+f.title()+" ").Put(f.bigInk(), named(s.Target))
	if f.opened() {
		f.openLine(r)
		return
	}
	r.To(max(10, r.Cells()+1))
	right, _ := f.standing(append(f.promises(false), f.goodput()...), 30)
	end := f.W - f.width(right) - 1
	// The bar keeps ten cells, with a blank before and behind.
	tail := f.loadWords(end-r.Cells()-13, f.control().Max)
	bar := min(max(end-r.Cells()-f.width(tail)-3, 10), 60)
	f.control().Draw(r, bar)
	r.Blank(1)
	for _, p := range tail {
		r.Cut(p.look, p.text, end-r.Cells()-1)
	}
	f.rightAligned(r, right)
	f.end()
}

// openLine goes on with the load control of the open loop: what becomes of the arrivals first, and then how many are in flight, with a bar where there is
// room for one.
func (f *frame) openLine(r *style.Row) {
	bounds, right := f.stepped(), f.promises(false)
	if !f.piling {
		bounds = f.bounds()
		right, _ = f.standing(right, 22)
	}
	for _, p := range bounds {
		r.Put(p.look, p.text)
	}
	// Two blanks stand before what is at the right.
	end := f.W - f.width(right) - 2
	flying := []part{{style.Dim, "  in flight "}, {f.crowded(), count(max(f.live.InFlight, 0))}, {style.Dim, " of " + slots(float64(f.s.Run.Max))}}
	for _, p := range f.loadWords(end-r.Cells()-f.width(flying[:2])-1, -1) {
		r.Cut(p.look, p.text, end-r.Cells()-1)
	}
	if end-r.Cells()-f.width(flying[:2]) >= 1 {
		for _, p := range flying[:2] {
			r.Put(p.look, p.text)
		}
	}
	if left := end - r.Cells() - f.width(flying[2:]) - 2; left >= 0 {
		// A bar that ends elsewhere than at the bound says where.
		end, tail := f.control().Max, flying[2].text
		if end < f.s.Run.Max {
			tail = " " + strconv.Itoa(end) + "," + tail
		}
		if bar := min(left-1-f.st.Set.Width(tail)+f.width(flying[2:]), 40); bar >= 8 {
			r.Blank(1)
			f.control().Draw(r, bar)
			r.Put(style.Dim, tail)
		} else {
			r.Put(style.Dim, flying[2].text)
		}
	}
	f.rightAligned(r, right)
	f.end()
}

// loadWords are the bound, the step, and what the requests are doing, for so many cells; bar is where a bar before them ends, 0 without one,
// below 0 where another part tells of it.
func (f *frame) loadWords(room, bar int) []part {
	s := f.live
	var out []group
	one := func(rank int, parts ...part) { out = append(out, group{rank, parts}) }
	plan := f.following(max(room-2, 0))
	if plan == nil {
		plan = f.pilotBrief(max(room-2, 0))
	}
	if plan != nil {
		if bar <= 0 {
			plan = append([]part{{style.Dim, "  "}}, plan...)
		}
		one(1, plan...)
	} else if bar > 0 {
		bound := append(f.bound(), f.stepped()...)
		if bar < f.s.Run.Max {
			// The bar ends where its scale does, not at the bound that stands beside it.
			bound = append([]part{{style.Dim, "to " + strconv.Itoa(bar) + ", "}}, bound...)
		}
		one(0, bound...)
	}
	switch {
	case f.opened():
		out = append(out, f.openWords(bar != 0, room)...)
	case s.Moving.OK:
		words, load := toward(s)
		one(2, part{style.Strong, "  " + words + " " + load})
	case s.Held > 0:
		free := room - 7
		for _, g := range out {
			free -= f.width(g.parts)
		}
		one(2, part{style.Dim, "  held "}, part{style.Warn, f.held(free)})
	case s.Draining > 0:
		one(2, part{style.Accent2, "  draining " + strconv.Itoa(s.Draining)})
	default:
		if was, ok := f.was(); ok {
			one(3, part{style.Dim, "  was " + named(was)})
		}
		if share := f.s.Run.QuotaReserve; share > 0 && share <= 1 {
			one(4, part{style.Dim, "  reserve " + percent(bench.Some(100*share))})
		}
	}
	return f.groups(out, room)
}

// compactNumbers are now, p50, p95 and p99 in 30 cells, with the verdict in the cell behind the number that it is about.
func (f *frame) compactNumbers(r *style.Row, m bench.Metric) {
	g := f.figure(m)
	r.Right(f.nowInk(), f.nowText(m), 7)
	if m == bench.RPM || m == bench.TPM {
		text := g.text(g.Mean)
		if sound(g.Half) && sound(g.Mean) && !g.grey {
			text += "±" + spread(g.Half.V)
		}
		r.Blank(2).Put(g.ink(style.FG), text)
		return
	}
	ps := [3]bench.Percentile{bench.P50, bench.P95, bench.P99}
	if m == bench.TPS {
		ps = [3]bench.Percentile{bench.P50, bench.P5, bench.P1}
	}
	over := 0
	for i, p := range ps {
		text := slow(p, g, g.text(g.At(p)))
		look, mark, markLook := style.FG, "", style.FG
		if t, ok := f.threshold(m); ok && t.At == p {
			mark, markLook = f.verdict(m, g)
			if mark == f.g.Fail {
				look = style.Bad
			}
		}
		// A verdict of two cells takes one of the next column's, which are rarely all used.
		r.Right(g.ink(look), text, 7-over)
		over = max(f.st.Set.Width(mark)-1, 0)
		r.Put(markLook, mark)
		if mark == "" && i < 2 {
			r.Blank(1)
		}
	}
}

// compactQuota is the use of a quota in at most so many cells, by the server where it says so.
func (f *frame) compactQuota(r *style.Row, m bench.Metric, room int) {
	if text, look, ok := f.quotaUse(m, room); ok {
		r.Put(look, text)
		return
	}
	r.Put(style.Dim, f.spent(m))
}

// compactRemark is the unit or the use of a quota, and Δ.
func (f *frame) compactRemark(r *style.Row, m bench.Metric) {
	if f.ghostCompact(r, m) {
		return
	}
	r.Blank(2)
	st, young := f.young(m)
	text, look := f.delta(m)
	switch {
	case young:
		r.Put(style.Accent2, f.missing(m, st))
		return
	case m == bench.RPM || m == bench.TPM:
		room := r.Left()
		if text != "–" && text != "" {
			room -= f.st.Set.Width(text) + 4
		}
		f.compactQuota(r, m, room)
	case m == bench.TPS && sound(f.scope.OutputRate):
		r.Put(style.Dim, "out "+chart.Num(f.scope.OutputRate)+" tok/s")
	case m == bench.ITL && f.bursts():
		r.Put(style.Warn, "one burst: not streaming")
		return
	case m == bench.ITL && f.chunky():
		r.Put(style.Warn, "≈ "+chart.Num(bench.Some(f.s.PerEvent))+" tok/chunk")
	default:
		r.Put(style.Dim, laneUnit(m))
	}
	if text != "–" && text != "" {
		r.Put(style.Dim, "  "+f.deltaSign()+" ")
		if m == bench.ITL {
			r.Put(style.Dim, f.deltaOf(m).String()+" ")
		}
		r.Put(look, text)
		if m == bench.TTFT {
			r.Put(style.Dim, f.referenceWithin(r.Left()-1))
		}
	}
	if m != bench.TTFT {
		return
	}
	g := f.figure(m)
	if mark, look := f.verdict(m, g); mark == f.g.Fail {
		if why := f.broken(m, g, r.Left()-2); why != broken {
			// Of a number that keeps its promise nobody would see what breaks it.
			r.Blank(2).Put(look, why)
			return
		}
	}
	f.fromSchedule(r, "  ")
}
