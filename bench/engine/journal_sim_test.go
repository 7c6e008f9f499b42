package engine_test

import (
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/engine"
	"redline/bench/sim"
)

// What the journal says of a request is what the client measured, and what a reader sees of its text is what is kept as its reply.
func TestJournalAgreesWithTheSimulatedServer(t *testing.T) {
	overSim(t, func(o *engine.Options, _ *sim.Options) { o.Load = bench.InFlight(4) }, func(t *testing.T, b *bed) {
		texts := map[uint64]string{}
		for range 400 {
			b.after(100 * time.Millisecond)
			j := b.Journal(true)
			rd := j.Reading
			if rd.Text == "" {
				continue
			}
			if before := texts[rd.ID]; !strings.HasPrefix(rd.Text, before) {
				t.Fatalf("%q\nis followed by\n%q", before, rd.Text)
			}
			texts[rd.ID] = rd.Text
			for _, e := range j.Ended {
				if e.ID != rd.ID {
					continue
				}
				speed, _ := e.Speed()
				if !rd.Over || rd.Tokens != float64(e.Counts.Streamed()) || rd.Chars != e.Counts.Chars || rd.Speed.V != speed {
					t.Fatalf("%+v\nof %+v at %v", rd, e.Counts, speed)
				}
			}
		}
		if len(texts) < 4 {
			t.Errorf("%d streams were followed in 40 s", len(texts))
		}
		j := b.Journal(false)
		for _, e := range j.Ended {
			if e.Outcome != bench.OK || len(e.Reply) < min(1000, e.Counts.Chars) || e.Header["Content-Type"] == nil || e.Prompt.Text == "" {
				t.Fatalf("%d: %v, %d bytes of reply for %d characters, header %v", e.ID, e.Outcome, len(e.Reply), e.Counts.Chars, e.Header)
			}
			if text := texts[e.ID]; text != "" && !strings.HasPrefix(text, e.Reply) {
				t.Errorf("read\n%q\nkept\n%q", text, e.Reply)
			}
		}
		if s := b.Snapshot(); len(j.Ended)+j.Gone < s.Total.Tally.OK || j.Flying != s.InFlight || len(j.Flights) != j.Flying {
			t.Errorf("%d ended and %d gone of %d; %d of %d in flight, %d by the gate", len(j.Ended), j.Gone, s.Total.Tally.OK, len(j.Flights), j.Flying, s.InFlight)
		}
		for _, e := range b.Snapshot().Failures {
			t.Errorf("%+v", e)
		}
	})
}

func TestABatchHoldsNoTextOfAnAnswer(t *testing.T) {
	overSim(t, func(o *engine.Options, so *sim.Options) { o.Load, so.RPM = bench.InFlight(4), 20 }, func(t *testing.T, b *bed) {
		b.after(40 * time.Second)
		failures := b.Snapshot().Failures
		for _, e := range failures {
			if e.Reply != "" || e.Header != nil || e.Answer != "" {
				t.Errorf("%+v", e)
			}
		}
		if len(failures) == 0 {
			t.Error("nothing failed")
		}
		limited := 0
		for _, e := range b.Journal(false).Ended {
			if e.Outcome == bench.RateLimited && e.Status == 429 && e.Header["Retry-After"] != nil {
				limited++
			}
		}
		if limited == 0 {
			t.Error("no refused request with its header")
		}
	})
}
