package bench

import (
	"math"
	"testing"
	"time"
)

func TestPricesOfTokensAndOfTime(t *testing.T) {
	for _, c := range []struct {
		what            string
		prices          Prices
		in, cached, out float64
		lasted          time.Duration
		tokens, time    float64
		set, byToken    bool
	}{
		{"nothing is set", Prices{GPUs: 1}, 1e6, 0, 1e6, time.Hour, 0, 0, false, false},
		{"prompts and answers", Prices{Input: 0.15, Output: 0.6}, 2e6, 1e6, 5e5, time.Hour, 0.6, 0, true, true},
		// 1.5 M at 0.2 and 0.5 M at 0.05.
		{"what came from the cache has its own price", Prices{Input: 0.2, Cached: Some(0.05)}, 2e6, 5e5, 1e6, time.Hour, 0.325, 0, true, true},
		{"which may be nothing", Prices{Input: 0.2, Cached: Some(0)}, 2e6, 5e5, 0, 0, 0.3, 0, true, true},
		{"no more can be cached than there was", Prices{Input: 0.2, Cached: Some(0)}, 2e6, 9e6, 0, 0, 0, 0, true, true},
		{"four GPUs for a quarter of an hour", Prices{GPUHour: 2, GPUs: 4}, 1e6, 0, 1e6, 15 * time.Minute, 0, 2, true, false},
	} {
		if got := c.prices.Tokens(c.in, c.cached, c.out); math.Abs(got-c.tokens) > 1e-12 {
			t.Errorf("%s: tokens cost %g, want %g", c.what, got, c.tokens)
		}
		if got := c.prices.Over(c.lasted); math.Abs(got-c.time) > 1e-12 {
			t.Errorf("%s: time costs %g, want %g", c.what, got, c.time)
		}
		if c.prices.Set() != c.set || c.prices.ByToken() != c.byToken {
			t.Errorf("%s: set %v, by the token %v", c.what, c.prices.Set(), c.prices.ByToken())
		}
	}
}
