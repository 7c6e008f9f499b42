package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"redline/bench/report"
)

// unset stands for a setting that there is none of.
const unset = "-"

// configVerb prints the settings that are in force with the flags that are given to it.
func (m *Main) configVerb(forced chan<- int) *cobra.Command {
	s, found := defaults(), problems{}
	cmd := &cobra.Command{
		Use: "config", Short: "print the settings that are in force, and where each comes from", Args: noWords,
		Long:    "config takes the flags of a run, starts nothing, and prints each setting with its source: a flag, a variable of the environment, a line of a file,\na scenario, a trace, or the default. Keys are not shown.",
		Example: "  redline config\n  redline config --target prod --rate 2.5\n  REDLINE_SCENARIO=search redline config",
	}
	cmd.Flags().SortFlags = false
	s.define(flags{cmd.Flags(), &found})
	m.complete(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		ctx, end, rest := m.attend(cmd.Context(), forced)
		defer rest()
		r := m.resolve(ctx, &s, cmd.Flags(), &found)
		t := m.check(ctx, &s, r, &found)
		seed := s.seed
		s.open(ctx, &found)
		s.steer(&found)
		s.seed = seed // Without one each run takes its own.
		if err := end.givenUp(); err != nil {
			return err
		}
		var b strings.Builder
		m.writeFiles(&b, &s, r)
		writeSettings(&b, &s, cmd.Flags(), found.from)
		r.file.writeKeys(&b)
		for _, note := range append(append(t.notes, s.unused(found.from)...), t.keyNote) {
			if note != "" {
				b.WriteString("\n! " + report.Printable(note) + "\n")
			}
		}
		if _, err := io.WriteString(m.Stdout, b.String()); err != nil {
			return err
		}
		return found.err()
	}
	return cmd
}

// writeFiles says which file is read, and which others there are that are not.
func (m *Main) writeFiles(b *strings.Builder, s *settings, r *resolution) {
	b.WriteString("Files:\n")
	places := m.places(s.config)
	for _, p := range places {
		word := "not there"
		switch {
		case p.stranger && r.file != nil && r.file.stranger:
			word = "read; it was found in the current folder, so that it chooses neither target nor load, names no key and loosens no bound"
		case there(p.path):
			word = "read"
		}
		fmt.Fprintf(b, "  %s  %s\n", report.Printable(p.path), word)
	}
	if len(places) == 0 {
		b.WriteString("  none\n")
	}
}

// writeSettings is a line for each setting, in the groups of help.
func writeSettings(b *strings.Builder, s *settings, fs *pflag.FlagSet, from origins) {
	type line struct{ name, value, origin string }
	var titles []string
	groups := map[string][]line{}
	names, values := 0, 0
	fs.VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" {
			return
		}
		title := "Other"
		if of := f.Annotations[groupOf]; len(of) > 0 {
			title = of[0]
		}
		if groups[title] == nil {
			titles = append(titles, title)
		}
		l := line{f.Name, report.Printable(s.shown(f)), from[f.Name].String()}
		groups[title] = append(groups[title], l)
		names, values = max(names, len(l.name)), max(values, min(utf8.RuneCountInString(l.value), 48))
	})
	for _, title := range titles {
		b.WriteString("\n" + title + ":\n")
		for _, l := range groups[title] {
			fmt.Fprintf(b, "  %-*s  %-*s  %s\n", names, l.name, values, l.value, report.Printable(l.origin))
		}
	}
}

// shown is the value of a setting without what may be a secret; "-" where there is none.
func (s *settings) shown(f *pflag.Flag) string {
	text := f.Value.String()
	switch f.Name {
	case "concurrency":
		if s.rate > 0 || s.plan != nil {
			return unset
		}
	case "max-tokens":
		if s.maxTokens == 0 && s.outputTokens != "" {
			return "as output-tokens"
		}
	case "rate":
		if s.rate == 0 {
			return unset
		}
	case "url":
		text = report.ShownURL(s.url)
	case "api-key-env":
		text = shownName(s.keyEnv)
	case "api-key-file":
		text = shownPath(s.keyFile)
	case "slo":
		text = report.ThresholdList(s.thresholds)
	case "header":
		text = strings.Join(headerNames(s.headers), ", ")
	case "body":
		text = strings.Join(s.bodyKeys, ", ")
	case "metrics-url":
		text = s.metrics.shownURLs()
	case "workload":
		text = strings.Join(s.works, " ")
	case "preset":
		if text = s.preset.String(); s.url != "" {
			return unset
		}
	case "api":
		text = s.api.String()
	case "arrivals":
		text = s.arrivals.String()
	}
	if text == "" {
		return unset
	}
	return text
}

// headerNames are headers by their names, with the file of each that has one: no value is shown.
func headerNames(all []header) []string {
	var out []string
	for _, h := range all {
		switch {
		case h.path != "":
			out = append(out, h.name+": @"+shownPath(h.path))
		case h.value == "":
			out = append(out, h.name+":")
		default:
			out = append(out, h.name+": "+hiddenValue)
		}
	}
	return out
}
