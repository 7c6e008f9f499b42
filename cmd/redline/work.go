package main

import (
	"fmt"
	"strings"
	"time"

	"redline/bench"
)

// writeWorks is what was asked: each workload with what its file left out, and the lengths of prompts and answers as they were asked for and as they
// turned out.
func writeWorks(b *strings.Builder, s *bench.Snapshot, width int) {
	label := "workload"
	for _, w := range s.Run.Works {
		if text := workWords(&w); text != "" {
			entry(b, label, text, width)
			label = ""
		}
	}
	entry(b, "prompts", promptWords(s)+fmt.Sprintf(", seed %d, begun %s", s.Run.Seed, s.Run.Start.Format(time.RFC3339)), width)
}

// workWords are a workload's name, what it is, and what its file left out.
func workWords(w *bench.Workload) string {
	words := []string{printable(w.Name)}
	if w.Words != "" && w.Words != w.Name {
		words = append(words, printable(w.Words))
	}
	text := strings.TrimPrefix(strings.Join(words, ": "), ": ")
	if w.Left != "" {
		text += "; left out: " + printable(w.Left)
	}
	return text
}

// promptWords are the lengths of prompts and answers as they were asked for, and as they turned out. A server counts its own template in.
func promptWords(s *bench.Snapshot) string {
	input, most := 0, 0
	for _, w := range s.Run.Works {
		input, most = max(input, w.InputTokens), max(most, w.MaxTokens)
	}
	prompts := "length not known beforehand"
	if input > 0 && len(s.Run.Works) == 1 {
		prompts = fmt.Sprintf("about %d tokens", input)
	}
	switch asked, counted := s.Total.AskedTokens, s.Total.PromptTokens; {
	case asked.OK && counted.OK:
		prompts += fmt.Sprintf(" (asked for %.0f on average, the server counted %.0f)", asked.V, counted.V)
	case counted.OK:
		prompts += fmt.Sprintf(" (%.0f on average)", counted.V)
	}
	answers := fmt.Sprintf("answers at most %d", most)
	if v := s.Total.AnswerTokens; v.OK {
		answers += fmt.Sprintf(" (%.0f)", v.V)
	}
	return prompts + ", " + answers
}
