package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"redline/bench"
	"redline/bench/record"
	"redline/bench/report"
)

const reportHelp = `report tells what became of recorded runs: as text, as Markdown for GitHub, as JSON (redline.summary/1; of several runs
redline.summaries/1), as CSV with a row for each level, or as one HTML page with charts that needs nothing else to be shown. Of several files it
makes one report, with all runs side by side.

--requests writes CSV with a row for each request that ended. What is not known is null, or empty, and never 0.`

// reportForms are the forms of a report, each with the endings of files that ask for it.
var reportForms = []struct {
	name    string
	endings []string
}{{"text", []string{".txt"}}, {"md", []string{".md", ".markdown"}}, {"json", []string{".json"}}, {"csv", []string{".csv"}}, {"html", []string{".html", ".htm"}}}

func reportFormNames() []string {
	var names []string
	for _, f := range reportForms {
		names = append(names, f.name)
	}
	return names
}

// telling is what report was asked for.
type telling struct {
	form, path        string
	requests, private bool
}

// reportVerb makes reports of run files.
func (m *Main) reportVerb() *cobra.Command {
	var k telling
	cmd := &cobra.Command{
		Use: "report FILE...", Short: "tell what became of recorded runs, as text, Markdown, JSON, CSV or HTML", Long: reportHelp,
		Args: func(cmd *cobra.Command, files []string) error {
			if len(files) == 0 {
				return fmt.Errorf("%s: want a run file or more, or last for the newest that is kept; redline runs lists them", cmd.CommandPath())
			}
			return nil
		},
		Example: "  redline report last\n  redline report last -o run.html\n  redline report before.jsonl.zst after.jsonl.zst --format md\n  redline report last --requests -o requests.csv",
		RunE:    func(cmd *cobra.Command, files []string) error { return m.tell(cmd.Context(), &k, files) },
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&k.form, "format", "", "`FORM`: "+strings.Join(reportFormNames(), ", ")+" (default by the ending of -o, else text)")
	cmd.Flags().StringVarP(&k.path, "output", "o", "", "write to the file `PATH`; what is there is replaced")
	cmd.Flags().BoolVar(&k.requests, "requests", false, "a row for each request instead, as CSV")
	cmd.Flags().BoolVar(&k.private, "private", false, "hide hosts, addresses, and what was said")
	cmd.ValidArgsFunction = cobra.CompletionFunc(m.completeRuns)
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(reportFormNames(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// check finds the form, or says what is wrong.
func (k *telling) check() error {
	if k.form == "" {
		k.form = "text"
		if k.requests {
			k.form = "csv"
		}
		ending := strings.ToLower(filepath.Ext(k.path))
		i := slices.IndexFunc(reportForms, func(f struct {
			name    string
			endings []string
		}) bool {
			return slices.Contains(f.endings, ending)
		})
		switch {
		case i >= 0:
			k.form = reportForms[i].name
		case k.path != "":
			return fmt.Errorf("-o %s: want a name that ends with .txt, .md, .json, .csv or .html, or --format with it", shownOutput(k.path))
		}
	}
	if !slices.Contains(reportFormNames(), k.form) {
		return fmt.Errorf("--format: want one of %s", strings.Join(reportFormNames(), ", "))
	}
	if k.requests && k.form != "csv" {
		return errors.New("--requests: want csv with it, a row for each request has no other form")
	}
	return nil
}

// longestEnding is how long the ending of a name may be that is shown of one that is not: keys hold points as well.
const longestEnding = 6

// shownOutput is a path as it may be shown, and of one that may be no path its ending at least.
func shownOutput(path string) string {
	shown := shownPath(path)
	if ending := filepath.Ext(path); shown != path && len(ending) <= longestEnding {
		return shown + ending
	}
	return shown
}

// tell writes the report.
func (m *Main) tell(ctx context.Context, k *telling, files []string) error {
	if err := k.check(); err != nil {
		return err
	}
	var runs []*record.File
	for _, word := range files {
		f, err := m.openRun(word)
		if err != nil {
			return err
		}
		defer f.Close()
		runs = append(runs, f)
	}
	var wrong harm
	if k.requests {
		err := m.written(k.path, func(w io.Writer) error { return k.requestsOf(ctx, w, runs, &wrong) })
		if err != nil {
			return err
		}
		return wrong.tell(m, true)
	}
	var set report.Set
	for _, f := range runs {
		d, err := k.document(f)
		if err != nil {
			return err
		}
		set = append(set, d)
		wrong.add(f)
	}
	width := 0
	if k.path == "" {
		width = m.width()
	}
	// Whole before anything of it is written: what is there stays where the report cannot be made.
	var out bytes.Buffer
	if err := k.write(&out, set, width); err != nil {
		return err
	}
	if err := m.written(k.path, func(w io.Writer) error {
		_, err := out.WriteTo(w)
		return err
	}); err != nil {
		return err
	}
	return wrong.tell(m, false)
}

// write writes the runs in the form that is asked for; as text no wider than the width, where that is not 0.
func (k *telling) write(out *bytes.Buffer, set report.Set, width int) error {
	switch k.form {
	case "md":
		out.WriteString(set.Markdown())
		return nil
	case "json":
		data, err := set.JSON()
		out.Write(data)
		return err
	case "csv":
		return set.CSV(out)
	case "html":
		return set.HTML(out)
	}
	return set.Text(out, width)
}

// document is a run file as it can be told.
func (k *telling) document(f *record.File) (*report.Document, error) {
	s, err := f.Final()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", shownPath(f.Path), err)
	}
	return documentOf(f, s, k.private), nil
}

// documentOf is what can be told of a snapshot of a run file, all of which is read for what is damaged.
func documentOf(f *record.File, s *bench.Snapshot, private bool) *report.Document {
	f.Check()
	end := wording()
	end.Why, end.Private, end.Saved, end.Origin = s.Why, private, time.Now(), sourceOf(f)
	if s.Run != nil {
		end.Aim = aimOf(s.Run.Scenario)
	}
	if private {
		var veil bench.Veil
		s = veil.Snapshot(s)
		end.Origin.Options, end.Origin.Machine.Name = nil, ""
	}
	return report.Of(s, end)
}

// sourceOf is what a run file says beside its snapshots.
func sourceOf(f *record.File) *report.Origin {
	h := &f.Header
	out := &report.Origin{Name: runName(f.Path), Began: h.Began, Complete: f.Complete, Options: h.Options,
		Machine: report.Machine{Name: h.Machine.Name, OS: h.Machine.OS, Arch: h.Machine.Arch, CPUs: h.Machine.CPUs, Go: h.Machine.Go}}
	out.Damage = harms(f)
	for _, n := range f.Notes {
		out.Annotations = append(out.Annotations, report.Annotation{At: n.At, Text: n.Text})
	}
	return out
}

// runName is what a run is called: the name of its file without the ending of run files.
func runName(path string) string { return strings.TrimSuffix(filepath.Base(path), ".jsonl.zst") }

// aimOf is what a scenario that is built in is about.
func aimOf(name string) report.Aim {
	for i := range scenarios {
		if scenarios[i].name == name {
			return scenarios[i].aim
		}
	}
	return report.AimGoodput
}

// requestsOf writes a row for each request of the runs.
func (k *telling) requestsOf(ctx context.Context, w io.Writer, runs []*record.File, wrong *harm) error {
	table, err := report.NewRequests(w, k.private)
	if err != nil {
		return err
	}
	for _, f := range runs {
		rows := 0
		for i, track := range f.Header.Tracks {
			name := track.Name
			if k.private && name != "" {
				name = bench.Letter(i)
			}
			var failed error
			err := f.Requests(i, func(e *bench.Ended) bool {
				rows++
				if failed = ctx.Err(); failed == nil {
					failed = table.Row(runName(f.Path), name, track.Run, e)
				}
				return failed == nil
			})
			if err := errors.Join(failed, err); err != nil {
				return err
			}
		}
		if rows < f.Ended {
			wrong.texts = append(wrong.texts, report.Printable(fmt.Sprintf("%s: %d of %d requests are in the file", runName(f.Path), rows, f.Ended)))
		}
		wrong.add(f)
	}
	return table.Close()
}

// written gives a writer to a file, or to the output where none is named. Only its owner may read a file that is made: it tells of hosts and of what was said.
func (m *Main) written(path string, write func(io.Writer) error) error {
	if path == "" {
		return write(m.Stdout)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
