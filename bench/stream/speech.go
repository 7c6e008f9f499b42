package stream

import (
	"bytes"
	"unicode/utf8"
)

// channel is a set of the channels in which text can be generated. White space is text.
type channel uint8

const (
	answer channel = 1 << iota
	reasoning
	// summary marks reasoning that only sums up what the model thought: the thinking itself is billed, and not streamed.
	summary
)

// speech is text that was generated: the channels in which it came, and how many characters it has. Where the answer is kept, pieces are the strings
// of the event that are text of the answer, a bit for each place in keeper.pieces; 15 and above share one.
type speech struct {
	chars  uint32
	pieces uint16
	in     channel
}

// add takes more text.
func (s *speech) add(more speech) {
	s.chars += more.chars
	s.pieces |= more.pieces
	s.in |= more.in
}

// same takes a text that servers send under several names at once: its characters count once.
func (s *speech) same(again speech) {
	s.chars = max(s.chars, again.chars)
	s.pieces |= again.pieces
	s.in |= again.in
}

// named is the text in an event of that name.
func (s speech) named(name []byte) speech {
	if s.in&answer == 0 {
		return s
	}
	if !bytes.Contains(name, []byte("reasoning")) {
		if s.pieces != 0 && bytes.HasPrefix(name, []byte("response.")) && !bytes.Contains(name, []byte("text")) && !bytes.Contains(name, []byte("refusal")) {
			s.pieces = 0 // a call's arguments
		}
		return s
	}
	s.in, s.pieces = s.in&^answer|reasoning, 0
	if bytes.Contains(name, []byte("summary")) {
		s.in |= summary
	}
	return s
}

// textIn reads a string as text of a channel; other kinds hold no text.
func (w *walker) textIn(c channel) speech {
	raw, escaped := w.maybe()
	if len(raw) == 0 {
		return speech{}
	}
	return speech{in: c, chars: chars(raw, escaped)}
}

// contentIn reads a string as text that a reader of the answer sees, if the channel is the answer's. A refusal is one for want of an answer.
func (w *walker) contentIn(c channel, refused bool) speech {
	raw, escaped := w.maybe()
	if len(raw) == 0 {
		return speech{}
	}
	s := speech{in: c, chars: chars(raw, escaped)}
	if w.keep != nil && c == answer {
		s.pieces = w.keep.note(raw, escaped, refused)
	}
	return s
}

// maybe reads a string; any other kind is stepped over, and is none.
func (w *walker) maybe() (raw []byte, escaped bool) {
	if w.peek() != '"' {
		w.skip()
		return nil, false
	}
	return w.str()
}

// chars is how many characters (code points) a string of JSON has, given what stands between its quotes. Bytes that are not UTF-8 count as decoders
// count them, as one each; so does half of a surrogate pair.
func chars(raw []byte, escaped bool) uint32 {
	if !escaped {
		return uint32(utf8.RuneCount(raw))
	}
	n := 0
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return uint32(n + utf8.RuneCount(raw))
		}
		n += utf8.RuneCount(raw[:i]) + 1
		raw = raw[i:]
		size := max(escapeLen(raw), min(2, len(raw))) // what is no escape is not read as one, and ends all the same
		if size == 6 && surrogate(raw, 'b') && escapeLen(raw[6:]) == 6 && surrogate(raw[6:], 'f') {
			size = 12
		}
		raw = raw[size:]
	}
}

// surrogate tells whether an escape with a number is the half of a pair that goes up to this digit: b for the first half, f for the second.
func surrogate(escape []byte, upTo byte) bool {
	if escape[1] != 'u' || escape[2]|0x20 != 'd' {
		return false
	}
	c := escape[3]
	if c > '9' {
		c |= 0x20
	}
	if upTo == 'b' {
		return c == '8' || c == '9' || c == 'a' || c == 'b'
	}
	return c >= 'c' && c <= 'f'
}
