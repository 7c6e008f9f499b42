package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// fileSize bounds a file of settings: more than any needs.
const fileSize = 1 << 20

// document is a file of settings as it is written: what its keys mean is known elsewhere.
type document struct {
	// path is the file as it is shown; folder is where it stands, against which its paths are read.
	path, folder string
	// stranger: it was found in the current folder, so that anybody may have written it.
	stranger bool
	// own is the operator's own file beneath a stranger's, so that nobody's bounds are lost for the sake of a file that lies about; nil where there is none.
	own *document
	// top are the keys that stand in no table of a name; tables are the others, by kind and name ("targets", "prod").
	top    *section
	tables map[string]map[string]*section
}

// section is a table of a document.
type section struct {
	// of is the document that it stands in.
	of *document
	// prefix is what stands before its keys in problems: "targets.prod.", or nothing.
	prefix string
	line   int
	// entries are its keys, in the order in which they stand.
	entries []pair
}

// pair is a key with its value.
type pair struct {
	key   string
	line  int
	value any
}

// text is the value, where it is a text.
func (e pair) text() string {
	text, _ := e.value.(string)
	return text
}

// find is the entry of a key.
func (s *section) find(key string) (pair, bool) {
	if s == nil {
		return pair{}, false
	}
	i := slices.IndexFunc(s.entries, func(e pair) bool { return e.key == key })
	if i < 0 {
		return pair{}, false
	}
	return s.entries[i], true
}

// kinds are the tables that have names of their own.
var kinds = []string{"targets", "workloads", "scenarios", "profiles"}

// tops are what stands in no table of a name: the document's own, and what is beneath it.
func (d *document) tops() []*section {
	if d == nil {
		return nil
	}
	return append([]*section{d.top}, d.own.tops()...)
}

// at is the origin of an entry of a section.
func (d *document) at(s *section, e pair) origin {
	return origin{source: fromFile, name: d.path, line: e.line, table: s.prefix, stranger: d.stranger}
}

// readDocument reads TOML. What is no TOML at all is one problem, with its line; d is nil then.
func readDocument(data []byte, d *document, found *problems) *document {
	at := func(line int) origin { return origin{source: fromFile, name: d.path, line: line} }
	root := map[string]any{}
	if err := toml.Unmarshal(data, &root); err != nil {
		var where *toml.DecodeError
		if !errors.As(err, &where) {
			found.addAt(at(1), "no TOML", "want KEY = VALUE, and [targets.NAME] and the like")
			return nil
		}
		// The library's words may repeat what stands there, which may be a key.
		row, column := where.Position()
		found.addAt(at(row), fmt.Sprintf("column %d", column), "want TOML: "+syntax(where))
		return nil
	}
	lines := keyLines(data)
	d.top, d.tables = sectionOf(root, nil, lines), map[string]map[string]*section{}
	d.top.of = d
	d.top.entries = slices.DeleteFunc(d.top.entries, func(e pair) bool {
		return slices.Contains(kinds, e.key) && d.take(e, lines, found)
	})
	return d
}

// syntax is what is wrong in a file without any part of what stands there: a quote of it, or a character.
func syntax(e *toml.DecodeError) string {
	text := strings.TrimPrefix(e.Error(), "toml: ")
	for _, mark := range []string{"'", "\"", "`", ":"} {
		text, _, _ = strings.Cut(text, mark)
	}
	return strings.TrimSpace(text)
}

// take keeps the tables of a kind: [targets.NAME].
func (d *document) take(e pair, lines map[string]int, found *problems) bool {
	all, ok := e.value.(map[string]any)
	if !ok {
		found.addAt(d.at(d.top, e), e.key, fmt.Sprintf("want tables, as in [%s.NAME]", e.key))
		return true
	}
	d.tables[e.key] = map[string]*section{}
	for _, inner := range sectionOf(all, []string{e.key}, lines).entries {
		table, ok := inner.value.(map[string]any)
		if !ok {
			found.addAt(d.at(d.top, inner), e.key+"."+shownKey(inner.key), fmt.Sprintf("want it in a table of a name, as in [%s.NAME]", e.key))
			continue
		}
		s := sectionOf(table, []string{e.key, inner.key}, lines)
		s.of = d
		s.prefix, s.line = e.key+"."+shownKey(inner.key)+".", inner.line
		d.tables[e.key][inner.key] = s
	}
	return true
}

// separator stands between the parts of a path of keys; no key holds it that anybody would write.
const separator = "\x00"

// sectionOf are the entries of a table, in the order of their lines.
func sectionOf(table map[string]any, path []string, lines map[string]int) *section {
	s := &section{}
	for key, value := range table {
		s.entries = append(s.entries, pair{key, max(lines[strings.Join(append(slices.Clone(path), key), separator)], 1), value})
	}
	slices.SortFunc(s.entries, func(a, b pair) int {
		if a.line != b.line {
			return a.line - b.line
		}
		return strings.Compare(a.key, b.key)
	})
	return s
}

// keyLines are the lines on which keys and tables first stand, by their paths.
func keyLines(data []byte) map[string]int {
	lines := map[string]int{}
	p := &unstable.Parser{}
	p.Reset(data)
	var table []string
	for p.NextExpression() {
		n := p.Expression()
		switch n.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = noteLines(p, n.Key(), nil, lines)
		case unstable.KeyValue:
			noteLines(p, n.Key(), table, lines)
		}
	}
	return lines
}

// noteLines notes the line of each part of a key below a table; it returns the whole path.
func noteLines(p *unstable.Parser, key unstable.Iterator, table []string, lines map[string]int) []string {
	path := slices.Clone(table)
	for key.Next() {
		path = append(path, string(key.Node().Data))
		if at := strings.Join(path, separator); lines[at] == 0 {
			lines[at] = p.Shape(key.Node().Raw).Start.Line
		}
	}
	return path
}
