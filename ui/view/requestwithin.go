package view

import (
	"math"

	"redline/bench"
	"redline/ui/chart"
)

// String says what a list is held to: "TTFT 400 to 500 ms, 03:42 to 03:47".
func (w *Within) String() string {
	write, unit := chart.TickMillis, " ms"
	if w.Metric == bench.TPS {
		write, unit = chart.Tick, " tok/s"
	}
	text := w.Metric.String() + " "
	switch {
	case math.IsInf(w.To, 1):
		text += "from " + write(w.From)
	case w.From <= 0:
		text += "under " + write(w.To)
	default:
		text += write(w.From) + " to " + write(w.To)
	}
	if last := text[len(text)-1]; last >= '0' && last <= '9' || last == 'k' {
		text += unit
	}
	span := count(w.First) + " to " + count(w.Last)
	switch w.Across {
	case OverPrompt:
		return text + ", prompts of " + span + " tokens"
	case OverPosition:
		return text + ", tokens " + span
	}
	return text + ", " + stamp(w.Begin) + " to " + stamp(w.End)
}
