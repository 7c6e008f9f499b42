package record

import (
	"time"

	"redline/bench"
	"redline/bench/aggregate"
)

// Player goes through a run file: forwards by folding, second by second, backwards from a checkpoint. It is not safe for concurrent use; what it hands out never
// changes.
type Player struct {
	f      *File
	next   int
	tracks []playing
	moment moment
}

type playing struct {
	state  *aggregate.State
	moment moment
}

// Player is a player at instant 0.
func (f *File) Player() *Player {
	p := &Player{f: f}
	p.rewind()
	return p
}

func (p *Player) rewind() {
	p.next, p.tracks, p.moment = 0, nil, moment{}
	for _, t := range p.f.Header.Tracks {
		p.tracks = append(p.tracks, playing{state: aggregate.NewState(t.Run)})
	}
}

// At is the instant up to which it has folded.
func (p *Player) At() time.Duration { return p.Snapshot().Folded }

// Step folds the next second of every target; it is false at the file's end.
func (p *Player) Step() (bool, error) {
	if p.next >= len(p.f.seconds) {
		return false, nil
	}
	for range max(len(p.tracks), 1) {
		if p.next < len(p.f.seconds) {
			s := &p.f.seconds[p.next]
			t := &p.tracks[s.Track]
			for _, b := range s.Batches {
				t.state.Fold(b)
			}
			t.moment, p.moment = s.Moment, s.Moment
			p.next++
		}
	}
	return true, nil
}

// Seek goes to an instant: afterwards the last second that had been folded by then is the last that is folded.
func (p *Player) Seek(at time.Duration) error {
	if at < p.At() {
		p.rewind()
	}
	for p.next < len(p.f.seconds) {
		s := p.f.seconds[p.next]
		if n := len(s.Batches); n > 0 && s.Batches[n-1].Start+s.Batches[n-1].Span > at {
			return nil
		}
		if _, err := p.Step(); err != nil {
			return err
		}
	}
	return nil
}

// Snapshot is the run as it was shown behind the second that was folded last.
func (p *Player) Snapshot() *bench.Snapshot {
	all := make([]*bench.Snapshot, len(p.tracks))
	for i := range p.tracks {
		t := &p.tracks[i]
		s := *t.state.Snapshot()
		s.Gauges, s.Tail = t.moment.Gauges, t.moment.Tail
		if len(t.moment.Fresh) > 0 {
			s.Events = append(s.Events[:len(s.Events):len(s.Events)], t.moment.Fresh...)
		}
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

// Journal is what was known of single requests at the instant of the snapshot, as an engine's Journal gives it; of the target that is shown.
func (p *Player) Journal() (*bench.Journal, error) { return &bench.Journal{At: p.At()}, nil }
