package bench

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestProfileIsReadAndWritten(t *testing.T) {
	for _, c := range []struct {
		what, text string
		mode       Mode
		want       string
		length     time.Duration
		most       float64
		volume     float64
	}{
		{"steps", "1:20s,4:20s,16:30s", Closed, "1:20s, 4:20s, 16:30s", 70 * time.Second, 16, 580},
		{"a ramp", "ramp 1..64 in 2m", Closed, "ramp 1..64 in 2m", 2 * time.Minute, 64, 3900},
		{"a spike", "Spike 64 for 10s", Closed, "spike 64 for 10s", 10 * time.Second, 64, 640},
		{"a mixture", "4:1m, ramp 4..32 in 1m, 32:2m, spike 128 for 5s, 4:1m", Closed,
			"4:1m, ramp 4..32 in 1m, 32:2m, spike 128 for 5s, 4:1m", 305 * time.Second, 128, 240 + 1080 + 3840 + 640 + 240},
		{"rates a second and a minute", "2.5:20s, 150/m:1m30s, ramp 60/m..4/s in 10s", Open, "2.5:20s, 2.5:1m30s, ramp 1..4 in 10s", 2 * time.Minute, 4, 50 + 225 + 25},
		{"a ramp that goes on", "4:10s, ramp ..8 in 10s", Closed, "4:10s, ramp ..8 in 10s", 20 * time.Second, 8, 40 + 60},
		{"a ramp that goes on behind a spike begins at the load before it", "4:10s, spike 100 for 1s, ramp ..8 in 10s", Closed,
			"4:10s, spike 100 for 1s, ramp ..8 in 10s", 21 * time.Second, 100, 40 + 100 + 60},
		{"repeats after a comma", "1:10s, 2:10s, repeat 3", Closed, "1:10s, 2:10s x3", time.Minute, 2, 90},
		{"repeats without one", " 1:10s,2:10s x3\n", Closed, "1:10s, 2:10s x3", time.Minute, 2, 90},
		{"the second round of a ramp goes on from where the first one ended", "ramp ..8 in 10s, repeat 2", Closed, "ramp ..8 in 10s x2", 20 * time.Second, 8, 40 + 80},
		{"white space does not matter", "\t4 : 1h ,ramp  1 .. 2  in  1h0m ", Closed, "4:1h, ramp 1..2 in 1h", 2 * time.Hour, 4, 14400 + 5400},
		{"a load of 0 waits", "0:1s", Open, "0:1s", time.Second, 0, 0},
		{"the largest", "1000000:720h", Closed, "1000000:720h", 30 * Day, 1e6, 2592e9},
	} {
		p, err := ParseProfile(c.text, c.mode)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if got := p.String(); got != c.want || p.Text != c.text || p.Mode != c.mode {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
		if p.Length() != c.length || p.Most() != c.most || math.Abs(p.Volume()-c.volume) > 1e-6 {
			t.Errorf("%s: %v long, at most %v, volume %v; want %v, %v, %v", c.what, p.Length(), p.Most(), p.Volume(), c.length, c.most, c.volume)
		}
	}
}

func TestProfileErrorsNameThePartAndWhatIsAllowed(t *testing.T) {
	const whole, rate, span = "a whole number of requests in flight, 0 to 1000000", "0/s to 1000000/s", "1s to 720h"
	for _, c := range []struct {
		what, text string
		mode       Mode
		want       []string
	}{
		{"nothing", " ", Closed, []string{"empty", "1:20s"}},
		{"no span", "1:20s, 4", Closed, []string{`part 2, "4"`, "LOAD:SPAN"}},
		{"a part that is empty", "1:20s,,4:20s", Closed, []string{"part 2", "nothing between commas"}},
		{"a broken load", "1:20s, 4.5:20s", Closed, []string{`part 2, "4.5:20s"`, `load "4.5"`, whole}},
		{"a rate in the closed loop", "2/s:20s", Closed, []string{`load "2/s"`, whole}},
		{"a load below 0", "-1:20s", Closed, []string{`load "-1"`, whole}},
		{"a load that is too large", "1000001:20s", Closed, []string{`load "1000001"`, whole}},
		{"a rate that is none", "x:20s", Open, []string{`load "x"`, rate, "150/m"}},
		{"a rate that is too large", "1000001:20s", Open, []string{`load "1000001"`, rate}},
		{"a rate that is no number", "nan:20s", Open, []string{`load "nan"`, rate}},
		{"no unit of time", "1:20", Closed, []string{`span "20"`, span}},
		{"a span that is too short", "1:999ms", Closed, []string{`span "999ms"`, span}},
		{"a span that is too long", "1:721h", Closed, []string{`span "721h"`, span}},
		{"too long in all", "1:720h, 1:1s", Closed, []string{"longer than 720h", "stage 2"}},
		{"too long with its repeats", "1:300h x3", Closed, []string{"longer than 720h", "repeats"}},
		{"too many stages", "1:1s,2:1s x5001", Closed, []string{"2 stages", "5001", "10000"}},
		{"too many parts", strings.Repeat("1:1s,", 10_000) + "1:1s", Closed, []string{"more than 10000"}},
		{"a repeat of nothing", "1:1s x0", Closed, []string{`repeat "0"`, "1 to 10000"}},
		{"a repeat that is no number", "1:1s repeat often", Closed, []string{`repeat "often"`, "1 to 10000"}},
		{"a repeat in the middle", "1:1s, repeat 2, 1:1s", Closed, []string{"part 2", "at the end"}},
		{"a ramp without a span", "ramp 1..64", Closed, []string{"FROM..TO in SPAN"}},
		{"a ramp without an end", "ramp 1.. in 2m", Closed, []string{`load ""`, whole}},
		{"a ramp to one load", "ramp 64 in 2m", Closed, []string{"FROM..TO in SPAN"}},
		{"a spike without a span", "spike 64", Closed, []string{"spike LOAD for SPAN"}},
		{"a word that is none", "jump 64 for 2s", Closed, []string{`"jump 64 for 2s"`, "LOAD:SPAN"}},
	} {
		_, err := ParseProfile(c.text, c.mode)
		if err == nil {
			t.Errorf("%s: no error", c.what)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v\nsays nothing of %q", c.what, err, want)
			}
		}
	}
}
