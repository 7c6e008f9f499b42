package view

import (
	"math"
	"strconv"
	"strings"
	"time"

	"redline/bench"
	"redline/ui/style"
)

// onCruise is the cruise that has the load; nil without one.
func onCruise(s *bench.Snapshot) *bench.Cruising {
	if c := s.Cruising; c != nil && c.Cruise != nil && !c.Ended.OK && s.State != bench.Done {
		return c
	}
	return nil
}

// cruised is the last cruise, where it is over; nil else.
func cruised(s *bench.Snapshot) *bench.Cruising {
	if c := s.Cruising; c != nil && c.Cruise != nil && onCruise(s) == nil {
		return c
	}
	return nil
}

// cruiseParts are what a cruise keeps, and what that comes to, by importance: "CRUISE TTFT p95 at 500 ms · capacity 38 ±2 · kept 95.3%".
func (f *frame) cruiseParts(c *bench.Cruising) []group {
	out := []group{{0, []part{{style.Accent2, "CRUISE"}, {style.Strong, " " + edgeWords(c.Cruise.Threshold)}}}}
	add := func(rank int, parts ...part) {
		out = append(out, group{rank, append([]part{{style.Dim, " · "}}, parts...)})
	}
	switch left := c.Frozen.At - f.live.At; {
	case f.waits() != "":
		add(1, part{style.Warn, f.waits()})
	case c.Frozen.OK && left > 0:
		add(1, part{style.Warn, "stands still for " + length(left+time.Second-1) + ": 429"})
	case silence(f.live) != "":
		add(1, part{style.Warn, "stands still: " + silence(f.live)})
	}
	if text := capacity(c); text != "" {
		add(1, part{style.Dim, "capacity "}, part{style.Strong, text})
	} else {
		add(2, part{style.Dim, "judged " + strconv.Itoa(max(c.Epoch, 0)) + " times"})
	}
	if sound(c.Kept) {
		add(2, keptParts(c)...)
	}
	if sound(c.Share) {
		side := " over"
		if c.Cruise.Threshold.Floor {
			side = " under"
		}
		add(3, part{style.Dim, "at this load "}, part{style.FG, rough(c.Worth < fewRequests) + portion(bench.Some(100*c.Share.V)) + side}, part{style.Dim, ", aim " + portion(bench.Some(100*c.Aim))})
	}
	return out
}

// fewRequests is how many requests make no more than a rough share.
const fewRequests = 50

// rough marks a share that rests on few requests.
func rough(few bool) string {
	if few {
		return "~"
	}
	return ""
}

// keptParts are the share of requests that kept the promise: of how many, while they are few.
func keptParts(c *bench.Cruising) []part {
	out := []part{{style.Dim, "kept "}, {style.FG, portion(bench.Some(100 * c.Kept.V))}}
	if c.Owed > 0 && c.Owed < fewRequests {
		out = append(out, part{style.Dim, " of " + count(c.Owed)})
	}
	return out
}

// edgeWords are the promise that a cruise keeps at its edge: "TTFT p95 at 500 ms".
func edgeWords(t bench.Threshold) string {
	return subject(t) + " at " + strings.TrimLeft(limitText(t), "≤≥")
}

// capacity is the load over the last judgements with its spread: "38 ±2", "7.2 ±0.3/s"; empty before there are enough.
func capacity(c *bench.Cruising) string {
	if !sound(c.Capacity) {
		return ""
	}
	number := func(v float64) string {
		if c.Mode == bench.Open {
			return perSecond(math.Round(v*100) / 100)
		}
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	text := number(c.Capacity.V)
	if sound(c.Spread) {
		text += " ±" + number(c.Spread.V)
	}
	if c.Mode == bench.Open {
		text += "/s"
	}
	return text
}

// CruiseWords are what a cruise has come to, in one line: "TTFT p95 at 500 ms for 4m10s · capacity 38 ±2 · kept 95.3%".
func CruiseWords(c *bench.Cruising, now time.Duration) string {
	if c == nil || c.Cruise == nil {
		return ""
	}
	end := now
	if c.Ended.OK {
		end = c.Ended.At
	}
	words := []string{edgeWords(c.Cruise.Threshold) + " for " + length(end-c.Began)}
	if text := capacity(c); text != "" {
		words = append(words, "capacity "+text)
	}
	if sound(c.Kept) {
		words = append(words, "kept "+portion(bench.Some(100*c.Kept.V)))
	}
	if c.Ended.OK && c.Why != "" {
		words = append(words, bench.Clause(c.Why))
	}
	return strings.Join(words, " · ")
}

// cruisedParts are what the last cruise came to, for a minute after its end.
func (f *frame) cruisedParts(c *bench.Cruising) []group {
	if !c.Ended.OK || f.live.At-c.Ended.At > leftFor {
		return nil
	}
	head := []part{{style.Warn, "cruise let go"}}
	if c.Why != "" {
		head = append(head, part{style.FG, ": " + bench.Clause(c.Why)})
	}
	out := []group{{0, head}}
	if text := capacity(c); text != "" {
		out = append(out, group{1, []part{{style.Dim, " · capacity "}, {style.Strong, text}}})
	}
	if sound(c.Kept) {
		out = append(out, group{2, append([]part{{style.Dim, " · "}}, keptParts(c)...)})
	}
	return out
}
