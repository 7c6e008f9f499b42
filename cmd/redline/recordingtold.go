package main

import (
	"cmp"
	"fmt"
	"io"
	"time"

	"redline/bench/record"
	"redline/bench/report"
)

// name is what the run is called once it is kept: as its file, so that documents that are made of it then have the same name; empty where it is not kept.
func (r *recording) name() string {
	if r.recorder == nil {
		return ""
	}
	if path := r.recorder.Standing().Path; path != "" {
		return runName(path)
	}
	return ""
}

// tellSaved writes where the run is kept, in one line, however long: a path that is broken cannot be copied.
func (r *recording) tellSaved(out io.Writer, private bool) error {
	text := r.written(private)
	if text == "" {
		return nil
	}
	_, err := fmt.Fprintf(out, "%-10s%s\n", "saved", report.Printable(text))
	return err
}

// written is where the run is kept, and what is missing there; empty where nothing is to be said. In private it does not say where.
func (r *recording) written(private bool) string {
	if r.recorder == nil {
		if r.record == recordOff || r.none == "" {
			return ""
		}
		return "nothing, " + r.none
	}
	s := r.recorder.Standing()
	where := s.Path
	switch {
	case private && where != "":
		where = "in the file of --record, with all that is hidden here"
		if r.folder != "" {
			where = "in the folder of runs, with all that is hidden here"
		}
	case where == "":
		where = cmp.Or(r.file, r.folder)
		if private {
			where = "the folder of runs"
		}
		return "nothing, " + s.Why + ": " + where
	}
	text := where
	if s.Bytes > 0 {
		text += ", " + bytesText(s.Bytes)
	}
	if s.Phase == record.Failing {
		text += "; " + s.Why + ", so that the file lacks its end"
	}
	if s.Lost > 0 {
		text += "; " + s.Lost.Round(time.Second).String() + " of the run could not be written"
	}
	if s.Short != "" {
		text += "; " + s.Short
	}
	return text
}

// kept is how the run is kept, for documents; nil where it could not be asked for. In private it does not say where.
func (r *recording) kept(private bool) *report.Kept {
	if r.recorder == nil {
		if r.record != recordOff && r.none == "" {
			return nil
		}
		return &report.Kept{Why: r.none}
	}
	s := r.recorder.Standing()
	out := &report.Kept{Bytes: s.Bytes, State: report.BeingKept, Why: s.Why, Short: s.Short, Lost: s.Lost}
	if !private {
		out.File = s.Path
	}
	switch s.Phase {
	case record.Failing:
		out.State = report.KeptShort
	case record.Saved:
		out.State = report.KeptWhole
	}
	return out
}
