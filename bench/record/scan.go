package record

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"redline/bench"
)

// scan reads a record, a JSON array in one line, column by column. After the first error every column is zero.
type scan struct {
	b   []byte
	at  int
	col int
	err error
	// over: there is no further column.
	over bool
}

var errRecord = errors.New("no record")

// scanOf begins to read a record.
func scanOf(line []byte) scan {
	s := scan{b: line, col: -1}
	if len(line) < 2 || line[0] != '[' || line[len(line)-1] != ']' {
		s.fail("an array")
		return s
	}
	s.at = 1
	s.over = len(line) == 2
	return s
}

func (s *scan) fail(want string) {
	if s.err == nil {
		name := "record"
		if s.col >= 0 && s.col < len(columns) {
			name = columns[s.col].Name
		}
		s.err = fmt.Errorf("%w: %s at byte %d: want %s", errRecord, name, s.at, want)
	}
	s.over = true
}

// word cuts the next column off; nil where there is none, or it is null.
func (s *scan) word() []byte {
	s.col++
	if s.over {
		return nil
	}
	from, depth, quoted := s.at, 0, false
	for i := from; i < len(s.b); i++ {
		switch c := s.b[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
		case depth > 0 && (c == ']' || c == '}'):
			depth--
		case depth > 0:
		case c == ',' || c == ']':
			s.at = i + 1
			if s.over = c == ']'; s.over != (s.at == len(s.b)) {
				s.fail("one array, which ends its line")
				return nil
			}
			if i == from {
				s.fail("a value")
				return nil
			}
			if w := s.b[from:i]; string(w) != "null" {
				return w
			}
			return nil
		}
	}
	s.fail("the array's end")
	return nil
}

func (s *scan) uint() uint64 {
	w := s.word()
	if w == nil {
		return 0
	}
	n := uint64(0)
	for _, c := range w {
		if c < '0' || c > '9' || n > (math.MaxUint64-9)/10 {
			s.fail("a whole number, 0 or more")
			return 0
		}
		n = 10*n + uint64(c-'0')
	}
	return n
}

// most bounds counts: what is above is no count of anything.
const most = 1 << 48

func (s *scan) int() int {
	w := s.word()
	if w == nil {
		return 0
	}
	n, ok := wholeOf(w)
	if !ok || n > most || n < -most {
		s.fail("a whole number")
		return 0
	}
	return int(n)
}

// count is a number of things, 0 or more.
func (s *scan) count() int {
	n := s.int()
	if n < 0 {
		s.fail("0 or more")
		return 0
	}
	return n
}

// enum is one of so many.
func (s *scan) enum(many int) uint8 {
	n := s.int()
	if n < 0 || n >= many {
		s.fail(fmt.Sprintf("0 to %d: %d is not known to this version", many-1, n))
		return 0
	}
	return uint8(n)
}

func (s *scan) flag() bool { return s.enum(2) == 1 }

// wholeOf reads digits with a sign.
func wholeOf(w []byte) (int64, bool) {
	minus := len(w) > 0 && w[0] == '-'
	if minus {
		w = w[1:]
	}
	if len(w) == 0 || len(w) > 18 {
		return 0, false
	}
	n := int64(0)
	for _, c := range w {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	if minus {
		n = -n
	}
	return n, true
}

// microsOf reads what appendMicros writes; false for more than 146 years.
func microsOf(w []byte) (time.Duration, bool) {
	minus := len(w) > 0 && w[0] == '-'
	if minus {
		w = w[1:]
	}
	n, digits, behind := int64(0), 0, -1
	for _, c := range w {
		switch {
		case c == '.' && behind < 0 && digits > 0:
			behind = 0
			continue
		case c < '0' || c > '9' || behind == 3 || digits == 18:
			return 0, false
		}
		if digits++; behind >= 0 {
			behind++
		}
		n = 10*n + int64(c-'0')
	}
	if digits == 0 || behind == 0 {
		return 0, false
	}
	for behind = max(behind, 0); behind < 3; behind++ {
		if n > math.MaxInt64/20 {
			return 0, false
		}
		n *= 10
	}
	if minus {
		n = -n
	}
	return time.Duration(n), true
}

func (s *scan) duration() time.Duration {
	w := s.word()
	if w == nil {
		return 0
	}
	d, ok := microsOf(w)
	if !ok {
		s.fail("microseconds")
	}
	return d
}

func (s *scan) mark(from time.Duration) bench.Mark {
	w := s.word()
	if w == nil {
		return bench.Mark{}
	}
	d, ok := microsOf(w)
	if !ok {
		s.fail("microseconds, or null")
		return bench.Mark{}
	}
	return bench.MarkAt(from + d)
}

func (s *scan) float() float64 {
	w := s.word()
	if w == nil {
		return 0
	}
	if n, ok := wholeOf(w); ok {
		return float64(n)
	}
	v, err := strconv.ParseFloat(string(w), 64)
	if err != nil || v != v {
		s.fail("a number")
		return 0
	}
	return v
}

func (s *scan) text() string {
	w := s.word()
	if w == nil {
		return ""
	}
	out, ok := textOf(w)
	if !ok {
		s.fail("words")
	}
	return out
}

// textOf reads what appendText writes.
func textOf(w []byte) (string, bool) {
	if len(w) >= 2 && w[0] == '[' {
		var data []string
		if json.Unmarshal(w, &data) != nil || len(data) != 1 {
			return "", false
		}
		out, err := base64.StdEncoding.DecodeString(data[0])
		return string(out), err == nil
	}
	if len(w) < 2 || w[0] != '"' || w[len(w)-1] != '"' {
		return "", false
	}
	for _, c := range w[1 : len(w)-1] {
		if c == '\\' || c == '"' || c < ' ' || c >= 0x80 {
			out := ""
			return out, json.Unmarshal(w, &out) == nil
		}
	}
	return short(w[1 : len(w)-1]), true
}

// short is a text without an allocation where it is one of those that most records have.
func short(w []byte) string {
	switch string(w) {
	case "stop":
		return "stop"
	case "length":
		return "length"
	}
	return string(w)
}

func (s *scan) json(into any) {
	if w := s.word(); w != nil && json.Unmarshal(w, into) != nil {
		s.fail("another form")
	}
}
