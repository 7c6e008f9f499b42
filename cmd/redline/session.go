package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"redline/bench"
	"redline/bench/engine"
	"redline/bench/health"
	"redline/bench/report"
	"redline/ui"
)

// session is one run, from the first connection to the summary.
type session struct {
	*Main
	set    *settings
	target target
	// others are the targets beside it.
	others contenders
	engine driven
	// deck is the engine where that plays a recorded run; nil where it drives one.
	deck  ui.Deck
	end   *endgame
	crash crash
	// heard is what libraries log; clean takes secrets out of it.
	heard     *libraries
	recording recording
	// door is where the run listens; nil where it does not.
	door  *door
	clean func(string) string
	// private hides what a bench.Veil hides, veil does it.
	private bool
	veil    bench.Veil
	// stream is what machines are told while it lasts; nil where they are not.
	stream *report.Stream
	// ghostless is why there is no ghost though one was asked for; empty else.
	ghostless string
	// ascii: nothing beyond ASCII may be written.
	ascii bool
	// curl words a request as a command of curl.
	curl func(*bench.Request) bench.Curl
}

// driven is what a session drives: the engine of one target, or the fleet of several.
type driven interface {
	ui.Engine
	Run(ctx context.Context) error
}

// drive runs the engine against the target, or several against theirs, and shows it. What it returns has the exit code, and the error if there is one to tell.
func (m *Main) drive(ctx context.Context, s *settings, t target, others contenders, end *endgame) *exit {
	door, err := m.openDoor(ctx, s.listening)
	if err != nil {
		return &exit{exitUsage, err}
	}
	defer door.close()
	if t.demo {
		c, err := startChild(m.Simulator, s.preset, s.seed)
		if err != nil {
			return &exit{exitUsage, err}
		}
		defer c.stop()
		t.base = c.address
		end.adopt(c)
	}
	heard := listen()
	defer heard.release()
	conns, err := m.connectAll(ctx, s, t, others)
	if err != nil {
		if code := end.code(); code != exitOK {
			return &exit{code, errors.New("given up before the first answer")}
		}
		return &exit{exitUsage, err}
	}
	for _, conn := range conns {
		defer conn.close()
	}
	defer easeCollector(m.Env)()

	r := &session{Main: m, set: s, target: t, others: others, end: end, heard: heard, door: door, private: s.screen.private, ascii: s.screen.ascii}
	if err := r.findGhost(conns[0]); err != nil {
		return &exit{exitUsage, err}
	}
	r.begin(conns...)
	return r.run(ctx)
}

// begin makes the engine of the run, or those of several targets.
func (r *session) begin(conns ...*connection) {
	// The run's time begins now: what the target took to answer for the first time is not part of it.
	clock := bench.NewClock(time.Now())
	// What the preflight made of the process is not part of the run.
	conns[0].monitor.Second(health.Traffic{})
	r.clean, r.curl = conns[0].clean, conns[0].curl
	r.announce(conns[0])
	r.recording.panicked = r.crash.panicked
	if len(conns) > 1 {
		r.muster(conns, clock)
		return
	}
	o := r.options(conns[0])
	r.recording.begin(r.set.keeping, clock, nil, []string{""}, []*engine.Options{&o})
	r.engine = r.engineOf(conns[0], clock, o)
}

// options are those of the engine that drives a target.
func (r *session) options(conn *connection) engine.Options {
	s, report := r.set, conn.report
	o := engine.Options{
		Run: bench.Run{
			Version: version(), Target: report.URL, Host: hostOf(report.URL), Model: report.Model, Demo: r.target.demo, Public: r.target.public,
			Max: s.max, MaxRate: float64(s.maxRate), Arrivals: s.arrivals, Scenario: s.scenario, Warmup: s.warmup,
			Seed: s.seed, Duration: s.duration, Requests: s.requests,
			API: s.api, Protocol: report.Protocol, Address: report.Address, Limits: s.limits.ofRequests(), QuotaReserve: s.quotaReserve,
			Stall: s.limits.stall, Thresholds: s.promises(), Prices: s.prices, Notes: r.notes(conn),
		},
		Load: s.load(), Profile: s.plan, Unmanned: s.screen.plain && !r.manned(), Health: conn.monitor, Paused: s.paused,
		DrainTimeout: max(s.limits.drain, time.Millisecond), Budget: s.budget, BudgetTokens: s.budgetTokens,
		PauseOn429: s.on429 == "pause", Clean: conn.cleanPart,
		Panic: func(reason any, stack []byte) {
			r.crash.panicked(reason, stack)
			r.end.stopAll("internal error")
		},
	}
	for _, w := range conn.works {
		o.Run.Works = append(o.Run.Works, w.Words())
	}
	return o
}

// engineOf makes the engine that drives a target.
func (r *session) engineOf(conn *connection, clock bench.Clock, o engine.Options) *engine.Engine {
	conn.client.Restart(clock)
	if conn.gauges != nil {
		o.Gauges = conn.gauges(clock)
	}
	var works []engine.Prompts
	for _, w := range conn.works {
		works = append(works, w)
	}
	var warm engine.Prompts
	if r.set.warmup > 0 {
		warm = conn.works[0].WarmUp()
	}
	e := engine.New(o, clock, conn.client, works, warm)
	e.Learn(conn.report.TokensPerEvent, conn.report.Source, conn.in, conn.out)
	e.Quotas(conn.report.Quotas)
	return e
}

// notes are what the operator should know of this target before reading any number.
func (r *session) notes(conn *connection) []string {
	notes := append(append(slices.Clone(r.target.notes), r.set.protocol.notes()...), conn.report.Notes...)
	if r.target.keyNote != "" {
		notes = append(notes, r.target.keyNote)
	}
	notes = append(notes, r.door.notes()...)
	if !r.set.screen.plain {
		notes = append(notes, r.set.screen.look.Warnings...)
	}
	if r.ghostless != "" {
		notes = append(notes, r.ghostless)
	}
	if text := shortOfDescriptors(r.Files(), r.set.max*max(r.set.targets, 1)); text != "" {
		notes = append(notes, text)
	}
	return notes
}

// run drives until the engine has ended and the screen is left, and tells what it came to.
func (r *session) run(ctx context.Context) *exit {
	r.end.engage(r.engine)
	r.recording.engage(r.engine.Post)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer r.crash.catch(func() { r.end.stopAll("internal error") })
		if err := r.engine.Run(ctx); err != nil {
			r.crash.note(err.Error())
		}
		r.recording.close()
	}()
	r.answer(ctx)
	if ramp := r.set.seek.ramp; ramp != nil {
		r.engine.Post(bench.Seek{Ramp: ramp})
	}
	if c := r.set.course; c != nil {
		r.engine.Post(bench.Steer{Cruise: c})
	}
	var frame, stray string
	switch {
	case r.set.headless.asked:
		r.showHeadless(ctx)
	case r.set.screen.plain:
		r.showPlain(ctx)
	default:
		frame, stray = r.showScreen()
	}
	<-ended
	r.door.close()
	return r.report(frame, stray)
}

func (r *session) showPlain(ctx context.Context) {
	defer r.crash.catch(func() { r.end.stopAll("internal error") })
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	p := &plain{out: r.words(), run: r.engine, halted: r.door.halted}
	if r.private {
		p.run = &veiled{run: r.engine}
	}
	if r.attended() {
		p.blockedLimit = blockedLimit
	}
	if err := p.show(ctx, tick.C); err != nil {
		r.end.lost(err)
	}
}

// report prints what is left to print, in the order of its weight: the last frame, the summary, then what went wrong.
func (r *session) report(frame, stray string) *exit {
	snap := r.engine.Snapshot()
	if r.private {
		snap = r.veil.Snapshot(snap)
	}
	if r.set.headless.asked {
		return r.conclude(snap)
	}
	if frame != "" {
		fmt.Fprintln(r.Stdout, frame)
	}
	end := r.set.wording()
	end.Why, end.Cut = snap.Why, r.end.cut()
	if err := report.Of(snap, end).Text(r.words(), r.width()); err != nil {
		r.end.lost(err)
	}
	if err := r.recording.tellSaved(r.words(), r.private); err != nil {
		r.end.lost(err)
	}
	if err := r.set.seek.tell(snap, r.words(), r.private, r.recording.kept(r.private)); err != nil {
		r.end.lost(err)
	}
	r.heard.tell(r.Stderr, stray, r.concealed)
	if words := r.end.childWords(); words != "" {
		fmt.Fprintf(r.Stderr, "redline: the simulated server has ended by itself: %s\n", words)
	}
	if text := r.crash.text(); text != "" {
		return &exit{exitCrash, fmt.Errorf("internal error, please report it with this trace:\n%s", text)}
	}
	if code := r.end.code(); code != exitOK {
		return &exit{code: code}
	}
	if noneWell(snap) || r.set.ranked != "" && report.Unranked(snap.Rivals) {
		return &exit{code: exitNothing}
	}
	return &exit{code: r.set.seek.code(snap)}
}
