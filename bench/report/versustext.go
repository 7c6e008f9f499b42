package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"redline/bench"
	"redline/bench/analysis"
)

// CompareText is the comparison for people.
func CompareText(all []*Versus, width int, colour bool) string {
	if width <= 0 {
		width = boundless
	}
	var b strings.Builder
	for i, f := range all {
		if i > 0 {
			b.WriteString("\n")
		}
		f.text(&b, width, colour)
	}
	return b.String()
}

func (f *Versus) text(b *strings.Builder, width int, colour bool) {
	for _, s := range []*Party{f.A, f.B} {
		b.WriteString(wrapped(s.name()+"  "+s.words(), width))
	}
	b.WriteString("\n" + wrapped(f.verdict(), width))
	if len(f.differs) > 0 {
		b.WriteString("\nwhat else differs\n")
		rows := [][]string{{"", "A", f.B.Letter}}
		for _, d := range f.differs {
			rows = append(rows, []string{d.What, d.A, d.B})
		}
		for _, line := range sideBySide(rows[1:], f.B.Letter, width) {
			b.WriteString(line + "\n")
		}
	}
	for _, c := range f.cautions {
		b.WriteString(wrapped("! "+c, width))
	}
	for i := range f.Bouts {
		bout := &f.Bouts[i]
		b.WriteString("\n" + wrapped(f.boutHead(bout), width))
		for _, c := range f.cautionsOf(bout) {
			b.WriteString(wrapped("  ! "+c, width))
		}
		for _, line := range f.boutTable(bout, width, colour) {
			b.WriteString(line + "\n")
		}
	}
	if only := f.onlyWords(); only != "" {
		b.WriteString("\n" + wrapped(only, width))
	}
	if f.Told > 0 {
		b.WriteString("\n" + wrapped(f.footnote(), width))
	}
}

// words are what the run was, in a line.
func (s *Party) words() string {
	r := s.Snap.Run
	out := []string{s.Began.Format("2006-01-02 15:04"), Printable(r.Model) + " at " + Printable(r.Host)}
	if s.Whole.Rivals != nil {
		out = append(out, "target "+targetWords(s.Whole.Rivals, s.Track))
	}
	switch n := len(s.Levels); {
	case s.Picked:
		out = append(out, fmt.Sprintf("level %d at %s", s.Levels[0].ID, s.Levels[0].Load))
	case n == 1:
		out = append(out, "1 level")
	default:
		out = append(out, fmt.Sprintf("%d levels", n))
	}
	return strings.Join(append(out, span(s.Snap.Total.Span)+" measured"), ", ")
}

// verdict is the whole in a sentence or two.
func (f *Versus) verdict() string {
	if len(f.Bouts) == 0 {
		return f.B.Letter + " against A: nothing to compare, there is no load at which both were measured with the same workload"
	}
	better, worse := f.counts()
	head := fmt.Sprintf("%s against %s, by %s at %s: ", f.B.Letter, f.A.Letter, manyOf(f.Told, "verdict"), manyOf(len(f.Bouts), "load"))
	if f.Told == 0 {
		return head + "too few samples for any verdict"
	}
	if better+worse == 0 {
		head += "no difference seen"
	} else {
		head += fmt.Sprintf("%d worse, %d better", worse, better)
	}
	if chance := f.Seen - f.Held; chance > 0 {
		head += fmt.Sprintf("; %d that may be chance", chance)
	}
	if most := f.greatest(); most != "" {
		head += ". " + most
	}
	return head
}

func (f *Versus) counts() (better, worse int) {
	for _, b := range f.Bouts {
		for _, r := range b.Rows {
			switch {
			case r.Holds && r.Contrast == analysis.Better:
				better++
			case r.Holds:
				worse++
			}
		}
	}
	return better, worse
}

// greatest names the difference that matters most at the greatest load that was compared: of those that hold the first of the table, each way.
func (f *Versus) greatest() string {
	var out []string
	for _, want := range []analysis.Contrast{analysis.Worse, analysis.Better} {
		for i := len(f.Bouts) - 1; i >= 0; i-- {
			b := &f.Bouts[i]
			var names []string
			for k := range b.Rows {
				if r := &b.Rows[k]; r.Holds && r.Contrast == want && len(names) < 4 {
					names = append(names, r.String()+" "+signed(&r.Difference, r.By))
				}
			}
			if names != nil {
				out = append(out, fmt.Sprintf("%s at %s: %s", want, b.B.Load, strings.Join(names, ", ")))
				break
			}
		}
	}
	return strings.Join(out, "; ")
}

func manyOf(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// boutHead says which levels are compared, and on how much they rest.
func (f *Versus) boutHead(b *analysis.Bout) string {
	side := func(letter string, l *bench.Level) string {
		return fmt.Sprintf("%s level %d: %s, n %s", letter, l.ID, span(l.Span), grouped(l.Stats[bench.TTFT].N))
	}
	head := "at " + b.B.Load.String()
	if b.A.Load != b.B.Load {
		head = b.A.Load.String() + " and " + b.B.Load.String()
	}
	if r := f.B.Snap.Run; len(r.Works) > 1 && b.B.Work >= 0 && b.B.Work < len(r.Works) {
		head += ", " + Printable(r.Works[b.B.Work].Name)
	}
	return head + "  (" + side("A", b.A) + "; " + side(f.B.Letter, b.B) + ")"
}

// cautionsOf are those of a load.
func (f *Versus) cautionsOf(b *analysis.Bout) []string {
	return boutCautions(b, [2]string{f.A.Letter, f.B.Letter})
}

// compareColumns are the columns of a load's table; those with the highest rank go first where there is no room.
var compareColumns = []struct {
	name string
	rank int
	left bool
}{{"", 0, true}, {"A", 0, false}, {"B", 0, false}, {"difference", 4, false}, {"in %", 0, false}, {"95 % interval", 1, false}, {"in its unit", 5, false}, {"verdict", 0, true}, {"could be seen", 3, false}}

// rowVerdict is the verdict of a row in words.
func (f *Versus) rowVerdict(r *analysis.Row) string {
	switch {
	case !r.From.OK:
		return "not known of " + f.A.Letter
	case !r.To.OK:
		return "not known of " + f.B.Letter
	case r.Unlike:
		return "other promises"
	case r.Contrast == analysis.Untold && r.Need > 0:
		return fmt.Sprintf("too few samples, %d more", r.Need)
	case r.Contrast == analysis.Untold && min(r.N[0], r.N[1]) > 0:
		// An interval of a rate takes five spans, each as long as a request is in flight.
		return "measured too briefly"
	case r.Seen() && !r.Holds:
		return r.Contrast.String() + ", may be chance"
	}
	return r.Contrast.String()
}

// inUnit is a difference in the number's own unit, with its sign.
func inUnit(v bench.Value) string {
	switch {
	case !v.OK:
		return absent
	case v.V == 0:
		return "0"
	case v.V < 0:
		return "-" + short(-v.V)
	}
	return "+" + short(v.V)
}

// boutTable are the rows of a load.
func (f *Versus) boutTable(b *analysis.Bout, width int, colour bool) []string {
	rows := [][]string{make([]string, len(compareColumns))}
	for i, c := range compareColumns {
		rows[0][i] = c.name
	}
	rows[0][2] = f.B.Letter
	looks := []string{""}
	for i := range b.Rows {
		r := &b.Rows[i]
		d := &r.Difference
		between, least := absent, absent
		if d.Low.OK {
			between = inUnit(d.Low) + " to " + inUnit(d.High)
		}
		if r.Contrast == analysis.Alike && d.Least.OK && d.Least.V > 0 {
			least = strings.TrimPrefix(signed(d, d.Least), "+")
		}
		rows = append(rows, []string{r.String() + " " + r.Unit(), number(d.From), number(d.To), inUnit(d.By), signed(d, d.By), contestInterval(d), between, f.rowVerdict(r), least})
		looks = append(looks, verdictLook(r))
	}
	return fitted(rows, looks, width, colour)
}

// verdictLook is the sequence that a verdict is coloured with; empty for none.
func verdictLook(r *analysis.Row) string {
	switch {
	case !r.Seen():
		return ""
	case !r.Holds:
		return "\x1b[33m"
	case r.Contrast == analysis.Better:
		return "\x1b[32m"
	}
	return "\x1b[31m"
}

// fitted sets rows under one another; columns that there is no room for are left out by their rank.
func fitted(rows [][]string, looks []string, width int, colour bool) []string {
	wide := make([]int, len(compareColumns))
	for _, row := range rows {
		for i, cell := range row {
			wide[i] = max(wide[i], utf8.RuneCountInString(cell))
		}
	}
	shown := make([]bool, len(wide))
	total := -1
	for i := range wide {
		shown[i] = true
		total += wide[i] + 2
	}
	for rank := 9; rank > 0 && total > width; rank-- {
		for i, c := range compareColumns {
			if c.rank == rank && total > width {
				shown[i] = false
				total -= wide[i] + 2
			}
		}
	}
	var out []string
	for k, row := range rows {
		line := ""
		for i, cell := range row {
			if !shown[i] {
				continue
			}
			text := padded(cell, wide[i], !compareColumns[i].left)
			if look := looks[k]; colour && look != "" && compareColumns[i].name == "verdict" {
				text = look + cell + "\x1b[0m" + text[len(cell):]
			}
			line += "  " + text
		}
		out = append(out, strings.TrimRight(line[1:], " "))
	}
	return out
}

// sideBySide sets what differs in two columns where there is room, else one under the other.
func sideBySide(rows [][]string, other string, width int) []string {
	name, first := 0, 0
	for _, r := range rows {
		name, first = max(name, len(r[0])), max(first, utf8.RuneCountInString(r[1]))
	}
	var out []string
	for _, r := range rows {
		line := fmt.Sprintf("  %s  %s  |  %s", padded(r[0], name, false), padded(r[1], min(first, 40), false), r[2])
		if utf8.RuneCountInString(line) <= width && utf8.RuneCountInString(r[1]) <= 40 {
			out = append(out, line)
			continue
		}
		for i, text := range r[1:] {
			head := padded(r[0], name, false)
			if i > 0 {
				head = strings.Repeat(" ", name)
			}
			letter := []string{"A", other}[i]
			out = append(out, cutWords(fmt.Sprintf("  %s  %s %s", head, letter, text), width))
		}
	}
	return out
}

// cutWords cuts a line that is too long.
func cutWords(line string, width int) string {
	runes := []rune(line)
	if len(runes) <= width || width < 4 {
		return line
	}
	return string(runes[:width-3]) + "..."
}

// onlyWords are the loads that only one of the two has.
func (f *Versus) onlyWords() string {
	var out []string
	for i, levels := range [][]*bench.Level{f.OnlyA, f.OnlyB} {
		if len(levels) > 0 {
			out = append(out, fmt.Sprintf("only %s was measured at %s", []string{"A", f.B.Letter}[i], loadsOf(levels)))
		}
	}
	return strings.Join(out, "; ")
}

func loadsOf(levels []*bench.Level) string {
	var out []string
	for _, l := range levels {
		out = append(out, l.Load.String())
	}
	return strings.Join(out, ", ")
}

// footnote says how the verdicts are to be read.
func (f *Versus) footnote() string {
	return fmt.Sprintf("better, worse: the 95 %% interval has no 0 in it, it is more than 2 %%, and it holds though there are %s. Could be seen: about the smallest difference that so many "+
		"samples show. The runs were made at different times: what changed between them by itself is in no interval.", manyOf(f.Told, "verdict"))
}
