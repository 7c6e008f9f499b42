package aggregate

import (
	"testing"
	"time"

	"redline/bench"
)

// TestWhatTheServerTellsIsInEveryScope: the seconds, the level, its batches, the run, and any window of seconds.
func TestWhatTheServerTellsIsInEveryScope(t *testing.T) {
	s := NewState(&bench.Run{})
	for i := range 30 {
		at := time.Duration(i) * time.Second
		b := &bench.Batch{Start: at, Span: time.Second, Active: time.Second, Target: bench.InFlight(4)}
		if i == 0 {
			b.Events = []bench.Event{
				{Kind: bench.EventOpen, To: bench.InFlight(4)}, {Kind: bench.EventCommit, To: bench.InFlight(4)}, {Kind: bench.EventReach},
			}
		}
		f := &bench.ServerFacts{Scrapes: 1, TTFT: bench.SketchOf(100), ITL: bench.SketchOf(10), Queue: bench.SketchOf(5)}
		f.Gauges[bench.ServerRunning] = bench.Amount{Sum: 4, Weight: 1, Max: 4}
		b.Facts.Server = f
		b.Server = []bench.Scrape{{Engine: "vLLM", State: bench.ScrapeOK, At: bench.MarkAt(at)}}
		// One request a second: the first token after 100 ms, the end after 400 ms.
		b.Facts.Sent = 1
		b.Facts.Ended[bench.OK] = 1
		b.FirstTokens = []bench.FirstToken{{At: at + 200*time.Millisecond, Started: at + 100*time.Millisecond, TTFT: 100 * time.Millisecond}}
		b.Ended = []bench.Ended{{Marks: bench.Marks{
			Started: bench.MarkAt(at + 100*time.Millisecond), FirstToken: bench.MarkAt(at + 200*time.Millisecond), Ended: bench.MarkAt(at + 500*time.Millisecond),
		}}}
		s.Fold(b)
	}
	snap := s.Snapshot()
	if len(snap.Server) != 1 || snap.Server[0].At != bench.MarkAt(29*time.Second) {
		t.Errorf("the newest scrape is %+v", snap.Server)
	}
	want := func(name string, f *bench.ServerFacts, scrapes int) {
		t.Helper()
		switch {
		case f == nil:
			t.Errorf("%s: nothing", name)
		case f.Scrapes != scrapes || f.Mean(bench.ServerRunning) != bench.Some(4):
			t.Errorf("%s: %d scrapes, %v run, want %d and 4", name, f.Scrapes, f.Mean(bench.ServerRunning), scrapes)
		case int(f.TTFT.N) != scrapes || int(f.ITL.N) != scrapes || int(f.Queue.N) != scrapes:
			t.Errorf("%s: distributions of %d, %d and %d, want %d", name, f.TTFT.N, f.ITL.N, f.Queue.N, scrapes)
		}
	}
	want("a second", snap.Buckets[7].Server, 1)
	want("the run", snap.Total.Server, 30)
	// Tokens are the level's own 2 s after it was reached, at the first whole second.
	want("the level", snap.Levels[0].Server, 28)
	window := bench.Window(snap.Buckets[10:20])
	want("a window", window.Server, 10)
	batches := 0
	for _, b := range snap.Levels[0].Batches {
		batches += b.Server.Scrapes
	}
	if batches < 28 {
		t.Errorf("the level's batches hold %d scrapes", batches)
	}
}

func TestLevelWithoutTokensHasWhatTheServerToldSinceItWasReached(t *testing.T) {
	s := NewState(&bench.Run{})
	for i := range 5 {
		b := &bench.Batch{Start: time.Duration(i) * time.Second, Span: time.Second, Active: time.Second, Target: bench.InFlight(4)}
		if i == 0 {
			b.Events = []bench.Event{
				{Kind: bench.EventOpen, To: bench.InFlight(4)}, {Kind: bench.EventCommit, To: bench.InFlight(4)}, {Kind: bench.EventReach},
			}
		}
		b.Facts.Server = &bench.ServerFacts{Scrapes: 1}
		s.Fold(b)
	}
	if f := s.Snapshot().Levels[0].Server; f == nil || f.Scrapes != 5 {
		t.Errorf("the level has %+v", f)
	}
}
