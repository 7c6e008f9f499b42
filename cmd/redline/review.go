package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"redline/bench/report"
)

// check tells everything that is wrong in a file, also in what this run does not use: a file is right or it is not.
func (d *document) check(found *problems) {
	if d == nil {
		return
	}
	d.checkSection(d.top, found, nil)
	d.checkKeys(found)
	d.own.check(found)
	for _, kind := range kinds {
		for _, name := range d.those(kind) {
			s := d.tables[kind][name]
			if !tableName(name) {
				found.addAt(origin{source: fromFile, name: d.path, line: s.line}, kind+"."+shownKey(name), "want a name of letters, digits, - and _, at most 40 of them")
				continue
			}
			switch kind {
			case "targets":
				d.checkSection(s, found, []string{"target", "scenario", "plain", "theme", "color", "ascii", "graph", "fps", "no-sync", "window", "mouse", "preset", "save-dir", "bell", "no-title", "record", "keep", "record-text"})
			case "workloads":
				readWork(name, d, s, found)
			case "scenarios":
				readScenario(name, d, s, found)
			case "profiles":
				readStages(d, s, found)
			}
		}
	}
}

// checkSection reads each key as the flag of its name would be read, and keeps nothing but the problems.
func (d *document) checkSection(s *section, found *problems, not []string) {
	scratch := &problems{from: origins{}}
	fs := scratchFlags(scratch)
	for _, e := range s.entries {
		where := d.at(s, e)
		f := fs.Lookup(e.key)
		why := d.refusal(s, e)
		_, isTable := e.value.(map[string]any)
		switch {
		case isTable && s == d.top && slices.Contains(kinds, e.key+"s"):
			found.addAt(where, e.key, fmt.Sprintf("want [%ss.NAME] for a table; %s = \"NAME\" chooses one", e.key, e.key))
			continue
		case e.key == "config" || slices.Contains(not, e.key) || f == nil && (!d.stranger || secretInFile(e) == ""):
			if secretInFile(e) != "" {
				found.addAt(where, s.prefix+shownKey(e.key), why)
				continue
			}
			found.addAt(where, s.prefix+shownKey(e.key), "there is no such key here"+d.meant(e.key, fs, s, found))
			continue
		case why != "":
			found.addAt(where, s.prefix+shownKey(e.key), why)
			continue
		}
		texts, err := textsOf(f, e.value)
		if err != nil {
			found.addAt(where, s.prefix+e.key+shownValue(e), err.Error())
			continue
		}
		scratch.from[e.key] = where
		if e.key == "url" {
			if _, err := parseTarget(e.text()); err != nil {
				scratch.add("url", report.ShownURL(e.text()), err.Error())
			}
		}
		for _, text := range texts {
			if err := fs.Set(e.key, text); err != nil {
				found.addAt(where, s.prefix+e.key, "want "+kindOf(f))
			}
		}
	}
	found.join(scratch)
}

// scratchFlags are the flags of a run, for reading values of which nothing is kept.
func scratchFlags(found *problems) *pflag.FlagSet {
	s := defaults()
	fs := pflag.NewFlagSet("settings", pflag.ContinueOnError)
	fs.SortFlags = false
	s.define(flags{fs, found})
	return fs
}

// table is a table of a kind by its name, the operator's own before a stranger's; nil where there is none.
func (d *document) table(kind, name string) *section {
	if d == nil {
		return nil
	}
	if s := d.own.table(kind, name); s != nil {
		return s
	}
	return d.tables[kind][name]
}

// names are those of the tables of a kind that can be chosen.
func (d *document) names(kind string) []string {
	if d == nil {
		return nil
	}
	out := d.own.names(kind)
	for _, name := range d.those(kind) {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// those are the names of the document's own tables of a kind, in their order in the file.
func (d *document) those(kind string) []string {
	var out []string
	for name := range d.tables[kind] {
		out = append(out, name)
	}
	slices.SortFunc(out, func(a, b string) int {
		if x, y := d.tables[kind][a].line, d.tables[kind][b].line; x != y {
			return x - y
		}
		return strings.Compare(a, b)
	})
	return out
}

// oneOf names what there is, or says that there is nothing.
func oneOf(names []string) string {
	if len(names) == 0 {
		return ", of which there are none"
	}
	return ": " + strings.Join(names, ", ")
}

var (
	named   = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$`)
	keyLike = regexp.MustCompile(`^[a-z][a-z0-9_]{0,19}([-_.][a-z0-9]{1,12}){0,4}$`)
)

// tableName tells whether a word can be the name of a target, a workload, a scenario or a profile.
func tableName(name string) bool { return named.MatchString(name) }

// shownKey is a key or a name, if it looks like one: what stands in the wrong place may be a secret.
func shownKey(key string) string {
	if keyLike.MatchString(strings.ToLower(key)) && len(key) <= 40 && !strings.HasPrefix(key, "sk-") {
		return key
	}
	return hiddenValue
}

// shownValue is " = VALUE" of a short value that is no text: a text in the place of something else may be a secret.
func shownValue(e pair) string {
	switch v := e.value.(type) {
	case bool, int64, float64:
		return fmt.Sprintf(" = %v", v)
	case string:
		if len(v) <= 12 && !slices.Contains([]string{"header", "body", "api-key-env", "api-key-file"}, e.key) {
			return fmt.Sprintf(" = %q", v)
		}
	}
	return ""
}

// meant names the key that was probably meant.
func (d *document) meant(key string, fs *pflag.FlagSet, s *section, found *problems) string {
	if slices.Contains([]string{"target", "workload", "scenario", "profile"}, key) && s == d.top || len(found.list) >= toldProblems {
		return ""
	}
	best := nearest(key, flagNames(fs))
	if best == "" || best == key {
		return "; the names of flags are keys, without their dashes"
	}
	return "; " + best + " may be meant"
}
