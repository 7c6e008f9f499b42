package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"redline/bench"
	"redline/bench/aggregate"
)

// Player goes through a run file: forwards by folding, second by second, backwards from a checkpoint. It is not safe for concurrent use; what it hands out never
// changes.
type Player struct {
	f *File
	// at is the frame that is read, or the one that is read next where nothing is open.
	at     int
	lines  *lines
	opened bool
	// read is how much of the frame's lines was taken; it goes on from there when more of the frame has been written.
	read   int64
	tracks []playing
	moment moment
	// shown is the snapshot, until something is folded.
	shown *bench.Snapshot
	// journal is the last one that was handed out, journalOf its track.
	journal   *bench.Journal
	journalOf int
	// ahead is a second that has been read, and not folded yet.
	ahead *readSecond
}

type playing struct {
	state  *aggregate.State
	moment moment
	// folded is the end of the last second, ended are requests whose second has not come yet.
	folded time.Duration
	ended  []bench.Ended
}

// readSecond is a second as it was read.
type readSecond struct {
	track   int
	batches []*bench.Batch
	moment  moment
}

// end is the end of its last batch.
func (s *readSecond) end() time.Duration {
	if n := len(s.batches); n > 0 {
		return s.batches[n-1].Start + s.batches[n-1].Span
	}
	return 0
}

// Player is a player at instant 0.
func (f *File) Player() *Player {
	p := &Player{f: f, lines: f.borrow()}
	p.rewind()
	return p
}

// Close gives back what it holds. It is not used any more then.
func (p *Player) Close() {
	if p.lines != nil {
		p.f.giveBack(p.lines)
		p.lines = nil
	}
}

// rewind goes back to before the first second.
func (p *Player) rewind() {
	p.at, p.opened, p.read, p.ahead = 0, false, 0, nil
	p.tracks, p.moment, p.shown = nil, moment{}, nil
	for _, t := range p.f.Header.Tracks {
		p.tracks = append(p.tracks, playing{state: aggregate.NewState(t.Run)})
	}
}

// At is the instant up to which it has folded, of the target that is shown.
func (p *Player) At() time.Duration { return p.tracks[p.moment.Shown].folded }

// Step folds the next second of every target; it is false at the file's end. Where a part of the file is lost, a step goes to the next checkpoint behind it.
func (p *Player) Step() (bool, error) {
	folded := make([]bool, len(p.tracks))
	for n := 0; ; n++ {
		s, err := p.peek()
		if err != nil {
			return n > 0, err
		}
		if s == nil {
			return n > 0, nil
		}
		if s.track < 0 {
			// A checkpoint was loaded in place of what is lost.
			p.ahead = nil
			return true, nil
		}
		if folded[s.track] {
			return true, nil
		}
		folded[s.track] = true
		p.fold()
	}
}

// fold folds the second that is ahead.
func (p *Player) fold() {
	s := p.ahead
	p.ahead, p.shown = nil, nil
	t := &p.tracks[s.track]
	if what := caught(func() {
		for _, b := range s.batches {
			t.state.Fold(b)
		}
	}); what != nil {
		p.f.damaged(p.at, fmt.Sprintf("the second behind %s cannot be folded: %v", t.folded, what))
	}
	t.folded = max(t.folded, s.end())
	t.moment, p.moment = s.moment, s.moment
}

// caught is what a function panicked with. What a recorder has written can be folded and shown; what somebody else has is not worth a crash.
func caught(do func()) (what any) {
	defer func() { what = recover() }()
	do()
	return nil
}

// Seek goes to an instant: afterwards the last second that had been folded by then is the last that is folded.
func (p *Player) Seek(at time.Duration) error {
	best := p.frameAt(at)
	if at < p.newest() || best > p.at {
		if err := p.jump(best); err != nil {
			return err
		}
	}
	for {
		s, err := p.peek()
		if err != nil || s == nil {
			return err
		}
		if s.track < 0 {
			p.ahead = nil
			continue
		}
		if s.end() > at {
			return nil
		}
		p.fold()
	}
}

// newest is how far any track is folded.
func (p *Player) newest() time.Duration {
	var out time.Duration
	for i := range p.tracks {
		out = max(out, p.tracks[i].folded)
	}
	return out
}

// frameAt is the last frame whose checkpoint is no later than an instant.
func (p *Player) frameAt(at time.Duration) int {
	best := 0
	for i := range p.f.frames {
		if p.f.frames[i].At <= at {
			best = i
		}
	}
	return best
}

// jump goes to the checkpoint with which a frame begins, or to one before it where that cannot be read.
func (p *Player) jump(frame int) error {
	for ; frame > 0; frame-- {
		err := p.load(frame)
		if err == nil {
			return nil
		}
		if !p.f.frames[frame].open || frame < len(p.f.frames)-1 {
			p.f.damaged(frame, fmt.Sprintf("want a checkpoint: %v", err))
		}
	}
	p.rewind()
	return nil
}

// open begins to read a frame.
func (p *Player) open(frame int) {
	p.f.openFrame(p.lines, frame)
	p.at, p.opened, p.read = frame, true, 0
}

// load takes the states of a frame's checkpoint; nothing is changed where it cannot be read.
func (p *Player) load(frame int) error {
	known := p.f.before(frame)
	p.open(frame)
	line, err := p.lines.next()
	if err != nil {
		return err
	}
	var holder struct{ Checkpoint *checkpointLine }
	if err := json.Unmarshal(line, &holder); err != nil {
		return err
	}
	c := holder.Checkpoint
	if c == nil || len(c.Tracks) != len(p.tracks) || c.Shown < 0 || c.Shown >= len(p.tracks) {
		return fmt.Errorf("it has not the states of %d targets", len(p.tracks))
	}
	if err := known.read(p.lines); err != nil && err != io.EOF {
		return err
	}
	tracks := make([]playing, len(p.tracks))
	for i, t := range c.Tracks {
		state, err := known.load(p.f.Header.Tracks[i].Run, i, t.State)
		if err != nil {
			return err
		}
		tracks[i] = playing{state: state, folded: max(t.Folded, 0)}
		if t.Moment == nil {
			continue
		}
		m, err := t.Moment.moment(nil, len(p.tracks))
		if err != nil {
			return err
		}
		tracks[i].moment = m
	}
	p.tracks, p.ahead, p.shown, p.read = tracks, nil, nil, p.lines.read
	p.moment = tracks[c.Shown].moment
	p.moment.Shown, p.moment.Both = c.Shown, c.Both
	return nil
}

// peek is the next second, nil at the file's end; one of track -1 tells that a checkpoint was loaded in place of what is lost.
func (p *Player) peek() (*readSecond, error) {
	for p.ahead == nil {
		if p.at >= len(p.f.frames) {
			return nil, nil
		}
		if !p.opened {
			at, read := p.at, p.read
			p.open(at)
			if p.read = read; !p.lines.skip(read) {
				// What was read has been cut off since.
				if p.opened = false; !p.onward() {
					return nil, nil
				}
				continue
			}
		}
		line, err := p.lines.next()
		if err == nil {
			if err = p.take(line); err == nil {
				p.read = p.lines.read
				continue
			}
		}
		if p.at+1 == len(p.f.frames) && p.f.frames[p.at].open && !errors.Is(err, errRecord) {
			// More may be written: it goes on here then.
			p.opened = false
			return nil, nil
		}
		if err != io.EOF {
			p.f.damaged(p.at, fmt.Sprintf("seconds behind %s are lost: %v", p.newest(), err))
		}
		if !p.onward() {
			return nil, nil
		}
	}
	return p.ahead, nil
}

// onward goes on with the next frame; false where there is none.
func (p *Player) onward() bool {
	for i := range p.tracks {
		p.tracks[i].ended = nil
	}
	for next := p.at + 1; next < len(p.f.frames); next++ {
		if p.f.frames[next].At <= p.newest() {
			p.open(next)
			return true
		}
		// What lies between is lost.
		err := p.load(next)
		if err == nil {
			p.ahead = &readSecond{track: -1}
			return true
		}
		p.f.damaged(next, fmt.Sprintf("want a checkpoint: %v", err))
	}
	p.opened = false
	return false
}

// take takes one line.
func (p *Player) take(line []byte) error {
	switch {
	case line[0] == '[':
		var e bench.Ended
		track, err := readRequest(line, &e, true)
		if err != nil {
			return err
		}
		if track >= len(p.tracks) {
			return fmt.Errorf("%w: track %d of %d", errRecord, track, len(p.tracks))
		}
		t := &p.tracks[track]
		t.ended = append(t.ended, e)
	case isSecond(line):
		return p.takeSecond(line)
	}
	return nil
}

func (p *Player) takeSecond(line []byte) error {
	var holder struct{ Second secondLine }
	if err := json.Unmarshal(line, &holder); err != nil {
		return err
	}
	l := &holder.Second
	if l.Track < 0 || l.Track >= len(p.tracks) {
		return fmt.Errorf("%w: track %d of %d", errRecord, l.Track, len(p.tracks))
	}
	t := &p.tracks[l.Track]
	m, err := l.Moment.moment(&t.moment, len(p.tracks))
	if err != nil {
		return err
	}
	s := &readSecond{track: l.Track, moment: m}
	for i := range l.Batches {
		n := l.Batches[i].Ended
		if n < 0 || n > len(t.ended) {
			return fmt.Errorf("%w: %d requests before a second; it has %d", errRecord, len(t.ended), n)
		}
		var ended []bench.Ended
		if n > 0 {
			ended = t.ended[:n:n]
		}
		b, err := l.Batches[i].batch(ended)
		if err != nil {
			return err
		}
		t.ended = t.ended[n:]
		s.batches = append(s.batches, b)
	}
	if len(t.ended) > 0 {
		return fmt.Errorf("%w: %d requests of no second", errRecord, len(t.ended))
	}
	t.ended = nil
	p.ahead = s
	return nil
}

// Snapshot is the run as it was shown behind the second that was folded last.
func (p *Player) Snapshot() *bench.Snapshot {
	if p.shown == nil {
		if what := caught(func() { p.shown = p.snapshot() }); what != nil {
			p.f.damaged(min(p.at, len(p.f.frames)-1), fmt.Sprintf("what is behind %s cannot be shown: %v", p.newest(), what))
			p.shown = &bench.Snapshot{Run: p.f.Header.Tracks[0].Run}
		}
	}
	return p.shown
}

func (p *Player) snapshot() *bench.Snapshot {
	all := make([]*bench.Snapshot, len(p.tracks))
	for i := range p.tracks {
		t := &p.tracks[i]
		s := *t.state.Snapshot()
		s.Gauges, s.Tail = t.moment.Gauges, t.moment.Tail
		s.Events = withFresh(s.Events, t.moment.Fresh)
		all[i] = &s
	}
	if len(all) == 1 {
		return all[0]
	}
	r := &bench.Rivals{Shown: p.moment.Shown, Both: p.moment.Both, Of: all}
	for _, t := range p.f.Header.Tracks {
		r.Names = append(r.Names, t.Name)
	}
	s := *all[r.Shown]
	s.Rivals, s.Spend = r, bench.Spent(all, s.Spend)
	return &s
}

// withFresh are the events of a fold, and behind them those that no batch holds yet. What follows from a second's numbers is dated at its end, as what comes
// right behind it is, so that a recorder may have kept it among the fresh ones: it is not to be told twice.
func withFresh(folded, fresh []bench.Event) []bench.Event {
	out := folded[:len(folded):len(folded)]
	for _, e := range fresh {
		if !slices.Contains(folded, e) {
			out = append(out, e)
		}
	}
	return out
}
