package report

import (
	"fmt"
	"strings"
)

// Outcome is what a run came to, for scripts.
type Outcome struct {
	ExitCode int `json:"exit_code"`
	// Word is one of held, not judged, broken, client saturated, nothing succeeded, ended early, not written, interrupted, terminated, hung up.
	Word    string   `json:"word"`
	Because []string `json:"because"`
}

// Text is what a run came to as the last lines of its output, no wider than so many cells; 0 is no bound.
func (o *Outcome) Text(width int) string {
	if width <= 0 {
		width = boundless
	}
	text := fmt.Sprintf("result: %s (exit code %d)\n", o.Word, o.ExitCode)
	for _, why := range o.Because {
		text += wrapped("- "+why, width)
	}
	return text
}

// Markdown is what a run came to, as the head of a summary.
func (o *Outcome) Markdown() string {
	sign := "❌"
	switch {
	case o.ExitCode == 0:
		sign = "✅"
	case o.Word == Saturated.String() || o.Word == Unjudged.String():
		sign = "⚠️"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "### %s redline: %s (exit code %d)\n\n", sign, plainMark(o.Word), o.ExitCode)
	for _, why := range o.Because {
		b.WriteString("- " + plainMark(why) + "\n")
	}
	return b.String()
}
