package view

import (
	"redline/bench"
	"redline/ui/layout"
	"redline/ui/style"
)

// Recording is how a run is kept in a file.
type Recording struct {
	// On: it is, or should be.
	On bool
	// Wrong is what keeps it from being written, and Short what is left out of it, in two or three words; empty where all is well.
	Wrong, Short string
	// Saved is what the file is called, once it is whole.
	Saved string
}

// recordingTail is what stands behind the clock: that the run is being kept, or is not though it should be.
func (f *frame) recordingTail() []part {
	r := f.st.Recording
	switch {
	case r.Wrong != "":
		// What is lost counts more than that it was to be kept, and its cross is seen without colours.
		text := "REC " + f.g.Fail
		if f.Density >= layout.Small {
			text += " " + r.Wrong
		}
		return []part{{style.Dim, " "}, {style.Bad, text}}
	case !r.On || r.Saved != "":
		return nil
	case r.Short != "" && f.Density >= layout.Full:
		return []part{{style.Dim, " "}, {style.Bad, "REC"}, {style.Warn, " " + r.Short}}
	}
	return []part{{style.Dim, " "}, {style.Bad, "REC"}}
}

// savedWords are where a run that is over is kept; empty where it is not.
func (f *frame) savedWords() string {
	r := f.st.Recording
	switch {
	case f.live.State != bench.Done || !r.On || r.Saved == "" || r.Wrong != "":
		return ""
	case f.Density >= layout.Full:
		return "saved " + r.Saved
	}
	return "saved"
}
