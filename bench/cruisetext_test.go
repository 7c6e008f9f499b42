package bench

import (
	"strings"
	"testing"
)

var cruisePromises = []Threshold{{Metric: TTFT, At: P95, Limit: 500}, {Metric: TPS, At: P5, Floor: true, Limit: 20}, {Metric: Errors, At: Mean, Limit: 1}, {Metric: E2E, At: Max, Limit: 9000}, {Metric: ITL, At: P95, Limit: 25}}

func TestACruiseIsReadAsItIsMeant(t *testing.T) {
	usual := UsualCruise(cruisePromises[0], Closed, 64)
	for _, c := range []struct {
		sentence, text string
		mode           Mode
		want           Cruise
	}{
		{"a metric", "tps", Closed, Cruise{cruisePromises[1], 1, 64}},
		{"a metric and its percentile", "TTFT.p95", Closed, Cruise{cruisePromises[0], 1, 64}},
		{"limits alone", "4..32", Closed, Cruise{cruisePromises[0], 4, 32}},
		{"one limit", "..32", Closed, Cruise{cruisePromises[0], 1, 32}},
		{"both", "tps 4..", Closed, Cruise{cruisePromises[1], 4, 64}},
		{"a promise of its own", "e2e.p95<=5s 2..8", Closed, Cruise{Threshold{Metric: E2E, At: P95, Limit: 5000}, 2, 8}},
		{"as a sentence", "ttft.p95<=500ms in 4..32", Closed, Cruise{cruisePromises[0], 4, 32}},
		{"limits alone, as a sentence", "in 4..32", Closed, Cruise{cruisePromises[0], 4, 32}},
		{"rates", "ttft 0.5/s..12/s", Open, Cruise{cruisePromises[0], 0.5, 12}},
	} {
		got, err := ParseCruise(c.text, usual, c.mode, cruisePromises)
		if err != nil || *got != c.want {
			t.Errorf("%s: %q is %+v, %v; want %+v", c.sentence, c.text, got, err, c.want)
		}
	}
}

func TestACruiseThatCannotBeIsRefusedByItsPart(t *testing.T) {
	usual := UsualCruise(cruisePromises[0], Closed, 64)
	for text, want := range map[string]string{
		"":               "it is empty",
		"errors":         "want one of ttft.p95, tps.p5",
		"errors<=1%":     "errors<=1%: want a percentile of TTFT",
		"e2e.max<=5s":    "want a percentile",
		"tpot":           `"tpot": want one of ttft.p95, tps.p5`,
		"itl.p95":        "itl.p95<=25ms: ITL is of single tokens, and a cruise goes by requests: want tpot.p95<=25ms",
		"itl.p99<=19ms":  "want tpot.p99<=19ms",
		"ttft 4":         `"4": want LEAST..MOST behind the promise`,
		"4..8 ttft":      "want a promise and LEAST..MOST",
		"ttft 8..4":      "8..4: want room between",
		"ttft 0..4":      "load 0: want a whole number",
		"ttft x..4":      `load "x": want a whole number`,
		"ttft 1/s..4/s":  "a rate is for the open loop",
		"ttft in":        `"in": want LEAST..MOST behind the promise`,
		"ttft in 4":      "want a promise and LEAST..MOST",
		"in":             `"in": want one of ttft.p95, tps.p5`,
		"ttft 4..8 fast": "want a promise and LEAST..MOST",
		"ttft<=fast":     `value "fast"`,
	} {
		if _, err := ParseCruise(text, usual, Closed, cruisePromises); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if _, err := ParseCruise("ttft", usual, Closed, nil); err == nil || !strings.Contains(err.Error(), "as in ttft.p95<=500ms") {
		t.Errorf("without promises: %v", err)
	}
}

func FuzzParseCruise(f *testing.F) {
	for _, s := range []string{"ttft", "tps.p5 4..8", "e2e.p95<=5s 2..8", "..", "1/s..4/s"} {
		f.Add(s, false)
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, text string, open bool) {
		mode := Closed
		if open {
			mode = Open
		}
		usual := UsualCruise(cruisePromises[0], mode, 20)
		c, err := ParseCruise(text, usual, mode, cruisePromises)
		if err != nil {
			return
		}
		again, err := ParseCruise(c.Text(mode), usual, mode, nil)
		if err != nil || *again != *c {
			t.Fatalf("%q is %+v; written %q it is %+v, %v", text, c, c.Text(mode), again, err)
		}
	})
}
