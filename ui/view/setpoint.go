package view

import (
	"math"
	"strconv"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/style"
)

// rateWords is a rate with its unit: "2.5" and "/s"; a slow one that is whole in minutes, and long in seconds, is "15" and "/min".
func rateWords(n float64) (number, unit string) {
	if minute := n * 60; n > 0 && n < 1 && !short1(n) && math.Abs(minute-math.Round(minute)) < 1e-3 {
		return strconv.FormatFloat(math.Round(minute), 'f', 0, 64), "/min"
	}
	return perSecond(n), "/s"
}

// short1 tells whether a number has one decimal at most.
func short1(n float64) bool { return math.Abs(10*n-math.Round(10*n)) < 1e-6 }

// perSecond is a rate in requests per second.
func perSecond(n float64) string {
	switch {
	case !(n >= 0):
		return chart.Absent
	case n >= 10_000:
		return chart.Tick(n)
	case n > 0 && n < 0.001:
		return "<0.001"
	}
	text := strconv.FormatFloat(n, 'f', max(0, 3-digits(n)), 64)
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		text = strconv.FormatFloat(f, 'f', -1, 64)
	}
	return text
}

// digits is how many digits a number has before its point, 0 below 1.
func digits(n float64) int {
	d := 0
	for ; n >= 1; n /= 10 {
		d++
	}
	return d
}

// named is a load in one short word: "16", "2.5/s", "15/min".
func named(s bench.Setpoint) string {
	if s.Mode == bench.Closed {
		return slots(s.N)
	}
	number, unit := rateWords(s.N)
	return number + unit
}

// slots is a number of requests in flight.
func slots(n float64) string {
	if !(n >= 0 && n <= 1e15) {
		return chart.Absent
	}
	return strconv.FormatFloat(n, 'f', 0, 64)
}

// number is a load's number, and its unit where it has one: "req/s".
func number(s bench.Setpoint) (text, unit string) {
	if s.Mode == bench.Closed {
		return slots(s.N), ""
	}
	text, unit = rateWords(s.N)
	return text, "req" + unit
}

// moves is a change of load: "16 → 32", in one unit on both sides: "0.25/s → 0.5/s".
func moves(from, to bench.Setpoint) string {
	if from.Mode == bench.Open && to.Mode == bench.Open {
		_, a := rateWords(from.N)
		if _, b := rateWords(to.N); a != b {
			return perSecond(from.N) + "/s → " + perSecond(to.N) + "/s"
		}
	}
	if from.Mode != to.Mode {
		return titled(from) + " → " + titled(to)
	}
	return named(from) + " → " + named(to)
}

// titled is a load with what it counts: "concurrency 16", "rate 2.5/s".
func titled(s bench.Setpoint) string {
	if s.Mode == bench.Open {
		return "rate " + named(s)
	}
	return "concurrency " + named(s)
}

// changed is a change of load with its sign: "−8", "+0.5/s"; empty where it is none, and between modes, which count different things.
func changed(from, to bench.Setpoint) string {
	d := bench.Setpoint{Mode: to.Mode, N: to.N - from.N}
	switch {
	case from.Mode != to.Mode || from.N == to.N:
		return ""
	case to.Mode == bench.Closed:
		return chart.Signed(int64(max(min(d.N, 1e15), -1e15)))
	case d.N < 0:
		return "−" + named(bench.PerSecond(-d.N))
	}
	return "+" + named(d)
}

// opened tells whether the load that is driven is a rate.
func (f *frame) opened() bool { return f.live.Target.Mode == bench.Open }

// title is what the load is called where there is little room.
func (f *frame) title() string {
	if f.opened() {
		return "RATE"
	}
	return "CONC"
}

// step is what + and - add, in the unit of the mode in force.
func (f *frame) step() string {
	if f.opened() {
		return perSecond(f.st.Step) + "/s"
	}
	return slots(f.st.Step)
}

// stepped is the step behind a load: " ±4". A recording has none, since nothing moves it.
func (f *frame) stepped() []part {
	if f.st.Replay != nil {
		return nil
	}
	return []part{{style.Dim, " ±" + f.step()}}
}

// bound is the most that the load may be, which stands out where it is that: "max 64", "at --max-rate 3/s".
func (f *frame) bound() []part {
	most, ok := Most(f.live)
	switch {
	case !ok:
		return nil
	case f.live.Target.N >= most.N && most.N > 0:
		return []part{{style.Warn, "at " + BoundFlag(most.Mode) + " " + named(most)}}
	}
	return []part{{style.Dim, "max " + named(most)}}
}

// Most is the most that a run allows the load in force to be; ok is false where it has no bound.
func Most(s *bench.Snapshot) (bench.Setpoint, bool) { return MostOf(s.Run, s.Target.Mode) }

// MostOf is the most that a run allows a load of a mode to be; ok is false where it has no bound.
func MostOf(r *bench.Run, mode bench.Mode) (bench.Setpoint, bool) {
	switch {
	case r == nil:
		return bench.Setpoint{}, false
	case mode == bench.Open:
		return bench.PerSecond(r.MaxRate), r.MaxRate > 0 && r.MaxRate <= 1e9
	}
	return bench.InFlight(r.Max), r.Max > 0
}

// BoundFlag is the flag that sets the bound of a mode.
func BoundFlag(mode bench.Mode) string {
	if mode == bench.Open {
		return "--max-rate"
	}
	return "--max"
}

// work is the workload in force.
func (f *frame) work() *bench.Workload {
	if i := f.s.Work; i >= 0 && i < len(f.s.Run.Works) {
		return &f.s.Run.Works[i]
	}
	return &noWork
}

var noWork bench.Workload

// workName is the name of one of several workloads; with one there is nothing to tell apart.
func (f *frame) workName(i int) string {
	if works := f.s.Run.Works; len(works) > 1 && i >= 0 && i < len(works) {
		return works[i].Name
	}
	return ""
}

// levelName is a level's load, and its workload where that is not the present one; where the workload is all that differs, that alone.
func (f *frame) levelName(l *bench.Level) string {
	name := named(l.Load)
	if f.level == nil || l.Work == f.level.Work {
		return name
	}
	switch work := f.workName(l.Work); {
	case work == "":
	case l.Load == f.level.Load:
		return work
	default:
		return name + " " + work
	}
	return name
}
