package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
	"redline/bench/workload"
)

// stamps notes when each request came.
type stamps struct {
	clock bench.Clock
	mu    sync.Mutex
	at    []string
}

func (s *stamps) Send(ctx context.Context, r bench.Request, obs bench.Observer) (e bench.Ended) {
	e.Request = r
	now := s.clock.Now()
	s.mu.Lock()
	s.at = append(s.at, fmt.Sprintf("%.0fs:%d", now.Seconds(), r.Prompt.MaxTokens))
	s.mu.Unlock()
	e.Marks.Started, e.Marks.Ended = bench.MarkAt(now), bench.MarkAt(now)
	obs.Started(now)
	e.Status = 200
	return e
}

// A trace with rows of the same second, as the public traces have them: rows at 0, 10, 20, 20, 20, 50, 60, 70 s, the row's number as its output.
func TestARecordedTraceIsReplayedAtItsTimes(t *testing.T) {
	var b strings.Builder
	at := []int{0, 10, 20, 20, 20, 50, 60, 70}
	for i, s := range at {
		fmt.Fprintf(&b, "{\"timestamp\": %d, \"input_length\": 64, \"output_length\": %d}\n", s*1000, i+1)
	}
	file := filepath.Join(t.TempDir(), "trace.jsonl")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	var want []string
	for i, s := range at {
		want = append(want, fmt.Sprintf("%ds:%d", s, i+1))
	}
	spec := workload.Spec{File: file, Once: true}
	synctest.Test(t, func(t *testing.T) {
		src, err := workload.Open(t.Context(), spec, 1)
		if err != nil {
			t.Fatal(err)
		}
		clock := bench.NewClock(time.Now())
		s := &stamps{clock: clock}
		o := Options{Load: bench.PerSecond(0.1), Run: bench.Run{Max: 50, MaxRate: 100, Arrivals: bench.Arrivals{Shape: bench.Recorded}, Works: []bench.Workload{src.Words()}}}
		e := New(o, clock, s, []Prompts{src}, nil)
		go e.Run(t.Context())
		time.Sleep(100 * time.Second)
		synctest.Wait()
		e.Post(bench.Kill{})
		<-e.Done()
		slices.Sort(s.at) // those of one instant go at once
		if got := strings.Join(s.at, " "); got != strings.Join(want, " ") {
			t.Errorf("\nsent %s\nwant %s", got, strings.Join(want, " "))
		}
	})
}

// answering answers at once with a text.
type answering struct {
	clock bench.Clock
	seen  map[string]bool
}

func (s *answering) Send(ctx context.Context, r bench.Request, obs bench.Observer) (e bench.Ended) {
	e.Request = r
	s.seen[r.Prompt.Text] = true
	now := s.clock.Now()
	e.Marks.Started, e.Marks.Ended = bench.MarkAt(now), bench.MarkAt(now)
	obs.Started(now)
	e.Status, e.Answer = 200, "yes"
	return e
}

// sources are two workloads of conversations read once, of which the first is the one that is looked at.
func talks(t *testing.T, name string, n int) *workload.Source {
	t.Helper()
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id":"%s%d","conversations":[{"from":"human","value":"first of %s %d"},{"from":"gpt","value":"yes"},{"from":"human","value":"second of %s %d"},{"from":"gpt","value":"no"}]}`+"\n", name, i, name, i, name, i)
	}
	file := filepath.Join(t.TempDir(), name+".jsonl")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := workload.Open(t.Context(), workload.Spec{File: file, Once: true, Max: 16}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func TestThePromptMadeAheadIsNotLostWithTheWorkload(t *testing.T) {
	a, b := talks(t, "a", 40), talks(t, "b", 40)
	synctest.Test(t, func(t *testing.T) {
		clock := bench.NewClock(time.Now())
		s := &answering{clock: clock, seen: map[string]bool{}}
		o := Options{Load: bench.PerSecond(1), Unmanned: true, Run: bench.Run{Max: 50, MaxRate: 100, Arrivals: evenly, Works: []bench.Workload{a.Words(), b.Words()}}}
		e := New(o, clock, s, []Prompts{a, b}, nil)
		go e.Run(t.Context())
		time.Sleep(5*time.Second + 500*time.Millisecond)
		for range 10 { // away and back, ten times
			e.Post(bench.NextWork{})
			time.Sleep(time.Second)
			e.Post(bench.NextWork{})
			time.Sleep(time.Second)
		}
		e.Post(bench.NextWork{})
		time.Sleep(time.Second)
		e.Post(bench.NextWork{})
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		firsts, seconds := 0, 0
		for i := range 40 {
			if s.seen[fmt.Sprintf("first of a %d", i)] {
				firsts++
			}
			if s.seen[fmt.Sprintf("second of a %d", i)] {
				seconds++
			}
		}
		if firsts < 40 || seconds < 40 || a.Pending() > 0 {
			t.Errorf("of 40 conversations %d first and %d second turns were sent; %d are still pending; the run is %v (unmanned, so it should be over)", firsts, seconds, a.Pending(), e.Snapshot().State)
		}
		e.Post(bench.Kill{})
		<-e.Done()
	})
}

func TestThePromptMadeAheadIsNotLostWithTheOpenLoop(t *testing.T) {
	a := talks(t, "a", 40)
	synctest.Test(t, func(t *testing.T) {
		clock := bench.NewClock(time.Now())
		s := &answering{clock: clock, seen: map[string]bool{}}
		o := Options{Load: bench.PerSecond(1), Unmanned: true, Run: bench.Run{Max: 50, MaxRate: 100, Arrivals: evenly, Works: []bench.Workload{a.Words()}}}
		e := New(o, clock, s, []Prompts{a}, nil)
		go e.Run(t.Context())
		time.Sleep(15*time.Second + 500*time.Millisecond)
		e.Post(bench.Switch{})
		synctest.Wait()
		e.Post(bench.Answer{ID: e.Snapshot().Ask.ID, Yes: true})
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if sn := e.Snapshot(); a.Pending() > 0 || sn.State != bench.Done {
			t.Errorf("%d pending, %d of 80 turns sent; the unmanned run is %v with %d slots held by %q after ten minutes", a.Pending(), len(s.seen), sn.State, sn.Held, sn.HeldBy)
		}
		e.Post(bench.Kill{})
		<-e.Done()
	})
}
