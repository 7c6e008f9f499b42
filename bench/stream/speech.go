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

// speech is text that was generated: how many characters it has (32 bits), the strings that are text of the answer where that is kept (16 bits, one
// for each place in keeper.pieces, 15 and above share one), and the channels in which it came, in the highest. It is one word because a token
// passes through several.
type speech uint64

const (
	charBits  = 1<<32 - 1
	pieceBits = 1<<16 - 1
)

func spoken(in channel, chars int, pieces uint16) speech {
	return speech(in)<<48 | speech(pieces)<<32 | speech(chars)
}

func (s speech) in() channel    { return channel(s >> 48) }
func (s speech) pieces() uint16 { return uint16(s >> 32) }
func (s speech) chars() int     { return int(s & charBits) }

// unkept is the same text as none of the answer's.
func (s speech) unkept() speech { return s &^ (pieceBits << 32) }

// add takes more text; an event has room for less than 32 bits of characters.
func (s *speech) add(more speech) { *s = (*s|more)&^charBits | (*s+more)&charBits }

// same takes a text that servers send under several names at once: its characters count once.
func (s *speech) same(again speech) {
	*s = (*s|again)&^charBits | max(*s&charBits, again&charBits)
}

// named is the text in an event of that name.
func (s speech) named(name []byte) speech {
	if s.in()&answer == 0 {
		return s
	}
	if !bytes.Contains(name, []byte("reasoning")) {
		if s.pieces() != 0 && bytes.HasPrefix(name, []byte("response.")) && !bytes.Contains(name, []byte("text")) && !bytes.Contains(name, []byte("refusal")) {
			return s.unkept() // a call's arguments
		}
		return s
	}
	in := s.in()&^answer | reasoning
	if bytes.Contains(name, []byte("summary")) {
		in |= summary
	}
	return spoken(in, s.chars(), 0)
}

// textIn reads a string as text of a channel; other kinds hold no text.
func (w *walker) textIn(c channel) speech {
	if w.peek() != '"' {
		w.skip()
		return 0
	}
	raw, escaped := w.str()
	if len(raw) == 0 {
		return 0
	}
	return spoken(c, chars(raw, escaped), 0)
}

// contentIn reads a string as text that a reader of the answer sees, if the channel is the answer's. A refusal is one for want of an answer.
func (w *walker) contentIn(c channel, refused bool) speech {
	if w.peek() != '"' {
		w.skip()
		return 0
	}
	raw, escaped := w.str()
	if len(raw) == 0 {
		return 0
	}
	var pieces uint16
	if w.keep != nil && c == answer {
		pieces = w.keep.note(raw, escaped, refused)
	}
	return spoken(c, chars(raw, escaped), pieces)
}

// chars is how many characters (code points) a string of JSON has, given what stands between its quotes. Bytes that are not UTF-8 count as decoders
// count them, as one each; so does half of a surrogate pair.
func chars(raw []byte, escaped bool) int {
	if !escaped {
		if len(raw) <= 16 && plain(raw) { // a token, as a rule
			return len(raw)
		}
		return utf8.RuneCount(raw)
	}
	n := 0
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return n + utf8.RuneCount(raw)
		}
		n += utf8.RuneCount(raw[:i]) + 1
		raw = raw[i:]
		size := max(escapeLen(raw), min(2, len(raw))) // what is no escape is not read as one, and ends all the same
		if size == 6 && surrogate(raw, 'b') && bytes.HasPrefix(raw[6:], []byte{'\\'}) && escapeLen(raw[6:]) == 6 && surrogate(raw[6:], 'f') {
			size = 12
		}
		raw = raw[size:]
	}
}

// plain tells whether a text is all ASCII.
func plain(raw []byte) bool {
	var all byte
	for _, c := range raw {
		all |= c
	}
	return all < utf8.RuneSelf
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
