package main

import (
	"fmt"
	"strconv"
	"strings"

	"redline/bench"
)

// parseStages reads stages as they are written where a mode is in force. Rates have a unit, and then all loads must: a load without one may be meant as
// requests in flight. Beside --rate they are all rates.
func parseStages(text string, now bench.Mode) (*bench.Profile, error) {
	if now == bench.Open || !strings.ContainsRune(text, '/') {
		return bench.ParseProfile(text, now)
	}
	if bare := loadWithoutUnit(text); bare != "" {
		return nil, fmt.Errorf("profile: load %s: want a unit, as in %s/s or %s/m, for other loads of the profile are rates", bare, bare, bare)
	}
	return bench.ParseProfile(text, bench.Open)
}

// loadWithoutUnit is the first load of stages that is no rate; empty where all are. 0 is the same in both.
func loadWithoutUnit(stages string) string {
	for part := range strings.SplitSeq(strings.ToLower(stages), ",") {
		loads := strings.TrimSpace(part)
		switch word, rest, _ := strings.Cut(loads, " "); word {
		case "ramp":
			loads, _, _ = strings.Cut(rest, " in ")
		case "spike":
			loads, _, _ = strings.Cut(rest, " for ")
		default:
			loads, _, _ = strings.Cut(loads, ":")
		}
		for load := range strings.SplitSeq(loads, "..") {
			if n, err := strconv.ParseFloat(strings.TrimSpace(load), 64); err == nil && n != 0 {
				return strings.TrimSpace(load)
			}
		}
	}
	return ""
}
