package report

import (
	"fmt"
	"strings"

	"redline/bench/analysis"
)

// CompareMarkdown is the comparison as GitHub shows it: what holds at a glance, the rest to be opened.
func CompareMarkdown(all []*Versus) string {
	var b strings.Builder
	for i, f := range all {
		if i > 0 {
			b.WriteString("\n")
		}
		f.mark(&b)
	}
	return b.String()
}

func (f *Versus) mark(b *strings.Builder) {
	fmt.Fprintf(b, "### redline: %s against %s\n\n", plainMark(Printable(f.B.Word)), plainMark(Printable(f.A.Word)))
	better, worse := f.counts()
	sign := map[bool]string{true: "🔴", false: "⚪"}[worse > 0]
	if worse == 0 && better > 0 {
		sign = "🟢"
	}
	fmt.Fprintf(b, "%s %s\n", sign, plainMark(f.verdict()))
	if better+worse > 0 {
		b.WriteString("\n")
		markRow(b, []string{"at", "number", "A", f.B.Letter, "difference", "95 % interval", "verdict"})
		markRow(b, []string{"--:", ":--", "--:", "--:", "--:", ":-:", ":--"})
		for i := range f.Bouts {
			bout := &f.Bouts[i]
			for k := range bout.Rows {
				if r := &bout.Rows[k]; r.Holds {
					d := &r.Difference
					markRow(b, []string{bout.B.Load.String(), r.String() + " " + r.Unit(), number(d.From), number(d.To), signed(d, d.By), contestInterval(d), f.rowVerdict(r)})
				}
			}
		}
	}
	for _, c := range f.cautions {
		b.WriteString("\n> " + plainMark("! "+c) + "\n")
	}
	if len(f.differs) > 0 {
		markFold(b, fmt.Sprintf("What else differs: %s", strings.Join(f.differingNames(), ", ")), func() {
			markRow(b, []string{"", "A", f.B.Letter})
			markRow(b, []string{":--", ":--", ":--"})
			for _, d := range f.differs {
				markRow(b, []string{d.What, d.A, d.B})
			}
		})
	}
	for i := range f.Bouts {
		bout := &f.Bouts[i]
		markFold(b, "All numbers "+f.boutHead(bout), func() { f.markBout(b, bout) })
	}
	if only := f.onlyWords(); only != "" {
		b.WriteString("\n" + plainMark(only) + "\n")
	}
	if f.Told > 0 {
		fmt.Fprintf(b, "\n<sub>%s</sub>\n", plainMark(f.footnote()))
	}
}

func (f *Versus) differingNames() []string {
	var out []string
	for _, d := range f.differs {
		out = append(out, d.What)
	}
	return out
}

// markBout is the table of a load, with what has to be known of it.
func (f *Versus) markBout(b *strings.Builder, bout *analysis.Bout) {
	for _, c := range f.cautionsOf(bout) {
		b.WriteString("> " + plainMark("! "+c) + "\n\n")
	}
	markRow(b, []string{"number", "A", f.B.Letter, "difference", "in %", "95 % interval", "verdict"})
	markRow(b, []string{":--", "--:", "--:", "--:", "--:", ":-:", ":--"})
	for i := range bout.Rows {
		r := &bout.Rows[i]
		d := &r.Difference
		verdict := f.rowVerdict(r)
		if r.Contrast == analysis.Alike && d.Least.OK && d.Least.V > 0 {
			verdict += ", least " + strings.TrimPrefix(signed(d, d.Least), "+")
		}
		markRow(b, []string{r.String() + " " + r.Unit(), number(d.From), number(d.To), inUnit(d.By), signed(d, d.By), contestInterval(d), verdict})
	}
}

// markFold is what is shown when its heading is opened.
func markFold(b *strings.Builder, heading string, inside func()) {
	fmt.Fprintf(b, "\n<details><summary>%s</summary>\n\n", plainMark(heading))
	inside()
	b.WriteString("\n</details>\n")
}
