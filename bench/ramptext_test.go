package bench

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

// bounds64 are the greatest loads of a run: 64 in flight, 20 a second.
func bounds64(m Mode) float64 { return map[Mode]float64{Closed: 64, Open: 20}[m] }

func TestARampIsReadAsItIsMeant(t *testing.T) {
	usual := func(r Ramp) Ramp {
		if r.Cap == 0 {
			r.Cap = UsualCap
		}
		if r.CapRequests == 0 {
			r.CapRequests = UsualCapRequests
		}
		return r
	}
	for _, c := range []struct {
		sentence, text string
		now            Setpoint
		want           Ramp
	}{
		{"a range and a factor", "4..64 x2", InFlight(8), Ramp{From: 4, Most: 64, By: 2}},
		{"a range alone doubles", "4..64", InFlight(8), Ramp{From: 4, Most: 64, By: 2}},
		{"a range from the load in force", "..32", InFlight(8), Ramp{From: 8, Most: 32, By: 2}},
		{"a range to the bound", "4..", InFlight(8), Ramp{From: 4, Most: 64, By: 2}},
		{"a factor alone", "x1.5", InFlight(8), Ramp{From: 8, Most: 64, By: 1.5}},
		{"what is added", "1..32 +4", InFlight(8), Ramp{From: 1, Most: 32, Rise: RiseAdd, By: 4}},
		{"a list", "4,8, 16 , 32", InFlight(8), Ramp{From: 4, Most: 32, Rise: RiseList, Loads: []float64{4, 8, 16, 32}}},
		{"blanks within a range", "4 .. 64 ×2", InFlight(8), Ramp{From: 4, Most: 64, By: 2}},
		{"rates while requests are in flight", "2/s..20/s", InFlight(8), Ramp{Mode: Open, From: 2, Most: 20, By: 2}},
		{"rates without a unit in the open loop", "2..20 +0.5", PerSecond(3), Ramp{Mode: Open, From: 2, Most: 20, Rise: RiseAdd, By: 0.5}},
		{"rates a minute", "30/m..120/m", PerSecond(3), Ramp{Mode: Open, From: 0.5, Most: 2, By: 2}},
		{"a cap of time and one of requests", "4..64 x2 cap 30s cap 200", InFlight(8), Ramp{From: 4, Most: 64, By: 2, Cap: 30 * time.Second, CapRequests: 200}},
		{"past what is limited", "4..64 past 429 x4", InFlight(8), Ramp{From: 4, Most: 64, By: 4, PastLimits: true}},
		{"a load at the bound begins at 1", "x2", InFlight(64), Ramp{From: 1, Most: 64, By: 2}},
	} {
		got, err := ParseRamp(c.text, c.now, bounds64)
		if want := usual(c.want); err != nil || !reflect.DeepEqual(*got, want) {
			t.Errorf("%s: %q is %+v, %v; want %+v", c.sentence, c.text, got, err, want)
		}
	}
}

func TestARampThatCannotBeIsRefusedByItsPart(t *testing.T) {
	for text, want := range map[string]string{
		"":                 "it is empty, want for example 4..64 x2",
		"4":                `"4": want FROM..MOST, or a list`,
		"64..4":            "64..4: want a range that rises",
		"8..8":             "8..8: want a range that rises",
		"0..8":             "load 0: want a whole number",
		"4..x":             `load "x": want a whole number`,
		"4..64 x1":         "step x1: want a factor of 1.01 to 16",
		"4..64 xx":         `step "xx": want a factor`,
		"4..64 +0":         "step +0: want more than 0",
		"4..64 +1.5":       `step "+1.5": load "1.5": want a whole number`,
		"8,4":              "4 after 8: want loads that rise",
		"4,8 x2":           `"x2": want no step with a list`,
		"4..64 cap":        `cap "": want a time or a number of requests`,
		"4..64 cap 1s":     "cap 1s: want 5s to 1h",
		"4..64 cap 3":      "cap 3: want 20 to 1000000 requests",
		"4..64 past":       `"past": want x2 or +4`,
		"4..64 fast":       `"fast": want x2 or +4, cap 30s`,
		"2/s..20":          "20: want a unit, as in 20/s",
		"../s":             "want requests a second",
		"..20/s":           "want a rate to begin with",
		"1..20000 +1":      "more than 1000 steps",
		"4..99999999":      `load "99999999": want a whole number`,
		"4..64 x2 cap 99h": "cap 99h0m0s: want 5s to 1h",
	} {
		if _, err := ParseRamp(text, InFlight(8), bounds64); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestStepsOfARampEndAtTheMost(t *testing.T) {
	for text, want := range map[string][]float64{
		"8..64 x2":  {8, 16, 32, 64},
		"8..50":     {8, 16, 32, 50},
		"1..8 x1.2": {1, 2, 3, 4, 5, 6, 7, 8},
		"1..10 +4":  {1, 5, 9, 10},
		"4,8,9":     {4, 8, 9},
	} {
		r, err := ParseRamp(text, InFlight(2), bounds64)
		if err != nil || !reflect.DeepEqual(r.Steps(), want) {
			t.Errorf("%q goes through %v, %v; want %v", text, r.Steps(), err, want)
		}
	}
}

func FuzzParseRamp(f *testing.F) {
	for _, s := range []string{"4..64 x2", "1..32 +4", "4,8,16,32", "2/s..20/s", "..", "x1.5 cap 30s past 429", "4 .. 5 , 6", "…", "+1"} {
		f.Add(s, false)
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, text string, open bool) {
		now := InFlight(8)
		if open {
			now = PerSecond(2.5)
		}
		r, err := ParseRamp(text, now, bounds64)
		if err != nil {
			return
		}
		if err := r.Check(); err != nil {
			t.Fatalf("%q is read, and cannot begin: %v", text, err)
		}
		again, err := ParseRamp(r.String(), now, bounds64)
		if err != nil || !reflect.DeepEqual(again, r) {
			t.Fatalf("%q is %+v; written %q it is %+v, %v", text, r, r.String(), again, err)
		}
	})
}
