package view

import (
	"strconv"
	"strings"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/chart"
	"redline/ui/style"
)

// control is the bar: the slots as the gate has them, or in the open loop the requests in flight, whose number nobody sets.
func (f *frame) control() chart.Load {
	s := f.live
	out := chart.Load{Busy: max(s.InFlight-s.Draining, 0), Draining: max(s.Draining, 0), Held: max(s.Held, 0), Max: f.barEnd(), Mode: f.st.Graph}
	if !f.opened() {
		out.Target, out.Moving, out.Max = s.Target.Slots(), s.Moving.OK, max(out.Max, s.Target.Slots())
	}
	return out
}

// barEnd is the bar's end: the bound, or where that is far away a power of two with room for the next doubling, so that a step can be seen.
func (f *frame) barEnd() int {
	if !f.opened() {
		return max(int(f.tops()[bench.Closed]), 1)
	}
	top := float64(max(f.live.InFlight, 1))
	for _, l := range f.s.Levels {
		if l.Load.Mode == bench.Open && sound(l.InFlight) {
			top = max(top, l.InFlight.V)
		}
	}
	return int(min(scaleEnd(top), float64(max(f.s.Run.Max, 1))))
}

// loadRows are the three rows of the load control: the number in big digits, the bar with its ticks, and the state of the change.
func (f *frame) loadRows() {
	big, unit := number(f.live.Target)
	text := 4 + max(chart.BigWidth(f.st.Set, big), 7)
	if unit != "" {
		text = 5 + max(chart.BigWidth(f.st.Set, big)+1+len(unit), 7)
	}
	right := 44
	bar := min(max(f.W-text-right, 20), 100)
	standing := append(f.promises(true), f.goodput()...)
	if !f.factsFit(f.W - text - f.width(standing) - 3) {
		// What becomes of the arrivals is worth more than a word.
		standing = append(f.promises(false), f.goodput()...)
	}
	var spent bool
	for y := range 3 {
		r := f.start().Blank(2)
		chart.DrawBig(r, f.bigInk(), big, y)
		if y == unitRow(f.g.ASCII) && unit != "" {
			// The unit stands at the foot of the digits.
			r.Blank(1).Put(style.Dim, unit)
		}
		r.To(text)
		switch y {
		case 0:
			f.loadFacts(r, f.W-r.Cells()-f.width(standing)-3)
			standing, spent = f.standing(standing, f.W-r.Cells()-4)
			f.rightAligned(r, standing)
		case 1:
			bar -= f.barName(r, y)
			f.control().Draw(r, bar)
			f.rightAligned(r, f.change())
		case 2:
			f.barName(r, y)
			f.control().Ticks(r, bar)
			f.rightAligned(r, f.loadTail(!spent, f.W-r.Cells()-3))
		}
		f.end()
	}
}

// barName says beside the bar of the open loop, and beside its ticks, what they count, for the number above them counts something else; it tells how many
// cells that takes.
func (f *frame) barName(r *style.Row, y int) int {
	if !f.opened() {
		return 0
	}
	start, flying := r.Cells(), count(max(f.live.InFlight, 0))
	end := start + max(len("in flight ")+len(flying), 12) + 1
	if y == 1 {
		r.Put(style.Dim, "in flight ").Put(f.crowded(), flying)
	} else {
		r.Put(style.Dim, "requests")
	}
	r.To(end)
	return r.Cells() - start
}

// unitRow is the row of big digits beside which their unit stands.
func unitRow(ascii bool) int {
	if ascii {
		return chart.BigRows / 2
	}
	return chart.BigRows - 1
}

func (f *frame) bigInk() style.Token {
	if f.live.State == bench.Running {
		return style.Big
	}
	return style.Dim
}

// loadFacts writes what the load does to the requests, as much as there is room for.
func (f *frame) loadFacts(r *style.Row, room int) {
	title, facts := part{style.Strong, "CONCURRENCY"}, []group{{0, []part{{style.Dim, "  closed loop  "}}}}
	if f.opened() {
		title, facts[0].parts[0].text = part{style.Strong, "RATE"}, "  open loop, "+f.arrivals()
		facts = append(facts, f.openFacts(room-f.st.Set.Width(title.text))...)
	} else {
		facts = append(facts, f.slotFacts(f.W)...)
	}
	r.Put(title.look, title.text)
	for _, p := range f.groups(facts, room-f.st.Set.Width(title.text)) {
		r.Put(p.look, p.text)
	}
}

// factsFit tells whether what becomes of the arrivals fits into so many cells.
func (f *frame) factsFit(room int) bool {
	if !f.opened() {
		return true
	}
	room -= f.st.Set.Width("RATE  open loop, " + f.arrivals())
	for _, g := range f.openFacts(room) {
		if g.rank < 3 {
			room -= f.width(g.parts)
		}
	}
	return room >= 0
}

// arrivals is how those of the workload in force are spread.
func (f *frame) arrivals() string { return f.live.Run.ArrivalsOf(f.live.Work).String() }

// fact is a figure with its name before it.
func fact(name, value string, look style.Token, rank int) group {
	return group{rank, []part{{style.Dim, "   " + name + " "}, {look, value}}}
}

// slotFacts is what the slots of the closed loop are doing.
func (f *frame) slotFacts(room int) []group {
	s := f.live
	var out []group
	if was, ok := f.was(); ok {
		out = append(out, fact("was", named(was), style.FG, 3))
	}
	out = append(out, fact("in use", count(max(s.InFlight, 0)), style.FG, 1))
	if s.Draining > 0 {
		out = append(out, fact("draining", count(s.Draining), style.Accent2, 2))
	}
	switch {
	case s.Moving.OK:
		words, load := toward(s)
		out = append(out, fact(words, load, style.Strong, 0))
	case s.Held > 0:
		out = append(out, fact("held", f.held(room), style.Warn, 0))
	}
	return out
}

// was is the load before the present one.
func (f *frame) was() (bench.Setpoint, bool) {
	if f.live.Moving.OK && f.level != nil {
		return f.level.Was, true
	}
	return f.live.Was, f.live.Changed.OK && f.live.Was != f.live.Target
}

// held is how many slots wait, why, and how long still, where there is room for that.
func (f *frame) held(room int) string {
	out := strconv.Itoa(f.live.Held) + " (" + f.live.HeldBy
	if next := ", next 99 s)"; f.st.Set.Width(out)+len(next) > room {
		return out + ")"
	}
	if left := f.live.HeldNext.At - f.live.At + 500*time.Millisecond; f.live.HeldNext.OK && left >= time.Second {
		out += ", next " + length(left)
	}
	return out + ")"
}

// standing is the promises, the goodput and the spend, as many as there is room for; it tells whether the spend is among them.
func (f *frame) standing(out []part, room int) (all []part, spent bool) {
	if yield := f.yield(); yield != nil {
		// Some cells more, so that it does not come and go with the digits beside it.
		if money := append(f.spend(true), *yield); len(money) > 1 && f.width(out)+f.width(money)+6 <= room {
			return append(out, money...), true
		}
	}
	for _, pace := range []bool{true, false} {
		if money := f.spend(pace); money != nil && f.width(out)+f.width(money) <= room {
			return append(out, money...), true
		}
	}
	return out, false
}

// promises is the chip of the thresholds: how many are broken, or else kept; long says so in a word. Quotas are not among them.
func (f *frame) promises(long bool) []part {
	kept, broken, all := 0, 0, 0
	for _, t := range f.s.Run.Thresholds {
		if t.Quota() {
			continue
		}
		all++
		switch v := t.Judge(f.scope); {
		case v.Known && v.Broken:
			broken++
		case v.Known:
			kept++
		}
	}
	of := " of " + strconv.Itoa(all)
	switch {
	case all == 0:
		return nil
	case broken > 0:
		text := strconv.Itoa(broken) + of
		if long {
			text += " broken"
		}
		return []part{{style.Dim, "SLO "}, {style.Bad, f.g.Fail + " " + text}}
	case kept == 0:
		return []part{{style.Dim, "SLO –" + of}}
	case kept == all:
		text := strconv.Itoa(kept) + of
		if !long {
			text = strconv.Itoa(kept) + "/" + strconv.Itoa(all)
		}
		return []part{{style.Dim, "SLO "}, {style.Good, f.g.OK + " " + text}}
	}
	return []part{{style.Dim, "SLO "}, {style.FG, "~ " + strconv.Itoa(kept) + of}}
}

func (f *frame) goodput() []part {
	if !sound(f.scope.Goodput) || !f.measured() {
		return nil
	}
	out := []part{{style.Dim, "   goodput "}, {style.FG, reckoned(f.scope.GoodputRough) + portion(f.scope.Goodput)}}
	if f.scope.Ungraded > 0 {
		// Those before were held to other promises.
		out[0].text = "   goodput since SLO change "
	}
	return out
}

// reckoned is the sign of a number that was not counted.
func reckoned(rough bool) string {
	if rough {
		return "≈"
	}
	return ""
}

// measured tells whether requests can be held to every promise: what was not measured cannot be broken, and must not look kept.
func (f *frame) measured() bool {
	for _, t := range f.s.Run.Thresholds {
		if !t.Quota() && t.Metric != bench.Errors && (f.paceless(t.Metric) || f.scope.Stats[t.Metric].N == 0) {
			return false
		}
	}
	return true
}

// spend is the cost so far and its pace; tokens where there is no price. Near the budget it warns.
func (f *frame) spend(pace bool) []part {
	sp := &f.live.Spend
	look := style.FG
	var text, per string
	switch {
	case sound(sp.Cost):
		text = money(sp.Cost.V)
		if sp.Budget > 0 {
			text += " of " + money(sp.Budget)
			look = nearing(sp.Cost.V / sp.Budget)
		}
		if sound(sp.PerHour) {
			per = money(sp.PerHour.V) + "/h"
		}
	case sp.In+sp.Out > 0:
		text = amount(float64(sp.In + sp.Out))
		if sp.BudgetTokens > 0 {
			text += " of " + chart.Tick(float64(sp.BudgetTokens))
			look = nearing(float64(sp.In+sp.Out) / float64(sp.BudgetTokens))
		}
		text += " tok"
		if sound(sp.PerHour) {
			per = chart.Num(sp.PerHour) + "/h"
		}
	default:
		return nil
	}
	if pace && per != "" {
		return []part{{look, "   " + text}, {style.Dim, " · " + per}}
	}
	return []part{{look, "   " + text}}
}

// nearing is the look of a share of a budget.
func nearing(share float64) style.Token {
	switch {
	case share >= 1:
		return style.Bad
	case share >= 0.8:
		return style.Warn
	}
	return style.FG
}

// change tells who drives the load where it is a profile, or what the last change was and how far the level has come.
func (f *frame) change() []part {
	s := f.live
	if plan := f.following(42); plan != nil {
		return plan
	}
	if s.Moving.OK && f.st.Replay == nil {
		return []part{{style.Dim, f.st.Keys.Key(action.Undo) + " takes the burst back"}}
	}
	if !s.Changed.OK || s.Changed.At > s.At {
		if f.live != f.s {
			return nil
		}
		return f.settling(false)
	}
	var out []part
	if d := changed(s.Was, s.Target); d != "" {
		out = append(out, part{style.FG, d})
	}
	if !resting(s) {
		text := length(s.At-s.Changed.At) + " ago"
		if len(out) > 0 {
			text = ", " + text
		}
		out = append(out, part{style.Dim, text})
	}
	if rest := f.settling(false); rest != nil && f.live == f.s {
		if len(out) > 0 {
			out = append(out, part{style.Dim, " · "})
		}
		out = append(out, rest...)
	}
	return out
}

// loadTail is the step and the bound, and before them what else bears on the load, as much as there is room for; the spend where it found none above.
func (f *frame) loadTail(spend bool, room int) []part {
	step := f.bound()
	if f.st.Replay == nil {
		step = append([]part{{style.Dim, "step ±" + f.step() + " · "}}, step...)
	}
	most := ""
	if f.opened() {
		if most = slots(float64(f.s.Run.Max)) + " in flight"; len(step) > 1 {
			most = ", " + most
		} else {
			most = "max " + most
		}
	}
	var out []group
	if share := f.s.Run.QuotaReserve; share > 0 && share <= 1 {
		out = append(out, group{1, []part{{style.Dim, "reserve " + percent(bench.Some(100*share)) + " · "}}})
	}
	money := f.spend(false)
	switch cpu := bench.Some(100 * f.live.Health.CPU); {
	case spend && money != nil:
		money[0].text = strings.TrimLeft(money[0].text, " ")
		out = append(out, group{2, append(money, part{style.Dim, " · "})})
	case cpu.V > 0.5 && sound(cpu):
		out = append(out, group{3, []part{{style.Dim, "cpu " + percent(cpu) + " · "}}})
	}
	return f.groups(append(out, group{0, step}, group{1, []part{{style.Dim, most}}}), room)
}
