package main

import "strings"

// How the sentence ends of a target for which prompts, or prompts and answers together, are too long. What is to be turned depends on the workload, which
// is known here alone.
const (
	lowerPrompts = ": lower --input-tokens"
	lowerAnswers = " or --max-tokens"
)

// reworded is an error in other words.
type reworded struct {
	text  string
	cause error
}

// Error is the text.
func (r *reworded) Error() string { return r.text }

// Unwrap is the error as it was.
func (r *reworded) Unwrap() error { return r.cause }

// withKnobs names in a refusal the keys of the workload in place of the flags that shape prompts where there is none: a file brings its own lengths, and
// the flags do not move them.
func (l *loading) withKnobs(err error) error {
	text, both := strings.CutSuffix(err.Error(), lowerAnswers)
	text, ok := strings.CutSuffix(text, lowerPrompts)
	if !ok || len(l.works) == 0 {
		return err
	}
	return &reworded{text + ": " + l.knobs(both), err}
}

// knobs are what makes requests shorter: prompts, or answers as well.
func (l *loading) knobs(both bool) string {
	switch {
	case len(l.works) == 0 && both:
		return "lower --input-tokens or --max-tokens"
	case len(l.works) == 0:
		return "lower --input-tokens"
	}
	text := "lower in= of the workload"
	if len(l.specs) > 0 && l.specs[0].File != "" {
		text = "give the workload max-input=, which leaves out what is longer"
	}
	if both {
		text += ", or lower its max="
	}
	return text
}
