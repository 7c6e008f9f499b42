package engine

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
	"redline/bench/client"
)

// server is a Sender without a network: every answer has its first token after ttft and then a token every gap.
type server struct {
	clock bench.Clock
	ttft  atomic.Int64
	gap   time.Duration
	// pause is put into each stream at its next token.
	pause  atomic.Int64
	tokens atomic.Int64
	// fail, if set and not OK, is the outcome of the next requests, with retryAfter, after failsAfter.
	fail       atomic.Int32
	retryAfter time.Duration
	inFlight   atomic.Int64
	peak       atomic.Int64
	sent       atomic.Int64
	panics     atomic.Bool
	// quota, if set, is what each answer's headers say, in the order of the answers.
	quota atomic.Pointer[func(at time.Duration) []bench.Quota]
	// slept is how far the wall clock is ahead.
	slept atomic.Int64
}

func (s *server) Send(ctx context.Context, r bench.Request, obs bench.Observer) (e bench.Ended) {
	e.Request = r
	n := s.inFlight.Add(1)
	defer s.inFlight.Add(-1)
	s.peak.Store(max(s.peak.Load(), n))
	s.sent.Add(1)
	if s.panics.Load() {
		panic("the sender broke")
	}
	started := s.clock.Now()
	e.Marks.Started = bench.MarkAt(started)
	obs.Started(started)
	defer func() { e.Marks.Ended = bench.MarkAt(s.clock.Now()) }()
	wait := time.Duration(s.ttft.Load())
	if fail := bench.Outcome(s.fail.Load()); fail != bench.OK {
		wait, e.Outcome, e.Message, e.RetryAfter = time.Millisecond, fail, "as told", s.retryAfter
		e.Status = map[bench.Outcome]int{bench.RateLimited: 429, bench.Overloaded: 503, bench.ServerError: 500, bench.Unauthorized: 401}[fail]
	}
	if e.Outcome != bench.Refused {
		e.Marks.Written = bench.MarkAt(started)
	}
	if quota := s.quota.Load(); quota != nil {
		obs.Quotas((*quota)(started))
	}
	tokens := int(s.tokens.Load())
	for i := range tokens {
		select {
		case <-ctx.Done():
			e.Outcome = bench.Cancelled
			if errors.Is(context.Cause(ctx), client.ErrInterrupted) {
				e.Outcome = bench.Interrupted
			}
			return e
		case <-time.After(wait + time.Duration(s.pause.Load())):
		}
		if e.Outcome != bench.OK {
			return e
		}
		now := s.clock.Now()
		e.Status = 200
		c := bench.Chunk{At: now, Gap: wait, Events: 1, First: i == 0}
		if i == 0 {
			c.TTFT, c.Gap = now-started, 0
			e.Marks.FirstChunk, e.Marks.FirstToken, e.Marks.FirstAnswer = bench.MarkAt(now), bench.MarkAt(now), bench.MarkAt(now)
			e.Counts.FirstEvents = 1
		} else {
			e.Gaps.Add(wait, 1)
		}
		e.Marks.LastToken = bench.MarkAt(now)
		e.Counts.Events++
		e.Counts.Chunks++
		obs.Chunk(c)
		wait = s.gap
	}
	e.Counts.Source, e.Counts.Input, e.Counts.Output = bench.FromUsage, r.Prompt.Counted+7, tokens
	return e
}

// run is an engine under test in a bubble.
type run struct {
	*Engine
	*server
	t        *testing.T
	finished chan struct{}
	cancel   context.CancelFunc
	// works are its workloads, as many as Run.Works and at least one; warm is that of its warm-up.
	works []*prompts
	warm  prompts
}

// prompts is a workload of equal prompts. most bounds them, if it is above 0; gaps are those of a recording.
type prompts struct {
	made, ended atomic.Int64
	// talks are conversations that go on.
	talks atomic.Int64
	most  int64
	gaps  []float64
}

func (p *prompts) Next(time.Duration) (bench.Prompt, bool) {
	n := p.made.Add(1)
	return bench.Prompt{Text: "say it", InputTokens: 64, Counted: 57, MaxTokens: 64}, p.most == 0 || n <= p.most
}

func (p *prompts) Ended(time.Duration, *bench.Ended) { p.ended.Add(1) }

func (p *prompts) Pending() int { return int(p.talks.Load()) }

func (p *prompts) Gap() float64 {
	if len(p.gaps) == 0 {
		return 1
	}
	return p.gaps[int(p.made.Load())%len(p.gaps)]
}

// works are the workloads of a run.
func works(r *run, o Options) (out []Prompts) {
	for range max(len(o.Run.Works), 1) {
		p := &prompts{}
		r.works = append(r.works, p)
		out = append(out, p)
	}
	return out
}

// inBubble runs a test with an engine over the fake server: first token after 200 ms, then 38 tokens every 100 ms.
func inBubble(t *testing.T, o Options, test func(t *testing.T, r *run)) {
	synctest.Test(t, func(t *testing.T) {
		clock := bench.NewClock(time.Now())
		s := &server{clock: clock, gap: 100 * time.Millisecond}
		s.ttft.Store(int64(200 * time.Millisecond))
		s.tokens.Store(39)
		if o.Run.Max == 0 {
			o.Run.Max = 256
		}
		r := &run{server: s, t: t, finished: make(chan struct{})}
		r.Engine = New(o, clock, s, works(r, o), &r.warm)
		r.Engine.wall = func() time.Time { return time.Now().Add(time.Duration(s.slept.Load())) }
		ctx, cancel := context.WithCancel(t.Context())
		r.cancel = cancel
		go func() {
			defer close(r.finished)
			if err := r.Run(ctx); err != nil {
				t.Error(err)
			}
		}()
		synctest.Wait()
		test(t, r)
		r.Post(bench.Kill{})
		<-r.finished
		cancel()
		if s := r.Snapshot(); s.State != bench.Done {
			t.Errorf("ended in state %v", s.State)
		}
		if n := r.server.inFlight.Load(); n != 0 {
			t.Errorf("%d requests in flight after the end", n)
		}
		checkTally(t, r.Snapshot(), 0)
	})
}

func (r *run) post(commands ...bench.Command) {
	for _, c := range commands {
		r.Post(c)
	}
	synctest.Wait()
}

func (r *run) after(d time.Duration) { time.Sleep(d); synctest.Wait() }

// want checks the load that is set, what is really in flight, and what the gauges say of it.
func (r *run) want(target, inFlight int) {
	r.t.Helper()
	s := r.Snapshot()
	if s.Target != bench.InFlight(target) || s.InFlight != inFlight || int(r.server.inFlight.Load()) != inFlight {
		r.t.Fatalf("at %v: target %s, in flight %d (really %d), want %d and %d", s.At, s.Target, s.InFlight, r.server.inFlight.Load(), target, inFlight)
	}
}

func (r *run) wantState(state bench.RunState) {
	r.t.Helper()
	if s := r.Snapshot(); s.State != state {
		r.t.Fatalf("at %v: %v (%s), want %v", s.At, s.State, s.Why, state)
	}
}

// kinds are the kinds of the run's events so far, without those that the fold derives.
func (r *run) kinds() (out []bench.EventKind) {
	for _, ev := range r.Snapshot().Events {
		switch ev.Kind {
		case bench.EventFailure, bench.EventBroken, bench.EventKept, bench.EventBusy:
		default:
			out = append(out, ev.Kind)
		}
	}
	return out
}

func (r *run) count(k bench.EventKind) (n int) {
	for _, kind := range r.kinds() {
		if kind == k {
			n++
		}
	}
	return n
}

func (r *run) wantKinds(want ...bench.EventKind) {
	r.t.Helper()
	if got := r.kinds(); !slices.Equal(got, want) {
		r.t.Fatalf("events %v, want %v", got, want)
	}
}

// checkTally holds sent = ok + failed + limited + cancelled + in flight.
func checkTally(t *testing.T, s *bench.Snapshot, inFlight int) {
	t.Helper()
	y := s.Total.Tally
	if y.Sent != y.OK+y.Failed+y.Limited+y.Cancelled+inFlight {
		t.Errorf("sent %d, ok %d, failed %d, limited %d, cancelled %d, in flight %d", y.Sent, y.OK, y.Failed, y.Limited, y.Cancelled, inFlight)
	}
}
