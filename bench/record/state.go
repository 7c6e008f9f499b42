package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"redline/bench"
	"redline/bench/aggregate"
)

// checkpointLine is the run up to an instant: what a fold needs to go on. The parts of the states that no checkpoint before it of the same Chain has stand behind
// it. Two chains take turns, so that the next checkpoint never needs what is lost with a frame.
type checkpointLine struct {
	At time.Duration `json:"at"`
	tally
	Chain  int         `json:"chain"`
	Lost   *Lost       `json:"lost,omitzero"`
	Shown  int         `json:"shown,omitzero"`
	Both   bool        `json:"both,omitzero"`
	Tracks []trackLine `json:"tracks"`
}

// trackLine is what is kept of a track: the end of its last second, the moment behind it (none before the first), and the state of the fold.
type trackLine struct {
	Folded time.Duration    `json:"folded,omitzero"`
	Moment *momentLine      `json:"moment,omitzero"`
	State  *aggregate.Saved `json:"state"`
}

// partLine is a part of a track's states.
type partLine struct {
	Track int             `json:"track,omitzero"`
	ID    int             `json:"id"`
	Part  json.RawMessage `json:"part"`
}

const (
	// chained is how many checkpoints a chain has: so many frames have to be read for a checkpoint at most. maxRefer is how far apart they may lie.
	chained  = 10
	maxRefer = 64
	partWord = `{"part":`
)

// chain is what checkpoints share that refer to one another.
type chain struct {
	id, saved int
	savers    []aggregate.Saver
}

// isPart tells whether a line is that of a part.
func isPart(line []byte) bool { return bytes.HasPrefix(line, []byte(partWord)) }

// save is a checkpoint, with the lines of its parts behind it.
func (w *writer) save(states []*aggregate.State) (text []byte, err error) {
	line := checkpointLine{tally: w.sum, Lost: w.lost, Shown: w.shown, Both: w.both}
	w.turn++
	c := &w.chains[w.turn%2]
	if c.savers == nil || c.saved == chained {
		w.begun++
		*c = chain{id: w.begun, savers: make([]aggregate.Saver, len(states))}
	}
	c.saved++
	line.Chain = c.id
	var parts []byte
	for i, s := range states {
		saved, fresh := c.savers[i].Save(s)
		t := trackLine{Folded: w.folded[i], State: saved}
		if m := w.moments[i]; m != nil {
			l := m.lineOf(nil)
			t.Moment = &l
		}
		line.At = max(line.At, w.folded[i])
		line.Tracks = append(line.Tracks, t)
		for _, p := range fresh {
			body, err := json.Marshal(p)
			if err != nil {
				return nil, err
			}
			if parts, err = appendLine(parts, "part", partLine{i, p.ID, body}); err != nil {
				return nil, err
			}
		}
	}
	w.linked = c.id
	if text, err = appendLine(nil, "checkpoint", line); err != nil {
		return nil, err
	}
	if len(text) > maxLine {
		return nil, errLong
	}
	return append(text, parts...), nil
}

// parts are those that stand in some frames, by track and ID.
type parts map[[2]int]json.RawMessage

// read takes the parts that come next in a frame.
func (p parts) read(l *lines) error {
	for {
		line, err := l.next()
		if err != nil {
			return err
		}
		if !isPart(line) {
			l.back(line)
			return nil
		}
		part, err := readPart(line)
		if err != nil {
			return err
		}
		p[[2]int{part.Track, part.ID}] = part.Part
	}
}

// readPart reads a part's line, without looking at the part itself where it stands as we write it: most parts of a chain are not needed, and reading them all took
// half of the way to an instant.
func readPart(line []byte) (partLine, error) {
	const before, end = `,"part":`, `}}`
	var part partLine
	inner := line[len(partWord):]
	if i := bytes.Index(inner, []byte(before)); i > 0 && bytes.HasSuffix(inner[i+len(before):], []byte(end)) {
		if json.Unmarshal(append(bytes.Clone(inner[:i]), '}'), &part) == nil {
			part.Part = bytes.Clone(inner[i+len(before) : len(inner)-len(end)])
			return part, nil
		}
	}
	var holder struct{ Part partLine }
	err := json.Unmarshal(line, &holder)
	return holder.Part, err
}

// before reads the parts to which a frame's checkpoint may refer.
func (f *File) before(frame int) parts {
	out := parts{}
	l := f.borrow()
	defer f.giveBack(l)
	for i := max(frame-maxRefer, 0); i < frame; i++ {
		if f.frames[i].Chain != f.frames[frame].Chain {
			continue
		}
		f.openFrame(l, i)
		if _, err := l.next(); err == nil {
			_ = out.read(l) // what is missing then is found out
		}
	}
	return out
}

// load is the state of a track.
func (p parts) load(run *bench.Run, track int, saved *aggregate.Saved) (*aggregate.State, error) {
	if saved == nil {
		return nil, fmt.Errorf("it has no state of target %d", track)
	}
	return aggregate.Load(run, saved, func(id int) (*aggregate.Part, error) {
		text, ok := p[[2]int{track, id}]
		if !ok {
			return nil, fmt.Errorf("part %d of its state is missing", id)
		}
		var part aggregate.Part
		return &part, json.Unmarshal(text, &part)
	})
}
