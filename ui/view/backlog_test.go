package view

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/view/viewtest"
)

// queue is an open loop in front of a server: requests a second that arrive and that it can do at most, and how long one takes alone.
type queue struct {
	rate, most, stay float64
	seconds          int
}

// flow is the snapshot of a run through several of them, a level each. Arrivals are by chance where a seed is given.
func flow(seed uint64, all ...queue) *bench.Snapshot {
	rng := rand.New(rand.NewPCG(seed, 1))
	s := &bench.Snapshot{Run: &bench.Run{Max: 1000, MaxRate: 100}, Gauges: bench.Gauges{State: bench.Running}}
	var arrived []float64
	free := 0.0
	type end struct{ at, stay float64 }
	var ends []end
	at, next := 0, 0.0
	for i, q := range all {
		s.Levels = append(s.Levels, &bench.Level{ID: i, Load: bench.PerSecond(q.rate), Begin: time.Duration(at) * time.Second, State: bench.Settles})
		next = max(next, float64(at))
		for next < float64(at+q.seconds) {
			arrived = append(arrived, next)
			free = max(free+1/q.most, next)
			ends = append(ends, end{free + q.stay, free + q.stay - next})
			if gap := 1 / q.rate; seed == 0 {
				next += gap
			} else {
				next += gap * rng.ExpFloat64()
			}
		}
		at += q.seconds
	}
	for k := range at {
		b := &bench.Bucket{Start: time.Duration(k) * time.Second, Span: time.Second, Active: time.Second}
		for _, l := range s.Levels {
			if l.Begin <= b.Start {
				b.Target, b.Level = l.Load, l.ID
			}
		}
		for _, t := range arrived {
			if int(t) == k {
				b.Sent++
			}
		}
		for _, e := range ends {
			if int(e.at) == k {
				b.Ended[bench.OK]++
				b.Stay += e.stay
			}
		}
		s.Buckets = append(s.Buckets, b)
	}
	s.Folded, s.At, s.Target = time.Duration(at)*time.Second, time.Duration(at)*time.Second, bench.PerSecond(all[len(all)-1].rate)
	return s
}

// seen tells how many of the last so many seconds say that requests pile up.
func seen(s *bench.Snapshot, last int) int {
	n := 0
	for range last {
		cut := *s
		cut.Levels = nil
		for _, l := range s.Levels {
			if l.Begin < s.Folded {
				cut.Levels = append(cut.Levels, l)
			}
		}
		if _, ok := (&frame{live: &cut}).findBacklog(); ok {
			n++
		}
		next := *s
		next.Folded -= time.Second
		next.Buckets = s.Buckets[:len(s.Buckets)-1]
		s = &next
	}
	return n
}

func TestABacklogIsSeenSoonAndOnlyWhereItIs(t *testing.T) {
	calm := queue{rate: 1, most: 20, stay: 0.5, seconds: 30}
	for _, c := range []struct {
		sentence  string
		of        []queue
		last      int
		from, to_ int
	}{
		{"from the first second on, 4 of which 1 is done are told of within some seconds", []queue{{4, 1, 0.2, 8}}, 1, 1, 1},
		{"and from then on", []queue{{4, 1, 0.2, 60}}, 50, 50, 50},
		{"after a rise within five", []queue{{1, 1.2, 0.2, 30}, {4, 1.2, 0.2, 6}}, 1, 1, 1},
		{"a rise into a backlog does not hide it", []queue{{4, 1, 0.2, 40}, {5, 1, 0.2, 3}}, 3, 3, 3},
		{"a fourth too much takes longer", []queue{{8, 6, 0.2, 40}}, 5, 5, 5},
		{"what comes at long intervals too", []queue{{0.5, 0.2, 0.2, 70}}, 3, 3, 3},
		{"what is done keeps up", []queue{{4, 100, 0.5, 60}}, 60, 0, 0},
		{"long answers fill the server first", []queue{{4, 100, 10, 60}}, 60, 0, 0},
		{"those of a few seconds too", []queue{{4, 100, 4, 40}}, 40, 0, 0},
		{"also after a rise", []queue{{1, 100, 8, 40}, {6, 100, 8, 40}}, 40, 0, 0},
		{"a backlog that melts is none", []queue{{4, 1, 0.2, 30}, {0.1, 1, 0.2, 10}}, 4, 0, 0},
		{"nor is one of a handful", []queue{calm, {4, 1, 0.2, 1}}, 1, 0, 0},
	} {
		if n := seen(flow(0, c.of...), c.last); n < c.from || n > c.to_ {
			t.Errorf("%s: seen in %d of %d seconds, want %d to %d", c.sentence, n, c.last, c.from, c.to_)
		}
	}
}

// TestChanceIsNoBacklog: arrivals by chance come in crowds, which is no lack of the server.
func TestChanceIsNoBacklog(t *testing.T) {
	n, all := 0, 0
	for seed := range uint64(12) {
		n, all = n+seen(flow(seed+1, queue{rate: 4, most: 100, stay: 6, seconds: 180}), 160), all+160
	}
	if float64(n) > 0.01*float64(all) {
		t.Errorf("seen in %d of %d seconds of servers that keep up", n, all)
	}
}

func TestABacklogIsToldAtEverySize(t *testing.T) {
	for _, c := range []struct {
		w, h int
		want []string
		not  string
	}{
		{200, 60, []string{"done 1.0 of 4.0/s: backlog +3/s", "not settling: backlog grows", "in flight 36"}, "ready in"},
		{120, 36, []string{"done 1.0 of 4.0/s: backlog +3/s", "not settling: backlog grows", "13 to go"}, "ready in"},
		{80, 24, []string{"done 1.0 of 4.0/s: backlog +3/s", "backlog grows"}, "ready in"},
		{60, 15, []string{"backlog +3/s"}, "ready in"},
		{40, 8, []string{"backlog"}, "ready in"},
	} {
		got := drawn(viewtest.Overload, c.w, c.h, nil)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%d×%d: %q is not in\n%s", c.w, c.h, want, got)
			}
		}
		if strings.Contains(got, c.not) {
			t.Errorf("%d×%d: %q is in\n%s", c.w, c.h, c.not, got)
		}
	}
}

// TestForecastsOfTheOpenLoopRestOnFirstTokens: what arrives is no sample yet.
func TestForecastsOfTheOpenLoopRestOnFirstTokens(t *testing.T) {
	s := viewtest.Make(viewtest.Open, 0)
	st := bench.Stat{Need: 20, Wait: 2 * time.Second}
	buckets := s.Buckets
	for _, c := range []struct {
		sentence string
		tokens   []uint64
		metric   bench.Metric
		want     time.Duration
	}{
		{"one in two seconds", []uint64{1, 0, 1, 0, 1, 0, 1, 0, 1, 0}, bench.TTFT, 40 * time.Second},
		{"three a second", []uint64{3, 3, 3, 3, 3, 3, 3, 3, 3, 3}, bench.TPS, 6667 * time.Millisecond},
		{"none at all", make([]uint64, 10), bench.TTFT, 0},
		{"never sooner than the level itself expects", []uint64{90, 90, 90, 90, 90, 90, 90, 90, 90, 90}, bench.TTFT, 2 * time.Second},
		{"gaps are of tokens", make([]uint64, 10), bench.ITL, 2 * time.Second},
	} {
		s.Buckets = append([]*bench.Bucket(nil), buckets...)
		for i, n := range c.tokens {
			b := *s.Buckets[len(buckets)-10+i]
			b.TTFT.N = n
			s.Buckets[len(buckets)-10+i] = &b
		}
		f := NewScreen().frame(s, state("plain", 120, 36))
		if got := f.awaited(c.metric, &st); math.Abs((got - c.want).Seconds()) > 0.01 {
			t.Errorf("%s: %v, want %v", c.sentence, got, c.want)
		}
	}
	s = viewtest.Make(viewtest.Unsent, 0)
	s.Level().Stats[bench.TTFT].Readiness, s.Level().Stats[bench.TTFT].Need, s.Level().Stats[bench.TTFT].Wait = bench.Few, 5, 14*time.Second
	if f := NewScreen().frame(s, state("plain", 120, 36)); f.missing(bench.TTFT, &s.Level().Stats[bench.TTFT]) != "5 to go" {
		t.Errorf("a level that cannot settle is forecast: %s", f.missing(bench.TTFT, &s.Level().Stats[bench.TTFT]))
	}
}
