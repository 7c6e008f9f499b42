package report

import (
	"strconv"
	"strings"
	"time"
)

// Kept is how the file of a run stands, or stood when the run was over.
type Kept struct {
	// File is its path; empty where there is none, or where it is hidden.
	File string
	// Bytes is its size.
	Bytes int64
	State Keeping
	// Why is what is wrong, in a few words, or why nothing was to be kept; empty where nothing is.
	Why string
	// Short is what was left out of the file since it came near its bound; empty where nothing was.
	Short string
	// Lost is how much of the run could not be written.
	Lost time.Duration
}

// Keeping is how far the keeping of a run has come.
type Keeping uint8

const (
	// NotKept: the run was not to be kept. BeingKept: it is, up to the last second or so. KeptShort: a part of it, or its end, could not be written. KeptWhole: its
	// file was written to its end.
	NotKept Keeping = iota
	BeingKept
	KeptShort
	KeptWhole
)

// String is its word.
func (k Keeping) String() string { return [...]string{"off", "recording", "failing", "saved"}[k&3] }

// reportKept is what a saved summary tells of the file of its run; absent where it was made of that file.
type reportKept struct {
	State string   `json:"state"`
	File  *string  `json:"file"`
	Bytes *float64 `json:"bytes"`
	LostS float64  `json:"lost_s"`
	Wrong *string  `json:"wrong"`
	Short *string  `json:"left_out"`
}

func reportKeptOf(k *Kept) *reportKept {
	if k == nil {
		return nil
	}
	word := func(text string) *string {
		if text == "" {
			return nil
		}
		text = Printable(text)
		return &text
	}
	return &reportKept{State: k.State.String(), File: word(k.File), Bytes: some(float64(k.Bytes)), LostS: k.Lost.Seconds(), Wrong: word(k.Why), Short: word(k.Short)}
}

// keptWords is a sentence for what of a run is missing in its file; empty where nothing is, and where no file was wanted.
func keptWords(k *Kept) string {
	if k == nil || k.State == NotKept {
		return ""
	}
	var parts []string
	if k.State == KeptShort {
		parts = append(parts, "its file lacks its end")
		if k.Why != "" {
			parts[0] += " (" + Printable(k.Why) + ")"
		}
	}
	if k.Lost > 0 {
		parts = append(parts, strconv.FormatFloat(k.Lost.Round(time.Second).Seconds(), 'f', -1, 64)+" s of it could not be written")
	}
	if k.Short != "" {
		parts = append(parts, Printable(k.Short))
	}
	if len(parts) == 0 {
		return ""
	}
	return "the run is not kept whole: " + strings.Join(parts, "; ")
}
