package record

import (
	"fmt"
	"io"
	"time"
)

// Lost is a part of the run that was not written, since the disk took nothing or the file was at its bound, and how many requests ended in it. They are in all totals
// from the next checkpoint on, and in nothing else.
type Lost struct {
	From     time.Duration `json:"from"`
	To       time.Duration `json:"to"`
	Requests int           `json:"requests,omitzero"`
}

// Lost are the parts of the run that were not written, in their order.
func (f *File) Lost() []Lost {
	var out []Lost
	for i := range f.frames {
		if l := f.frames[i].Lost; l != nil {
			out = append(out, *l)
		}
	}
	return out
}

// Missing says what was not written of the run, in a sentence; empty where all was.
func (f *File) Missing() string {
	all := f.Lost()
	if len(all) == 0 {
		return ""
	}
	var span time.Duration
	requests := 0
	for _, l := range all {
		span, requests = span+l.To-l.From, requests+l.Requests
	}
	text := fmt.Sprintf("%s of the run could not be written, from %s to %s", span.Round(time.Second), all[0].From.Round(time.Second), all[0].To.Round(time.Second))
	if n := len(all) - 1; n > 0 {
		text += fmt.Sprintf(" and at %d more places", n)
	}
	return text + fmt.Sprintf(": %d requests that ended then are in the totals alone", requests)
}

// Check reads all of the file, so that what cannot be read of it is in Damage.
func (f *File) Check() {
	l := f.borrow()
	defer f.giveBack(l)
	for i := range f.frames {
		f.openFrame(l, i)
		for {
			line, err := l.next()
			if err == nil && line[0] != '[' && line[0] != '{' {
				err = fmt.Errorf("want a line of JSON, not %.20q", line)
			}
			if err == io.EOF || err != nil && f.frames[i].open && i == len(f.frames)-1 {
				break
			}
			if err != nil {
				f.damaged(i, l.took, fmt.Sprintf("a part of the run is lost: %v", err))
				break
			}
		}
	}
}
