package aggregate

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"time"

	"redline/bench"
)

// listed bounds the lists of a saved state, in entries: the longest are of events, blocks and spans. So that what is read takes no more memory than a state
// does, whatever stands in a file.
const listed = 4096

// spanned bounds the spans in all of a saved state, which are large: those of the series, and a few dozen of each level.
const spanned = 16 << 10

// deepest is how deep a saved state goes, and some.
const deepest = 16

// reader reads what appendTerse writes, in one go. Its text is JSON for sure: encoding/json has seen it.
type reader struct {
	text []byte
	at   int
	deep int
	// spans is how many spans were read.
	spans int
	err   error
}

// readTerse reads a value that is zero so far.
func readTerse(text []byte, into any) error {
	r := &reader{text: text}
	r.value(reflect.ValueOf(into).Elem())
	return r.err
}

func (r *reader) fail(format string, words ...any) {
	if r.err == nil {
		r.err = broken(format, words...)
	}
	r.at = len(r.text)
}

// peek is the next byte that is no white space; 0 at the end.
func (r *reader) peek() byte {
	for ; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// take steps over a byte if it is the next one.
func (r *reader) take(c byte) bool {
	if r.peek() != c {
		return false
	}
	r.at++
	return true
}

// word is the next number, true, false or null.
func (r *reader) word() []byte {
	r.peek()
	from := r.at
	for ; r.at < len(r.text); r.at++ {
		switch r.text[r.at] {
		case ' ', '\t', '\n', '\r', ',', ']', '}', ':', '[', '{', '"':
			return r.text[from:r.at]
		}
	}
	return r.text[from:]
}

// span steps over the next value, and is its text.
func (r *reader) span() []byte {
	switch r.peek() {
	case '"':
		return r.quoted()
	case '[', '{':
	default:
		return r.word()
	}
	from, deep := r.at, 0
	for r.at < len(r.text) {
		switch r.text[r.at] {
		case '"':
			r.quoted()
			continue
		case '[', '{':
			deep++
		case ']', '}':
			deep--
		}
		r.at++
		if deep == 0 {
			break
		}
	}
	return r.text[from:r.at]
}

// quoted steps over a text in quotes.
func (r *reader) quoted() []byte {
	from := r.at
	for r.at++; r.at < len(r.text); r.at++ {
		switch r.text[r.at] {
		case '\\':
			r.at++
		case '"':
			r.at++
			return r.text[from:r.at]
		}
	}
	r.fail("a text without an end")
	return nil
}

// value reads the next value. null leaves what is there.
func (r *reader) value(v reflect.Value) {
	if r.deep++; r.deep > deepest {
		r.fail("more than %d values in one another", deepest)
	}
	defer func() { r.deep-- }()
	if r.peek() == 'n' {
		r.word()
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(string(r.word()) == "true")
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if n := r.whole(); v.OverflowInt(n) {
			r.fail("%d is too much", n)
		} else {
			v.SetInt(n)
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if n := r.whole(); n < 0 || v.OverflowUint(uint64(n)) {
			r.fail("%d is too much, or too little", n)
		} else {
			v.SetUint(uint64(n))
		}
	case reflect.Float64:
		v.SetFloat(r.number())
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		r.value(v.Elem())
	case reflect.Struct:
		r.structure(v)
	case reflect.Array:
		r.array(v)
	case reflect.Slice:
		r.slice(v)
	default:
		r.other(v)
	}
}

// other reads what has no form of ours.
func (r *reader) other(v reflect.Value) {
	if err := json.Unmarshal(r.span(), v.Addr().Interface()); err != nil {
		r.fail("%v", err)
	}
}

func (r *reader) structure(v reflect.Value) {
	switch v.Type() {
	case sketchType:
		if err := v.Addr().Interface().(*bench.Sketch).UnmarshalJSON(r.span()); err != nil {
			r.fail("%v", err)
		}
		return
	case markType:
		v.Set(reflect.ValueOf(bench.MarkAt(time.Duration(r.whole()))))
		return
	case valueType:
		v.Set(reflect.ValueOf(bench.Value{V: r.number(), OK: true}))
		return
	case amountType:
		var all [3]float64
		r.array(reflect.ValueOf(&all).Elem())
		v.Set(reflect.ValueOf(bench.Amount{Sum: all[0], Weight: all[1], Max: all[2]}))
		return
	case gapsType:
		r.span()
		return
	}
	if !r.take('{') {
		r.fail("%.20q where an object is due", r.text[r.at:])
		return
	}
	all, next := fields(v.Type()), 0
	for first := true; !r.take('}') && r.err == nil; first = false {
		if !first && !r.take(',') || r.peek() != '"' {
			r.fail("an object that is none")
			return
		}
		name := r.quoted()
		if !r.take(':') {
			r.fail("an object that is none")
			return
		}
		// They come in the order of the fields.
		found := -1
		for i := range all {
			if j := (next + i) % len(all); string(name[1:len(name)-1]) == all[j].name {
				found = j
				break
			}
		}
		if found < 0 {
			r.span() // of a later version
			continue
		}
		next = found + 1
		r.value(v.FieldByIndex(all[found].index))
	}
}

// array reads an array of a fixed length; what is beyond it is left out.
func (r *reader) array(v reflect.Value) {
	if !r.take('[') {
		r.fail("%.20q where a list is due", r.text[r.at:])
		return
	}
	for i := 0; !r.take(']') && r.err == nil; i++ {
		if i > 0 && !r.take(',') {
			r.fail("a list that is none")
			return
		}
		if i < v.Len() {
			r.value(v.Index(i))
		} else {
			r.span()
		}
	}
}

func (r *reader) slice(v reflect.Value) {
	switch {
	case v.Type() == samplesType:
		if err := v.Addr().Interface().(*samples).UnmarshalJSON(r.span()); err != nil {
			r.fail("%v", err)
		}
		return
	case v.Type().Elem().Kind() == reflect.Uint8:
		r.other(v)
		return
	case !r.take('['):
		r.fail("%.20q where a list is due", r.text[r.at:])
		return
	}
	for i := 0; !r.take(']') && r.err == nil; i++ {
		if i > 0 && !r.take(',') || i == listed {
			r.fail("a list that is none, or of more than %d", listed)
			return
		}
		if v.Type().Elem() == bucketType {
			if r.spans++; r.spans > spanned {
				r.fail("more than %d spans", spanned)
				return
			}
		}
		if v.Grow(1); i == 0 {
			v.SetLen(0)
		}
		v.SetLen(i + 1)
		v.Index(i).SetZero()
		r.value(v.Index(i))
	}
}

// whole reads a whole number.
func (r *reader) whole() int64 {
	word := r.word()
	n, digits := int64(0), word
	if len(digits) > 0 && digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) == 0 || len(digits) > 18 {
		n, err := strconv.ParseInt(string(word), 10, 64)
		if err != nil {
			r.fail("%.30q where a whole number is due", word)
		}
		return n
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			r.fail("%.30q where a whole number is due", word)
			return 0
		}
		n = 10*n + int64(c-'0')
	}
	if len(digits) < len(word) {
		return -n
	}
	return n
}

// number reads a number.
func (r *reader) number() float64 {
	word := r.word()
	v, err := strconv.ParseFloat(string(word), 64)
	if err != nil || math.IsInf(v, 0) || v != v {
		r.fail("%.30q where a number is due", word)
		return 0
	}
	return v
}
