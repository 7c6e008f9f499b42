package record

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"redline/bench"
)

// Note is an annotation: what somebody wrote at an instant of a run, when it was over. It begins no level.
type Note struct {
	At   time.Duration `json:"at"`
	Text string        `json:"text"`
	// Written is when, in wall time.
	Written time.Time `json:"written"`
}

// File is a run file that is open for reading. It is not safe for concurrent use.
type File struct {
	Header Header
	Path   string
	// Complete tells that the run ended and was written to its end; else it was cut off: by a kill, a crash, a full disk, or it is being written still.
	Complete bool
	// Length is the end of the last second that it holds.
	Length time.Duration
	// Levels are how many levels of the first track have begun, Ended how many requests of all tracks have ended.
	Levels, Ended int
	// Notes are the annotations, in the order of their instants.
	Notes []Note
	// Damage is what could not be read so far, in the order in which it was met. What is only not written yet is none.
	Damage []Damage

	in     io.ReaderAt
	closer io.Closer
	size   int64
	frames []frame
	// idle are readers of frames that nobody uses.
	idle []*lines
	// tail is behind all that is whole.
	tail int64
}

// Open opens a run file and reads what it says of itself. An error says what is wrong with the file, and where; no content of a file makes it panic.
func Open(path string) (*File, error) {
	// It is looked at first: opening a pipe waits for somebody who writes into it.
	stat, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !stat.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: no file, and so no run file", path)
	}
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if stat, err = in.Stat(); err != nil {
		in.Close()
		return nil, err
	}
	f, err := read(in, stat.Size())
	if err != nil {
		in.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f.Path, f.closer = path, in
	return f, nil
}

// read reads the header and the index of a file of so many bytes.
func read(in io.ReaderAt, size int64) (*File, error) {
	f := &File{in: in, size: size}
	if err := f.readHeader(); err != nil {
		return nil, err
	}
	f.readFrames()
	return f, nil
}

// readHeader reads the first line.
func (f *File) readHeader() error {
	if f.size == 0 {
		return errors.New("at byte 0: want the header of a run file; the file is empty")
	}
	l := f.borrow()
	defer f.giveBack(l)
	p := pages{in: f.in, size: f.size, content: l}
	first := p.pieceAt(0)
	if first.length == 0 || first.skipped {
		return fmt.Errorf("at byte 0: no run file: want a frame of zstd with a header, %d bytes long", f.size)
	}
	l.open(io.NewSectionReader(f.in, 0, first.length), first.open, first.length)
	line, err := l.next()
	if err != nil {
		if err == io.EOF {
			err = errors.New("the file ends before it")
		}
		return fmt.Errorf("at byte 0: want the header of a run file: %w", err)
	}
	f.Header, err = readHeader(line)
	return err
}

// readFrames finds the frames: in the index, or else by going through the file.
func (f *File) readFrames() {
	if x, ok := readIndex(f.in, f.size); ok {
		f.frames, f.Complete, f.Notes = x.Frames, x.Complete, x.Notes
		f.Length, f.Ended, f.Levels = x.Length, x.Requests, x.Levels
		f.tail, f.Damage = f.size, x.Damage
		return
	}
	f.walk()
}

// Refresh reads what has been written since the file was opened, or refreshed: players go on then. It tells whether there is more.
func (f *File) Refresh() (more bool, err error) {
	in, ok := f.closer.(*os.File)
	if !ok {
		return false, nil
	}
	stat, err := in.Stat()
	if err != nil {
		return false, err
	}
	if stat.Size() == f.size {
		return false, nil
	}
	if stat.Size() < f.size {
		// The recorder has cut a write off that had failed.
		f.frames, f.Damage = nil, nil
	}
	f.size = stat.Size()
	f.readFrames()
	return true, nil
}

// Close closes it.
func (f *File) Close() error {
	for _, l := range f.idle {
		l.close()
	}
	f.idle = nil
	if f.closer == nil {
		return nil
	}
	return f.closer.Close()
}

// Final is the run as it was shown last.
func (f *File) Final() (*bench.Snapshot, error) { return f.At(f.Length) }

// At is the run as it was shown at an instant, 0 to Length: behind the last second that had been folded by then.
func (f *File) At(at time.Duration) (*bench.Snapshot, error) {
	p := f.Player()
	defer p.Close()
	if err := p.Seek(at); err != nil {
		return nil, err
	}
	return p.Snapshot(), nil
}

// Requests gives every request of a track that has ended, in the order in which the file has them, until visit is false. What it is given is visit's own. What is
// damaged is left out, and in Damage then.
func (f *File) Requests(track int, visit func(*bench.Ended) bool) error {
	if track < 0 || track >= len(f.Header.Tracks) {
		return fmt.Errorf("track %d: the run has %d", track, len(f.Header.Tracks))
	}
	l := f.borrow()
	defer f.giveBack(l)
	more := true
	for i := range f.frames {
		f.openFrame(l, i)
		err := f.records(l, track, func(e bench.Ended) bool { more = visit(&e); return more })
		if err != nil {
			f.damaged(i, l.took, fmt.Sprintf("requests are lost: %v", err))
		}
		if !more {
			break
		}
	}
	return nil
}

// records gives the requests of a track in a frame, until visit is false.
func (f *File) records(l *lines, track int, visit func(bench.Ended) bool) error {
	for {
		line, err := l.next()
		if err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
		if line[0] != '[' {
			continue
		}
		var e bench.Ended
		of, err := readRequest(line, &e, false)
		if err != nil {
			return err
		}
		if of == track && !visit(e) {
			return nil
		}
	}
}

// openFrame begins to read a frame.
func (f *File) openFrame(l *lines, i int) {
	r := &f.frames[i]
	l.open(io.NewSectionReader(f.in, r.Offset, r.Length), r.open, r.Length)
}

// damaged notes what is wrong in a frame, so many bytes behind its beginning, once.
func (f *File) damaged(i int, took int64, what string) {
	r := &f.frames[i]
	if !slices.ContainsFunc(f.Damage, func(o Damage) bool { return o.Offset >= r.Offset && o.Offset < max(r.end(), r.Offset+1) }) {
		f.Damage = append(f.Damage, Damage{min(r.Offset+took, max(r.end()-1, r.Offset)), what})
	}
}
