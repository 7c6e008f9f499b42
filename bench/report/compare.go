package report

import (
	"fmt"
	"io"
	"math"
	"strings"

	"redline/bench"
	"redline/bench/analysis"
)

// summarizeRivals writes what a run over several targets amounts to: each target by itself, then how the others differ from the first, by load.
func summarizeRivals(w io.Writer, s *bench.Snapshot, end Options, width int) error {
	for i, of := range s.Rivals.Of {
		if _, err := fmt.Fprintf(w, "\n== target %s ==\n", targetWords(s.Rivals, i)); err != nil {
			return err
		}
		if err := summarize(w, of, end, width); err != nil {
			return err
		}
	}
	var b strings.Builder
	for i := 1; i < len(s.Rivals.Of); i++ {
		b.WriteString("\n" + strings.Join(comparison(s.Rivals, 0, i, width), "\n") + "\n")
	}
	b.WriteString("\n" + strings.Join(ranking(s.Rivals, width), "\n") + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// targetWords are a target's letter and name; in private the letter alone.
func targetWords(r *bench.Rivals, i int) string {
	if name := Printable(r.Names[i]); name != bench.Hidden {
		return bench.Letter(i) + " (" + name + ")"
	}
	return bench.Letter(i)
}

// mostCompared is how many loads are compared in words, the newest last.
const mostCompared = 8

// comparison is how target b differs from target a, as lines: a table for each load under which both were measured.
func comparison(r *bench.Rivals, a, b, width int) []string {
	meetings := analysis.Meetings(r.Of[a].Levels, r.Of[b].Levels)
	head := fmt.Sprintf("%s against %s", targetWords(r, b), targetWords(r, a))
	if len(meetings) == 0 {
		return []string{head + ": nothing to compare, there is no load under which both were measured"}
	}
	if skip := len(meetings) - mostCompared; skip > 0 {
		meetings = meetings[skip:]
	}
	var out []string
	for _, m := range meetings {
		out = append(out, fmt.Sprintf("%s, at %s (levels %d and %d)", head, m.A.Load, m.A.ID, m.B.ID))
		out = append(out, contestTable(m.Contests(), bench.Letter(a), bench.Letter(b), width)...)
	}
	return append(out, strings.TrimSuffix(wrapped("better, worse: the 95 % interval of the difference has no 0 in it, and it is more than 2 %. least: what so many samples could have shown.", width), "\n"))
}

// contestTable is a row for each number, no wider than asked: what does not fit is left out from the right.
func contestTable(all []analysis.Contest, a, b string, width int) []string {
	rows := [][]string{{"", a, b, "difference", "95 % interval", "verdict"}}
	for _, c := range all {
		if !c.From.OK && !c.To.OK {
			continue
		}
		rows = append(rows, []string{contestName(c), number(c.From), number(c.To), signed(&c.Difference, c.By), contestInterval(&c.Difference), contestVerdict(&c.Difference)})
	}
	return columns(rows, width)
}

// contestName is a number's name as promises write it, with its unit.
func contestName(c analysis.Contest) string {
	if c.Output {
		return "output tok/s"
	}
	name := strings.ToLower(c.Metric.String())
	if c.At != bench.Mean {
		name += "." + c.At.String()
	}
	if unit := c.Metric.Unit(); unit == "ms" || unit == "%" {
		name += " " + unit
	}
	return name
}

// signed is a difference in percent of what it is one from; of shares, and of what is 0, it is in the unit itself.
func signed(d *analysis.Difference, v bench.Value) string {
	if !v.OK {
		return absent
	}
	if share := d.Share(v); share.OK && math.Abs(share.V) < 100 {
		return fmt.Sprintf("%+.1f%%", 100*share.V)
	}
	text := short(math.Abs(v.V))
	if v.V < 0 {
		return "-" + text
	}
	return "+" + text
}

// contestInterval bounds a difference.
func contestInterval(d *analysis.Difference) string {
	if !d.Low.OK || !d.High.OK {
		return absent
	}
	return signed(d, d.Low) + " to " + signed(d, d.High)
}

// contestVerdict is whether a difference is more than noise; where none was seen, what could have been.
func contestVerdict(d *analysis.Difference) string {
	switch {
	case d.Contrast == analysis.Untold && d.Need > 0:
		return fmt.Sprintf("too few samples, %d more", d.Need)
	case d.Contrast == analysis.Alike && d.Least.OK && d.Least.V > 0:
		return "no difference seen, least " + strings.TrimPrefix(signed(d, d.Least), "+")
	}
	return d.Contrast.String()
}

// columns sets rows of cells under one another, the first and the last to the left, and leaves whole columns out from the right where they do not fit.
func columns(rows [][]string, width int) []string {
	wide := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			wide[i] = max(wide[i], len([]rune(cell)))
		}
	}
	shown, total := 0, 1
	for shown < len(wide) && (width <= 0 || total+wide[shown]+2 <= width+2 || shown < 3) {
		total += wide[shown] + 2
		shown++
	}
	var out []string
	for _, row := range rows {
		line := " "
		for i, cell := range row[:shown] {
			if i > 0 {
				line += "  "
			}
			line += padded(cell, wide[i], i > 0 && i < len(row)-1)
		}
		out = append(out, strings.TrimRight(line, " "))
	}
	return out
}

// markRivals is the summary of a run over several targets as GitHub shows it.
func markRivals(s *bench.Snapshot, end Options) string {
	var b strings.Builder
	var text strings.Builder
	for i := 1; i < len(s.Rivals.Of); i++ {
		text.WriteString(strings.Join(comparison(s.Rivals, 0, i, boundless), "\n") + "\n\n")
	}
	text.WriteString(strings.Join(ranking(s.Rivals, boundless), "\n") + "\n")
	b.WriteString("# redline: " + fmt.Sprint(len(s.Rivals.Of)) + " targets\n\n" + fenced(text.String()))
	for i, of := range s.Rivals.Of {
		b.WriteString("\n# Target " + plainMark(targetWords(s.Rivals, i)) + "\n\n" + strings.Replace(markdown(of, end), "# redline: ", "## ", 1))
	}
	return b.String()
}
