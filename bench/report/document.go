package report

import (
	"io"

	"redline/bench"
)

// Document is a run as it can be told.
type Document struct {
	s   *bench.Snapshot
	end Options
}

// Of is what can be told of a snapshot, as it is: what is private has to be hidden in it before. It may be that of a run that has not begun.
func Of(s *bench.Snapshot, end Options) *Document { return &Document{Begun(s), end} }

// Text writes what the run amounts to, for the scrollback. Tables are no wider than width, in characters; 0 is no bound. An error is that of w.
func (d *Document) Text(w io.Writer, width int) error { return summarize(w, d.s, d.end, width) }

// JSON is the run for machines; Schema names its form.
func (d *Document) JSON() ([]byte, error) { return reportOf(d.s, d.end).json() }

// Markdown is the run as GitHub shows it.
func (d *Document) Markdown() string { return markdown(d.s, d.end) }
