package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"redline/bench"
	"redline/bench/report"
)

// began is when the run began, by the clock on the wall.
func (s *stored) began() string {
	if s.Began.IsZero() {
		return "–"
	}
	return s.Began.Local().Format("2006-01-02 15:04")
}

// runsColumn is a column of a table of runs; where there is no room the lightest go first.
type runsColumn struct {
	name   string
	weight int
	// right: its cells end at the same place.
	right bool
	cells []string
	// shorter are the cells that stand in where not all columns have room.
	shorter []string
}

// width is that of its widest cell.
func (c *runsColumn) width() int {
	w := ansi.StringWidth(c.name)
	for _, cell := range c.cells {
		w = max(w, ansi.StringWidth(cell))
	}
	return w
}

// layRuns lays columns side by side, those that fit; 0 is no bound. Columns without anything in them are left out, and what is cut is said.
func layRuns(columns []*runsColumn, width int) string {
	columns = slices.DeleteFunc(columns, func(c *runsColumn) bool {
		return !slices.ContainsFunc(c.cells, func(cell string) bool { return cell != "" })
	})
	total := func() int {
		sum := 0
		for _, c := range columns {
			sum += c.width() + 2
		}
		return sum - 2
	}
	for _, c := range columns {
		if width > 0 && c.shorter != nil && total() > width {
			c.cells = c.shorter
		}
	}
	for width > 0 && len(columns) > 1 && total() > width {
		least := slices.MinFunc(columns, func(a, b *runsColumn) int { return a.weight - b.weight })
		columns = slices.DeleteFunc(columns, func(c *runsColumn) bool { return c == least })
	}
	var b strings.Builder
	line := func(cell func(*runsColumn) string) {
		text := ""
		for i, c := range columns {
			if i > 0 {
				text += "  "
			}
			word := cell(c)
			pad := strings.Repeat(" ", c.width()-ansi.StringWidth(word))
			if c.right {
				text += pad + word
			} else {
				text += word + pad
			}
		}
		text = strings.TrimRight(text, " ")
		if width > 0 {
			text = ansi.Truncate(text, width, "")
		}
		b.WriteString(text + "\n")
	}
	line(func(c *runsColumn) string { return c.name })
	for i := range columns[0].cells {
		line(func(c *runsColumn) string { return c.cells[i] })
	}
	return b.String()
}

// runsTable is the table of runs.
func runsTable(all []*stored, width int) string {
	when := &runsColumn{name: "BEGAN", weight: 100}
	length := &runsColumn{name: "LENGTH", weight: 90, right: true}
	target := &runsColumn{name: "TARGET", weight: 60}
	model := &runsColumn{name: "MODEL", weight: 65}
	loads := &runsColumn{name: "LOADS", weight: 50}
	requests := &runsColumn{name: "REQUESTS", weight: 70, right: true}
	errors := &runsColumn{name: "ERRORS", weight: 55, right: true}
	best := &runsColumn{name: "BEST LEVEL", weight: 45}
	size := &runsColumn{name: "SIZE", weight: 30, right: true}
	state := &runsColumn{name: "FILE", weight: 80}
	name := &runsColumn{name: "NAME", weight: 95, shorter: beginnings(all)}
	columns := []*runsColumn{when, length, target, model, loads, requests, errors, best, size, state, name}
	for _, s := range all {
		word := s.state()
		if s.Err == nil && s.err != nil {
			word += ", not read"
		}
		cells := []string{s.began(), "–", short(strings.Join(s.Targets, " "), 28), short(s.Model, 24), "–", "–", "–", "–", bytesText(s.Size), word, s.name()}
		if simulatedAlone(&s.Entry) && s.Targets[0] != bench.Hidden {
			cells[2] = "simulated"
		}
		if s.Err == nil {
			cells[1], cells[5] = lengthText(s.Length), fmt.Sprint(s.Requests)
		}
		if l := s.last; l != nil {
			cells[4] = loadsText(loadsOf(l))
			if v := errorsOf(l); v.OK {
				cells[6] = percent(v.V)
			}
			if b, letter := bestOf(l); b != nil {
				cells[7] = strings.TrimSpace(fmt.Sprintf("%s %s: %s tok/s", letter, b.Load, trimmed(b.OutputRate.V)))
			}
		}
		for i, c := range columns {
			c.cells = append(c.cells, report.Printable(cells[i]))
		}
	}
	return layRuns(columns, width)
}

// beginnings are what names runs in as few characters as tell them from all others of their folder, and no fewer than a date and a time have.
func beginnings(all []*stored) []string {
	const least = len("2026-11-30T18-51-00Z")
	out := make([]string, len(all))
	for i, s := range all {
		name := s.name()
		n := min(max(s.beginning, least), len(name))
		for n < len(name) && !utf8.RuneStart(name[n]) {
			n++
		}
		out[i] = report.Printable(name[:n])
	}
	return out
}

func percent(v float64) string {
	switch {
	case v == 0:
		return "0 %"
	case v < 0.1:
		return "<0.1 %"
	}
	return fmt.Sprintf("%.1f %%", v)
}

// short is a text of at most so many cells.
func short(text string, width int) string { return ansi.Truncate(text, width, "…") }

// loadsText are loads in a few words: all of few, the least and the greatest of many.
func loadsText(loads []bench.Setpoint) string {
	const most = 5
	if len(loads) == 0 {
		return "–"
	}
	if len(loads) <= most {
		words := make([]string, len(loads))
		for i, l := range loads {
			words[i] = l.String()
		}
		return strings.Join(words, " ")
	}
	least, greatest := loads[0], loads[0]
	for _, l := range loads {
		if l.Mode == least.Mode && l.N < least.N {
			least = l
		}
		if l.Mode == greatest.Mode && l.N > greatest.N {
			greatest = l
		}
	}
	return fmt.Sprintf("%d: %s..%s", len(loads), least, greatest)
}

// lengthText is a length of time as a clock has it.
func lengthText(d time.Duration) string {
	s := int(d.Round(time.Second) / time.Second)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// runsSchema names the form of the list.
const runsSchema = "redline.runs/1"

type runsList struct {
	Schema string     `json:"schema"`
	Runs   []runsItem `json:"runs"`
}

type runsItem struct {
	Name     string     `json:"name"`
	Path     string     `json:"path"`
	Began    *time.Time `json:"began"`
	LengthS  *float64   `json:"length_s"`
	Targets  []string   `json:"targets"`
	Model    string     `json:"model"`
	Demo     bool       `json:"simulated"`
	Levels   int        `json:"levels"`
	Loads    []runsLoad `json:"loads"`
	Requests *int       `json:"requests_ended"`
	Errors   *float64   `json:"errors_percent"`
	Best     *runsLevel `json:"best_level"`
	Size     int64      `json:"size_bytes"`
	File     string     `json:"file"`
	Problem  string     `json:"problem,omitempty"`
}

type runsLoad struct {
	Loop string  `json:"loop"`
	Load float64 `json:"load"`
}

type runsLevel struct {
	ID int `json:"level"`
	runsLoad
	Output float64 `json:"output_tokens_per_s"`
	// Target is the letter of the one of several; empty where there is one.
	Target string `json:"of_target"`
}

// runsListOf is the list for machines.
func runsListOf(all []*stored) runsList {
	out := runsList{Schema: runsSchema, Runs: []runsItem{}}
	for _, s := range all {
		one := runsItem{Name: s.name(), Path: s.Path, Targets: append([]string{}, s.Targets...), Model: s.Model, Demo: s.Demo, Levels: s.Levels, Loads: []runsLoad{}, Size: s.Size, File: s.state()}
		if !s.Began.IsZero() {
			one.Began = &s.Began
		}
		if s.err != nil {
			one.Problem = report.Printable(s.err.Error())
		}
		if s.Err == nil {
			one.LengthS, one.Requests = new(s.Length.Seconds()), &s.Requests
		}
		if l := s.last; l != nil {
			for _, load := range loadsOf(l) {
				one.Loads = append(one.Loads, runsLoad{load.Mode.String(), load.N})
			}
			if v := errorsOf(l); v.OK {
				one.Errors = &v.V
			}
			if b, letter := bestOf(l); b != nil {
				one.Best = &runsLevel{b.ID, runsLoad{b.Load.Mode.String(), b.Load.N}, b.OutputRate.V, letter}
			}
		}
		out.Runs = append(out.Runs, one)
	}
	return out
}

// writeJSON writes a document for machines.
func writeJSON(w io.Writer, document any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(document)
}
