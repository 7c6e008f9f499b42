package view

import "testing"

func TestCrossedThresholdsReadAsWords(t *testing.T) {
	for _, c := range []struct {
		text string
		kept bool
		want string
	}{
		{"itl.p95<=40ms (53.3 ms)", false, "ITL p95 over 40 ms (53.3 ms)"},
		{"itl.p95<=40ms (21.8 ms)", true, "ITL p95 back under 40 ms (21.8 ms)"},
		{"ttft.p99<=2s (2.1 s)", false, "TTFT p99 over 2 s (2.1 s)"},
		{"tps.p5>=20 (18.2 tok/s)", false, "TPS p5 under 20 tok/s a stream (18.2 tok/s)"},
		{"tps.p5>=20 (24 tok/s)", true, "TPS p5 back over 20 tok/s a stream (24 tok/s)"},
		{"errors<=1% (3%)", false, "errors over 1% (3%)"},
		{"TTFT p95 over 500 ms", false, "TTFT p95 over 500 ms"},
		{"", true, ""},
	} {
		if got := crossed(c.text, c.kept); got != c.want {
			t.Errorf("%q is %q, want %q", c.text, got, c.want)
		}
	}
}
