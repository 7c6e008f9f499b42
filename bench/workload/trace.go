package workload

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// columns are where a CSV trace has what we need; -1: nowhere.
type columns struct{ at, in, out int }

// columnNames are the headings by format, in lower case.
var columnNames = map[Format][3]string{
	Azure:    {"timestamp", "contexttokens", "generatedtokens"},
	BurstGPT: {"timestamp", "request tokens", "response tokens"},
}

// csv takes a trace with a heading.
func (r *reader) csv(l *lines, format Format) error {
	var c columns
	known := false
	return r.lines(l, func(number int, line []byte) error {
		fields, err := fieldsOf(line)
		if !known {
			if err == nil {
				c, err = findColumns(fields, format)
			}
			known = true
			if err != nil {
				return fmt.Errorf("line %d: %s is no heading: %w", number, short(string(line)), err)
			}
			return nil
		}
		if err := r.room(32); err != nil {
			return err
		}
		if err != nil || len(fields) <= max(c.at, c.in, c.out) {
			r.leave("with too few columns", number, line)
			return nil
		}
		r.traceRow(number, line, fields[c.at], fields[c.in], fields[c.out], nil, time.Second)
		return nil
	})
}

func fieldsOf(line []byte) ([]string, error) {
	if !strings.Contains(string(line), `"`) {
		return strings.Split(string(line), ","), nil
	}
	read := csv.NewReader(strings.NewReader(string(line)))
	read.LazyQuotes = true
	fields, err := read.Read()
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	return fields, err
}

func findColumns(fields []string, format Format) (c columns, err error) {
	for i, at := range []*int{&c.at, &c.in, &c.out} {
		name := columnNames[format][i]
		*at = slices.IndexFunc(fields, func(f string) bool { return strings.EqualFold(strings.TrimSpace(f), name) })
		if *at < 0 {
			return c, fmt.Errorf("it has no column %s", name)
		}
	}
	return c, nil
}

// mooncake is one line of such a trace. Numbers may be strings.
type mooncake struct {
	Timestamp json.RawMessage `json:"timestamp"`
	In        json.RawMessage `json:"input_length"`
	Out       json.RawMessage `json:"output_length"`
	Blocks    []json.Number   `json:"hash_ids"`
}

func (r *reader) mooncakeLine(number int, line []byte) error {
	var m mooncake
	err := json.Unmarshal(line, &m)
	if err := r.room(32 + 8*len(m.Blocks)); err != nil {
		return err
	}
	if err != nil {
		r.leave("that are not such JSON", number, line)
		return nil
	}
	blocks := make([]uint64, len(m.Blocks))
	for i, b := range m.Blocks {
		n, err := strconv.ParseInt(b.String(), 10, 64)
		if err != nil {
			u, wrong := strconv.ParseUint(b.String(), 10, 64)
			if n = int64(u); wrong != nil {
				r.leave("with a hash id that is no whole number", number, line)
				return nil
			}
		}
		blocks[i] = uint64(n)
	}
	r.table.blocks = r.table.blocks || len(blocks) > 0
	r.traceRow(number, line, bare(m.Timestamp), bare(m.In), bare(m.Out), blocks, time.Millisecond)
	return nil
}

// bare is a JSON number or string without its quotes.
func bare(raw json.RawMessage) string { return strings.Trim(string(raw), `"`) }

// traceRow takes one row; unit is that of a time that is a number.
func (r *reader) traceRow(number int, line []byte, at, in, out string, blocks []uint64, unit time.Duration) {
	when, ok := instant(at, unit)
	if !ok {
		r.leave("without a time", number, line)
		return
	}
	i, ok := wholeNumber(in)
	if !ok || i < 1 {
		r.leave("without input tokens", number, line)
		return
	}
	o, ok := wholeNumber(out)
	switch {
	case !ok || o < 0:
		r.leave("without output tokens", number, line)
	case o == 0:
		r.table.left.leave("without an answer (0 output tokens)", true, number, line)
	case o > maxLength:
		r.leave(fmt.Sprintf("above %d tokens", maxLength), number, line)
	case r.tooLong(i, number, line):
	default:
		r.table.rows = append(r.table.rows, row{at: when, in: int32(i), out: int32(o), blocks: blocks})
	}
}

// wholeNumber reads a count, also as 374.0; what is beyond any sense comes out as more than maxLength.
func wholeNumber(text string) (int, bool) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(v) || v != math.Trunc(v) {
		return 0, false
	}
	return int(min(max(v, -1), maxLength+1)), true
}

// timeForms are those of Azure's traces, with and without a zone.
var timeForms = []string{"2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05", time.RFC3339}

// epoch keeps instants small, so that they keep their fractions.
var epoch = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

// instant reads a time as seconds, be it a date or a number of units.
func instant(text string, unit time.Duration) (float64, bool) {
	text = strings.TrimSpace(text)
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		v *= unit.Seconds()
		return v, math.Abs(v) < 1e11
	}
	for _, form := range timeForms {
		if t, err := time.Parse(form, text); err == nil {
			since := t.Sub(epoch)
			return since.Seconds(), since > math.MinInt64 && since < math.MaxInt64
		}
	}
	return 0, false
}
