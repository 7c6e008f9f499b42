package replay

import (
	"fmt"
	"slices"
	"time"

	"redline/bench"
	"redline/bench/record"
)

// tape is the file as far as it has been read, with the position in it.
type tape struct {
	file   *record.File
	player *record.Player
	// base is the run behind the second that was folded last; at is the position that it was folded for.
	base *bench.Snapshot
	at   time.Duration
	// failed is what went wrong that is no damage of the file.
	failed string
	notes  []bench.Event
	// shown is the picture that was made last, of base at a position with so many notes.
	shown *bench.Snapshot
	of    *bench.Snapshot
	from  time.Duration
	noted int
	// watched is the target that is looked at, as its place in bench.Rivals, instead of the one that was driven; -1 for that. As is what it was in the last picture.
	watched, as int

	// looked is when it was last seen whether more has been written, writing whether somebody writes still, grew when it last had grown.
	looked, grew time.Time
	writing      bool
}

func newTape(f *record.File, now time.Time) tape {
	t := tape{file: f, player: f.Player(), at: -1, looked: now, watched: -1}
	t.base = t.player.Snapshot()
	t.writing = !f.Complete && record.Writing(f.Path)
	t.readNotes()
	return t
}

func (t *tape) close() {
	t.player.Close()
	_ = t.file.Close()
}

// reach goes to a position and tells whether another second is shown. Where that cannot be read the last second before it is; the file knows what is lost.
func (t *tape) reach(at time.Duration) (moved bool) {
	if at == t.at {
		return false
	}
	if err := t.player.Seek(at); err != nil {
		t.failed = err.Error()
	}
	t.at = at
	was := t.base
	t.base = t.player.Snapshot()
	return t.base != was
}

// damage is what is wrong with the file and where, as far as that has been seen; empty where nothing is.
func (t *tape) damage() string {
	if from, to, lost := t.player.Gap(); lost {
		return fmt.Sprintf("nothing is known from %s to %s", clock(from), clock(to))
	}
	n := len(t.file.Damage)
	if n == 0 {
		return t.failed
	}
	text := t.file.Damage[0].String()
	if n > 1 {
		text += fmt.Sprintf(", and at %d more places", n-1)
	}
	return text
}

// clock is an instant as screens have it: 01:05, and 1:01:05 after an hour.
func clock(at time.Duration) string {
	s := int(at / time.Second)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%02d:%02d", s/60, s%60)
}

// How often it is looked whether more has been written, and after how long without news nothing more is expected where no lock tells.
const (
	lookEvery = 500 * time.Millisecond
	lull      = 3 * time.Second
)

// growing tells whether more is expected of the file.
func (t *tape) growing(now time.Time) bool {
	return !t.file.Complete && (t.writing || !t.grew.IsZero() && now.Sub(t.grew) < lull)
}

// follow reads what has been added to a file that is being written.
func (t *tape) follow(now time.Time) {
	if t.file.Complete || now.Sub(t.looked) < lookEvery {
		return
	}
	t.looked = now
	more, err := t.file.Refresh()
	switch {
	case err != nil:
		t.failed = err.Error()
	case more:
		t.grew, t.at = now, -1
		t.readNotes()
	}
	t.writing = !t.file.Complete && record.Writing(t.file.Path)
}

// requests are those of the position.
func (t *tape) requests() *bench.Journal {
	read := t.player.Journal
	if k, ok := t.beside(); ok {
		read = func() (*bench.Journal, error) { return t.player.JournalOf(k) }
	}
	j, err := read()
	if err != nil {
		t.failed = err.Error()
	}
	if j == nil {
		j = &bench.Journal{}
	}
	if j.At != t.base.Folded {
		// It is of this second, whichever instant of it the file has.
		one := *j
		one.At = t.base.Folded
		j = &one
	}
	return j
}

// readNotes takes the file's annotations as events.
func (t *tape) readNotes() {
	t.notes = make([]bench.Event, 0, len(t.file.Notes))
	for _, n := range t.file.Notes {
		t.notes = append(t.notes, bench.Event{At: n.At, Kind: bench.EventAnnotation, Text: n.Text})
	}
	slices.SortStableFunc(t.notes, earlier)
}

func earlier(a, b bench.Event) int { return int(min(max(a.At-b.At, -1), 1)) }

// picture is the run as it is shown at a position: as it was behind the last second, with a clock that goes on, and with the notes that were added to it so far.
func (t *tape) picture(at time.Duration) *bench.Snapshot {
	if t.shown != nil && t.of == t.base && t.from == at && t.noted == len(t.notes) && t.as == t.watched {
		return t.shown
	}
	t.of, t.from, t.noted, t.as = t.base, at, len(t.notes), t.watched
	t.shown = t.dated(t.seen(), at)
	return t.shown
}

// beside is the target that is looked at, where that is another than the one that was driven.
func (t *tape) beside() (int, bool) {
	r := t.base.Rivals
	return t.watched, r != nil && t.watched >= 0 && t.watched < len(r.Of) && t.watched != r.Shown && r.Of[t.watched] != nil
}

// seen is the run behind the last second as it is looked at: of the target that was driven, or of another.
func (t *tape) seen() *bench.Snapshot {
	k, ok := t.beside()
	if !ok {
		return t.base
	}
	all := *t.base.Rivals
	all.Shown = k
	out := *all.Of[k]
	out.Rivals, out.Spend = &all, t.base.Spend
	return &out
}

// other is the target that is looked at when the next one is asked for, -1 where that is the one that was driven; false of a run of one.
func (t *tape) other() (int, bool) {
	r := t.base.Rivals
	if r == nil || len(r.Of) < 2 {
		return -1, false
	}
	now := r.Shown
	if k, ok := t.beside(); ok {
		now = k
	}
	if next := (now + 1) % len(r.Of); next != r.Shown {
		return next, true
	}
	return -1, true
}

// dated is a snapshot at a later instant.
func (t *tape) dated(s *bench.Snapshot, at time.Duration) *bench.Snapshot {
	out := *s
	out.At = max(s.At, at)
	if s.State == bench.Done {
		// Its clock stands.
		out.At = s.At
	}
	if n := t.upTo(out.At); n > 0 {
		out.Events = append(slices.Clone(s.Events), t.notes[:n]...)
		slices.SortStableFunc(out.Events, earlier)
	}
	if r := s.Rivals; r != nil {
		all := *r
		all.Of = slices.Clone(r.Of)
		for i := range all.Of {
			if all.Of[i] != nil {
				all.Of[i] = t.dated(all.Of[i], at)
			}
		}
		out.Rivals = &all
	}
	return &out
}

// upTo is how many notes there are up to an instant.
func (t *tape) upTo(at time.Duration) int {
	n := 0
	for n < len(t.notes) && t.notes[n].At <= at {
		n++
	}
	return n
}
