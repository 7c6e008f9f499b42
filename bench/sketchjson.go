package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
)

// AppendJSON appends the sketch as one flat array: the count, the sum, the least, the greatest, and for each bin by how much its index is above the one before
// (the first one's index itself) and its count. The empty sketch is an empty array.
func (s Sketch) AppendJSON(b []byte) []byte {
	if s.N == 0 {
		return append(b, '[', ']')
	}
	b = strconv.AppendUint(append(b, '['), s.N, 10)
	for _, v := range [...]float64{s.Sum, s.Min, s.Max} {
		b = strconv.AppendFloat(append(b, ','), max(min(v, math.MaxFloat64), -math.MaxFloat64), 'g', -1, 64)
	}
	before := int32(0)
	for _, bin := range s.Bins {
		b = strconv.AppendInt(append(b, ','), int64(bin.Index-before), 10)
		b = strconv.AppendUint(append(b, ','), uint64(bin.Count), 10)
		before = bin.Index
	}
	return append(b, ']')
}

// MarshalJSON is the sketch as AppendJSON writes it.
func (s Sketch) MarshalJSON() ([]byte, error) { return s.AppendJSON(nil), nil }

// errSketch is what is wrong with an array that is no sketch.
var errSketch = errors.New("no sketch: want count, sum, least, greatest, and pairs of a rising bin and its count")

// UnmarshalJSON reads what AppendJSON writes, or an object with the fields of a Sketch. What no Histogram could hold is refused.
func (s *Sketch) UnmarshalJSON(text []byte) error {
	*s = Sketch{}
	if string(text) == "null" {
		return nil
	}
	if len(text) > 0 && text[0] == '{' {
		return s.byNames(text)
	}
	if len(text) < 2 || text[0] != '[' || text[len(text)-1] != ']' {
		return errSketch
	}
	rest := text[1 : len(text)-1]
	if len(trimmed(rest)) == 0 {
		return nil
	}
	out := Sketch{}
	index, seen := int64(0), uint64(0)
	for field := 0; ; field++ {
		word, more, last := cutNumber(rest)
		rest = more
		ok := true
		switch {
		case field == 0:
			out.N, ok = readUint(word)
		case field < 4:
			v, err := strconv.ParseFloat(string(word), 64)
			ok = err == nil && json.Valid(word)
			*[...]*float64{&out.Sum, &out.Min, &out.Max}[field-1] = v
		case field%2 == 0:
			by, err := strconv.ParseInt(string(word), 10, 32)
			ok = err == nil && (by > 0 || field == 4)
			index += by
			ok = ok && index >= int64(firstBin) && index < int64(firstBin+numBins)
		default:
			var n uint64
			n, ok = readUint(word)
			ok = ok && n > 0 && n <= math.MaxUint32
			seen += n
			out.Bins = append(out.Bins, Bin{Index: int32(index), Count: uint32(n)})
		}
		if !ok {
			return fmt.Errorf("%w, at %.20q", errSketch, word)
		}
		if last {
			if field < 3 || field%2 == 0 {
				return errSketch
			}
			break
		}
	}
	return s.take(out, seen)
}

// take is another sketch, of which so many samples were seen in bins.
func (s *Sketch) take(o Sketch, seen uint64) error {
	if o.N == 0 || o.N > math.MaxInt64 || seen > o.N || o.Min < 0 || o.Max < o.Min {
		return errSketch
	}
	*s = o
	return nil
}

// byNames reads a sketch that is spelt out, field by field.
func (s *Sketch) byNames(text []byte) error {
	type plain Sketch
	var p plain
	if err := json.Unmarshal(text, &p); err != nil {
		return err
	}
	if p.N == 0 && len(p.Bins) == 0 {
		return nil
	}
	seen, before := uint64(0), firstBin-1
	for _, b := range p.Bins {
		if int(b.Index) <= before || int(b.Index) >= firstBin+numBins || b.Count == 0 {
			return errSketch
		}
		before, seen = int(b.Index), seen+uint64(b.Count)
	}
	return s.take(Sketch(p), seen)
}

// cutNumber cuts an array's first number off; last tells that none follows.
func cutNumber(text []byte) (word, rest []byte, last bool) {
	for i, c := range text {
		if c == ',' {
			return trimmed(text[:i]), text[i+1:], false
		}
	}
	return trimmed(text), nil, true
}

// trimmed is a text without JSON's white space around it.
func trimmed(text []byte) []byte {
	space := func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
	for len(text) > 0 && space(text[0]) {
		text = text[1:]
	}
	for len(text) > 0 && space(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text
}

// readUint reads a whole number of digits alone.
func readUint(word []byte) (n uint64, ok bool) {
	if len(word) == 0 || len(word) > 19 {
		return 0, false
	}
	for _, c := range word {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + uint64(c-'0')
	}
	return n, true
}
