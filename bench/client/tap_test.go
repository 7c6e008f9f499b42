package client

import (
	"context"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
)

// tapped keeps what came, and the instant of the read before each chunk.
type tapped struct {
	chunks
	text  strings.Builder
	reads []time.Duration
}

func (t *tapped) Bytes(b []byte, at time.Duration) {
	t.text.Write(b)
	t.reads = append(t.reads, at)
}

func TestTapIsShownTheBytesWithTheInstantOfTheirChunk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		watched := 0
		c, l := serve(t, threeTokens, func(o *Options) {
			o.Watch = func(nc net.Conn) net.Conn { watched++; return nc }
		})
		var seen tapped
		if e := c.Send(context.Background(), request, &seen); e.Outcome != bench.OK {
			t.Fatal(e.Outcome, e.Message)
		}
		if got := seen.text.String(); strings.Count(got, `"content":" a"`) != 3 || !strings.HasPrefix(got, role) {
			t.Errorf("the tap was shown %q", got)
		}
		for i, k := range seen.all {
			if k.At != seen.reads[i+1] { // the role came first
				t.Errorf("chunk %d at %v, its bytes at %v", i, k.At, seen.reads[i+1])
			}
		}
		if watched != l.Dials() {
			t.Errorf("%d of %d connections could be watched", watched, l.Dials())
		}
	})
}
