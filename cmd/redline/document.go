package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// A file of settings is bounded, since anybody may have left it: in bytes, in the parts that a key has, and in keys.
const (
	fileSize = 256 << 10
	keyParts = 8
	fileKeys = 5000
)

// document is a file of settings as it is written: what its keys mean is known elsewhere.
type document struct {
	// path is the file as it is shown; folder is where it stands, against which its paths are read.
	path, folder string
	// stranger: it was found in the current folder, so that anybody may have written it.
	stranger bool
	// mine is where the operator's own file is, or would be; empty where the environment names no folder for it.
	mine string
	// own is the operator's own file beneath a stranger's, so that nobody's bounds are lost for the sake of a file that lies about; nil where there is none.
	own *document
	// top are the keys that stand in no table of a name; tables are the others, by kind and name ("targets", "prod").
	top *section
	// keys is the table of keys by the names of actions; nil where there is none.
	keys   *section
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
	lines, line, want := keyLines(data)
	if want != "" {
		found.addAt(at(line), "no settings", want)
		return nil
	}
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
	d.top, d.tables = sectionOf(root, nil, lines), map[string]map[string]*section{}
	d.top.of = d
	d.top.entries = slices.DeleteFunc(d.top.entries, func(e pair) bool {
		return slices.Contains(kinds, e.key) && d.take(e, lines, found) || e.key == keysTable && d.takeKeys(e, lines, found)
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

// What is wrong with too much.
var (
	wantParts = fmt.Sprintf("want keys of at most %d parts, as in targets.NAME.url", keyParts)
	wantKeys  = fmt.Sprintf("want at most %d keys", fileKeys)
)

// keyLines are the lines on which keys and tables first stand, by their paths. Where it is too much for a file of settings, want says so, at a line.
func keyLines(data []byte) (lines map[string]int, line int, want string) {
	n := notes{lines: map[string]int{}, data: data, line: 1}
	p := &unstable.Parser{}
	p.Reset(data)
	var table []string
	for n.want == "" && p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = n.note(e.Key(), nil)
		case unstable.KeyValue:
			n.note(e.Key(), table)
			n.within(e.Value())
		}
	}
	return n.lines, n.line, n.want
}

// notes are the lines of keys, in the order in which they stand.
type notes struct {
	lines map[string]int
	data  []byte
	// line is that of the byte at; inner is how many keys there were in values; want is what is wrong there.
	at, line, inner int
	want            string
}

// note notes the line of each part of a key below a table; it returns the whole path.
func (n *notes) note(key unstable.Iterator, table []string) []string {
	path := slices.Clone(table)
	for parts := 1; key.Next(); parts++ {
		if to := int(key.Node().Raw.Offset); to > n.at {
			n.line += bytes.Count(n.data[n.at:to], []byte("\n"))
			n.at = to
		}
		if parts > keyParts {
			n.want = wantParts
			break
		}
		path = append(path, string(key.Node().Data))
		if at := strings.Join(path, separator); n.lines[at] == 0 {
			n.lines[at] = n.line
		}
	}
	if len(n.lines) > fileKeys {
		n.want = wantKeys
	}
	return path
}

// within looks for keys with too many parts in a value.
func (n *notes) within(value *unstable.Node) {
	for in := value.Children(); in.Next(); {
		switch e := in.Node(); e.Kind {
		case unstable.KeyValue:
			parts := 0
			for key := e.Key(); key.Next(); {
				parts++
			}
			if n.inner++; n.inner > fileKeys {
				n.want = wantKeys
			} else if parts > keyParts {
				n.want = wantParts
			}
			n.within(e.Value())
		case unstable.Array, unstable.InlineTable:
			n.within(e)
		}
	}
}
