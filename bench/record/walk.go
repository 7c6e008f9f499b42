package record

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"time"

	"redline/bench"
)

// maxDamage bounds how many places are told apart at which a file is damaged.
const maxDamage = 1000

// walk goes through the file frame by frame, from the last that is known.
func (f *File) walk() {
	l := f.borrow()
	defer f.giveBack(l)
	p := &pages{in: f.in, size: f.size, content: l}
	at := int64(0)
	if n := len(f.frames); n > 0 {
		at = f.frames[n-1].Offset
		f.frames = f.frames[:n-1]
	}
	for at < f.size && len(f.Damage) < maxDamage {
		part := p.pieceAt(at)
		if part.skipped {
			at = part.end()
			f.tail = at
			continue
		}
		if part.length > 0 {
			f.take(p, part)
		}
		if !part.open {
			at = part.end()
			f.tail = at
			continue
		}
		next, found := p.seek(max(part.offset+1, part.end()))
		if !found {
			if !part.cut {
				f.Damage = append(f.Damage, Damage{part.end(), "want " + part.want + "; nothing behind it can be read"})
			}
			break
		}
		// What a recorder ended after a failed write is a frame with an end; this is not.
		f.Damage = append(f.Damage, Damage{part.end(), "want " + part.want + "; what is lost ends with the next checkpoint"})
		at = next
	}
	if !f.Complete {
		f.count(l)
	}
}

// take looks at what a frame holds.
func (f *File) take(p *pages, part piece) {
	head := bytes.Clone(p.peek(part.offset))
	r := frame{Offset: part.offset, Length: part.length, open: part.open}
	switch {
	case part.offset == 0:
		f.frames = append(f.frames, r)
	case bytes.HasPrefix(head, []byte(checkpointWord)):
		if c, ok := readBrief(head); ok {
			r.At, r.Before, r.Chain, r.Lost = c.At, c.tally, c.Chain, c.Lost
			f.frames = append(f.frames, r)
		}
	case bytes.HasPrefix(head, []byte(noteWord)), bytes.HasPrefix(head, []byte(indexWord)):
		f.takeSmall(p.content, r)
	case !part.open || !part.cut: // what is cut off at its beginning is not written yet
		f.Damage = append(f.Damage, Damage{part.offset, "want a frame that begins with a checkpoint"})
	}
}

const (
	checkpointWord = `{"checkpoint":`
	noteWord       = `{"note":`
	indexWord      = `{"index":`
	headerWord     = `{"redline":`
)

const secondWord = `{"second":`

// isSecond tells whether a line is that of a second.
func isSecond(line []byte) bool { return bytes.HasPrefix(line, []byte(secondWord)) }

// known tells whether a frame begins as those of a run file do.
func known(head []byte) bool {
	for _, word := range []string{checkpointWord, noteWord, indexWord, headerWord} {
		if bytes.HasPrefix(head, []byte(word)) {
			return true
		}
	}
	return false
}

// readBrief reads what stands in a checkpoint before its states.
func readBrief(head []byte) (checkpointLine, bool) {
	var holder struct{ Checkpoint checkpointLine }
	i := bytes.Index(head, []byte(`,"tracks":`))
	if i < 0 {
		return checkpointLine{}, false
	}
	err := json.Unmarshal(append(bytes.Clone(head[:i]), "}}"...), &holder)
	return holder.Checkpoint, err == nil && holder.Checkpoint.At >= 0
}

// takeSmall reads a frame of notes, or of an index.
func (f *File) takeSmall(l *lines, r frame) {
	l.open(io.NewSectionReader(f.in, r.Offset, r.Length), r.open, r.Length)
	for {
		line, err := l.next()
		if err != nil {
			return
		}
		var holder struct {
			Note  *Note
			Index *index
		}
		if json.Unmarshal(line, &holder) != nil {
			return
		}
		if holder.Note != nil {
			f.Notes = noted(f.Notes, *holder.Note)
		}
		if x := holder.Index; x != nil && x.Complete {
			f.Complete, f.Length, f.Ended, f.Levels = true, x.Length, x.Requests, x.Levels
		}
	}
}

// noted is a list with a note in its place, once.
func noted(all []Note, n Note) []Note {
	if slices.ContainsFunc(all, func(o Note) bool { return o.At == n.At && o.Text == n.Text && o.Written.Equal(n.Written) }) {
		return all
	}
	all = append(slices.Clone(all), n)
	slices.SortStableFunc(all, func(a, b Note) int { return int(min(max(a.At-b.At, -1), 1)) })
	return all
}

// count finds out what a file without an index holds: what stood before its last frame, and what that has.
func (f *File) count(l *lines) {
	if len(f.frames) == 0 {
		return
	}
	last := len(f.frames) - 1
	sum := f.frames[last].Before
	f.openFrame(l, last)
	for {
		line, err := l.next()
		if err != nil {
			break
		}
		if !isSecond(line) {
			continue
		}
		var holder struct {
			Second struct {
				Track   int
				Batches []struct {
					Start, Span time.Duration
					Facts       struct{ Ended [bench.NumOutcomes]int }
					Events      []struct{ Kind bench.EventKind }
				}
			}
		}
		if json.Unmarshal(line, &holder) != nil {
			break
		}
		for _, b := range holder.Second.Batches {
			sum.Length = max(sum.Length, b.Start+b.Span)
			ended := bench.Facts{Ended: b.Facts.Ended}
			sum.Requests += ended.Completions()
			for _, e := range b.Events {
				if e.Kind == bench.EventOpen && holder.Second.Track == 0 {
					sum.Levels++
				}
			}
		}
	}
	f.Length, f.Ended, f.Levels = max(sum.Length, 0), sum.Requests, sum.Levels
}
