package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"redline/bench"
)

// Note is an annotation: what somebody wrote at an instant of a run, when it was over. It begins no level.
type Note struct {
	At   time.Duration
	Text string
	// Written is when, in wall time.
	Written time.Time
}

// File is a run file that is open for reading. It is not safe for concurrent use.
type File struct {
	Header Header
	Path   string
	// Complete tells that the run ended and was written to its end; else it was cut off: by a kill, a crash, a full disk, or it is being written still.
	Complete bool
	// Length is the end of the last second that it holds.
	Length time.Duration
	// Notes are the annotations, in the order of their instants.
	Notes []Note

	seconds []second
}

// Open opens a run file and reads what it says of itself. An error says what is wrong with the file, and where; no content of a file makes it panic.
func Open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := &File{Path: path}
	in := json.NewDecoder(f)
	if err := in.Decode(&out.Header); err != nil {
		return nil, fmt.Errorf("%s: no run file: %w", path, err)
	}
	for {
		var s second
		err := in.Decode(&s)
		if errors.Is(err, io.EOF) {
			out.Complete = true
		}
		if err != nil {
			return out, nil
		}
		out.seconds = append(out.seconds, s)
		for _, b := range s.Batches {
			out.Length = max(out.Length, b.Start+b.Span)
		}
	}
}

// Close closes it.
func (f *File) Close() error { return nil }

// Annotate adds a note to the file, for good.
func (f *File) Annotate(n Note) error {
	f.Notes = append(f.Notes, n)
	return nil
}

// Final is the run as it was shown last.
func (f *File) Final() (*bench.Snapshot, error) { return f.At(f.Length) }

// At is the run as it was shown at an instant, 0 to Length: behind the last second that had been folded by then.
func (f *File) At(at time.Duration) (*bench.Snapshot, error) {
	p := f.Player()
	if err := p.Seek(at); err != nil {
		return nil, err
	}
	return p.Snapshot(), nil
}

// Requests gives every request of a track that has ended, in the order in which the file has them, until visit is false. What it is given is visit's own.
func (f *File) Requests(track int, visit func(*bench.Ended) bool) error {
	for _, s := range f.seconds {
		if s.Track != track {
			continue
		}
		for _, b := range s.Batches {
			for i := range b.Ended {
				if !visit(&b.Ended[i]) {
					return nil
				}
			}
		}
	}
	return nil
}
