package stream

import (
	"bytes"
	"math"
	"strconv"
)

// count reads a number as a count, be it written as a string; anything else, negative ones and more than 2^40 are absent. Of a
// fraction the whole part counts.
func (w *walker) count() (int, bool) {
	if c := w.peek(); c != '-' && c-'0' > 9 {
		return w.spelled(c)
	}
	text := w.number()
	n := 0
	for _, c := range text {
		if c-'0' > 9 || n > 1<<40 {
			f, err := strconv.ParseFloat(string(text), 64)
			if err != nil || f < 0 || f > 1<<40 {
				return 0, false
			}
			return int(f), true
		}
		n = 10*n + int(c-'0')
	}
	return n, len(text) > 0 && n <= 1<<40
}

// spelled reads a count that begins as no number does.
func (w *walker) spelled(c byte) (n int, ok bool) {
	if c != '"' {
		w.skip()
		return 0, false
	}
	raw, _ := w.str()
	inner := walker{b: raw}
	if c := inner.peek(); c-'0' <= 9 {
		n, ok = inner.count()
	}
	return n, ok && inner.end()
}

// float reads a number; anything else is absent.
func (w *walker) float() (float64, bool) {
	if c := w.peek(); c != '-' && c-'0' > 9 {
		w.skip()
		return 0, false
	}
	f, err := strconv.ParseFloat(string(w.number()), 64)
	return f, err == nil && !math.IsInf(f, 0)
}

// name reads a string that is compared, escapes resolved; other kinds are no name.
func (w *walker) name() []byte {
	if w.peek() != '"' {
		w.skip()
		return nil
	}
	raw, escaped := w.str()
	if escaped {
		return unescape(raw)
	}
	return raw
}

// truthy steps over one value and tells whether it says anything: not null, false, 0, "", {} or [].
func (w *walker) truthy() bool {
	c, start := w.peek(), w.i
	w.skip()
	raw := w.b[start:w.i]
	switch c {
	case 'n', 'f':
		return false
	case '"':
		return len(raw) > 2
	case '0', '-':
		f, err := strconv.ParseFloat(string(raw), 64)
		return err != nil || f != 0
	case '{', '[':
		inner := walker{b: raw, i: 1}
		return inner.peek() != c+2 // '{'+2 is '}', '['+2 is ']'
	}
	return true
}

// successes are the words and codes with which servers say in the place of an error that there is none.
var successes = [][]byte{[]byte("0"), []byte("200"), []byte("ok"), []byte("success"), []byte("none"), []byte("null")}

// succeeds tells whether a text, without its quotes, is one of these.
func succeeds(b []byte) bool {
	for _, s := range successes {
		if bytes.EqualFold(b, s) {
			return true
		}
	}
	return false
}

// failure steps over one value and tells whether it says that something is wrong: it is truthy, and no success.
func (w *walker) failure() bool {
	w.peek()
	start := w.i
	return w.truthy() && !succeeds(bytes.Trim(w.b[start:w.i], `"`))
}

// deepFailure is failure for a value of which any part may say so.
func (w *walker) deepFailure() (says bool) {
	switch w.peek() {
	case '{':
		for w.enter(); w.member(); {
			says = w.deepFailure() || says
		}
	case '[':
		for w.enter(); w.element(); {
			says = w.deepFailure() || says
		}
	default:
		return w.failure()
	}
	return says
}
