// Package engine runs the stages of redline under one context. One control goroutine takes commands and the stages' own messages in order
// and is the only one that decides; slots send requests; a collector takes what has ended. Closing runs against the flow: the gate first,
// then the slots, the collector, and the last second's batch.
package engine

import (
	"context"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"redline/bench"
	"redline/bench/aggregate"
	"redline/bench/health"
	"redline/bench/load"
)

// Options of a run.
type Options struct {
	// Run is what the screens show of it.
	Run bench.Run
	// Load is what to begin with: 0 to Run.Max in flight, or 0 to Run.MaxRate arrivals a second. Paused waits for Resume before anything is sent.
	Load   bench.Setpoint
	Paused bool
	// Profile is followed from the start; nil for none.
	Profile *bench.Profile
	// Ramp is begun with the run, from its own first load; nil for none. It goes before a profile.
	Ramp *bench.Ramp
	// Unmanned: nobody is there to go on, so that the run ends with its profile, its ramp or its workload.
	Unmanned bool
	// DrainTimeout bounds every drain; 0 means 30 s.
	DrainTimeout time.Duration
	// Budget (in the currency of Run.Prices) and BudgetTokens are limits on what is spent; 0 means none.
	Budget       float64
	BudgetTokens int
	// PauseOn429 pauses the run at the first 429, instead of holding the slot that met it.
	PauseOn429 bool
	// Health watches the process; nil for nobody.
	Health Health
	// Gauges reads what the server tells of itself; nil for nobody.
	Gauges Gauges
	// Clean takes secrets out of the text of a stream that is followed: late says that there was more of it before, goesOn that more may come. It is called
	// from the goroutine that asks for the Journal. Without it no such text is shown.
	Clean func(text string, late, goesOn bool) string
	// Watch is told how things stand, after each command and message, by the control's own goroutine: it must not block. May be nil.
	Watch func(Standing)
	// Recorder keeps the run; nil for nobody.
	Recorder Recorder
	// Purse is what the run spends together with others; nil for one of its own, with Budget and BudgetTokens, which a shared one has itself.
	Purse *Purse
	// Panic is told of a panic in a goroutine of the engine, with its stack; the run then ends. May be nil.
	Panic func(reason any, stack []byte)
}

// Health watches the process itself; health.Monitor does.
type Health interface {
	// Run measures until ctx ends.
	Run(ctx context.Context)
	// Second is the verdict on the time since the last call.
	Second(health.Traffic) bench.Health
}

// Gauges reads what the server tells of itself; gauges.Scraper does.
type Gauges interface {
	// Run reads until ctx ends.
	Run(ctx context.Context)
	// Second is how the reading goes, what was read since the last call (nil for nothing), and what happened since. It waits for nothing.
	Second() ([]bench.Scrape, *bench.ServerFacts, []bench.Event)
}

// Recorder keeps a run as it goes; record.Track does. Its methods are called from goroutines of the engine: they must wait for nothing, and change nothing
// of what they are given.
type Recorder interface {
	// Ended is told of each request when it ends, with all that is known of it, before it enters a batch.
	Ended(e *bench.Ended)
	// Seconds is told of the batches that have been folded since the last call, in their order, and of the snapshot that is shown behind them.
	Seconds(batches []*bench.Batch, shown *bench.Snapshot)
}

// Sender sends one request and measures it; the client is one.
type Sender interface {
	Send(ctx context.Context, r bench.Request, obs bench.Observer) bench.Ended
}

// Engine is one run. Its methods are safe for concurrent use.
type Engine struct {
	opt    Options
	clock  bench.Clock
	sender Sender
	// works are the workloads, in the order of Run.Works; warm makes the prompts of the warm-up.
	works   []Prompts
	warm    Prompts
	gate    *load.Gate
	open    *arrivals
	meter   *aggregate.Meter
	ledger  *ledger
	reserve *load.Reserve
	mail    *mailbox
	control *control
	ended   chan outcome
	slots   sync.WaitGroup
	done    chan struct{}
	// wall is the wall clock, which a suspended machine moves and the monotonic one does not.
	wall func() time.Time

	stage atomic.Pointer[stage]
	// failing is how many arrivals of the open loop have failed in a row; toWarm how many requests of the warm-up have not ended yet.
	failing, toWarm atomic.Int64
	// heated is how many of the warm-up were sent.
	heated atomic.Int64
	// asking is how many slots ask for a target that is down in the open loop: one at most.
	asking atomic.Int64
	// older numbers the requests; quotasOf is the latest whose answer told of quotas, slotID the number of slots that there have been.
	older            older
	quotasOf, slotID atomic.Uint64
	// book holds the requests that ended last, reading the stream whose text is followed.
	book    book
	reading reading
	// down is set while the target is gone: the next token must be told. warmFrom is set while it warms up: a request that began from then on (its
	// instant plus one) and ends well must be told. alive is the instant of the newest first token.
	down     atomic.Bool
	warmFrom atomic.Int64
	alive    atomic.Int64
	// jumped is the last gap in time.
	jumped atomic.Pointer[interruption]
	// land cancels the flight that the requests of the moment run under; the control's goroutine alone uses it.
	land context.CancelCauseFunc

	folded atomic.Pointer[bench.Snapshot]
	// live guards what the control goroutine shows between two folds.
	live struct {
		sync.Mutex
		gauges bench.Gauges
		fresh  []bench.Event
		tail   bench.Tail
	}
}

// New is a run that has not begun, over at least one workload; warm makes the prompts of its warm-up, and may be nil without one. The clock's instant 0
// is the run's start.
func New(o Options, clock bench.Clock, s Sender, works []Prompts, warm Prompts) *Engine {
	if o.DrainTimeout <= 0 {
		o.DrainTimeout = 30 * time.Second
	}
	o.Run.Start = clock.Start()
	e := &Engine{
		opt: o, clock: clock, sender: s, works: works, warm: warm,
		meter:  aggregate.NewMeter(2*runtime.GOMAXPROCS(0), o.Run.Stall),
		ledger: newLedger(&o, clock), reserve: load.NewReserve(o.Run.QuotaReserve, namedQuotas(o.Run.Thresholds)), mail: newMailbox(),
		ended: make(chan outcome, 1024), done: make(chan struct{}), wall: time.Now,
	}
	e.gate = load.NewGate(clock, load.Hooks{
		Reached: func(at time.Duration) { e.mail.post(reached{at, e.levelNow()}) },
		Held:    func(at time.Duration, delta int) { e.meter.Held(at, delta) },
	})
	if warm != nil {
		e.toWarm.Store(int64(o.Run.Warmup))
	}
	e.reading.e = e
	e.older.gone = func(level int) { e.mail.post(reached{e.clock.Now(), level}) }
	e.stage.Store(&stage{prompts: works[0], warmup: e.toWarm.Load() > 0})
	e.open = newArrivals(e)
	e.control = newControl(e)
	e.control.publish(clock.Now())
	return e
}

// Learn takes what preflight saw: how many tokens an event holds, where counts come from, and what the preflight request itself has used.
func (e *Engine) Learn(perEvent float64, source bench.Source, in, out int) {
	e.meter.Learn(perEvent, source)
	e.ledger.book(in, out)
}

// Quotas takes what the headers said of quotas before the run.
func (e *Engine) Quotas(q []bench.Quota) {
	for i := range q {
		q[i].At = 0
	}
	e.meter.Quotas(q)
	e.reserve.See(nil, q)
}

// namedQuotas are the operator's quotas, a minute each.
func namedQuotas(thresholds []bench.Threshold) []bench.Quota {
	var out []bench.Quota
	for _, t := range thresholds {
		if !t.Quota() {
			continue
		}
		q := bench.Quota{Name: t.String(), Kind: bench.QuotaRequests, Per: time.Minute, Limit: bench.Some(t.Limit)}
		if t.Metric == bench.TPM {
			q.Kind = bench.QuotaTokens
		}
		out = append(out, q)
	}
	return out
}

// Post gives the engine a command. It returns at once; commands are never dropped and are taken in order.
func (e *Engine) Post(c bench.Command) { e.mail.post(c) }

// Done is closed when the run has ended and every goroutine of it is gone.
func (e *Engine) Done() <-chan struct{} { return e.done }

// Snapshot is the run as it can be shown now. It never blocks on the run, and what it returns never changes.
func (e *Engine) Snapshot() *bench.Snapshot {
	s := *e.folded.Load()
	l := e.gate.Load()
	e.live.Lock()
	s.Gauges = e.live.gauges
	published := s.Gauges.At
	fresh := e.live.fresh
	s.Tail = e.live.tail
	e.live.Unlock()
	s.At = e.clock.Now()
	s.Following = carry(s.Following, s.State, s.At-published)
	s.InFlight, s.Held = l.Running, l.Held
	s.HeldBy, s.HeldNext = l.HeldBy, l.HeldNext
	s.Gauges.Draining = max(l.Running-l.Target, 0)
	s.Gauges.Warmed = e.opt.Run.Warmup - int(max(e.toWarm.Load(), 0))
	burn := s.Spend.PerHour
	s.Spend = e.ledger.spend()
	s.Spend.PerHour = burn
	if s.State == bench.Done {
		// The clock stands still once the run is over.
		s.At = s.Since
	}
	if len(fresh) > 0 {
		s.Events = append(s.Events[:len(s.Events):len(s.Events)], fresh...)
	}
	for i := range fresh {
		s.Outages.Take(&fresh[i])
	}
	return &s
}

// Run drives the run until it has ended: by Stop, Kill, its duration or number of requests, or because ctx is cancelled (which cuts what is in
// flight). When it returns, every goroutine of the engine is gone.
func (e *Engine) Run(ctx context.Context) error {
	defer close(e.done)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	e.cut(ctx, nil)

	var collectors, watchers, senders sync.WaitGroup
	e.spawn(&collectors, e.collect)
	if e.opt.Health != nil {
		e.spawn(&watchers, func() { e.opt.Health.Run(ctx) })
	}
	if e.opt.Gauges != nil {
		e.spawn(&watchers, func() { e.opt.Gauges.Run(ctx) })
	}
	e.spawn(&senders, func() { e.open.run(ctx) })

	e.guarded(func() { e.control.loop(ctx) })

	e.gate.SetOpen(false)
	e.gate.Resize(0)
	e.cut(ctx, errEnded)
	cancel()
	senders.Wait()
	e.slots.Wait()
	close(e.ended)
	collectors.Wait()
	watchers.Wait()
	e.guarded(e.control.finish)
	return nil
}

// spawn starts a goroutine of the engine that wg waits for.
func (e *Engine) spawn(wg *sync.WaitGroup, f func()) {
	wg.Add(1)
	go func() {
		defer wg.Done()
		e.guarded(f)
	}()
}

// guarded runs f; a panic in it is told to Options.Panic and ends the run.
func (e *Engine) guarded(f func()) {
	defer func() {
		if reason := recover(); reason != nil {
			if e.opt.Panic == nil {
				panic(reason)
			}
			e.opt.Panic(reason, debug.Stack())
			e.Post(bench.Kill{Why: "internal error"})
		}
	}()
	f()
}

// cut cancels every request in flight, and lets those that begin from now on run under another flight.
func (e *Engine) cut(ctx context.Context, why error) {
	land := e.land
	flight, cancel := context.WithCancelCause(ctx)
	e.land = cancel
	e.gate.Fly(flight)
	if land != nil {
		land(why)
	}
}

// newRand is a generator of its own for one slot's jitter.
func (e *Engine) newRand(stream uint64) *rand.Rand {
	return rand.New(rand.NewPCG(e.opt.Run.Seed, stream))
}
