package main

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"redline/bench"
)

// ending is how a run ended, for the summary.
type ending struct {
	// why in a few words: "interrupted", "quit", "duration".
	why string
	// cut: what was in flight was not waited for.
	cut bool
}

// summarize writes what a run amounts to, for the scrollback: a row for each level, then the run as a whole.
func summarize(w io.Writer, s *bench.Snapshot, end ending) error {
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
		writeLevels(&b, s)
		b.WriteString("\n")
		writeTotals(&b, s, end)
	}
	writeNotes(&b, s)
	_, err := io.WriteString(w, b.String())
	return err
}

var levelHead = []string{"level", "load", "for", "n", "TTFT p50", "p95", "p99 ms", "ITL p50", "p95", "p99 ms", "TPS p50", "p5", "p1", "RPM", "TPM", "errors", "open", ""}

// writeLevels is the table of the levels that sent anything.
func writeLevels(b *strings.Builder, s *bench.Snapshot) {
	rows := [][]string{levelHead}
	for _, l := range s.Levels {
		if l.Tally.Sent == 0 && l.Stats[bench.ITL].N == 0 {
			continue
		}
		rows = append(rows, levelRow(l))
	}
	rows = append(rows, summaryRow([]string{"all", "", span(s.Total.Span)}, &s.Total, "", ""))
	writeTable(b, rows)
	b.WriteString("n: requests that ended well. TPS: one stream, p5 and p1 are the slow ones. open: still running when the level ended.\n" +
		"~: few samples. Levels count what came after their load was reached.\n")
}

func levelRow(l *bench.Level) []string {
	word := ""
	switch {
	case !l.Reached.OK:
		word = "never reached"
	case l.State == bench.Unsettled:
		word = "unsettled"
	}
	for _, v := range l.Verdicts {
		if v.Known && v.Broken && !v.Threshold.Quota() {
			word = strings.TrimSpace(word + " ✗ " + v.Threshold.String())
		}
	}
	if l.Note != "" {
		word = strings.TrimSpace(fmt.Sprintf("%s %q", word, printable(l.Note)))
	}
	open := ""
	if l.Unfinished > 0 {
		open = fmt.Sprint(l.Unfinished)
	}
	return summaryRow([]string{fmt.Sprint(l.ID), fmt.Sprint(l.Load), span(l.Span)}, &l.Summary, open, word)
}

// summaryRow is one scope's numbers, in the order of levelHead.
func summaryRow(head []string, s *bench.Summary, open, word string) []string {
	row := append(head, fmt.Sprint(s.Tally.OK))
	for _, m := range []bench.Metric{bench.TTFT, bench.ITL} {
		for _, at := range []bench.Percentile{bench.P50, bench.P95, bench.P99} {
			row = append(row, figure(&s.Stats[m], at))
		}
	}
	row = append(row, figure(&s.Stats[bench.TPS], bench.P50))
	for _, at := range []bench.Percentile{bench.P5, bench.P1} {
		row = append(row, atLeast(figure(&s.Stats[bench.TPS], at)))
	}
	return append(row, rate(&s.Stats[bench.RPM]), rate(&s.Stats[bench.TPM]), share(s.Tally.ErrorShare()), open, word)
}

// atLeast marks a low percentile as what it is: so many streams are at least as fast.
func atLeast(text string) string {
	if text == absent {
		return text
	}
	return "≥" + text
}

// writeTable aligns rows: numbers right, the last column left.
func writeTable(b *strings.Builder, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, c := range r {
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	for _, r := range rows {
		line := ""
		for i, c := range r[:len(r)-1] {
			if widths[i] > 0 {
				line += strings.Repeat(" ", 1+widths[i]-utf8.RuneCountInString(c)) + c
			}
			if i == 3 || i == 6 || i == 9 || i == 12 {
				line += " "
			}
		}
		b.WriteString(strings.TrimRight(line+"  "+r[len(r)-1], " ") + "\n")
	}
}

// writeTotals is the run as a whole: requests, failures by class, tokens, cost.
func writeTotals(b *strings.Builder, s *bench.Snapshot, end ending) {
	t := s.Total.Tally
	left := t.Sent - t.OK - t.Failed - t.Limited - t.Cancelled
	fmt.Fprintf(b, "requests  %d sent: %d ok, %d failed, %d limited (429), %d cancelled", t.Sent, t.OK, t.Failed, t.Limited, t.Cancelled)
	if left > 0 {
		fmt.Fprintf(b, ", %d unfinished", left)
	}
	if end.cut {
		b.WriteString("; what was in flight was cut")
	}
	b.WriteString("\n")
	var classes []string
	for o := bench.OK + 1; o < bench.NumOutcomes; o++ {
		if n := t.By[o]; n > 0 && !o.Withdrawn() {
			classes = append(classes, fmt.Sprintf("%s ×%d", o, n))
		}
	}
	if len(classes) > 0 {
		fmt.Fprintf(b, "errors    %s", strings.Join(classes, ", "))
		if s.LastError != "" {
			fmt.Fprintf(b, "; the last: %s", printable(s.LastError))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(b, "tokens    %s in, %s out, counted from %s", grouped(s.Spend.In), grouped(s.Spend.Out), s.Source)
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
	if s.Total.Goodput.OK && len(s.Run.Thresholds) > 0 {
		fmt.Fprintf(b, "goodput   %s kept every promise (%s)\n", share(s.Total.Goodput), promiseList(s.Run.Thresholds))
	}
}

func promiseList(ts []bench.Threshold) string {
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
