package fleet

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
	"redline/bench/engine"
)

// server is a Sender without a network: every answer has 20 tokens, one every gap. It keeps when each request was sent, and with what.
type server struct {
	clock bench.Clock
	gap   time.Duration

	mu      sync.Mutex
	starts  []time.Duration
	prompts []int
	refuses bool
	unknown bool
	running int
}

func (s *server) Send(ctx context.Context, r bench.Request, obs bench.Observer) (e bench.Ended) {
	e.Request = r
	now := s.clock.Now()
	s.mu.Lock()
	s.starts, s.prompts = append(s.starts, now), append(s.prompts, r.Prompt.Counted)
	refuses, unknown, gap := s.refuses, s.unknown, s.gap
	s.running++
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.running--
		s.mu.Unlock()
	}()
	e.Marks.Started = bench.MarkAt(now)
	obs.Started(now)
	defer func() { e.Marks.Ended = bench.MarkAt(s.clock.Now()) }()
	if refuses || unknown {
		time.Sleep(time.Millisecond)
		if e.Outcome, e.Message = bench.Refused, "connection refused"; unknown {
			e.Outcome, e.Status = bench.Unauthorized, 401
		}
		return e
	}
	e.Marks.Written, e.Status = bench.MarkAt(now), 200
	for i := range 20 {
		select {
		case <-ctx.Done():
			e.Outcome = bench.Cancelled
			return e
		case <-time.After(gap):
		}
		at := s.clock.Now()
		c := bench.Chunk{At: at, Gap: gap, Events: 1, First: i == 0}
		if i == 0 {
			c.TTFT, c.Gap = at-now, 0
			e.Marks.FirstChunk, e.Marks.FirstToken, e.Marks.FirstAnswer = bench.MarkAt(at), bench.MarkAt(at), bench.MarkAt(at)
			e.Counts.FirstEvents = 1
		} else {
			e.Gaps.Add(gap, 1)
		}
		e.Marks.LastToken = bench.MarkAt(at)
		e.Counts.Events, e.Counts.Chunks = e.Counts.Events+1, e.Counts.Chunks+1
		obs.Chunk(c)
	}
	e.Counts.Source, e.Counts.Input, e.Counts.Output = bench.FromUsage, 64, 20
	return e
}

func (s *server) set(f func(*server)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f(s)
}

// since are the instants of the requests from one on.
func (s *server) since(at time.Duration) []time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []time.Duration
	for _, t := range s.starts {
		if t >= at {
			out = append(out, t)
		}
	}
	return out
}

func (s *server) inFlight() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.running
}

// prompts are numbered.
type prompts struct {
	mu sync.Mutex
	n  int
}

func (p *prompts) Next(time.Duration) (bench.Prompt, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n++
	return bench.Prompt{Text: "say it", InputTokens: 64, Counted: p.n, MaxTokens: 20}, true
}

func (p *prompts) Ended(time.Duration, *bench.Ended) {}
func (p *prompts) Pending() int                      { return 0 }
func (p *prompts) Gap() float64                      { return 1 }

// run is a fleet under test in a bubble, over servers of its own.
type run struct {
	*Fleet
	t       *testing.T
	servers []*server
	clock   bench.Clock
}

// inBubble runs a test with a fleet over so many servers, each with answers of 2 s.
func inBubble(t *testing.T, targets int, both bool, o engine.Options, test func(r *run)) {
	synctest.Test(t, func(t *testing.T) {
		r := &run{t: t, clock: bench.NewClock(time.Now())}
		r.Fleet = New([]string{"left", "right", "third"}[:targets], both)
		if o.Run.Max == 0 {
			o.Run.Max = 64
		}
		o.Run.MaxRate, o.Run.Stall, o.Run.Seed = 100, time.Second, 7
		o.Run.Works = []bench.Workload{{Name: "first"}, {Name: "second"}}
		purse := engine.NewPurse(o.Budget, o.BudgetTokens)
		for i := range targets {
			s := &server{clock: r.clock, gap: 100 * time.Millisecond}
			r.servers = append(r.servers, s)
			own := o
			own.Purse, own.Paused = purse, o.Paused || i > 0
			own.Watch = func(s engine.Standing) { r.Watch(i, s) }
			r.Enlist(i, engine.New(own, r.clock, s, []engine.Prompts{&prompts{}, &prompts{}}, nil))
		}
		over := make(chan struct{})
		go func() {
			defer close(over)
			if err := r.Run(context.Background()); err != nil {
				t.Error(err)
			}
		}()
		synctest.Wait()
		defer func() {
			r.Post(bench.Kill{Why: "quit"})
			<-over
			select {
			case <-r.Done():
			default:
				t.Error("the run is over, and Done is not closed")
			}
		}()
		test(r)
	})
}

// after lets time pass.
func (r *run) after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (r *run) post(c bench.Command) {
	r.Post(c)
	synctest.Wait()
}

// want holds the loads in force of all targets, in flight, against what they have to be.
func (r *run) want(what string, flights ...int) {
	r.t.Helper()
	for i, want := range flights {
		if got := r.servers[i].inFlight(); got != want {
			r.t.Fatalf("%s: target %s has %d in flight, want %d", what, bench.Letter(i), got, want)
		}
	}
}

func closed(n int) engine.Options { return engine.Options{Load: bench.InFlight(n)} }

func TestOtherDrivesTheNextTargetAtTheSameLoadAndLetsTheFirstFinish(t *testing.T) {
	inBubble(t, 2, false, closed(8), func(r *run) {
		r.after(5 * time.Second)
		r.want("at first", 8, 0)
		r.post(bench.Set{N: 12})
		r.after(5 * time.Second)
		r.post(bench.Other{})
		r.want("right after", 12, 12)
		r.after(3 * time.Second)
		r.want("3 s later", 0, 12)
		s := r.Snapshot()
		if s.Rivals.Shown != 1 || s.Rivals.Both || s.Target != bench.InFlight(12) || s.State != bench.Running {
			t.Errorf("shown %d, both %t, %s at %s", s.Rivals.Shown, s.Rivals.Both, s.State, s.Target)
		}
		for i, of := range s.Rivals.Of {
			if !slices.ContainsFunc(of.Events, func(e bench.Event) bool { return e.Kind == bench.EventTarget && e.Text == "B is driven" }) {
				t.Errorf("the log of %s says nothing of the change", bench.Letter(i))
			}
		}
		r.post(bench.Add{N: -4})
		r.after(3 * time.Second)
		r.want("after a press", 0, 8)
		r.post(bench.Other{})
		r.after(3 * time.Second)
		r.want("back", 8, 0)
	})
}

func TestOtherSendsNothingWhileTheRunRests(t *testing.T) {
	inBubble(t, 2, false, engine.Options{Load: bench.InFlight(4), Paused: true}, func(r *run) {
		r.post(bench.Other{})
		r.after(3 * time.Second)
		r.want("waiting", 0, 0)
		r.post(bench.Toggle{})
		r.after(time.Second)
		r.want("started", 0, 4)
	})
}

func TestBothFollowEachLoadThatTheLeaderDecides(t *testing.T) {
	inBubble(t, 3, false, closed(4), func(r *run) {
		r.after(3 * time.Second)
		r.post(bench.Both{})
		r.after(time.Second)
		r.want("both", 4, 4, 4)
		for range 4 {
			r.post(bench.Add{N: 1})
			r.after(60 * time.Millisecond)
		}
		r.want("after a burst", 8, 8, 8)
		r.after(3 * time.Second)
		for i, of := range r.Snapshot().Rivals.Of {
			if n := len(of.Levels); i > 0 && n != 2 || of.Level().Load != bench.InFlight(8) {
				t.Errorf("target %s has %d levels, the last at %s: a burst is one level everywhere", bench.Letter(i), n, of.Level().Load)
			}
		}
		r.post(bench.Times{F: 2})
		r.after(time.Second)
		r.want("while it asks", 8, 8, 8)
		r.post(bench.Answer{ID: r.Snapshot().Ask.ID, Yes: true})
		r.want("after one yes", 16, 16, 16)
		r.after(time.Second)
		r.post(bench.Undo{})
		r.after(5 * time.Second)
		r.want("after a step back", 8, 8, 8)
		r.post(bench.NextWork{})
		r.after(time.Second)
		for i, of := range r.Snapshot().Rivals.Of {
			if of.Work != 1 {
				t.Errorf("target %s is at workload %d", bench.Letter(i), of.Work)
			}
		}
		r.post(bench.Toggle{})
		r.after(5 * time.Second)
		r.want("paused", 0, 0, 0)
		r.post(bench.Toggle{})
		r.after(time.Second)
		r.want("resumed", 8, 8, 8)
		r.post(bench.Both{})
		r.after(5 * time.Second)
		r.want("one alone again", 8, 0, 0)
	})
}

func TestOtherOnlyGoesToTheNextWhereAllAreDriven(t *testing.T) {
	inBubble(t, 2, true, closed(4), func(r *run) {
		r.after(3 * time.Second)
		r.want("from the start", 4, 4)
		r.post(bench.Other{})
		r.after(3 * time.Second)
		r.want("the other one leads", 4, 4)
		r.post(bench.Set{N: 6})
		r.after(time.Second)
		r.want("and is followed", 6, 6)
		if s := r.Snapshot(); s.Rivals.Shown != 1 || !s.Rivals.Both {
			t.Errorf("shown %d, both %t", s.Rivals.Shown, s.Rivals.Both)
		}
	})
}

func TestTheEmergencyStopCutsEveryTarget(t *testing.T) {
	inBubble(t, 2, false, closed(8), func(r *run) {
		r.after(time.Second)
		r.post(bench.Other{})
		r.want("one drains", 8, 8)
		r.post(bench.Locked{Command: bench.Cancel{}})
		r.after(10 * time.Millisecond)
		r.want("cut", 0, 0)
		r.after(3 * time.Second)
		r.want("and stays so", 0, 0)
	})
}

func TestOneThatIsDownLetsTheOtherLive(t *testing.T) {
	inBubble(t, 2, true, closed(4), func(r *run) {
		r.after(5 * time.Second)
		r.servers[0].set(func(s *server) { s.refuses = true })
		r.after(20 * time.Second)
		s := r.Snapshot()
		if s.State != bench.Down || s.Rivals.Of[1].State != bench.Running || r.servers[1].inFlight() != 4 {
			r.t.Fatalf("A is %s, B is %s with %d in flight", s.State, s.Rivals.Of[1].State, r.servers[1].inFlight())
		}
		r.post(bench.Set{N: 6})
		r.after(3 * time.Second)
		if n := r.servers[1].inFlight(); n != 6 {
			r.t.Fatalf("a load set while A is down: B has %d in flight, want 6", n)
		}
		r.servers[0].set(func(s *server) { s.refuses = false })
		r.after(60 * time.Second)
		r.want("back", 6, 6)
	})
}

func TestOneKeyThatIsRefusedPausesOnlyItsTarget(t *testing.T) {
	inBubble(t, 2, true, closed(4), func(r *run) {
		r.after(5 * time.Second)
		r.servers[1].set(func(s *server) { s.unknown = true })
		r.after(5 * time.Second)
		s := r.Snapshot()
		if s.State != bench.Running || s.Rivals.Of[1].State != bench.Paused {
			r.t.Fatalf("A is %s, B is %s", s.State, s.Rivals.Of[1].State)
		}
	})
}

func TestRequestsOfEachTargetHaveTheSamePrompts(t *testing.T) {
	inBubble(t, 2, true, closed(4), func(r *run) {
		r.after(10 * time.Second)
		// Of slots that come free at the same instant any may be the first.
		a, b := slices.Sorted(slices.Values(r.servers[0].prompts)), slices.Sorted(slices.Values(r.servers[1].prompts))
		if len(a) < 16 || !slices.Equal(a, b) {
			t.Errorf("prompts of A %v, of B %v", a, b)
		}
	})
}

func TestArrivalsOfOneLieBetweenThoseOfTheOther(t *testing.T) {
	for _, c := range []struct {
		what  string
		shape bench.Arrivals
	}{{"equal gaps", bench.Arrivals{Shape: bench.Constant}}, {"independent users", bench.Arrivals{Shape: bench.Poisson}}} {
		t.Run(c.what, func(t *testing.T) {
			o := engine.Options{Load: bench.PerSecond(2)}
			o.Run.Arrivals = c.shape
			inBubble(t, 2, false, o, func(r *run) {
				r.after(10*time.Second + 130*time.Millisecond)
				r.post(bench.Both{})
				from := r.clock.Now()
				r.after(30 * time.Second)
				a, b := r.servers[0].since(from), r.servers[1].since(from)
				if len(a) < 30 {
					r.t.Fatalf("%d arrivals in 30 s at 2 a second", len(a))
				}
				for i := range min(len(a), len(b)) {
					if gap := b[i] - a[i]; gap < 249*time.Millisecond || gap > 251*time.Millisecond {
						r.t.Fatalf("arrival %d of B is %s after that of A, want half of a mean gap of 500 ms", i, gap)
					}
				}
			})
		})
	}
}

func TestAllSpendFromOneBudget(t *testing.T) {
	o := closed(4)
	o.BudgetTokens = 84 * 100
	inBubble(t, 2, true, o, func(r *run) {
		r.after(5 * time.Minute)
		s := r.Snapshot()
		if used := s.Spend.In + s.Spend.Out; used > o.BudgetTokens || used < o.BudgetTokens-84*8 {
			t.Errorf("%d tokens spent of %d", used, o.BudgetTokens)
		}
		if a, b := s.Rivals.Of[0].Spend, s.Rivals.Of[1].Spend; a.In == 0 || b.In == 0 || a.In+b.In != s.Spend.In {
			t.Errorf("A has spent %d prompt tokens and B %d, together %d", a.In, b.In, s.Spend.In)
		}
		if s.State != bench.Paused {
			t.Errorf("the run is %s", s.State)
		}
	})
}

func TestARunEndsForAllTargets(t *testing.T) {
	t.Run("at the end of its time", func(t *testing.T) {
		o := closed(4)
		o.Run.Duration = 10 * time.Second
		inBubble(t, 2, false, o, func(r *run) {
			r.after(15 * time.Second)
			for i, s := range r.Snapshot().Rivals.Of {
				if s.State != bench.Done || s.Why != "the duration is over" {
					t.Errorf("target %s is %s: %s", bench.Letter(i), s.State, s.Why)
				}
			}
		})
	})
	t.Run("when each has had its requests", func(t *testing.T) {
		o := closed(4)
		o.Run.Requests = 40
		inBubble(t, 2, true, o, func(r *run) {
			r.servers[1].set(func(s *server) { s.gap *= 2 })
			r.after(2 * time.Minute)
			for i, s := range r.Snapshot().Rivals.Of {
				if s.State != bench.Done || s.Total.Tally.OK != 40 {
					t.Errorf("target %s is %s with %d requests", bench.Letter(i), s.State, s.Total.Tally.OK)
				}
			}
		})
	})
}

func TestTheLockRefusesToSendToAnotherTarget(t *testing.T) {
	inBubble(t, 2, false, closed(4), func(r *run) {
		r.after(time.Second)
		for _, c := range []bench.Command{bench.Other{}, bench.Both{}} {
			r.post(bench.Locked{Command: c})
			r.after(3 * time.Second)
			r.want("locked", 4, 0)
		}
		if !slices.ContainsFunc(r.Snapshot().Events, func(e bench.Event) bool { return e.Locked && e.Text == "locked: another target is refused" }) {
			t.Error("nothing is said of the refusal")
		}
		r.post(bench.Both{})
		r.post(bench.Locked{Command: bench.Both{}})
		r.after(3 * time.Second)
		r.want("to rest is no rise", 4, 0)
	})
}

func TestWhatIsForgottenIsForgottenEverywhere(t *testing.T) {
	inBubble(t, 2, true, closed(4), func(r *run) {
		r.after(10 * time.Second)
		r.post(bench.Clear{})
		r.post(bench.Answer{ID: r.Snapshot().Ask.ID, Yes: true})
		r.after(5 * time.Second)
		for i, s := range r.Snapshot().Rivals.Of {
			if !s.Cleared.OK {
				t.Errorf("target %s has forgotten nothing", bench.Letter(i))
			}
		}
	})
}
