package gauges

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// label is one of the labels of a series.
type label struct{ name, value string }

// series is one line of a text that has been read: a value, and the labels that tell it from others of its name, by their names.
type series struct {
	labels []label
	value  float64
}

// label is the value of a label; empty where it has none of that name, which means the same.
func (s *series) label(name string) string {
	for _, l := range s.labels {
		if l.name == name {
			return l.value
		}
	}
	return ""
}

// key tells a series from all others of its name, but for the labels that are left out.
func (s *series) key(but []string) string {
	var b strings.Builder
	for _, l := range s.labels {
		if !slices.Contains(but, l.name) {
			b.WriteString(l.name)
			b.WriteByte('\xff')
			b.WriteString(l.value)
			b.WriteByte('\xfe')
		}
	}
	return b.String()
}

// exposition is what a text of metrics holds of what a table asks for.
type exposition struct {
	// series are by name, with '_' for ':', which some exporters write in its place.
	series map[string][]series
	// prefixes are the engines' that any name begins with, asked for or not.
	prefixes map[string]bool
	// lines is how many samples there were, bad how many of those that are asked for could not be read.
	lines, bad int
}

// manyBad is how many lines of a name may be left out because they cannot be read; more, and the name is.
const manyBad = 16

// read reads a text of metrics. Only the lines of names that are asked for go to the parser, each name by itself, so that a line that it does not take costs
// nothing but that line; the rest of a text, which may have several megabytes, costs a look. A last line without an end is left out: it may be half of one.
func read(text []byte) *exposition {
	e := &exposition{series: map[string][]series{}, prefixes: map[string]bool{}}
	type block struct {
		raw  string
		text []byte
	}
	blocks := map[string]*block{}
	var name, last []byte
	for len(text) > 0 {
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			break
		}
		line := bytes.TrimSpace(text[:end])
		if text = text[end+1:]; len(line) == 0 || line[0] == '#' {
			continue
		}
		e.lines++
		raw := line
		if n := bytes.IndexAny(line, "{ \t"); n >= 0 {
			raw = line[:n]
		}
		if !bytes.Equal(raw, last) {
			last, name = raw, append(name[:0], raw...)
			for i := range name {
				if name[i] == ':' {
					name[i] = '_'
				}
			}
			e.belongs(name)
		}
		if !wanted[string(name)] {
			continue
		}
		sample, ok := untimed(line)
		if !ok {
			e.bad++
			continue
		}
		b := blocks[string(name)]
		if b == nil {
			b = &block{raw: string(raw)}
			blocks[string(name)] = b
		}
		if b.raw == string(raw) { // the other spelling says the same again
			b.text = append(append(b.text, sample...), '\n')
		}
	}
	for name, b := range blocks {
		if all := e.parse(b.raw, b.text); len(all) > 0 {
			e.series[name] = all
		}
	}
	return e
}

// belongs notes the engine whose prefix a name has.
func (e *exposition) belongs(name []byte) {
	for _, en := range engines {
		if bytes.HasPrefix(name, []byte(en.prefix)) {
			e.prefixes[en.prefix] = true
		}
	}
}

// untimed is a sample without what may stand behind its value: a timestamp, which OpenMetrics writes in another way than the text format, or an exemplar.
// Neither is of use here, and the parser takes only its own way.
func untimed(line []byte) ([]byte, bool) {
	at := bytes.IndexAny(line, "{ \t")
	if at < 0 {
		return nil, false
	}
	for line[at] != '{' && at+1 < len(line) && (line[at] == ' ' || line[at] == '\t') {
		at++
	}
	if line[at] == '{' {
		quoted := false
		for at++; at < len(line) && (quoted || line[at] != '}'); at++ {
			switch {
			case quoted && line[at] == '\\':
				at++
			case line[at] == '"':
				quoted = !quoted
			}
		}
		if at++; at > len(line) {
			return nil, false
		}
	}
	for at < len(line) && (line[at] == ' ' || line[at] == '\t') {
		at++
	}
	end := at
	for end < len(line) && line[end] != ' ' && line[end] != '\t' {
		end++
	}
	return line[:end], end > at
}

// parse reads the samples of one name.
func (e *exposition) parse(raw string, text []byte) []series {
	for range manyBad {
		parser := expfmt.NewTextParser(model.UTF8Validation)
		families, err := parser.TextToMetricFamilies(bytes.NewReader(text))
		if err == nil {
			return seriesOf(families[raw])
		}
		e.bad++
		var where expfmt.ParseError
		if !errors.As(err, &where) || where.Line < 1 {
			return nil
		}
		lines := bytes.SplitAfter(text, []byte("\n"))
		if where.Line > len(lines) {
			return nil
		}
		text = bytes.Join(slices.Delete(lines, where.Line-1, where.Line), nil)
	}
	return nil
}

// seriesOf are the samples of a family, but for those that are no number.
func seriesOf(family *dto.MetricFamily) []series {
	var out []series
	for _, m := range family.GetMetric() {
		v := m.GetUntyped().GetValue()
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		s := series{value: v}
		for _, l := range m.GetLabel() {
			s.labels = append(s.labels, label{l.GetName(), l.GetValue()})
		}
		slices.SortFunc(s.labels, func(a, b label) int { return strings.Compare(a.name, b.name) })
		out = append(out, s)
	}
	return out
}
