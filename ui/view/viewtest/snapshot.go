package viewtest

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"redline/bench"
)

// Scene is a state that a screen must show.
type Scene string

// The scenes, in the order of a life.
const (
	Empty    Scene = "empty"
	Ready    Scene = "ready"
	Running  Scene = "running"
	Breach   Scene = "breach"
	Moving   Scene = "moving"
	Settling Scene = "settling"
	Ask      Scene = "ask"
	Busy     Scene = "busy"
	Budget   Scene = "budget"
	Limited  Scene = "limited"
	Quotas   Scene = "quotas"
	Network  Scene = "network"
	Paused   Scene = "paused"
	Draining Scene = "draining"
	Down     Scene = "down"
	Warming  Scene = "warming"
	Silent   Scene = "silent"
	Done     Scene = "done"
	// Open is the open loop, Unsent one whose arrivals find no room.
	Open   Scene = "open"
	Unsent Scene = "unsent"
	// Overload is an open loop of which a server does a fourth.
	Overload Scene = "overload"
	// Profiled is led by a profile, Ramp by one that is on its way to a load, Handheld one that the hand has taken the load from; Sheet has the profile sheet
	// open.
	Profiled Scene = "profile"
	Ramp     Scene = "ramp"
	Handheld Scene = "held"
	Sheet    Scene = "sheet"
	// Seeking is on a ramp that confirms what it has found, Found has come to its end, Unfound found nothing; Cruising is on a cruise. Offered has the sheet of the ramp
	// open, Tried that of one in force, Course that of the cruise.
	Seeking  Scene = "seeking"
	Found    Scene = "found"
	Unfound  Scene = "unfound"
	Cruising Scene = "cruising"
	Offered  Scene = "offered"
	Tried    Scene = "tried"
	Course   Scene = "course"
	// Saturated is a client that does not keep up, Warmup the requests before the measuring, Works a run with two workloads, Tail the end of one.
	Saturated Scene = "saturated"
	Warmup    Scene = "warmup"
	Works     Scene = "works"
	// Knee went up past the bend of its curve, and came back to loads that it had been at.
	Knee Scene = "knee"
	Tail Scene = "tail"
	// Rested has been paused for a while, with nothing in flight.
	Rested Scene = "rested"
)

// Scenes are all of them.
var Scenes = []Scene{Empty, Ready, Running, Breach, Moving, Settling, Ask, Busy, Budget, Limited, Quotas, Network, Paused, Draining, Down, Warming, Silent, Done, Open, Unsent, Overload, Profiled, Ramp, Handheld, Sheet,
	Saturated, Warmup, Works, Knee, Tail, Rested, Seeking, Found, Unfound, Cruising, Offered, Tried, Course, Pair, Second}

// phase is a load for some seconds: so many in flight, or a rate above 0 of which so many a second find no room.
type phase struct {
	load, seconds int
	rate          float64
	unsent, work  int
}

// set is the load as it is set.
func (p phase) set() bench.Setpoint {
	if p.rate > 0 {
		return bench.PerSecond(p.rate)
	}
	return bench.InFlight(p.load)
}

// input is the length of its prompts.
func (p phase) input() int {
	if p.work > 0 {
		return 4 * Input
	}
	return Input
}

// inFlight is how many requests are in flight: in the open loop, as many as arrive while one lasts.
func (p phase) inFlight() int {
	if p.rate <= 0 {
		return p.load
	}
	c := 1
	for c < 64 && float64(c) < p.rate*e2e(c) {
		c++
	}
	return c
}

// Make is the snapshot of a scene; more adds seconds to its last phase, or to its rest.
func Make(scene Scene, more int) *bench.Snapshot {
	run := invented()
	switch scene {
	case Pair, Second:
		return pair(scene == Pair, more)
	case Empty:
		return &bench.Snapshot{}
	case Ready:
		return &bench.Snapshot{Run: run, Gauges: bench.Gauges{Target: bench.InFlight(1)}}
	case Warmup:
		run.Warmup = 8
		return &bench.Snapshot{Run: run, Gauges: bench.Gauges{Target: bench.InFlight(4), State: bench.Warming, At: 2 * time.Second, InFlight: 4, Warmed: 3},
			Folded: 2 * time.Second, Events: []bench.Event{{Kind: bench.EventStart, To: bench.InFlight(4), N: 8}}}
	}
	phases := []phase{{load: 16, seconds: 160}, {load: 32, seconds: 34}, {load: 48, seconds: 36}, {load: 40, seconds: 22 + more}}
	switch scene {
	case Rested:
		phases[3].seconds -= more
	case Breach, Busy, Limited, Ask, Saturated:
		phases = []phase{{load: 16, seconds: 160}, {load: 32, seconds: 34}, {load: 48, seconds: 36 + more}}
	case Settling, Moving:
		phases = []phase{{load: 16, seconds: 160}, {load: 32, seconds: 34}, {load: 40, seconds: 58}, {load: 52, seconds: 3 + more}}
	case Open:
		phases = []phase{{load: 16, seconds: 160}, {rate: 2.5, seconds: 34}, {rate: 5, seconds: 36}, {rate: 7.5, seconds: 22 + more}}
	case Overload:
		phases = []phase{{rate: 1, seconds: 30}, {rate: 4, seconds: 12 + more}}
	case Unsent:
		phases = []phase{{rate: 5, seconds: 100}, {rate: 7.5, seconds: 60}, {rate: 10, seconds: 40 + more, unsent: 2}}
	case Profiled, Handheld, Sheet:
		phases = []phase{{load: 4, seconds: 90}, {load: 8, seconds: 60}, {load: 16, seconds: 40 + more}}
	case Seeking, Found, Unfound, Tried:
		phases = []phase{{load: 16, seconds: 80}, {load: 32, seconds: 44}, {load: 48, seconds: 30}, {load: 40, seconds: 22 + more}}
	case Ramp:
		phases = []phase{{load: 4, seconds: 90}, {load: 8, seconds: 60}, {load: 16, seconds: 60}, {load: 32, seconds: 15 + more}}
	case Knee:
		phases = []phase{{load: 8, seconds: 60}, {load: 16, seconds: 40}, {load: 24, seconds: 40}, {load: 32, seconds: 40}, {load: 40, seconds: 30}, {load: 48, seconds: 36}, {load: 56, seconds: 24},
			{load: 32, seconds: 30}, {load: 48, seconds: 34}, {load: 40, seconds: 22 + more}}
	case Works:
		run.Works = append(run.Works, bench.Workload{Name: "long", Words: "1 027 in, at most 512 out", InputTokens: 4*Input + 3, MaxTokens: 512})
		phases = []phase{{load: 16, seconds: 160}, {load: 40, seconds: 62}, {load: 40, seconds: 30 + more, work: 1}}
	}
	s := play(run, phases, scene)
	dress(s, scene)
	if scene == Rested {
		Rest(s, bench.Paused, restedFor+more)
	}
	slices.SortStableFunc(s.Events, func(a, b bench.Event) int { return cmp.Compare(a.At, b.At) })
	return s
}

func invented() *bench.Run {
	run := &bench.Run{Version: "0.1", Start: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), Target: "http://gpu-7:8000/v1", Host: "gpu-7:8000",
		Model: "Qwen2.5-7B-Instruct", Max: 64, MaxRate: 20, Protocol: "HTTP/1.1", Address: "10.0.0.7",
		Limits: bench.Limits{Connect: 10 * time.Second, FirstToken: 2 * time.Minute, Idle: time.Minute, Total: 10 * time.Minute},
		Works:  []bench.Workload{{Name: "fixed", Words: "259 in, at most 512 out", InputTokens: Input + 3, MaxTokens: 512}}, Stall: time.Second, Prices: bench.Prices{Input: 1, Output: 1.4}}
	for _, t := range []string{"ttft.p95<=500ms", "itl.p95<=25ms", "tps.p5>=20", "rpm<=600", "tpm<=300k", "errors<=1%"} {
		th, err := bench.ParseThreshold(t)
		if err != nil {
			panic(err)
		}
		run.Thresholds = append(run.Thresholds, th)
	}
	return run
}

func play(run *bench.Run, phases []phase, scene Scene) *bench.Snapshot {
	buckets := lived(phases)
	s := &bench.Snapshot{Run: run, PerEvent: 1, Source: bench.FromUsage}
	var was phase
	at := time.Duration(0)
	for i, p := range phases {
		first, end := int(at/time.Second), int(at/time.Second)+p.seconds
		l := level(i, p, was, at)
		l.Summary = bench.Window(buckets[min(first+2, end):end])
		for _, m := range []bench.Metric{bench.RPM, bench.TPM} {
			st := &l.Stats[m]
			st.Half = bench.Some(st.Mean.V * 0.1 / math.Sqrt(float64(p.seconds)/4))
		}
		for _, t := range run.Thresholds {
			l.Verdicts = append(l.Verdicts, t.Judge(&l.Summary))
		}
		if i < len(phases)-1 {
			l.Ended = bench.MarkAt(at + time.Duration(p.seconds)*time.Second)
		}
		s.Levels = append(s.Levels, l)
		s.Events = append(s.Events, events(l, i)...)
		was, at = p, at+time.Duration(p.seconds)*time.Second
	}
	last := phases[len(phases)-1]
	s.Buckets, s.Folded = buckets, at
	s.Total = bench.Window(buckets)
	minute := bench.Window(buckets[max(0, len(buckets)-60):])
	s.Minute = bench.Use{Span: min(at, time.Minute), Attempts: minute.Tally.Sent, Tokens: int(minute.Stats[bench.TPM].Mean.V * minute.Span.Minutes())}
	s.Gauges = bench.Gauges{At: at + 300*time.Millisecond, State: bench.Running, Target: last.set(), InFlight: last.inFlight(), Was: s.Levels[len(s.Levels)-1].Was, Work: last.work,
		Changed: bench.MarkAt(at - time.Duration(last.seconds)*time.Second), CanUndo: len(phases) - 1}
	s.Spend = spend(run, s)
	s.Health = bench.Health{CPU: 0.07}
	return s
}

var worlds = struct {
	sync.Mutex
	lived map[string][]*bench.Bucket
}{lived: map[string][]*bench.Bucket{}}

// lived are the seconds of a run through some phases; the same phases give the same seconds, which never change.
func lived(phases []phase) []*bench.Bucket {
	worlds.Lock()
	defer worlds.Unlock()
	key := fmt.Sprint(phases)
	if have, ok := worlds.lived[key]; ok {
		return have
	}
	w := newWorld()
	for i, p := range phases {
		for k := range p.seconds {
			fail, as := 0.0, bench.RateLimited
			if p.load == 48 && k > 12 {
				fail = 0.03
				if k%3 == 0 {
					fail, as = 0.01, bench.TimeoutFirst
				}
			}
			w.second(p, i, fail, as)
		}
	}
	worlds.lived[key] = w.buckets
	return w.buckets
}

func spend(run *bench.Run, s *bench.Snapshot) bench.Spend {
	in, out := 0, 0
	for _, b := range s.Buckets {
		in, out = in+b.In, out+b.Out
	}
	cost := run.Prices.Tokens(float64(in), 0, float64(out))
	return bench.Spend{In: in, Out: out, Reserved: s.InFlight * 400, Cost: bench.Some(cost),
		PerHour: bench.Some(s.Levels[len(s.Levels)-1].PerMinuteOut.V * 60 * 1.4 / 1e6 * 1.8)}
}

func level(i int, p, was phase, at time.Duration) *bench.Level {
	l := &bench.Level{ID: i, Cause: bench.CauseLoad, Load: p.set(), Was: was.set(), Work: p.work, Begin: at, Committed: bench.MarkAt(at + 250*time.Millisecond),
		Reached: bench.MarkAt(at + 2*time.Second), State: bench.Settled, ReadyAt: bench.MarkAt(at + 9*time.Second)}
	switch {
	case i == 0:
		l.Cause = bench.CauseStart
	case l.Load.Mode != l.Was.Mode:
		l.Cause = bench.CauseMode
	case p.work != was.work:
		l.Cause = bench.CauseWork
	}
	return l
}

func events(l *bench.Level, i int) []bench.Event {
	at := l.Begin
	if i == 0 {
		return []bench.Event{{At: at, Kind: bench.EventStart, To: l.Load, N: 5},
			{At: at + 130*time.Second, Kind: bench.EventNote, Level: i, Text: "max_num_seqs 128 → 256"}}
	}
	switch l.Cause {
	case bench.CauseMode:
		return []bench.Event{{At: at, Kind: bench.EventMode, From: l.Was, To: l.Load}}
	case bench.CauseWork:
		return []bench.Event{{At: at, Kind: bench.EventWork, Work: l.Work}}
	}
	out := []bench.Event{{At: at, Kind: bench.EventCommit, Cause: bench.CauseLoad, Level: i, From: l.Was, To: l.Load}}
	switch {
	case l.Load == bench.InFlight(48):
		out = append(out, bench.Event{At: at + 11*time.Second, Kind: bench.EventBroken, Level: i, To: l.Load, Text: "TTFT p95 over 500 ms (612 ms), ITL p95 over 25 ms (27.4) at concurrency 48"},
			bench.Event{At: at + 28*time.Second, Kind: bench.EventFailure, Level: i, N: 5, Outcome: bench.RateLimited, Span: 3 * time.Second, Text: "server asked to wait 2 s"})
	case l.Was == bench.InFlight(48):
		out = append(out, bench.Event{At: at + 9*time.Second, Kind: bench.EventKept, Level: i, To: l.Load, Text: "TTFT p95 back under 500 ms (442 ms) at concurrency 40"})
	}
	return out
}
