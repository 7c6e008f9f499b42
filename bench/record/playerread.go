package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"redline/bench"
)

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

// open begins to read a frame.
func (p *Player) open(frame int) {
	p.f.openFrame(p.lines, frame)
	p.at, p.opened, p.read, p.gap = frame, true, 0, false
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
		if p.gap {
			if !p.leap() {
				return nil, nil
			}
			continue
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
			p.f.damaged(p.at, p.lines.took, fmt.Sprintf("seconds behind %s are lost: %v", p.newest(), err))
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
	next := p.at + 1
	if next >= len(p.f.frames) {
		p.opened = false
		return false
	}
	if p.f.frames[next].At <= p.newest() {
		p.open(next)
		return true
	}
	// What lies between is lost.
	p.at, p.opened, p.read, p.gap = next, false, 0, true
	return true
}

// leap goes on behind a gap, with the first checkpoint there that can be read; false where that is of a later instant than is asked for, or where there is none.
func (p *Player) leap() bool {
	for p.at < len(p.f.frames) && p.f.frames[p.at].At <= p.until {
		next := p.at
		err := p.load(next)
		if err == nil {
			p.ahead = &readSecond{track: -1}
			return true
		}
		p.f.damaged(next, p.lines.took, fmt.Sprintf("want a checkpoint: %v", err))
		p.opened, p.read, p.gap, p.at = false, 0, true, next+1
	}
	if p.at >= len(p.f.frames) {
		p.gap = false
	}
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
