package record

import (
	"fmt"
	"math"
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
	// Behind a gap: what lies before the frame at is lost, and its checkpoint is not loaded yet. It is not, as long as it is of a later instant than until.
	gap   bool
	until time.Duration
}

type playing struct {
	state  *aggregate.State
	moment moment
	// folded is the end of the last second, ended are requests whose second has not come yet.
	folded time.Duration
	ended  []bench.Ended
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
	p.at, p.opened, p.read, p.ahead, p.gap = 0, false, 0, nil, false
	p.tracks, p.moment, p.shown = nil, moment{}, nil
	for _, t := range p.f.Header.Tracks {
		p.tracks = append(p.tracks, playing{state: aggregate.NewState(t.Run)})
	}
}

// At is the instant up to which it has folded, of the target that is shown.
func (p *Player) At() time.Duration { return p.tracks[p.moment.Shown].folded }

// Step folds the next second of every target; it is false at the file's end. Where a part of the file is lost, a step goes to the next checkpoint behind it.
func (p *Player) Step() (bool, error) {
	p.until = math.MaxInt64
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
		p.f.damaged(p.at, 0, fmt.Sprintf("the second behind %s cannot be folded: %v", t.folded, what))
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

// Seek goes to an instant: afterwards the last second that had been folded by then is the last that is folded. Where that is lost, it is the last that is not; see Gap.
func (p *Player) Seek(at time.Duration) error {
	p.until = at
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

// Gap tells between which instants nothing can be read, where it stands before such a part of the run.
func (p *Player) Gap() (from, to time.Duration, ok bool) {
	if !p.gap {
		return 0, 0, false
	}
	return p.newest(), p.f.frames[p.at].At, true
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
			p.f.damaged(frame, p.lines.took, fmt.Sprintf("want a checkpoint: %v", err))
		}
	}
	p.rewind()
	return nil
}
