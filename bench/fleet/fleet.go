package fleet

import (
	"context"
	"sync"

	"redline/bench"
	"redline/bench/engine"
)

// Engine is the run of one target; engine.Engine is one.
type Engine interface {
	Run(ctx context.Context) error
	Snapshot() *bench.Snapshot
	Journal(read bool) *bench.Journal
	Post(bench.Command)
	Done() <-chan struct{}
}

// Fleet is a run over several targets. One of them leads: it is shown, it takes the operator's commands, and its control decides. Where all are driven,
// the others follow what it has decided, so that the load is the same everywhere, questions come once, and a ramp or a profile holds for all. Its methods
// are safe for concurrent use.
//
//	input                  | alone                                          | all are driven
//	Other                  | the leader pauses, the next leads on at its load | the next leads, unless a ramp or its like has the load
//	Both                   | the others begin, at the load of the leader    | the others pause
//	Cancel                 | all                                            | all
//	Stop, Kill             | all                                            | all
//	Promise, a clear's yes | all                                            | all
//	Note                   | the leader                                     | all
//	Remote, Agreed         | as what is in it                               | as what is in it
//	any other              | the leader                                     | the leader, whom the others follow
//	a target is down       | –                                              | the others go on
//	the leader has ended   | all stop                                       | all stop; unless all of its requests are sent: the next leads
type Fleet struct {
	names   []string
	members []*member
	done    chan struct{}

	mu   sync.Mutex
	lead int
	both bool
	// waits are commands for which the leader has to have done first what was posted before them, and those that came behind them.
	waits []bench.Command
	// begun: the engines are all there. over: they have been told to stop.
	begun, over bool
}

// member is one target.
type member struct {
	Engine
	// stands is how it stands, as it told last.
	stands engine.Standing
	// told is what it was told last as a follower; posted is how many commands it was given.
	told   told
	posted int
}

// Post hands it a command.
func (m *member) Post(c bench.Command) {
	m.posted++
	m.Engine.Post(c)
}

// fresh tells whether how it stands is what it came to by all that it was given.
func (m *member) fresh() bool { return m.stands.Taken >= m.posted || m.stands.Ending }

// told is what a follower has been told: the load, the workload, and whether to send; known: it has been told at all, since no load is a load too.
type told struct {
	match bench.Match
	phase phase
	known bool
}

// toldOf is what followers are told of a leader.
func toldOf(lead *member) told {
	return told{matchOf(&lead.stands.Gauges), phaseOf(lead.stands.State), true}
}

// phase is what a leader does that its followers do too.
type phase uint8

const (
	rests phase = iota
	sends
	drains
)

// phaseOf is the phase of a state. A target that is down is asked again and again, which is no reason for another one to rest.
func phaseOf(s bench.RunState) phase {
	switch s {
	case bench.Running, bench.Down, bench.Warming:
		return sends
	case bench.Draining:
		return drains
	}
	return rests
}

// New is a fleet over at least two targets that have names, of which the first leads; with both all are driven from the start. The engines are made by the
// caller with the same bounds, workloads and seed, on one clock, and each with Watch of its place; all but the first have to wait for a Resume.
func New(names []string, both bool) *Fleet {
	f := &Fleet{names: names, both: both, done: make(chan struct{})}
	for range names {
		f.members = append(f.members, &member{})
	}
	return f
}

// Enlist gives the target at a place its engine, which has not begun.
func (f *Fleet) Enlist(i int, e Engine) { f.members[i].Engine = e }

// Run runs all engines until each has ended, and returns the first error of any.
func (f *Fleet) Run(ctx context.Context) error {
	defer close(f.done)
	f.begin()
	errs := make([]error, len(f.members))
	var all sync.WaitGroup
	for i, m := range f.members {
		all.Go(func() {
			errs[i] = m.Run(ctx)
			f.ended(i)
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// begin lets the followers follow from now on.
func (f *Fleet) begin() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begun = true
	if f.both {
		f.stagger("")
	}
}

// Done is closed when every target's run has ended.
func (f *Fleet) Done() <-chan struct{} { return f.done }

// Journal is that of the target that is shown.
func (f *Fleet) Journal(read bool) *bench.Journal { return f.leader().Journal(read) }

// Shown is the place of the target that is shown.
func (f *Fleet) Shown() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.lead
}

// Driven tells whether all targets are driven.
func (f *Fleet) Driven() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.both
}

func (f *Fleet) leader() *member {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.members[f.lead]
}

// Snapshot is that of the target that is shown, with all others beside it. Its Spend is that of all together, since they have one budget.
func (f *Fleet) Snapshot() *bench.Snapshot {
	f.mu.Lock()
	r := &bench.Rivals{Names: f.names, Shown: f.lead, Both: f.both}
	f.mu.Unlock()
	for _, m := range f.members {
		r.Of = append(r.Of, m.Snapshot())
	}
	s := *r.Of[r.Shown]
	s.Rivals, s.Spend = r, bench.Spent(r.Of, s.Spend)
	return &s
}
