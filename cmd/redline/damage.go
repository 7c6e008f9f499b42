package main

import (
	"fmt"
	"strings"

	"redline/bench/record"
	"redline/bench/report"
)

// harm is what run files lack of what was asked of them: a sentence for each, for the one who reads the result without its words.
type harm struct {
	texts []string
	// torn: something could not be read; what was only not written is no fault of the file.
	torn bool
}

// add takes what is wrong with a file, as far as that has been seen.
func (h *harm) add(f *record.File) {
	for _, text := range harms(f) {
		h.texts = append(h.texts, report.Printable(runName(f.Path)+": "+text))
	}
	h.torn = h.torn || len(f.Damage) > 0
}

// harms are what is wrong with a file, a sentence each.
func harms(f *record.File) []string {
	var out []string
	if text := f.Missing(); text != "" {
		out = append(out, text)
	}
	for _, d := range f.Damage {
		out = append(out, d.String())
	}
	return out
}

// tell says it to the error output. What could not be read, or is not in a table of all requests, makes the exit code 1.
func (h *harm) tell(m *Main, whole bool) error {
	if len(h.texts) == 0 {
		return nil
	}
	if h.torn || whole {
		return &exit{exitNothing, fmt.Errorf("%s", strings.Join(h.texts, "\nredline: "))}
	}
	for _, text := range h.texts {
		fmt.Fprintf(m.Stderr, "redline: %s\n", text)
	}
	return nil
}
