package main

import (
	"path/filepath"
	"strings"
	"testing"

	"redline/bench"
)

func TestAProfileOfRatesHasAUnitAtEachLoad(t *testing.T) {
	file := filepath.Join(t.TempDir(), "flights.toml")
	writeFile(t, file, "[[stage]]\nload = 4\nfor = \"2s\"\n")
	env := own(t, "[profiles.mixed]\nstages = [\"4:2s\", \"ramp 1/s..3/s in 2s\"]\n")
	for _, row := range []struct {
		sentence string
		args     []string
		load     bench.Setpoint
		problem  string
	}{
		{"a number beside rates", []string{"--profile", "4:2s, ramp 1/s..3/s in 2s"}, bench.Setpoint{}, "4: want a unit, as in 4/s"},
		{"the beginning of a ramp", []string{"--profile", "ramp 1..3/s in 2s"}, bench.Setpoint{}, "1: want a unit, as in 1/s"},
		{"a spike", []string{"--profile", "4/s:2s, spike 150 for 2s"}, bench.Setpoint{}, "150: want a unit, as in 150/s"},
		{"one that is repeated", []string{"--profile", "4/s:2s, 5:2s x3"}, bench.Setpoint{}, "5: want a unit, as in 5/s"},
		{"nothing is nothing in both", []string{"--profile", "4/s:2s, ramp 0..3/s in 2s, 0:1s"}, bench.PerSecond(4), ""},
		{"rates alone", []string{"--profile", "4/s:2s, ramp ..150/m in 2s"}, bench.PerSecond(4), ""},
		{"requests in flight alone", []string{"--profile", "4:2s, spike 9 for 2s"}, bench.InFlight(4), ""},
		{"numbers beside --rate are rates", []string{"--rate", "2", "--profile", "4:2s, 120/m:2s"}, bench.PerSecond(4), ""},
		{"a file, whose path is no rate", []string{"--profile", file}, bench.InFlight(4), ""},
		{"a file beside --rate", []string{"--rate", "2", "--profile", file}, bench.PerSecond(4), ""},
		{"a table of the file of settings", []string{"--config", filepath.Join(env["XDG_CONFIG_HOME"], "redline", fileName), "--profile", "mixed"}, bench.Setpoint{}, "4: want a unit, as in 4/s"},
	} {
		s, _, found := resolved(t, t.TempDir(), nil, row.args...)
		text := strings.Join(found, "\n")
		if !strings.Contains(text, row.problem) || (row.problem == "") != (text == "") {
			t.Errorf("%s: problems %q, want %q", row.sentence, text, row.problem)
		}
		if got := s.load(); row.problem == "" && got != row.load {
			t.Errorf("%s: begins with %s, want %s", row.sentence, got, row.load)
		}
	}
}
