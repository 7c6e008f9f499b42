package view

import (
	"strconv"
	"time"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/style"
)

// control is the load as the gate has it.
func (f *frame) control() chart.Load {
	s := f.live
	busy := max(s.InFlight-s.Draining, 0)
	return chart.Load{Busy: busy, Draining: max(s.Draining, 0), Held: max(s.Held, 0), Target: s.Target.Slots(), Max: max(f.barEnd(), s.Target.Slots()), Moving: s.Moving.OK}
}

// barEnd is the bar's end: the bound, or where that is far away a power of two with room for the next doubling, so that a step can be seen.
func (f *frame) barEnd() int {
	most := max(f.s.Run.Max, f.s.Target.Slots(), 1)
	end := 16
	for end < 2*f.peak() && end < most {
		end *= 2
	}
	return min(end, most)
}

// loadRows are the three rows of the load control: the number in big digits, the bar with its ticks, and the state of the change.
func (f *frame) loadRows() {
	number := f.live.Target.String()
	text := 4 + max(chart.BigWidth(f.st.Set, number), 7)
	right := 44
	bar := min(max(f.W-text-right, 20), 100)
	for y := range 3 {
		r := f.start().Blank(2)
		chart.DrawBig(r, f.bigInk(), number, y)
		r.To(text)
		switch y {
		case 0:
			f.loadFacts(r)
			f.rightAligned(r, f.standing(f.W-r.Cells()-2))
		case 1:
			f.control().Draw(r, bar)
			f.rightAligned(r, f.change())
		case 2:
			f.control().Ticks(r, bar)
			f.rightAligned(r, f.loadTail())
		}
		f.end()
	}
}

func (f *frame) bigInk() style.Token {
	if f.live.State == bench.Running {
		return style.Big
	}
	return style.Dim
}

// loadFacts writes what the slots are doing.
func (f *frame) loadFacts(r *style.Row) {
	s := f.live
	r.Put(style.Strong, "CONCURRENCY").Put(style.Dim, "  closed loop")
	gap := 5
	put := func(label, value string, look style.Token) {
		r.Blank(gap).Put(style.Dim, label+" ").Put(look, value)
		gap = 3
	}
	if was, ok := f.was(); ok {
		put("was", was.String(), style.FG)
	}
	put("in use", count(max(s.InFlight, 0)), style.FG)
	if s.Draining > 0 {
		put("draining", count(s.Draining), style.Accent2)
	}
	if s.Moving.OK {
		put("moving to", s.Target.String(), style.Strong)
	} else if s.Held > 0 {
		put("held", f.held(f.W), style.Warn)
	}
}

// was is the load before the present one.
func (f *frame) was() (bench.Setpoint, bool) {
	if f.live.Moving.OK && f.level != nil {
		return f.level.Was, true
	}
	return f.live.Was, f.live.Changed.OK
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

// standing is the promises, the goodput and the spend, as many as there is room for.
func (f *frame) standing(room int) []part {
	out := append(f.promises(), f.goodput()...)
	if money := f.spend(true); f.width(out)+f.width(money) <= room {
		out = append(out, money...)
	} else if money := f.spend(false); f.width(out)+f.width(money) <= room {
		out = append(out, money...)
	}
	return out
}

// promises is the chip of the thresholds kept: quotas are not among them.
func (f *frame) promises() []part {
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
	text := strconv.Itoa(kept) + "/" + strconv.Itoa(all)
	switch {
	case all == 0:
		return nil
	case broken > 0:
		return []part{{style.Dim, "SLO "}, {style.Bad, f.g.Fail + " " + text}}
	case kept == 0:
		return []part{{style.Dim, "SLO – of " + strconv.Itoa(all)}}
	case kept == all:
		return []part{{style.Dim, "SLO "}, {style.Good, f.g.OK + " " + text}}
	}
	return []part{{style.Dim, "SLO "}, {style.FG, "~ " + text}}
}

func (f *frame) goodput() []part {
	if !sound(f.scope.Goodput) || !f.measured() {
		return nil
	}
	return []part{{style.Dim, "   goodput "}, {style.FG, percent(f.scope.Goodput)}}
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
		text = chart.Num(bench.Some(float64(sp.In + sp.Out)))
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

// change tells what the last change was and how far the level has come.
func (f *frame) change() []part {
	s := f.live
	if s.Moving.OK {
		return []part{{style.Dim, "u takes the burst back"}}
	}
	if !s.Changed.OK || s.Changed.At > s.At {
		if f.live != f.s {
			return nil
		}
		return f.settling(false)
	}
	out := []part{{style.FG, chart.Signed(int64(s.Target.N - s.Was.N))}, {style.Dim, ", " + length(s.At-s.Changed.At) + " ago"}}
	if rest := f.settling(false); rest != nil && f.live == f.s {
		out = append(append(out, part{style.Dim, " · "}), rest...)
	}
	return out
}

func (f *frame) loadTail() []part {
	text := "step ±" + f.step() + " · max " + strconv.Itoa(f.s.Run.Max)
	if f.live.Health.CPU > 0.005 && sound(bench.Some(f.live.Health.CPU)) {
		text = "cpu " + percent(bench.Some(100*f.live.Health.CPU)) + " · " + text
	}
	if share := f.s.Run.QuotaReserve; share > 0 && share <= 1 {
		text = "reserve " + percent(bench.Some(100*share)) + " · " + text
	}
	return []part{{style.Dim, text}}
}

// step is what + and - add, in the unit of the mode in force.
func (f *frame) step() string { return strconv.FormatFloat(f.st.Step, 'g', 4, 64) }

// work is the workload in force.
func (f *frame) work() bench.Workload {
	if i := f.s.Work; i >= 0 && i < len(f.s.Run.Works) {
		return f.s.Run.Works[i]
	}
	return bench.Workload{}
}
