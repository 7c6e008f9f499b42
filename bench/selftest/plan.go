package selftest

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Plan is what a server streams: Tokens to each of so many streams, once all are there.
type Plan struct {
	// Streams is 1 to 100,000, Tokens of each stream 1 to 10 million, Rate the tokens a second of each, 0.01 to 100,000.
	Streams, Tokens int
	Rate            float64
	// Burst sends all streams their token at once; else they are spread evenly.
	Burst bool
}

const (
	maxStreams = 100_000
	maxTokens  = 10_000_000
	minRate    = 0.01
	maxRate    = 100_000
)

// period is the time between two tokens of a stream.
func (p Plan) period() time.Duration { return time.Duration(float64(time.Second) / p.Rate) }

// shape is the word for how tokens are spread.
func (p Plan) shape() string {
	if p.Burst {
		return "burst"
	}
	return "spread"
}

func (p Plan) check() error {
	switch {
	case p.Streams < 1 || p.Streams > maxStreams:
		return fmt.Errorf("%d streams, want 1 to %d", p.Streams, maxStreams)
	case p.Tokens < 1 || p.Tokens > maxTokens:
		return fmt.Errorf("%d tokens, want 1 to %d", p.Tokens, maxTokens)
	case !(p.Rate >= minRate && p.Rate <= maxRate):
		return fmt.Errorf("%v tokens a second, want %v to %v", p.Rate, minRate, maxRate)
	}
	return nil
}

// Path is the path of the base URL that asks a server for a plan; runs with different ids have nothing to do with one another.
func (p Plan) Path(id int) string {
	return fmt.Sprintf("/%d/%d/%d/%s/%s", id, p.Streams, p.Tokens, strconv.FormatFloat(p.Rate, 'f', -1, 64), p.shape())
}

// parsePath reads a path as Path writes it; what stands behind it is the protocol's.
func parsePath(path string) (id int, p Plan, err error) {
	f := strings.Split(strings.TrimPrefix(path, "/"), "/")
	if len(f) < 5 {
		return 0, p, fmt.Errorf("path %q: want /ID/STREAMS/TOKENS/RATE/SHAPE", path)
	}
	for i, n := range []*int{&id, &p.Streams, &p.Tokens} {
		if *n, err = strconv.Atoi(f[i]); err != nil {
			return 0, p, fmt.Errorf("path %q: %q is no whole number", path, f[i])
		}
	}
	if p.Rate, err = strconv.ParseFloat(f[3], 64); err != nil || math.IsNaN(p.Rate) {
		return 0, p, fmt.Errorf("path %q: %q is no number", path, f[3])
	}
	if p.Burst = f[4] == "burst"; !p.Burst && f[4] != "spread" {
		return 0, p, fmt.Errorf("path %q: shape %q, want spread or burst", path, f[4])
	}
	return id, p, p.check()
}
