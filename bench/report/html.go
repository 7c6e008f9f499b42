package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"

	"redline/bench"
	"redline/bench/report/plot"
)

// The page is one file: its style is in it, and known to its policy by a hash, so that it may load nothing and run nothing, whatever stands in it.
var (
	//go:embed page.css
	pageStyle string
	//go:embed page.html.tmpl
	pageText string
	pageForm = template.Must(template.New("page").Parse(pageText))
)

// page is what the template is given.
type page struct {
	Title, Policy string
	Style         template.CSS
	Saved         string
	Version       string
	Private       bool
	// Overview and Together are there where there are several runs.
	Overview *grid
	Together *drawing
	Pairs    []pagePair
	Runs     []pageRun
}

// drawing is a figure with its legend.
type drawing struct {
	SVG    template.HTML
	Legend []legend
	Wide   bool
	Note   string
}

type legend struct{ Name, Class string }

// grid is a table: its head in one or two rows, and rows of cells.
type grid struct {
	Caption string
	Groups  []headGroup
	Head    []gridCell
	Rows    [][]gridCell
	Notes   []string
}

type headGroup struct {
	Name string
	Span int
}

type gridCell struct{ Text, Class string }

// HTML writes one page with all of it, that needs nothing else to be shown. An error is that of w.
func (all Set) HTML(w io.Writer) error {
	p := page{Title: "redline report", Style: template.CSS(pageStyle), Policy: policy()}
	if len(all) > 0 {
		p.Saved, p.Version, p.Private = all[0].end.Saved.Format(time.RFC1123), Printable(all[0].s.Run.Version), all[0].end.Private
	}
	told := all.told()
	if len(told) == 1 {
		p.Title = "redline: " + told[0].title()
	} else {
		p.Title = fmt.Sprintf("redline: %d runs side by side", len(told))
		p.Overview = overviewGrid(all.overview())
		d, err := drawn(all.together("together"), "no two runs measured the same loop: there is nothing to draw side by side", true)
		if err != nil {
			return err
		}
		p.Together, p.Pairs = d, all.pairs()
	}
	for i, t := range told {
		r, err := t.page(i + 1)
		if err != nil {
			return err
		}
		p.Runs = append(p.Runs, *r)
	}
	var b bytes.Buffer
	if err := pageForm.Execute(&b, p); err != nil {
		return err
	}
	_, err := b.WriteTo(w)
	return err
}

// policy allows the page its own style and nothing else.
func policy() string {
	sum := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
}

// title is whom a run drove.
func (t *told) title() string {
	text := Printable(t.s.Run.Model)
	if host := Printable(t.s.Run.Host); host != "" {
		text += " at " + host
	}
	if t.target != "" {
		text = t.target + ": " + Printable(t.s.Run.Model)
	}
	return text
}

// drawn is a figure as it stands on the page; the note stands in its place where there is none.
func drawn(f *plot.Figure, note string, wide bool) (*drawing, error) {
	if f == nil {
		return &drawing{Note: note, Wide: wide}, nil
	}
	svg, err := f.SVG()
	if err != nil {
		return nil, err
	}
	d := &drawing{SVG: template.HTML(svg), Wide: wide}
	seen := map[legend]bool{}
	for _, p := range f.Panes {
		for _, l := range p.Lines {
			name := l.Name
			if len(f.Panes) > 4 && name != "" {
				head, _, _ := strings.Cut(p.Name, ",")
				name = head + " " + name
			}
			if one := (legend{name, l.Class}); name != "" && !seen[one] {
				seen[one] = true
				d.Legend = append(d.Legend, one)
			}
		}
	}
	for _, p := range f.Panes {
		if one := (legend{"promise", "promise"}); len(p.Rules) > 0 && !seen[one] {
			seen[one] = true
			d.Legend = append(d.Legend, one)
		}
	}
	return d, nil
}

// overviewGrid is the table of several runs.
func overviewGrid(rows [][]string) *grid {
	g := &grid{Caption: "The runs"}
	for _, row := range rows {
		var cells []gridCell
		for i, text := range row {
			class := "n"
			if i == 1 || i == len(row)-1 {
				class = "t"
			}
			cells = append(cells, gridCell{text, class})
		}
		g.Rows = append(g.Rows, cells)
	}
	g.Head, g.Rows = g.Rows[0], g.Rows[1:]
	g.Notes = []string{"most tok/s: the measured level with the most output of all streams; at: its load. TPS p5: the slow streams."}
	return g
}

// levelGrid is the table of the levels, with that of the run last.
func levelGrid(s *bench.Snapshot) *grid {
	rows, few := rowsOf(s)
	t := levelTable(rows, s.Run.Thresholds)
	t.fit(boundless)
	g := &grid{Caption: "Levels"}
	for i := 0; i < len(t.columns); {
		end := t.groupEnd(i)
		g.Groups = append(g.Groups, headGroup{t.columns[i].group, end - i})
		for ; i < end; i++ {
			g.Head = append(g.Head, gridCell{t.columns[i].name, "n"})
		}
	}
	g.Groups, g.Head = append(g.Groups, headGroup{"", 1}), append(g.Head, gridCell{"remarks", "t"})
	for i := range rows {
		var cells []gridCell
		for _, c := range t.columns {
			cells = append(cells, gridCell{c.cells[i], "n"})
		}
		g.Rows = append(g.Rows, append(cells, gridCell{t.words[i], "t"}))
	}
	g.Notes = append(g.Notes, "n: requests that ended well. TPS: one stream, p5 and p1 are the slow ones. RPM and TPM with the half-width of their 95 % interval. ~: few samples, -: too few. Levels count what came after their load was reached.")
	for _, c := range t.columns {
		if c.name != "unsent" || s.Total.Tally.Unsent > 0 {
			if text := strings.TrimSpace(legends[c.name]); text != "" {
				g.Notes = append(g.Notes, text)
			}
		}
	}
	if text := firmnessWords(s); text != "" {
		g.Notes = append(g.Notes, text)
	}
	if len(few) > 0 {
		g.Notes = append(g.Notes, "Not listed: "+levelNames(few)+", with too few samples for any number.")
	}
	return g
}
