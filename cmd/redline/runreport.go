package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"redline/bench"
	"redline/bench/report"
)

// conclude tells what a run without a screen came to: files first, since an output that is gone says nothing of them, then the summary and the last line, then what
// went wrong.
func (r *session) conclude(s *bench.Snapshot) *exit {
	h := &r.set.headless
	end := r.set.wording()
	end.Why, end.Cut, end.Private, end.Saved = s.Why, r.end.cut(), r.private, time.Now()
	end.Name, end.Kept = r.recording.name(), r.recording.kept(r.private)
	came := r.outcome(s)
	if err := r.end.outputGone(); err != nil {
		r.fail(came, "not written", "")
		came.Because = append([]string{"the output took no more: " + err.Error()}, came.Because...)
	}
	for _, err := range h.write(s, end, came, r.clean) {
		r.fail(came, "not written", err.Error())
	}
	if h.json {
		for _, line := range objects(r.stream.End(s, end, came)) {
			if _, err := io.WriteString(r.Stdout, line); err != nil {
				r.end.lost(err)
				break
			}
		}
	}
	if !h.json || !h.quiet {
		if err := r.conclusion(s, end, came); err != nil {
			r.end.lost(err)
		}
	}
	if h.annotate {
		_, _ = io.WriteString(r.Stderr, annotations(came)) // There is no other place to tell of it.
	}
	r.heard.tell(r.Stderr, "", r.concealed)
	if words := r.end.childWords(); words != "" {
		fmt.Fprintf(r.Stderr, "redline: the simulated server has ended by itself: %s\n", words)
	}
	if text := r.crash.text(); text != "" {
		return &exit{exitCrash, fmt.Errorf("internal error, please report it with this trace:\n%s", text)}
	}
	if err := r.end.outputGone(); err != nil {
		r.fail(came, "not written", "")
		if !errors.Is(err, syscall.EPIPE) {
			return &exit{came.ExitCode, fmt.Errorf("the output could not be written: %w", err)}
		}
	}
	return &exit{code: came.ExitCode}
}

// fail makes a run one whose results are not all where they are looked for. One that a signal ended stays that.
func (r *session) fail(came *report.Outcome, word, why string) {
	if came.ExitCode < exitHungUp {
		came.ExitCode, came.Word = exitUsage, word
	}
	if why != "" {
		came.Because = append(came.Because, why)
		fmt.Fprintf(r.Stderr, "redline: %s\n", why)
	}
}

// conclusion writes the summary for people, and what the run came to as its last lines.
func (r *session) conclusion(s *bench.Snapshot, end report.Options, came *report.Outcome) error {
	out, width := r.words(), r.width()
	if r.set.headless.json {
		out, width = r.Stderr, 0
		if r.ascii {
			out = asciiWords{r.Stderr}
		}
	}
	if err := report.Of(s, end).Text(out, width); err != nil {
		return err
	}
	if err := r.recording.tellSaved(out, r.private); err != nil {
		return err
	}
	_, err := io.WriteString(out, "\n"+came.Text(width))
	return err
}

// reportEndings are what names of files of reports may end with.
func reportEndings() []string {
	var out []string
	for _, f := range reportForms {
		out = append(out, f.endings...)
	}
	return out
}

// ownersOnly is who may read a file that is made: it tells of hosts and of what was said.
const ownersOnly = 0o600

// write writes what goes into files; what cannot be written is told.
func (h *headless) write(s *bench.Snapshot, end report.Options, came *report.Outcome, clean func(string) string) []error {
	var wrong []error
	doc := report.Of(report.Cleaned(s, clean), end)
	if h.markdown != "" {
		if err := appendTo(h.markdown, came.Markdown()+"\n"+doc.Markdown()); err != nil {
			wrong = append(wrong, fmt.Errorf("--summary-markdown: %w", err))
		}
	}
	for _, path := range h.files {
		data, err := documentFor(doc, filepath.Ext(path))
		if err == nil {
			err = os.WriteFile(path, data, ownersOnly)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("--report: %w", err))
		}
	}
	return wrong
}

// documentFor is the report in the form that the ending of a file's name asks for.
func documentFor(doc *report.Document, ending string) ([]byte, error) {
	set := report.Set{doc}
	var out bytes.Buffer
	switch strings.ToLower(ending) {
	case ".json":
		return set.JSON()
	case ".csv":
		err := set.CSV(&out)
		return out.Bytes(), err
	case ".html", ".htm":
		err := set.HTML(&out)
		return out.Bytes(), err
	case ".txt":
		err := set.Text(&out, 0)
		return out.Bytes(), err
	}
	return []byte(set.Markdown()), nil
}

// appendTo appends a text to a file, which is made where it is not there.
func appendTo(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, ownersOnly)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, text)
	return errors.Join(err, f.Close())
}

// annotations are what a run came to as GitHub's workflow commands: an error for each reason, a warning where the client is in doubt and not the target; nothing where
// all was well.
func annotations(came *report.Outcome) string {
	if came.ExitCode == exitOK {
		return ""
	}
	kind := "error"
	if came.ExitCode == exitSaturated {
		kind = "warning"
	}
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	var b strings.Builder
	for _, why := range came.Because {
		fmt.Fprintf(&b, "::%s title=redline %s::%s\n", kind, came.Word, data.Replace(why))
	}
	return b.String()
}
