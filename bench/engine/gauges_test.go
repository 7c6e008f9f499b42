package engine

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"redline/bench"
)

// teller tells a running request each second, and once of a restart, at an instant that has long been folded.
type teller struct {
	seconds atomic.Int64
	running atomic.Bool
}

func (g *teller) Run(ctx context.Context) {
	g.running.Store(true)
	<-ctx.Done()
	g.running.Store(false)
}

func (g *teller) Second() ([]bench.Scrape, *bench.ServerFacts, []bench.Event) {
	f := &bench.ServerFacts{Scrapes: 1}
	f.Gauges[bench.ServerRunning] = bench.Amount{Sum: 1, Weight: 1, Max: 1}
	var events []bench.Event
	if g.seconds.Add(1) == 5 {
		events = []bench.Event{{At: time.Second, Kind: bench.EventServer, N: bench.ServerRestarted, Text: "began anew"}}
	}
	return []bench.Scrape{{State: bench.ScrapeOK}}, f, events
}

func TestGaugesComeWithEachSecond(t *testing.T) {
	g := &teller{}
	inBubble(t, Options{Load: bench.InFlight(4), Gauges: g}, func(t *testing.T, r *run) {
		r.after(10*time.Second + 500*time.Millisecond)
		s := r.Snapshot()
		if len(s.Server) != 1 || s.Server[0].State != bench.ScrapeOK {
			t.Errorf("scrapes %+v", s.Server)
		}
		if f := s.Total.Server; f == nil || f.Scrapes != 10 || f.Mean(bench.ServerRunning) != bench.Some(1) {
			t.Errorf("the run has %+v", f)
		}
		for i, b := range s.Buckets {
			if b.Server == nil || b.Server.Scrapes != 1 {
				t.Errorf("second %d has %+v", i, b.Server)
			}
		}
		told := 0
		for i, e := range s.Events {
			if i > 0 && e.At < s.Events[i-1].At {
				t.Errorf("event %d is before the one before: %+v", i, e)
			}
			if e.Kind == bench.EventServer {
				told++
				if e.At < 4*time.Second || e.At > 5*time.Second {
					t.Errorf("the restart is told at %v, want it in its batch", e.At)
				}
			}
		}
		if told != 1 {
			t.Errorf("a restart is told %d times", told)
		}
	})
	if g.running.Load() {
		t.Error("it still runs")
	}
}

func TestGapInTimeTakesItsGaugesAway(t *testing.T) {
	g := &teller{}
	inBubble(t, Options{Load: bench.InFlight(4), Gauges: g}, func(t *testing.T, r *run) {
		r.after(3*time.Second + 500*time.Millisecond)
		r.slept.Store(int64(time.Hour))
		r.after(2 * time.Second)
		s := r.Snapshot()
		if b := s.Buckets[3]; b.Server != nil {
			t.Errorf("the second of the gap has %+v", b.Server)
		}
		if b := s.Buckets[4]; b.Server == nil {
			t.Error("the second after it has none")
		}
	})
}
