package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"redline/bench"
)

// Bounds of what is repeated of somebody else's words, in bytes.
const (
	longestMessage = 300
	longestHead    = 120
)

// writeFailures is a line for each class of failure, the most frequent first: how often it came, and what the newest of it said.
func writeFailures(b *strings.Builder, s *bench.Snapshot, end Options, width int) {
	type class struct {
		outcome bench.Outcome
		n       int
	}
	var classes []class
	for o := bench.OK + 1; o < bench.NumOutcomes; o++ {
		if n := s.Total.Tally.By[o]; n > 0 && !o.Withdrawn() {
			classes = append(classes, class{o, n})
		}
	}
	slices.SortStableFunc(classes, func(a, b class) int { return cmp.Compare(b.n, a.n) })
	label := "errors"
	for i, c := range classes {
		text := fmt.Sprintf("%s ×%d", c.outcome, c.n)
		newest := slices.IndexFunc(s.Failures, func(e bench.Ended) bool { return e.Outcome == c.outcome })
		switch {
		case newest >= 0:
			if words := said(&s.Failures[newest]); words != "" {
				text += ": " + words
			}
			if advice := end.advise(&s.Failures[newest]); advice != "" {
				text += "; " + advice
			}
		case i == len(classes)-1 && len(s.Failures) == 0 && s.LastError != "":
			text += "; the last: " + bounded(Printable(s.LastError), longestMessage)
		}
		entry(b, label, text, width)
		label = ""
	}
	if text := errorShares(s); text != "" {
		entry(b, label, text, width)
		label = ""
	}
	if n := s.Total.Malformed; n > 0 {
		entry(b, label, fmt.Sprintf("malformed events ×%d: pieces of streams that could not be read, and were left out", n), width)
	}
}

// errorShares are both shares of errors where they differ and one is promised: that of the requests that were sent, and that which a promise is held to.
func errorShares(s *bench.Snapshot) string {
	t := s.Total.Tally
	i := slices.IndexFunc(s.Run.Thresholds, func(p bench.Threshold) bool { return p.Metric == bench.Errors })
	if i < 0 || t.Missed().Unsent == 0 || !t.ErrorShare().OK {
		return ""
	}
	missed := bench.Some(100 * float64(t.Missed().All()) / float64(t.Owed()))
	return fmt.Sprintf("%s of those that were sent failed; with the %d that were not sent it is %s, which %v is held to", share(t.ErrorShare()), t.Missed().Unsent, share(missed), s.Run.Thresholds[i])
}

// said is what an answer that failed said: its status, how long it asked us to wait, its message, and where there is none, or it was no stream, how it
// begins.
func said(e *bench.Ended) string {
	var words []string
	if e.Status > 0 {
		words = append(words, fmt.Sprintf("HTTP %d", e.Status))
	}
	if e.RetryAfter > 0 {
		words = append(words, "asked to wait "+span(e.RetryAfter))
	}
	message := strings.TrimSpace(Printable(e.Message))
	if message != "" {
		words = append(words, bounded(message, longestMessage))
	}
	if e.Head != "" && (message == "" || e.Outcome == bench.NotStreaming) {
		words = append(words, "the answer begins "+strconv.Quote(bounded(e.Head, longestHead)))
	}
	return strings.Join(words, ", ")
}

// bounded is a text of at most so many bytes, cut between characters.
func bounded(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "…"
}

// entry writes a line of the summary under a label, wrapped under itself where it is too long.
func entry(b *strings.Builder, label, text string, width int) {
	const indent = 10
	for i, line := range strings.Split(strings.TrimSuffix(wrapped(text, max(width-indent, 30)), "\n"), "\n") {
		if i > 0 {
			label = ""
		}
		fmt.Fprintf(b, "%-*s%s\n", indent, label, line)
	}
}
