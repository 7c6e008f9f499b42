package report

import (
	"fmt"
	"strings"
	"time"

	"redline/bench"
	"redline/bench/analysis"
)

// markdown is the summary of a run as GitHub shows it: a table of the levels, what became of the promises at each, and the rest as text.
func markdown(s *bench.Snapshot, end Options) string {
	s = Begun(s)
	r := s.Run
	var b strings.Builder
	if s.Rivals != nil {
		return markRivals(s, end)
	}
	fmt.Fprintf(&b, "# redline: %s at %s\n\n", plainMark(Printable(r.Model)), plainMark(Printable(r.Host)))
	fmt.Fprintf(&b, "redline %s, %s after %s, saved %s.\n", plainMark(r.Version), strings.ToLower(s.State.String()), span(s.At), end.Saved.Format(time.RFC3339))
	if s.Total.Tally.Sent == 0 {
		b.WriteString("\nN" + plainMark(strings.TrimPrefix(noneSent(s), "n")) + ".\n")
		return b.String()
	}
	markLevels(&b, s)
	markRamp(&b, s, end)
	markPromises(&b, s)
	markWhy(&b, s)
	var text strings.Builder
	writeTotals(&text, s, end, boundless)
	writeNotes(&text, s, boundless)
	writeOrigin(&text, end.Origin, boundless)
	if words := keptWords(end.Kept); words != "" {
		text.WriteString("! " + words + "\n")
	}
	b.WriteString("\n## Run\n\n" + fenced(text.String()))
	return b.String()
}

// markLevels is the table of the levels.
func markLevels(b *strings.Builder, s *bench.Snapshot) {
	rows, few := rowsOf(s)
	t := levelTable(rows, s.Run.Thresholds)
	t.fit(boundless)
	var names, rules []string
	for _, c := range t.columns {
		names, rules = append(names, strings.TrimSpace(c.group+" "+c.name)), append(rules, "--:")
	}
	b.WriteString("\n## Levels\n\n")
	markRow(b, append(names, "remarks"))
	markRow(b, append(rules, ":--"))
	for i := range rows {
		var cells []string
		for _, c := range t.columns {
			cells = append(cells, c.cells[i])
		}
		markRow(b, append(cells, t.words[i]))
	}
	if len(few) > 0 {
		fmt.Fprintf(b, "\nNot listed: %s, with too few samples for any number.\n", levelNames(few))
	}
	b.WriteString("\nn: requests that ended well. TPS: one stream, p5 and p1 are the slow ones. ~: few samples, -: too few. Levels count what came after their load was reached.\n")
	if text := firmnessWords(s); text != "" {
		b.WriteString("\n" + plainMark(text) + "\n")
	}
	for _, line := range curveLines(s) {
		b.WriteString("\n" + plainMark(line) + "\n")
	}
}

// markPromises is what became of each promise at each level, and what that comes to.
func markPromises(b *strings.Builder, s *bench.Snapshot) {
	all := promised(s.Run.Thresholds)
	if len(all) == 0 {
		return
	}
	b.WriteString("\n## Promises\n\n")
	head, rules := []string{"level", "load"}, []string{"--:", "--:"}
	for _, p := range all {
		head, rules = append(head, p.String()), append(rules, "--:")
	}
	markRow(b, head)
	markRow(b, rules)
	for _, l := range s.Levels {
		if !analysis.Measured(l) {
			continue
		}
		cells := []string{fmt.Sprint(l.ID), l.Load.String()}
		for _, p := range all {
			cells = append(cells, outcomeOf(l, p))
		}
		markRow(b, cells)
	}
	for _, line := range verdictLines(s) {
		b.WriteString("\n" + plainMark(line) + "\n")
	}
}

// outcomeOf is what became of a promise at a level: a mark and its value.
func outcomeOf(l *bench.Level, p bench.Threshold) string {
	for _, v := range l.Verdicts {
		switch {
		case v.Threshold != p:
		case !v.Known:
			return absent
		case v.Beyond:
			return "✗ among the missed"
		case v.Broken:
			return "✗ " + number(v.Value)
		default:
			return "✓ " + number(v.Value)
		}
	}
	return absent
}

func markRow(b *strings.Builder, cells []string) {
	for _, c := range cells {
		if strings.Trim(c, "-:") != "" {
			c = plainMark(c)
		}
		b.WriteString("| " + c + " ")
	}
	b.WriteString("|\n")
}

// plainMark is a text that Markdown shows as it is: no look, no link, no HTML, nobody mentioned, no cell that ends early.
func plainMark(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '@' || r == '#':
			// Neither a person nor an issue is meant.
			fmt.Fprintf(&b, "&#%d;", r)
			continue
		case strings.ContainsRune("\\`*_{}[]<>|!~&", r):
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// fenced is a block of text in which nothing is a mark.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "text\n" + strings.TrimRight(text, "\n") + "\n" + fence + "\n"
}
