package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// SetSchema names the form of several saved summaries in one object: its runs are summaries, each as Schema says.
const SetSchema = "redline.summaries/1"

// Set is one document of several runs, side by side; of one run it is that run's own.
type Set []*Document

// Text writes what the runs amount to: a table of them where there are several, then each. Width is as that of Document.Text.
func (all Set) Text(w io.Writer, width int) error {
	if len(all) == 1 {
		return all[0].Text(w, width)
	}
	if _, err := io.WriteString(w, "\n"+all.table(width)); err != nil {
		return err
	}
	for i, d := range all {
		if _, err := fmt.Fprintf(w, "\n== run %d: %s ==\n", i+1, d.name()); err != nil {
			return err
		}
		if err := d.Text(w, width); err != nil {
			return err
		}
	}
	return nil
}

// Markdown is the runs as GitHub shows them.
func (all Set) Markdown() string {
	if len(all) == 1 {
		return all[0].Markdown()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# redline: %d runs\n\n", len(all))
	rows := all.overview()
	for i, row := range rows {
		markRow(&b, row)
		if i == 0 {
			rules := make([]string, len(row))
			for j := range rules {
				rules[j] = "--:"
				if j == 1 || j == len(row)-1 {
					rules[j] = ":--"
				}
			}
			markRow(&b, rules)
		}
	}
	for i, d := range all {
		fmt.Fprintf(&b, "\n# Run %d: %s\n\n", i+1, plainMark(d.name()))
		b.WriteString(strings.Replace(d.Markdown(), "# redline: ", "## ", 1))
	}
	return b.String()
}

// JSON is the runs for machines.
func (all Set) JSON() ([]byte, error) {
	if len(all) == 1 {
		return all[0].JSON()
	}
	out := struct {
		Schema string    `json:"schema"`
		Runs   []*report `json:"runs"`
	}{Schema: SetSchema, Runs: []*report{}}
	for _, d := range all {
		out.Runs = append(out.Runs, reportOf(d.s, d.end))
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(out)
	return b.Bytes(), err
}

// name is what a run is called: by its file, else by whom it drove.
func (d *Document) name() string {
	if o := d.end.Origin; o != nil && o.Name != "" {
		return Printable(o.Name)
	}
	if d.end.Name != "" {
		return Printable(d.end.Name)
	}
	return Printable(d.s.Run.Model) + " at " + Printable(d.s.Run.Host)
}
