package aggregate

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"time"

	"redline/bench"
)

// broken is an error that says what is wrong with a saved state.
func broken(format string, words ...any) error {
	return fmt.Errorf("saved state: "+format, words...)
}

// Load is the state that was saved, of the same run. part gives the parts that it names, by their IDs; the state may keep what it is given. An error says
// what no State could have been, or is that of part.
func Load(run *bench.Run, saved *Saved, part func(id int) (*Part, error)) (*State, error) {
	if err := saved.check(); err != nil {
		return nil, err
	}
	s := NewState(run)
	s.rerun(saved.Thresholds)
	s.folded, s.counted = saved.Folded, saved.Folded
	s.cleared, s.forgotten = saved.Cleared, saved.Forgotten
	s.total = saved.Total.load()
	s.log = eventLog{events: slices.Clone(saved.Events), gone: saved.EventsGone}
	s.outages, s.promised, s.changed = saved.Outages, saved.Promised, saved.Changed
	for o := range s.failures {
		s.failures[o] = saved.Failures[o].load()
	}
	s.unsent = saved.Unsent.load()
	s.told = nil
	for _, p := range saved.Told {
		s.told = append(s.told, promise{p.Broken, p.Ever, p.At})
	}
	for _, u := range saved.Minute {
		s.minute.seconds = append(s.minute.seconds, used{u.Start, u.Attempts, u.Tokens})
	}
	s.lastError = saved.LastError
	for i := range saved.Broken {
		e := saved.Broken[i]
		s.broken[e.Outcome] = &e
	}
	s.quotas, s.perEvent, s.source, s.health, s.server = saved.Quotas, saved.PerEvent, saved.Source, saved.Health, saved.Server
	s.strained, s.eased, s.lapses = saved.Strained, saved.Eased, saved.Lapses
	if err := s.loadSeries(saved, part); err != nil {
		return nil, err
	}
	if err := s.loadLevels(saved, part); err != nil {
		return nil, err
	}
	return s, nil
}

// Whole is a saved state with all of its parts.
type Whole struct {
	State *Saved
	Parts []*Part
}

// MarshalJSON is all of it as one line, without what is zero.
func (w *Whole) MarshalJSON() ([]byte, error) {
	return appendTerse(nil, reflect.ValueOf(w).Elem()), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (w *Whole) UnmarshalJSON(text []byte) error {
	*w = Whole{}
	return readTerse(text, w)
}

// Save is the state as it is now, whole.
func (s *State) Save() *Whole {
	saved, parts := new(Saver).Save(s)
	return &Whole{saved, parts}
}

// Load is the state that was saved, of the same run.
func (w *Whole) Load(run *bench.Run) (*State, error) {
	if w.State == nil {
		return nil, broken("there is none")
	}
	parts := make(map[int]*Part, len(w.Parts))
	for _, p := range w.Parts {
		if p != nil {
			parts[p.ID] = p
		}
	}
	return Load(run, w.State, func(id int) (*Part, error) { return parts[id], nil })
}

func (s *State) loadSeries(saved *Saved, part func(id int) (*Part, error)) error {
	for i, blocks := range saved.Series {
		t := &s.series.tiers[i]
		for _, block := range blocks {
			p, err := part(block.Part)
			if err != nil {
				return err
			}
			if p == nil || block.Skip < 0 || block.Skip >= len(p.Buckets) {
				return broken("part %d has no spans from its %dth on", block.Part, block.Skip)
			}
			t.buckets = append(t.buckets, pointers(p.Buckets[block.Skip:])...)
			if len(t.buckets) > t.most() {
				return broken("more than %d spans of one length", t.most())
			}
		}
	}
	end := time.Duration(0)
	for _, b := range s.series.all() {
		if err := checkBucket(b); err != nil {
			return err
		}
		if b.Start < end || b.End() > saved.Folded {
			return broken("a span from %v to %v behind one that ends at %v, in a run of %v", b.Start, b.End(), end, saved.Folded)
		}
		end = b.End()
	}
	return nil
}

func (s *State) loadLevels(saved *Saved, part func(id int) (*Part, error)) error {
	if len(saved.Levels) > maxLevels {
		return broken("%d levels, of which at most %d are kept", len(saved.Levels), maxLevels)
	}
	for _, id := range saved.Levels {
		p, err := part(id)
		if err != nil {
			return err
		}
		if p == nil || p.Level == nil {
			return broken("part %d is no level", id)
		}
		if err := p.Level.check(s.run, saved.Folded); err != nil {
			return err
		}
		l, before := p.Level.load(), s.present()
		if before != nil && (l.id <= before.id || l.begin < before.begin || !before.ended.OK) {
			return broken("level %d does not follow level %d", l.id, before.id)
		}
		s.levels = append(s.levels, l)
	}
	// What is shown of a level was made behind a second that may be long past.
	for _, l := range s.levels {
		if !l.dirty {
			s.folded = l.shownAt
			l.show(s)
		}
	}
	s.folded = saved.Folded
	return nil
}

func (o *SavedGroup) load() group {
	return group{open: o.Open, begin: o.Begin, last: o.Last, span: o.Span, number: o.Number}
}

func (o *SavedTotal) load() total {
	return total{
		facts: o.Facts, live: o.Live, open: o.Open, active: o.Active, lasted: o.Lasted, opened: o.Opened,
		ttft: dist{at: o.TTFT}, ttfa: dist{at: o.TTFA}, itl: dist{at: o.ITL}, tps: dist{at: o.TPS}, e2e: dist{at: o.E2E}, tpot: dist{at: o.TPOT},
		connect: dist{at: o.Connect}, handshake: dist{at: o.Handshake}, lag: dist{at: o.Lag}, dueTTFT: dist{at: o.DueTTFT}, dueE2E: dist{at: o.DueE2E},
		server: serverDists{ttft: dist{at: o.ServerTTFT}, itl: dist{at: o.ServerITL}, queue: dist{at: o.ServerQueue}},
	}
}

// drawsOf is the chance that goes on from a state; nil where it is none.
func drawsOf(state []byte) *rand.PCG {
	rng := &rand.PCG{}
	if rng.UnmarshalBinary(state) != nil {
		return nil
	}
	return rng
}
