package viewtest

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
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
	// Saturated is a client that does not keep up, Warmup the requests before the measuring, Works a run with two workloads, Tail the end of one.
	Saturated Scene = "saturated"
	Warmup    Scene = "warmup"
	Works     Scene = "works"
	Tail      Scene = "tail"
)

// Scenes are all of them.
var Scenes = []Scene{Empty, Ready, Running, Breach, Moving, Settling, Ask, Busy, Budget, Limited, Quotas, Network, Paused, Draining, Down, Warming, Silent, Done, Open, Unsent, Overload, Profiled, Ramp, Handheld, Sheet,
	Saturated, Warmup, Works, Tail}

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

// Make is the snapshot of a scene; more adds seconds to its last phase.
func Make(scene Scene, more int) *bench.Snapshot {
	run := invented()
	switch scene {
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
	case Ramp:
		phases = []phase{{load: 4, seconds: 90}, {load: 8, seconds: 60}, {load: 16, seconds: 60}, {load: 32, seconds: 15 + more}}
	case Works:
		run.Works = append(run.Works, bench.Workload{Name: "long", Words: "1 027 in, at most 512 out", InputTokens: 4*Input + 3, MaxTokens: 512})
		phases = []phase{{load: 16, seconds: 160}, {load: 40, seconds: 62}, {load: 40, seconds: 30 + more, work: 1}}
	}
	s := play(run, phases, scene)
	dress(s, scene)
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
	cost := (float64(in)*run.Prices.Input + float64(out)*run.Prices.Output) / 1e6
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

// dress gives a running snapshot what its scene is about.
func dress(s *bench.Snapshot, scene Scene) {
	l := s.Levels[len(s.Levels)-1]
	switch scene {
	case Moving:
		move(s, l)
		s.Moving, s.InFlight = bench.MarkAt(s.At-200*time.Millisecond), 47
	case Settling:
		settle(s, l)
	case Ask:
		s.Ask = &bench.Ask{ID: 3, Text: "raise to 64, from 16?", To: bench.InFlight(64), Load: true}
	case Busy:
		s.Health = bench.Health{Strain: bench.Busy, Why: "reads 18 ms late", CPU: 0.64, WakeLag: bench.Some(18)}
		s.PerEvent = 2.4
	case Budget:
		s.Run.Notes = nil
		s.Spend.Budget, s.Spend.Cost, s.Spend.PerHour = 5, bench.Some(4.61), bench.Some(31)
	case Limited:
		s.InFlight, s.Held, s.HeldBy, s.HeldNext = 45, 3, bench.RateLimited.String(), bench.MarkAt(s.At+4*time.Second)
		s.Quotas = quotas(s.At)[1:3]
		s.LastError = "429 Too Many Requests: quota of 请求 per minute 🚦 reached\x1b[2J, retry after 4 s"
	case Quotas:
		s.Run.API, s.Run.Protocol, s.Run.QuotaReserve = bench.Anthropic, "HTTP/2.0", 0.3
		s.Run.Thresholds = slices.DeleteFunc(s.Run.Thresholds, bench.Threshold.Quota)
		s.Quotas = quotas(s.At)
		s.InFlight, s.Held, s.HeldBy, s.HeldNext = 37, 3, bench.HeldByQuota, bench.MarkAt(s.At+4*time.Second)
	case Network:
		s.Source = bench.FromEvents
		for _, sum := range []*bench.Summary{&l.Summary, &s.Total} {
			sum.NewConnections, sum.Malformed, sum.Bursts = bench.Some(0.12), 12, bench.Some(0.83)
			sum.Connect = bench.Stat{N: 19, Readiness: bench.Few, P50: bench.Some(0.42), Max: bench.Some(3.1)}
			sum.Handshake = bench.Stat{N: 19, Readiness: bench.Few, P50: bench.Some(9.1), Max: bench.Some(31)}
		}
	case Warming:
		s.State, s.Since, s.InFlight, s.Held = bench.Warming, s.At-6*time.Second, 8, 32
		s.HeldBy, s.HeldNext = bench.Refused.String(), bench.MarkAt(s.At+2*time.Second)
	case Silent:
		settle(s, l)
		s.Silent = bench.MarkAt(s.At - 15*time.Second - 300*time.Millisecond)
		s.Events = append(s.Events, bench.Event{At: s.At - 10*time.Second, Kind: bench.EventWarn, Text: "no token has come for 5 s, though 40 requests are in flight"})
	case Paused:
		s.State, s.Since, s.InFlight, s.Draining = bench.Paused, s.At-12*time.Second, 7, 7
		s.Why = "by the operator"
	case Draining:
		s.State, s.Since, s.InFlight, s.Draining, s.Target = bench.Draining, s.At-3*time.Second, 7, 7, bench.Setpoint{}
		s.Deadline = bench.MarkAt(s.At + 27*time.Second)
	case Down:
		s.State, s.Since, s.Why, s.InFlight, s.Held = bench.Down, s.At-4*time.Second, "connection refused, next try in 2 s", 0, 40
		s.HeldBy, s.HeldNext = bench.Refused.String(), bench.MarkAt(s.At+2*time.Second)
	case Overload:
		overload(s, l)
	case Unsent:
		l.State, l.ReadyAt, l.Short = bench.Settles, bench.Mark{}, bench.ArrivalsUnsent
		s.Events = append(s.Events, bench.Event{At: s.At - 20*time.Second, Kind: bench.EventUnsent, N: 80})
	case Ramp:
		led(s, false)
		move(s, l)
		s.Moving = bench.MarkAt(l.Begin)
	case Profiled, Handheld, Sheet:
		led(s, scene == Handheld)
	case Saturated:
		s.Health = bench.Health{Strain: bench.Saturated, Why: "cpu 99%", CPU: 0.99, WakeLag: bench.Some(212)}
		s.Strained = [2]int{14, 6}
		s.Events = append(s.Events, bench.Event{At: s.At - 9*time.Second, Kind: bench.EventBusy, N: 1, Text: "reads 18 ms late"},
			bench.Event{At: s.At - 6*time.Second, Kind: bench.EventBusy, N: 2, Text: "cpu 99%"})
	case Tail:
		s.State, s.Since, s.InFlight, s.Draining, s.Target = bench.Draining, s.At-3*time.Second, 7, 7, bench.Setpoint{}
		s.Deadline, s.Tail = bench.MarkAt(s.At+27*time.Second), bench.Tail{Began: bench.MarkAt(s.At - 3*time.Second), Span: 3 * time.Second, Finished: 33}
	case Done:
		s.State, s.Since, s.InFlight, s.Target = bench.Done, s.At-2*time.Second, 0, bench.Setpoint{}
		s.Why = "saved run-0412.rl"
		s.Events = append(s.Events, bench.Event{At: s.At - 2*time.Second, Kind: bench.EventEnd, Text: "2 113 requests, 5 failed"})
	}
}

// move makes a level one whose load has not come to rest.
func move(s *bench.Snapshot, l *bench.Level) {
	l.State, l.Committed, l.Reached, l.ReadyAt = bench.Moving, bench.Mark{}, bench.Mark{}, bench.Mark{}
	l.Summary, l.Verdicts = bench.Summary{}, nil
}

// overload lets a server that does one request a second, one after the other, take the last level.
func overload(s *bench.Snapshot, l *bench.Level) {
	settle(s, l)
	s.Buckets = slices.Clone(s.Buckets)
	piled := 0
	for i, b := range s.Buckets {
		if b.Start < l.Begin {
			continue
		}
		slow := *b
		slow.Sent, slow.Ended = 4, [bench.NumOutcomes]int{bench.OK: 1}
		piled += slow.Sent - 1
		slow.InFlight, slow.Stay = float64(piled), float64(piled)/4
		s.Buckets[i] = &slow
	}
	s.InFlight = piled
}

// led lets a profile lead the run, or have led it until the hand came.
func led(s *bench.Snapshot, held bool) {
	p, err := bench.ParseProfile("4:90s, 8:1m, 16:1m, ramp 16..48 in 30s, 48:1m", bench.Closed)
	if err != nil {
		panic(err)
	}
	s.Following = &bench.Following{Profile: p, At: s.At, Held: held}
	s.Events = append(s.Events, bench.Event{At: time.Second, Kind: bench.EventProfile, Text: "profile " + p.Text + " begins"})
	for _, l := range s.Levels[1:] {
		l.Cause = bench.CauseProfile
	}
	if held {
		s.Following.At -= 12 * time.Second
		s.Events = append(s.Events, bench.Event{At: s.At - 12*time.Second, Kind: bench.EventProfile, N: bench.ProfileHeld, Text: "the hand has taken over from profile " + p.Text})
	}
}

// quotas are those of a server that has one of each kind, as it stated them half a second before an instant.
func quotas(at time.Duration) []bench.Quota {
	one := func(name string, kind bench.QuotaKind, per time.Duration, limit, remaining float64, reset time.Duration) bench.Quota {
		return bench.Quota{Name: name, Kind: kind, Per: per, Limit: bench.Some(limit), Remaining: bench.Some(remaining), Reset: bench.MarkAt(reset), At: at - 500*time.Millisecond}
	}
	return []bench.Quota{
		one("input-tokens", bench.QuotaInput, time.Minute, 400_000, 276_500, 19*time.Second),
		one("requests", bench.QuotaRequests, time.Minute, 3500, 2065, 12*time.Second),
		one("tokens", bench.QuotaTokens, time.Minute, 300_000, 26_000, 55*time.Second),
		one("requests-day", bench.QuotaRequests, bench.Day, 100_000, 96_900, 17*time.Hour),
	}
}

// settle makes the present level a young one: few samples, some lanes not ready.
func settle(s *bench.Snapshot, l *bench.Level) {
	l.State, l.ReadyAt = bench.Settles, bench.Mark{}
	for m := range l.Stats {
		st := &l.Stats[m]
		st.Readiness = bench.Few
		st.Need, st.Wait = 13, 14*time.Second
	}
	l.Stats[bench.RPM] = bench.Stat{N: 3, Need: 17, Wait: 9 * time.Second}
	l.Stats[bench.E2E] = bench.Stat{N: 3, Need: 17, Wait: 9 * time.Second}
	l.Verdicts = nil
	for _, t := range s.Run.Thresholds {
		l.Verdicts = append(l.Verdicts, t.Judge(&l.Summary))
	}
}

// Random is a snapshot without sense, for screens that must survive anything: empty, zero, huge, absent, hostile words.
func Random(seed uint64) *bench.Snapshot {
	r := rand.New(rand.NewPCG(seed, 5))
	pick := func(v ...float64) bench.Value {
		f := v[r.IntN(len(v))]
		return bench.Value{V: f, OK: r.IntN(3) > 0}
	}
	value := func() bench.Value {
		return pick(0, 1e-9, 1, 12.34, 999.96, 1e6, 1e15, math.MaxFloat64, -5, math.NaN(), math.Inf(1), math.Inf(-1))
	}
	setpoint := func() bench.Setpoint {
		return bench.Setpoint{Mode: bench.Mode(r.IntN(2)), N: []float64{0, 0.004, 0.5, 1, 2.5, 16, 208, float64(r.IntN(1 << 30)), 1e9}[r.IntN(9)]}.Round()
	}
	s := Make(Scenes[r.IntN(len(Scenes))], r.IntN(4))
	words := []string{"", "接続が拒否されました", "👩‍👩‍👧‍👦 e\u0301", "\x1b[31mred\x07\n\ttab", "x\xff\xfe", "a very long sentence that goes on and on and on and on and on and on and on"}
	word := func() string { return words[r.IntN(len(words))] }
	s.Why, s.LastError = word(), word()
	s.State = bench.RunState(r.IntN(8))
	s.Target, s.InFlight, s.Held, s.Was = setpoint(), r.IntN(300)-20, r.IntN(9)*r.IntN(1000), setpoint()
	s.Spend.Cost, s.Spend.PerHour, s.PerEvent = value(), value(), value().V
	s.Health = bench.Health{Strain: bench.Strain(r.IntN(4)), Why: word(), CPU: value().V}
	s.Health.WakeLag, s.Health.SendLag, s.Strained = value(), value(), [2]int{r.IntN(1 << 30), r.IntN(5)}
	s.Warmed, s.Work, s.Tail = r.IntN(20)-5, r.IntN(4)-1, bench.Tail{Began: bench.MarkAt(0), Span: time.Duration(r.Uint64() >> 1), Finished: r.IntN(1 << 30), Cut: r.IntN(3)}
	if r.IntN(3) == 0 {
		s.Following = &bench.Following{Profile: plan(r, word()), At: time.Duration(r.Uint64() >> r.IntN(60)), Held: r.IntN(2) == 0, Over: r.IntN(5) == 0}
	}
	for _, sum := range summaries(s) {
		sum.Offered, sum.Achieved, sum.Chars, sum.AskedTokens, sum.CountedTokens, sum.PromptTokens, sum.AnswerTokens = value(), value(), value(), value(), value(), value(), value()
		sum.Lag = bench.Stat{Readiness: bench.Readiness(r.IntN(3)), P95: value()}
		sum.DueTTFT = bench.Stat{Readiness: bench.Readiness(r.IntN(3)), P50: value(), P95: value(), P99: value(), Max: value(), Mean: value()}
		sum.Tally.Unsent = r.IntN(2) * r.IntN(1<<30)
	}
	if r.IntN(4) == 0 {
		s.Ask = &bench.Ask{Text: word()}
	}
	if s.Run != nil {
		s.Run.Host, s.Run.Model, s.Run.Max = word(), word(), r.IntN(3)*r.IntN(1<<20)-1
		if r.IntN(3) == 0 {
			s.Run.Thresholds = nil
		}
		s.Run.Warmup, s.Run.MaxRate, s.Run.Arrivals = r.IntN(9), value().V, bench.Arrivals{Shape: bench.Shape(r.IntN(5)), Burstiness: value().V}
		for range r.IntN(3) {
			s.Run.Works = append(s.Run.Works, bench.Workload{Name: word(), Words: word(), InputTokens: r.IntN(1 << 30), OutputTokens: r.IntN(3) * r.IntN(1<<30), MaxTokens: r.IntN(1 << 30), Rate: value().V})
		}
	}
	for _, l := range s.Levels {
		for m := range l.Stats {
			if r.IntN(2) == 0 {
				l.Stats[m] = bench.Stat{N: r.IntN(50), Readiness: bench.Readiness(r.IntN(3)), Mean: value(), Half: value(), P50: value(), P95: value(),
					P99: value(), Max: value(), P5: value(), P1: value(), Missing: r.IntN(3) * r.IntN(100), Need: r.IntN(100), Wait: time.Duration(r.Uint64() >> 1)}
			}
		}
		l.NewConnections, l.Bursts, l.Malformed = value(), value(), r.IntN(100)
		l.Connect = bench.Stat{N: r.IntN(3), P50: value(), Max: value()}
		l.Handshake = bench.Stat{N: r.IntN(3), P50: value(), Max: value()}
		l.Work, l.Short, l.Missed = r.IntN(4)-1, bench.Shortfall(r.IntN(4)), bench.Missed{Failed: r.IntN(3), Unsent: r.IntN(3) * r.IntN(1<<20)}
		l.Load, l.Was, l.Goodput = setpoint(), setpoint(), value()
	}
	for i := range s.Events {
		e := &s.Events[i]
		e.Text, e.Kind = word(), bench.EventKind(r.IntN(30))
		e.From, e.To, e.N, e.Work, e.Cause = setpoint(), setpoint(), r.IntN(1<<30)-5, r.IntN(5)-2, bench.Cause(r.IntN(12))
	}
	for range r.IntN(5) {
		s.Quotas = append(s.Quotas, bench.Quota{Name: word(), Kind: bench.QuotaKind(r.IntN(4)), Per: []time.Duration{time.Second, time.Minute, bench.Day, bench.Month, 10 * time.Second, 0}[r.IntN(6)], Limit: value(), Remaining: value(),
			Reset: bench.Mark{At: time.Duration(r.Uint64() >> 1), OK: r.IntN(2) == 0}, At: time.Duration(r.Uint64() >> r.IntN(60))})
	}
	s.HeldBy, s.Source = word(), bench.Source(r.IntN(4))
	s.Total.NewConnections, s.Total.Bursts, s.Total.Malformed = value(), value(), r.IntN(3)*r.IntN(1<<20)
	if s.Run != nil {
		s.Run.Protocol, s.Run.Address, s.Run.API, s.Run.QuotaReserve = word(), word(), bench.API(r.IntN(6)), value().V
		s.Run.Limits.Total, s.Run.Notes = time.Duration(r.Uint64()>>r.IntN(60)), []string{word(), strings.Repeat(word(), 30)}
	}
	if r.IntN(5) == 0 {
		s.Levels, s.At = nil, time.Duration(r.Uint64()>>1)
	}
	if r.IntN(5) == 0 {
		s.Buckets = nil
	}
	return s
}

// summaries are those of the run and its levels.
func summaries(s *bench.Snapshot) []*bench.Summary {
	out := []*bench.Summary{&s.Total}
	for _, l := range s.Levels {
		out = append(out, &l.Summary)
	}
	return out
}

// plan is a profile without sense, at times of no stage.
func plan(r *rand.Rand, text string) *bench.Profile {
	p := &bench.Profile{Text: text, Mode: bench.Mode(r.IntN(2)), Rounds: 1}
	for range r.IntN(40) {
		n := []float64{0, 1, 64, 0.004, float64(r.IntN(1 << 20)), 1e6}
		p.Stages = append(p.Stages, bench.Stage{From: n[r.IntN(6)], To: n[r.IntN(6)], Span: time.Second + time.Duration(r.Int64N(int64(time.Second)<<r.IntN(20))), Spike: r.IntN(9) == 0})
	}
	return p
}
