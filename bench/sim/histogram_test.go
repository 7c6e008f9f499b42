package sim

import (
	"strings"
	"testing"
	"time"
)

func TestSumOfAHistogramNeverShrinks(t *testing.T) {
	h := newHistogram("x", "X.", 0.1, 1)
	h.observe(200 * time.Millisecond)
	h.observe(-time.Millisecond) // submitted after the instant at which the step was to begin
	var b strings.Builder
	h.write(&b, "a=\"b\"")
	for _, want := range []string{"x_bucket{a=\"b\",le=\"0.1\"} 1\n", "x_sum{a=\"b\"} 0.2\n", "x_count{a=\"b\"} 2\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
}
