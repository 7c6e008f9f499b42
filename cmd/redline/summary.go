package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"redline/bench"
)

// ending is how a run ended, for the summary.
type ending struct {
	// why in a few words: "interrupted", "quit", "duration".
	why string
	// cut: what was in flight was not waited for.
	cut bool
}

// usualWidth is what a terminal has at least, and what is reckoned with where there is none.
const usualWidth = 80

// summarize writes what a run amounts to, for the scrollback: a row for each level, the run as a whole, and what became of the promises. Tables
// are no wider than width; 0 is the usual one.
func summarize(w io.Writer, s *bench.Snapshot, end ending, width int) error {
	if width <= 0 {
		width = usualWidth
	}
	var b strings.Builder
	r := s.Run
	fmt.Fprintf(&b, "\nredline %s: %s at %s, %s", r.Version, printable(r.Model), r.Host, span(s.At))
	if end.why != "" {
		fmt.Fprintf(&b, ", %s", printable(end.why))
	}
	b.WriteString("\n")
	if s.Total.Tally.Sent == 0 {
		b.WriteString("no request was sent\n")
	} else {
		b.WriteString("\n")
		writeLevels(&b, s, width)
		b.WriteString("\n")
		writeTotals(&b, s, end, width)
	}
	writeNotes(&b, s)
	if len(promised(s.Run.Thresholds)) > 0 && s.Total.Tally.Sent > 0 {
		b.WriteString(wrapped(findVerdict(s.Levels).String(), width))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeTotals is the run as a whole: requests, failures by class, tokens, cost, the wire.
func writeTotals(b *strings.Builder, s *bench.Snapshot, end ending, width int) {
	t := s.Total.Tally
	left := unfinished(t)
	fmt.Fprintf(b, "requests  %d sent: %d ok, %d failed, %d limited (429), %d cancelled", t.Sent, t.OK, t.Failed, t.Limited, t.Cancelled)
	if left > 0 {
		fmt.Fprintf(b, ", %d unfinished", left)
	}
	if end.cut {
		b.WriteString("; what was in flight was cut")
	}
	b.WriteString("\n")
	writeFailures(b, s, width)
	fmt.Fprintf(b, "tokens    %s in, %s out, counted from %s", grouped(s.Spend.In), grouped(s.Spend.Out), s.Source)
	if s.Source == bench.FromEvents {
		b.WriteString(" (an estimate: one token each)")
	}
	if s.Total.Wasted > 0 {
		fmt.Fprintf(b, "; %s of them for requests that failed", grouped(s.Total.Wasted))
	}
	if s.Total.Cached > 0 {
		fmt.Fprintf(b, "; %s from the server's prefix cache", grouped(s.Total.Cached))
	}
	b.WriteString("\n")
	if s.Spend.Cost.OK {
		fmt.Fprintf(b, "cost      %s", money(s.Spend.Cost.V))
		if t.OK > 0 {
			fmt.Fprintf(b, ", %s for each request that ended well", money(s.Spend.Cost.V/float64(t.OK)))
		}
		b.WriteString("\n")
	}
	if promises := promised(s.Run.Thresholds); s.Total.Goodput.OK && len(promises) > 0 {
		fmt.Fprintf(b, "goodput   %s kept every promise (%s)\n", share(s.Total.Goodput), thresholdList(promises))
	}
	writeWire(b, s, width)
}

// promised are the thresholds that are promises.
func promised(all []bench.Threshold) []bench.Threshold {
	return slices.DeleteFunc(slices.Clone(all), bench.Threshold.Quota)
}

func thresholdList(ts []bench.Threshold) string {
	var words []string
	for _, t := range ts {
		words = append(words, t.String())
	}
	return strings.Join(words, ", ")
}

// writeNotes is what the operator wrote, what preflight found, and what is needed to repeat the run.
func writeNotes(b *strings.Builder, s *bench.Snapshot) {
	for _, e := range s.Events {
		if e.Kind == bench.EventNote || e.Kind == bench.EventWarn || e.Kind == bench.EventBudget || e.Kind == bench.EventDrained {
			fmt.Fprintf(b, "%s  %s\n", stamp(e.At), sentence(e))
		}
	}
	for _, n := range s.Run.Notes {
		fmt.Fprintf(b, "note      %s\n", printable(n))
	}
	if s.Health.Busy {
		fmt.Fprintf(b, "! the client itself was busy (%s): do not take these numbers for the server's alone\n", printable(s.Health.Why))
	}
	fmt.Fprintf(b, "prompts   about %d tokens, answers at most %d, seed %d, begun %s\n", s.Run.InputTokens, s.Run.MaxTokens, s.Run.Seed,
		s.Run.Start.Format(time.RFC3339))
}
