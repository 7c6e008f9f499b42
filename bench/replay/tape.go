package replay

import (
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
	base   *bench.Snapshot
	at     time.Duration
	damage string
	// tried is when a place that cannot be read was last tried.
	tried time.Time
	notes []bench.Event
	// shown is the picture that was made last, of base at a position with so many notes.
	shown *bench.Snapshot
	of    *bench.Snapshot
	from  time.Duration
	noted int

	// size is that of the file when it was read, looked when that was, cost how long it took, grew when it was last seen to have grown.
	size         int64
	looked, grew time.Time
	cost         time.Duration
}

func newTape(f *record.File, now time.Time) tape {
	t := tape{file: f, player: f.Player(), at: -1, looked: now}
	t.base = t.player.Snapshot()
	var written time.Time
	if t.size, written = stat(f.Path); !f.Complete && now.Sub(written) < lull {
		t.grew = now
	}
	t.readNotes()
	return t
}

func (t *tape) close() { _ = t.file.Close() }

// retry is how long a place that cannot be read is left alone.
const retry = time.Second

// reach goes to a position and tells whether another second is shown. What cannot be read is told, and passed over from the next place that can.
func (t *tape) reach(at time.Duration, now time.Time) (moved bool) {
	if at == t.at || t.damage != "" && now.Sub(t.tried) < retry && at > t.at {
		return false
	}
	err := t.player.Seek(at)
	if err != nil {
		// A player that begins anew comes from the nearest checkpoint, which may lie behind what is damaged.
		t.damage, t.tried = err.Error(), now
		fresh := t.file.Player()
		if fresh.Seek(at) == nil {
			t.player = fresh
		}
	}
	t.at = at
	was := t.base
	if s := t.player.Snapshot(); s != nil && (was == nil || s.Folded != was.Folded || s.At != was.At) {
		t.base = s
	}
	return t.base != was
}

// How often a file that is not complete is looked at, at most and as a share of what that costs, and after how long without news nothing more is expected.
const (
	lookEvery = time.Second
	lookShare = 10
	lull      = 5 * time.Second
)

// growing tells whether more is expected of the file.
func (t *tape) growing(now time.Time) bool {
	return !t.file.Complete && !t.grew.IsZero() && now.Sub(t.grew) < lull
}

// follow reads the file again where something has been added to it.
func (t *tape) follow(open func() (*record.File, error), now time.Time) {
	if t.file.Complete || now.Sub(t.looked) < max(lookEvery, lookShare*t.cost) {
		return
	}
	t.looked = now
	size, _ := stat(t.file.Path)
	if size == t.size {
		return
	}
	began := time.Now()
	f, err := open()
	t.cost = time.Since(began)
	if err != nil {
		return
	}
	t.size, t.grew = size, now
	t.close()
	t.file, t.player, t.at = f, f.Player(), -1
	t.readNotes()
}

// requests are those of the position.
func (t *tape) requests() *bench.Journal {
	j, err := t.player.Journal()
	if err != nil {
		t.damage = err.Error()
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
	if t.shown != nil && t.of == t.base && t.from == at && t.noted == len(t.notes) {
		return t.shown
	}
	t.of, t.from, t.noted = t.base, at, len(t.notes)
	t.shown = t.dated(t.base, at)
	return t.shown
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
