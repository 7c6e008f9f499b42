package view

import (
	"testing"

	"redline/bench"
)

func TestLoadsAreNamedInTheirUnit(t *testing.T) {
	for _, c := range []struct {
		load bench.Setpoint
		want string
	}{
		{bench.InFlight(0), "0"}, {bench.InFlight(16), "16"}, {bench.InFlight(4938280), "4938280"},
		{bench.PerSecond(0), "0/s"}, {bench.PerSecond(2.5), "2.5/s"}, {bench.PerSecond(0.5), "0.5/s"}, {bench.PerSecond(10), "10/s"},
		{bench.PerSecond(0.25), "15/min"}, {bench.PerSecond(1.0 / 3), "20/min"}, {bench.PerSecond(0.333333), "20/min"}, {bench.PerSecond(0.05), "3/min"},
		{bench.PerSecond(0.1234), "0.123/s"}, {bench.PerSecond(12.345), "12.3/s"}, {bench.PerSecond(123.456), "123/s"}, {bench.PerSecond(1234.5), "1234/s"},
		{bench.PerSecond(12345), "12.3k/s"}, {bench.PerSecond(0.0001), "<0.001/s"},
	} {
		if got := named(c.load); got != c.want {
			t.Errorf("%+v is %q, want %q", c.load, got, c.want)
		}
	}
}

func TestChangesHaveOneUnit(t *testing.T) {
	for _, c := range []struct {
		from, to     bench.Setpoint
		moves, moved string
	}{
		{bench.InFlight(16), bench.InFlight(8), "16 → 8", "−8"},
		{bench.PerSecond(2.5), bench.PerSecond(5), "2.5/s → 5/s", "+2.5/s"},
		{bench.PerSecond(0.25), bench.PerSecond(0.5), "0.25/s → 0.5/s", "+15/min"},
		{bench.PerSecond(0.25), bench.PerSecond(0.25), "15/min → 15/min", ""},
		{bench.PerSecond(3), bench.PerSecond(2.5), "3/s → 2.5/s", "−0.5/s"},
		{bench.InFlight(16), bench.PerSecond(2.5), "concurrency 16 → rate 2.5/s", ""},
	} {
		if got := moves(c.from, c.to); got != c.moves {
			t.Errorf("from %v to %v is %q, want %q", c.from, c.to, got, c.moves)
		}
		if got := changed(c.from, c.to); got != c.moved {
			t.Errorf("from %v to %v is %q, want %q", c.from, c.to, got, c.moved)
		}
	}
}
