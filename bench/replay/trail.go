package replay

import (
	"slices"
	"time"

	"redline/bench"
)

// mostLandmarks bounds what is kept of a run's events. Of a longer run the oldest are left to the levels, which are few.
const mostLandmarks = 4096

// trail are the landmarks of a file. A snapshot holds its newest events only, so that the file is looked through from its end, a stretch a turn.
type trail struct {
	// length is that of the file when it was last looked at, first the number of the oldest event that was seen, from when it is; next the number behind the newest.
	length      time.Duration
	first, next int
	from        time.Duration
	all         []bench.Event
	levels      []*bench.Level
	begun, over bool
	// mixed are all with notes among them, of so many.
	mixed []bench.Event
	notes int
	dirty bool
}

// step looks through one more stretch and tells whether it found anything.
func (r *trail) step(t *tape) bool {
	switch {
	case !r.begun || t.file.Length > r.length:
		r.length = t.file.Length
		s, err := t.file.Final()
		if err != nil || s == nil {
			if !r.begun {
				r.begun, r.over = true, true
			}
			return false
		}
		r.levels = s.Levels
		if !r.begun {
			r.begun, r.first, r.next = true, s.EventsGone, s.EventsGone
			r.from = r.length
			if len(s.Events) > 0 {
				r.from = s.Events[0].At
			}
		}
		r.take(s, r.next, s.EventsGone+len(s.Events))
		r.next = max(r.next, s.EventsGone+len(s.Events))
		return true
	case r.over:
		return false
	case r.first <= 0 || len(r.all) >= mostLandmarks:
		r.finish()
		return true
	}
	s, err := t.file.At(r.from)
	if err != nil || s == nil || s.EventsGone >= r.first {
		r.finish()
		return true
	}
	r.take(s, s.EventsGone, r.first)
	r.first = s.EventsGone
	if len(s.Events) > 0 {
		r.from = s.Events[0].At
	}
	return true
}

// take adds the landmarks of a snapshot with numbers from up to another.
func (r *trail) take(s *bench.Snapshot, from, to int) {
	for i := range s.Events {
		if n := s.EventsGone + i; n >= from && n < to && s.Events[i].Landmark() {
			e := s.Events[i]
			e.Text = ""
			r.all = append(r.all, e)
		}
	}
	r.dirty = true
	slices.SortStableFunc(r.all, earlier)
}

// finish takes the levels for what lies before the oldest event.
func (r *trail) finish() {
	r.over, r.dirty = true, true
	oldest := r.length
	if len(r.all) > 0 {
		oldest = r.all[0].At
	}
	for _, l := range r.levels {
		if l.Begin < oldest && l.Begin > 0 && r.first > 0 {
			r.all = append(r.all, bench.Event{At: l.Begin, Kind: bench.EventCommit, Level: l.ID, From: l.Was, To: l.Load})
		}
	}
	slices.SortStableFunc(r.all, earlier)
}

// with are the landmarks with the notes of the file among them.
func (r *trail) with(notes []bench.Event) []bench.Event {
	if !r.dirty && r.notes == len(notes) {
		return r.mixed
	}
	r.dirty, r.notes = false, len(notes)
	r.mixed = slices.Concat(r.all, notes)
	slices.SortStableFunc(r.mixed, earlier)
	return r.mixed
}
