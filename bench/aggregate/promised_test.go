package aggregate

import (
	"slices"
	"testing"

	"redline/bench"
)

func TestWhatARunPromisedAtFirstIsKeptThoughItIsChanged(t *testing.T) {
	c := newScript("ttft.p95<=1s")
	first := c.s.run.Thresholds
	if p := c.second(events(open(0, 1, 0, 2))).Promised; p != nil {
		t.Errorf("%v before any change", p)
	}
	for _, text := range []string{"ttft.p95<=60s", "ttft.p95<=90s"} {
		to, err := bench.ParseThreshold(text)
		if err != nil {
			t.Fatal(err)
		}
		c.second(events(bench.Event{Kind: bench.EventPromise, Level: 1, Promise: to}))
	}
	if p := c.s.Snapshot().Promised; !slices.Equal(p, first) {
		t.Errorf("%v, want %v", p, first)
	}
	loaded, err := c.s.Save().Load(c.s.run)
	if err != nil || !slices.Equal(loaded.Snapshot().Promised, first) {
		t.Errorf("%v: what was saved has forgotten it", err)
	}
}
