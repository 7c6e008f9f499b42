package main

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// flagNames are those of all flags of a set.
func flagNames(fs *pflag.FlagSet) []string {
	var out []string
	fs.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			out = append(out, f.Name)
		}
	})
	return out
}

// nearest is the name that a word was probably meant to be; empty where none is near.
func nearest(word string, names []string) string {
	best, least := "", 3
	for _, name := range names {
		// Of a short name hardly a letter may differ, or any word is near it.
		if n := distance(word, name); n < least && n <= (len(name)+1)/2 {
			best, least = name, n
		}
	}
	return best
}

// mayBeMeant ends a sentence that names what there is with the one that was probably meant.
func mayBeMeant(word string, names []string) string {
	if meant := nearest(word, names); meant != "" {
		return "; " + meant + " may be meant"
	}
	return ""
}

// unknownVariables are notes on variables that look as if they set something, and do not: what is misspelt would go unnoticed. Their values are not shown.
func unknownVariables(environ func() []string, fs *pflag.FlagSet) []string {
	if environ == nil {
		return nil
	}
	prefix := variableOf("")
	var notes []string
	known := []string{tokenVariable}
	for _, name := range flagNames(fs) {
		if name == "config" || !slices.Contains(unsettable, name) {
			known = append(known, variableOf(name))
		}
	}
	for _, entry := range environ() {
		name, value, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, prefix) || value == "" || slices.Contains(known, name) || shownName(name) != name {
			continue
		}
		note := name + " is set, but there is no such setting"
		if meant := nearest(name, known); meant != "" {
			note += "; " + meant + " may be meant"
		}
		notes = append(notes, note)
	}
	slices.Sort(notes)
	return notes[:min(len(notes), mostUnknown)]
}

// mostUnknown is how many variables are told that set nothing: others may use the prefix for many.
const mostUnknown = 5

// distance is how many letters are to be changed, added or taken away to make one word of another.
func distance(a, b string) int {
	if len(a) > 30 || len(b) > 30 {
		return 30
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := last
			if a[i] != b[j] {
				cost++
			}
			last = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
