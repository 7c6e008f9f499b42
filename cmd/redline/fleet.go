package main

import (
	"context"
	"errors"
	"fmt"

	"redline/bench"
	"redline/bench/engine"
	"redline/bench/fleet"
)

// connectAll connects every target, the first one first: nothing is driven before each has answered once. One monitor watches the process for all.
func (m *Main) connectAll(ctx context.Context, s *settings, t target, others contenders) (conns []*connection, err error) {
	defer func() {
		if err != nil {
			for _, c := range conns {
				c.close()
			}
		}
	}()
	first, err := m.connect(ctx, s, t)
	if err != nil {
		return nil, hushed(err, s, t.base)
	}
	conns = append(conns, first)
	for i, o := range others {
		o.target.monitor = first.monitor
		o.set.screen.private = s.screen.private
		c, err := m.connect(ctx, o.set, o.target)
		if err != nil {
			return conns, hushed(fmt.Errorf("target %s, %s: %w", bench.Letter(i+1), o.name, err), s, o.target.base, o.name)
		}
		conns = append(conns, c)
	}
	return conns, nil
}

// hushed is an error without the names of a target, in private.
func hushed(err error, s *settings, names ...string) error {
	if !s.screen.private {
		return err
	}
	text := err.Error()
	for _, name := range names {
		text = conceal(text, name, "")
	}
	return errors.New(text)
}

// muster makes the engines of several targets, and of them the fleet that the session drives. They differ only in how each is reached and in what it costs:
// load, bounds, workloads, seed and promises are those of the run. On a screen the first is driven until the operator says otherwise; without one there
// is nobody to say so, and all are.
func (r *session) muster(conns []*connection, clock bench.Clock) {
	s := r.set
	names := []string{nameOf(*s.place)}
	for _, o := range r.others {
		names = append(names, o.name)
	}
	f := fleet.New(names, s.screen.plain)
	purse, vitals := engine.NewPurse(s.budget, s.budgetTokens), fleet.NewVitals(conns[0].monitor, clock)
	var runs []*bench.Run
	var all []*engine.Options
	for i, conn := range conns {
		o := r.options(conn)
		o.Purse, o.Health, o.Paused = purse, vitals, s.paused || i > 0
		o.Watch = func(s engine.Standing) { f.Watch(i, s) }
		if i > 0 {
			own := r.others[i-1]
			o.Profile = nil
			o.Run.API, o.Run.Prices, o.Run.Public, o.Run.Limits = own.set.api, own.set.prices, own.target.public, own.set.limits.ofRequests()
			o.Run.Notes = r.notesOf(conn, own)
		}
		runs = append(runs, &o.Run)
		if note := sameServer(runs); note != "" && i == len(conns)-1 {
			o.Run.Notes = append(o.Run.Notes, note)
		}
		all = append(all, &o)
	}
	stand := func() (int, bool) { return f.Shown(), f.Driven() }
	r.recording.begin(s.keeping, clock, stand, names, all)
	for i, conn := range conns {
		f.Enlist(i, r.engineOf(conn, clock, *all[i]))
	}
	r.engine = f
	r.clean = func(text string) string {
		for _, c := range conns {
			text = c.clean(text)
		}
		return text
	}
	r.curl = func(q *bench.Request) bench.Curl { return conns[f.Shown()].curl(q) }
}

// notesOf are what the operator should know of another target.
func (r *session) notesOf(conn *connection, o *contender) []string {
	notes := append(append([]string{}, o.set.protocol.notes()...), conn.report.Notes...)
	if o.target.keyNote != "" {
		notes = append(notes, o.target.keyNote)
	}
	return notes
}

// noneWell tells whether requests were answered, at one target or more, but none of them well.
func noneWell(s *bench.Snapshot) bool {
	if s.Rivals != nil {
		bad := false
		for _, of := range s.Rivals.Of {
			bad = bad || noneWell(of)
		}
		return bad
	}
	t := s.Total.Tally
	return t.OK+s.Forgotten.OK == 0 && t.Failed+t.Limited > 0
}
