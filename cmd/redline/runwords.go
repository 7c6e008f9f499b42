package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"redline/bench/record"
)

// mostOffered bounds how many runs the shell is told of, the newest of them.
const mostOffered = 40

// completeRuns tells the shell the names of the runs that are kept, for words that name a run file. Files have names of their own, which it finds where none of these fits.
func (m *Main) completeRuns(_ *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
	folder := m.runsFolder()
	if folder == "" {
		return nil, cobra.ShellCompDirectiveDefault
	}
	all, err := record.List(folder)
	if err != nil || len(all) == 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var out []string
	add := func(word, about string) {
		if strings.HasPrefix(word, prefix) && len(out) < mostOffered {
			out = append(out, word+"\t"+about)
		}
	}
	add(record.Last, "the newest that is kept")
	for _, e := range slices.Backward(all) {
		if e.Err == nil {
			add(strings.TrimSuffix(filepath.Base(e.Path), record.Extension), completionText(e.Model))
		}
	}
	return out, cobra.ShellCompDirectiveDefault
}

// completionText is foreign text as a shell may show it: in one line, without control characters.
func completionText(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return -1
		}
		return r
	}, text)
}
