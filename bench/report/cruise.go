package report

import (
	"fmt"
	"strings"

	"redline/bench"
)

// cruiseSentence is what becomes of a cruise.
func cruiseSentence(e bench.Event, text string) string {
	words := e.Kind.String()
	if e.N == bench.CruiseMoves && e.From.N > 0 {
		words += fmt.Sprintf(" %s to %s", e.From, e.To)
	}
	return strings.TrimSpace(words + " " + strings.TrimPrefix(text, "cruise "))
}

// cruiseFields are the fields of a plain line that tell of a cruise, from its beginning on; none in a run without one.
func cruiseFields(s *bench.Snapshot) string {
	c := s.Cruising
	if c == nil || c.Cruise == nil {
		return ""
	}
	state := "on"
	if c.Ended.OK {
		state = "over"
	}
	over, kept := c.Share, c.Kept
	over.V, kept.V = 100*over.V, 100*kept.V
	return fmt.Sprintf(" cruise=%s cruise.promise=%s cruise.over=%s cruise.kept=%s capacity=%s", state, c.Cruise.Threshold, share(over), share(kept), number(c.Capacity))
}

// writeCruise is what the last cruise came to.
func writeCruise(b *strings.Builder, s *bench.Snapshot, end Options, width int) {
	if text := end.cruised(s); text != "" {
		entry(b, "cruise", text, width)
	}
}

// reportCruise is the last cruise of a saved summary; loads are in the unit of the loop.
type reportCruise struct {
	Promise  string   `json:"promise"`
	Mode     string   `json:"loop"`
	Least    *float64 `json:"least"`
	Most     *float64 `json:"most"`
	Capacity *float64 `json:"capacity"`
	Spread   *float64 `json:"capacity_sd"`
	Kept     *float64 `json:"kept_percent"`
	Over     *float64 `json:"over_percent"`
	Aim      *float64 `json:"aim_percent"`
	Judged   int      `json:"judged"`
	BeganS   *float64 `json:"began_at_s"`
	EndedS   *float64 `json:"ended_at_s"`
	Because  string   `json:"because"`
}

// reportCruiseOf is the last cruise of a run; nil without one.
func reportCruiseOf(s *bench.Snapshot) *reportCruise {
	c := s.Cruising
	if c == nil || c.Cruise == nil {
		return nil
	}
	over, kept := c.Share, c.Kept
	over.V, kept.V = 100*over.V, 100*kept.V
	return &reportCruise{Promise: c.Cruise.Threshold.String(), Mode: c.Mode.String(), Least: finite(c.Cruise.Least), Most: finite(c.Cruise.Most), Capacity: known(c.Capacity), Spread: known(c.Spread), Kept: known(kept),
		Over: known(over), Aim: finite(100 * c.Aim), Judged: c.Epoch, BeganS: inSeconds(c.Began), EndedS: markSeconds(c.Ended), Because: Printable(c.Why)}
}
