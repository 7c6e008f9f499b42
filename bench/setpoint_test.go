package bench

import (
	"math"
	"strings"
	"testing"
)

func TestSetpointIsWrittenShort(t *testing.T) {
	for _, c := range []struct {
		s    Setpoint
		want string
	}{
		{InFlight(0), "0"}, {InFlight(16), "16"}, {InFlight(1_000_000), "1000000"},
		{PerSecond(0), "0/s"}, {PerSecond(2.5), "2.5/s"}, {PerSecond(150.0 / 60), "2.5/s"}, {PerSecond(1.0 / 60), "0.01667/s"}, {PerSecond(0.000001), "0.000001/s"},
		{PerSecond(999.96), "1000/s"}, {PerSecond(1234.5), "1234/s"}, {PerSecond(1235.5), "1236/s"}, {PerSecond(10_000), "10000/s"}, {PerSecond(1e9), "1000000000/s"},
	} {
		if got := c.s.String(); got != c.want {
			t.Errorf("%+v is written %q, want %q", c.s, got, c.want)
		}
	}
}

func TestSetpointRoundsToWhatCanBeSet(t *testing.T) {
	for _, c := range []struct {
		what    string
		s, want Setpoint
		slots   int
	}{
		{"a whole number stays", InFlight(16), InFlight(16), 16},
		{"halves go up", Setpoint{Closed, 2.5}, InFlight(3), 3},
		{"parts of a request go to the nearest", Setpoint{Closed, 2.4}, InFlight(2), 2},
		{"no load is below 0", Setpoint{Closed, -3}, InFlight(0), 0},
		{"0 has no sign", Setpoint{Closed, math.Copysign(0, -1)}, InFlight(0), 0},
		{"no number is no load", Setpoint{Closed, math.NaN()}, InFlight(0), 0},
		{"a rate stays, and takes no slots", PerSecond(2.5), PerSecond(2.5), 0},
		{"what arithmetic leaves of a rate goes", PerSecond(0.1 + 0.2), PerSecond(0.3), 0},
		{"a rate has six places", PerSecond(1.0 / 60), PerSecond(0.016667), 0},
		{"no rate is below 0", PerSecond(-1e-9), PerSecond(0), 0},
		{"no end is the most", Setpoint{Closed, math.Inf(1)}, InFlight(1e9), 1e9},
		{"no end is the most in the open loop too", PerSecond(math.Inf(1)), PerSecond(1e9), 0},
		{"no number is no rate", PerSecond(math.NaN()), PerSecond(0), 0},
	} {
		got := c.s.Round()
		if got != c.want || math.Signbit(got.N) {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
		if got.Slots() != c.slots {
			t.Errorf("%s: %d slots, want %d", c.what, got.Slots(), c.slots)
		}
		if again := got.Round(); again != got {
			t.Errorf("%s: rounded again it is %v", c.what, again)
		}
	}
}

func TestModesHaveWords(t *testing.T) {
	if Closed.String() != "closed" || Open.String() != "open" || Closed.Other() != Open || Open.Other() != Closed {
		t.Errorf("%v is the other of %v, %v of %v", Closed.Other(), Closed, Open.Other(), Open)
	}
}

func TestParseRate(t *testing.T) {
	for text, want := range map[string]float64{
		"0": 0, "2.5": 2.5, " 2.5/s ": 2.5, "2.5 /sec": 2.5, "150/m": 2.5, "150/min": 2.5, "1e3": 1000, ".5": 0.5, "1000000000": 1e9, "0.000001": 1e-6, "-0": 0, "0/m": 0, "60000000000/m": 1e9,
	} {
		if got, err := ParseRate(text); err != nil || got != want {
			t.Errorf("%q is read as %v (%v), want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "/s", "x", "-1", "nan", "inf", "1e10", "2.5/h", "2,5", "1/s/m", "1e-7", "0.00005/m", "0x10", "1_000"} {
		_, err := ParseRate(text)
		if err == nil || !strings.Contains(err.Error(), `"`+text+`"`) || !strings.Contains(err.Error(), "0, or 0.000001 to 1000000000 a second") || !strings.Contains(err.Error(), "150/m") {
			t.Errorf("%q: %v, want an error that names it, and what is allowed", text, err)
		}
	}
}

func FuzzParseRate(f *testing.F) {
	for _, text := range []string{"2.5", "2.5/s", "150/m", "1e9", "/min", "0x1p-2", "1e-320/m", "inf", "+1", "-0"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rate, err := ParseRate(text)
		if err != nil {
			return
		}
		if !(rate >= 0 && rate <= 1e9) || math.Signbit(rate) {
			t.Fatalf("%q is read as %v", text, rate)
		}
		s := PerSecond(rate).Round()
		// What is shown can be typed, and means about the same.
		again, err := ParseRate(s.String())
		if err != nil || math.Abs(again-s.N) > s.N*0.0005+1e-6 {
			t.Fatalf("%q is shown as %v, which is read as %v (%v)", text, s, again, err)
		}
		if strings.ContainsAny(s.String(), "eE") {
			t.Fatalf("%q is shown as %v", text, s)
		}
	})
}
