package record

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf8"
)

// NoteBytes bounds the text of a note.
const NoteBytes = 4 << 10

// Annotate adds a note to the file, for good: it is written behind all that is there, with an index of its own, so that a crash meanwhile loses the note at most. It
// is refused while the run is being recorded.
func (f *File) Annotate(n Note) error {
	n.Text = strings.TrimSpace(n.Text)
	switch {
	case n.Text == "":
		return errors.New("a note without a text")
	case len(n.Text) > NoteBytes || !utf8.ValidString(n.Text):
		return fmt.Errorf("a note of %d bytes; want UTF-8, at most %d", len(n.Text), NoteBytes)
	case n.At < 0 || n.At > f.Length:
		return fmt.Errorf("a note at %s: the run is %s long", n.At, f.Length)
	case f.closer == nil:
		return errors.New("a note in a file that is not open")
	case Writing(f.Path):
		return fmt.Errorf("%s is being written: notes can be added when its run is over", f.Path)
	}
	n.Written = n.Written.Round(0)
	mark := hold(f.Path)
	defer mark.release()
	out, err := os.OpenFile(f.Path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer out.Close()
	if _, err := f.Refresh(); err != nil {
		return err
	}
	notes := noted(f.Notes, n)
	line, err := appendLine(nil, "note", n)
	if err != nil {
		return err
	}
	end := f.tail
	var add []byte
	frames := append([]frame(nil), f.frames...)
	if last := len(frames) - 1; frames[last].open && frames[last].end() > end {
		// The run was cut off: its last frame gets an end, and what is torn behind it goes.
		end = frames[last].end()
		add = append(add, lastBlock...)
		frames[last].Length += int64(len(lastBlock))
		frames[last].open = false
	}
	damage := slices.DeleteFunc(slices.Clone(f.Damage), func(d Damage) bool { return d.Offset >= end })
	add = appendFrame(add, line)
	add = appendIndex(add, end+int64(len(add)), index{
		tally: tally{Length: f.Length, Requests: f.Ended, Levels: f.Levels}, Complete: f.Complete, Frames: frames, Notes: notes, Damage: damage,
	})
	if err := f.append(out, end, add); err != nil {
		return fmt.Errorf("%s: the note is not in it: %w", f.Path, err)
	}
	f.Damage, f.Notes, f.frames, f.size = damage, notes, frames, end+int64(len(add))
	f.tail = f.size
	return nil
}

// append puts bytes at an end of the file, and sees to it that they are there.
func (f *File) append(out *os.File, end int64, add []byte) error {
	if end < f.size {
		if err := out.Truncate(end); err != nil {
			return err
		}
	}
	if _, err := out.WriteAt(add, end); err != nil {
		// What was written in part is no harm, but it is not wanted.
		return errors.Join(err, out.Truncate(end))
	}
	return out.Sync()
}
