package stream

import (
	"encoding/binary"
	"encoding/json"
	"math/bits"
)

// maxDepth bounds the nesting of one event; a deeper one is malformed. Real events nest about six deep.
const maxDepth = 512

// walker reads one JSON text in place and in one pass. It knows the grammar of RFC 8259 as encoding/json does (bytes that are
// not UTF-8 are let through, and so are NaN and Infinity, which Python's json writes for probabilities), takes nothing apart that nobody asks for, and allocates only for keys written with escapes.
//
// An object is read by `for w.enter(); w.member(); { switch string(w.key) … }`, an array by `for w.enter(); w.element(); {}`;
// each turn must consume exactly one value. After an error every loop ends by itself, and bad stays set.
type walker struct {
	b     []byte
	i     int
	depth int
	// fresh is set between enter and the first member or element.
	fresh bool
	bad   bool
	key   []byte
	// keep takes the answer's text; nil where nobody asked for it.
	keep *keeper
}

func (w *walker) reset(b []byte) { *w = walker{b: b, keep: w.keep} }

func (w *walker) fail() {
	w.bad = true
	w.i = len(w.b)
}

// peek is the next byte that is not white space, 0 at the end.
func (w *walker) peek() byte {
	for w.i < len(w.b) {
		c := w.b[w.i]
		if c > ' ' {
			return c
		}
		if c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			return c
		}
		w.i++
	}
	return 0
}

// end tells whether nothing but white space is left, and all that was read was valid.
func (w *walker) end() bool {
	w.peek()
	return !w.bad && w.i == len(w.b)
}

// enter steps into the object or array at w.i.
func (w *walker) enter() {
	w.i++
	if w.depth++; w.depth > maxDepth {
		w.fail()
	}
	w.fresh = true
}

// next steps over the separator before a member or element; false at the closing byte or an error.
func (w *walker) next(closing byte) bool {
	c := w.peek()
	if c == closing {
		w.i++
		w.depth--
		w.fresh = false
		return false
	}
	if !w.fresh {
		if c != ',' {
			w.fail()
			return false
		}
		w.i++
		w.peek()
	}
	w.fresh = false
	return !w.bad
}

// member steps to the next member of an object: its key is then in w.key, its value at w.i.
func (w *walker) member() bool {
	if !w.next('}') {
		return false
	}
	raw, escaped := w.str()
	if w.key = raw; escaped && !w.bad {
		w.key = unescape(raw)
	}
	if w.peek() != ':' {
		w.fail()
		return false
	}
	w.i++
	return !w.bad
}

// element steps to the next element of an array, which is then at w.i.
func (w *walker) element() bool {
	if !w.next(']') {
		return false
	}
	if w.peek() == ']' { // a comma that nothing follows
		w.fail()
		return false
	}
	return true
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special has the high bit set in the lowest byte of x that is a quote, a backslash or a control character, and is 0 if none is.
// Higher bits may be wrong (borrows travel upwards), the lowest never is. Flipping bit 1 puts the quote just above the control
// characters and leaves these below 0x20, so that one comparison finds both.
func special(x uint64) uint64 {
	low, slash := x^(ones*0x02), x^(ones*'\\')
	return ((low-ones*0x21)&^low | (slash-ones)&^slash) & highs
}

// str reads the string at w.i: what stands between its quotes, and whether escapes are in it.
func (w *walker) str() (raw []byte, escaped bool) {
	if w.peek() != '"' {
		w.fail()
		return nil, false
	}
	b, i := w.b, w.i+1
	start := i
	for {
		for i+8 <= len(b) {
			m := special(binary.LittleEndian.Uint64(b[i:]))
			if m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				break
			}
			i += 8
		}
		if i >= len(b) {
			w.fail()
			return nil, false
		}
		switch c := b[i]; {
		case c == '"':
			w.i = i + 1
			return b[start:i], escaped
		case c == '\\':
			n := escapeLen(b[i:])
			if n == 0 {
				w.fail()
				return nil, false
			}
			escaped = true
			i += n
		case c < 0x20:
			w.fail()
			return nil, false
		default:
			i++
		}
	}
}

// escapeLen is the length of the escape that b begins with, 0 if it is none.
func escapeLen(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if len(b) < 6 {
			return 0
		}
		for _, c := range b[2:6] {
			if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
				return 0
			}
		}
		return 6
	}
	return 0
}

// unescape is the text of a string with escapes.
func unescape(raw []byte) []byte {
	quoted := append(append(append(make([]byte, 0, len(raw)+2), '"'), raw...), '"')
	var s string
	if json.Unmarshal(quoted, &s) != nil {
		return nil
	}
	return []byte(s)
}

// skip steps over one value of any kind.
func (w *walker) skip() {
	switch w.peek() {
	case '"':
		w.str()
	case '{':
		for w.enter(); w.member(); {
			w.skip()
		}
	case '[':
		for w.enter(); w.element(); {
			w.skip()
		}
	case 'n':
		w.word("null")
	case 't':
		w.word("true")
	case 'f':
		w.word("false")
	case 'N':
		w.word("NaN")
	case 'I':
		w.word("Infinity")
	default:
		w.number()
	}
}

func (w *walker) word(s string) {
	if len(w.b)-w.i < len(s) || string(w.b[w.i:w.i+len(s)]) != s {
		w.fail()
		return
	}
	w.i += len(s)
}

// number reads the number at w.i and gives its text.
func (w *walker) number() []byte {
	b, i := w.b, w.i
	if i < len(b) && b[i] == '-' {
		if i++; i < len(b) && b[i] == 'I' {
			w.i++
			w.word("Infinity")
			return b[i-1 : w.i]
		}
	}
	whole := digits(b, i)
	if whole == i || (b[i] == '0' && whole > i+1) {
		w.fail()
		return nil
	}
	i = whole
	if i < len(b) && b[i] == '.' {
		end := digits(b, i+1)
		if end == i+1 {
			w.fail()
			return nil
		}
		i = end
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		end := digits(b, i)
		if end == i {
			w.fail()
			return nil
		}
		i = end
	}
	text := b[w.i:i]
	w.i = i
	return text
}

// digits is the index behind the run of digits at i.
func digits(b []byte, i int) int {
	for i < len(b) && b[i]-'0' <= 9 {
		i++
	}
	return i
}
