package selftest

import (
	"strings"
	"testing"
	"time"
)

func TestAPlanIsReadBackFromItsPath(t *testing.T) {
	for _, want := range []Plan{{1, 1, 0.01, false}, {10_000, 7, 1.5, true}, {maxStreams, maxTokens, maxRate, false}} {
		id, got, err := parsePath(want.Path(42) + "/v1/chat/completions")
		if err != nil || id != 42 || got != want {
			t.Errorf("%s: run %d, %+v, %v, want %+v", want.Path(42), id, got, err, want)
		}
	}
}

func TestPathsThatAreNoPlanAreRefused(t *testing.T) {
	for path, want := range map[string]string{
		"":                        "want /ID/STREAMS",
		"/1/2/3/4":                "want /ID/STREAMS",
		"/x/2/3/4/burst":          `"x" is no whole number`,
		"/1/0/3/4/burst":          "0 streams, want 1 to 100000",
		"/1/100001/3/4/burst":     "100001 streams",
		"/1/2/0/4/burst":          "0 tokens, want 1 to 10000000",
		"/1/2/3/NaN/burst":        "no number",
		"/1/2/3/0/burst":          "0 tokens a second, want 0.01 to 100000",
		"/1/2/3/1e9/burst":        "tokens a second",
		"/1/2/3/4/steady/v1/chat": `shape "steady", want spread or burst`,
	} {
		if _, _, err := parsePath(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q in it", path, err, want)
		}
	}
}

func TestTokensAreDueInStepOrEvenly(t *testing.T) {
	begin := time.Unix(1000, 0)
	spread := writer{run: &run{plan: Plan{Streams: 4, Tokens: 9, Rate: 10}}, begin: begin}
	burst := writer{run: &run{plan: Plan{Streams: 4, Tokens: 9, Rate: 10, Burst: true}}, begin: begin}
	for _, row := range []struct {
		k, stream int
		even, at  time.Duration
	}{{0, 0, 0, 0}, {0, 1, 25 * time.Millisecond, 0}, {3, 2, 350 * time.Millisecond, 300 * time.Millisecond}} {
		if got := spread.due(row.k, row.stream).Sub(begin); got != row.even {
			t.Errorf("spread: token %d of stream %d at %v, want %v", row.k, row.stream, got, row.even)
		}
		if got := burst.due(row.k, row.stream).Sub(begin); got != row.at {
			t.Errorf("in bursts: token %d of stream %d at %v, want %v", row.k, row.stream, got, row.at)
		}
	}
}
