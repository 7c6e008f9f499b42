package report

import (
	"fmt"

	"redline/bench"
	"redline/bench/analysis"
)

// pagePair is how a run on the page differs from the first.
type pagePair struct {
	Title, Verdict string
	Cautions       []string
	// Differs is in what else they are not alike; nil where in nothing. Loads are the numbers at each load that both have, and Only the loads that one has alone.
	Differs *grid
	Loads   []*grid
	Only    string
	Note    string
}

// pairs are the runs of a page, each against the first; of a run over several targets too. At most eight runs are compared, each costs about a quarter of a second.
func (all Set) pairs() []pagePair {
	told := all.told()
	var out []pagePair
	for i := 1; i < min(len(told), mostSeries); i++ {
		if told[i].d == told[0].d {
			out = append(out, rivalPair(told[0].d.s.Rivals, i))
			continue
		}
		out = append(out, Against(told[0].party(0), told[i].party(i)).page())
	}
	return out
}

// party is a run, or a target of one, as it is compared.
func (t *told) party(i int) *Party {
	p := &Party{Word: t.run, Letter: bench.Letter(i), Began: t.began(), Redline: t.s.Run.Version, Complete: true, Whole: t.s, Snap: t.s, Track: i, Levels: t.s.Levels}
	if t.target != "" {
		p.Word += ", " + t.target
	}
	if o := t.d.end.Origin; o != nil {
		p.Options, p.Machine, p.Complete = o.Options, o.Machine.words(), o.Complete
		for _, a := range o.Annotations {
			p.Notes = append(p.Notes, a.Text)
		}
	}
	return p
}

// page is the comparison on the page.
func (f *Versus) page() pagePair {
	out := pagePair{Title: f.B.Letter + " (" + Printable(f.B.Word) + ") against A (" + Printable(f.A.Word) + ")", Verdict: f.verdict(), Cautions: f.cautions, Only: f.onlyWords()}
	if f.Told > 0 {
		out.Note = f.footnote()
	}
	if len(f.differs) > 0 {
		out.Differs = &grid{Caption: "What else differs", Head: []gridCell{{"", "t"}, {"A", "t"}, {f.B.Letter, "t"}}}
		for _, d := range f.differs {
			out.Differs.Rows = append(out.Differs.Rows, []gridCell{{d.What, "t"}, {d.A, "t"}, {d.B, "t"}})
		}
	}
	for i := range f.Bouts {
		b := &f.Bouts[i]
		g := pairGrid("All numbers "+f.boutHead(b), "A", f.B.Letter)
		for k := range b.Rows {
			r := &b.Rows[k]
			class := "t"
			if r.Holds {
				class += " " + verdictClass(r.Contrast)
			}
			g.row(r.String()+" "+r.Unit(), &r.Difference, f.rowVerdict(r), class)
		}
		for _, c := range f.cautionsOf(b) {
			g.Notes = append(g.Notes, "! "+c)
		}
		out.Loads = append(out.Loads, g)
	}
	return out
}

// rivalPair is how a target differs from the first of the same run.
func rivalPair(r *bench.Rivals, i int) pagePair {
	a, b := bench.Letter(0), bench.Letter(i)
	out := pagePair{Title: targetWords(r, i) + " against " + targetWords(r, 0)}
	meetings := analysis.Meetings(r.Of[0].Levels, r.Of[i].Levels)
	if len(meetings) == 0 {
		out.Verdict = "There is no load under which both were measured: nothing to compare."
		return out
	}
	better, worse := 0, 0
	for _, m := range meetings[max(len(meetings)-mostCompared, 0):] {
		g := pairGrid(fmt.Sprintf("All numbers at %s (levels %d and %d)", m.A.Load, m.A.ID, m.B.ID), a, b)
		for _, c := range m.Contests() {
			if !c.From.OK && !c.To.OK {
				continue
			}
			switch c.Contrast {
			case analysis.Better:
				better++
			case analysis.Worse:
				worse++
			}
			g.row(contestName(c), &c.Difference, contestVerdict(&c.Difference), "t "+verdictClass(c.Contrast))
		}
		out.Loads = append(out.Loads, g)
	}
	out.Verdict = fmt.Sprintf("%s against %s at %s: %d worse, %d better", b, a, manyOf(len(out.Loads), "load"), worse, better)
	out.Note = "better, worse: the 95 % interval of the difference has no 0 in it, and it is more than 2 %. least: what so many samples could have shown."
	return out
}

// pairGrid is an empty table of the numbers of two.
func pairGrid(caption, a, b string) *grid {
	return &grid{Caption: caption, Head: []gridCell{{"number", "t"}, {a, "n"}, {b, "n"}, {"difference", "n"}, {"95 % interval", "n"}, {"verdict", "t"}}}
}

// row adds a number.
func (g *grid) row(name string, d *analysis.Difference, verdict, class string) {
	g.Rows = append(g.Rows, []gridCell{{name, "t"}, {number(d.From), "n"}, {number(d.To), "n"}, {signed(d, d.By), "n"}, {contestInterval(d), "n"}, {verdict, class}})
}

// verdictClass is the look of a verdict; it is told in words too.
func verdictClass(c analysis.Contrast) string {
	switch c {
	case analysis.Better:
		return "kept"
	case analysis.Worse:
		return "broken"
	}
	return ""
}
