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

// speech is text that was generated: how many characters it has (24 bits), the strings that are text of the answer, and those that are text at all,
// where these are kept (16 bits each, one for each place in keeper.pieces, 15 and above share one), and the channels in which it came, in the highest.
// It is one word because a token passes through several.
type speech uint64

const (
	charBits  = 1<<24 - 1
	keptAt    = 24
	heardAt   = 40
	keptBits  = (1<<16 - 1) << keptAt
	heardBits = (1<<16 - 1) << heardAt
)

// pieces are strings of an event, a bit for each place in keeper.pieces: those of the answer, and those of any channel.
type pieces struct{ kept, heard uint16 }

func spoken(in channel, chars int, of pieces) speech {
	return speech(in)<<56 | speech(of.heard)<<heardAt | speech(of.kept)<<keptAt | speech(min(chars, charBits))
}

func (s speech) in() channel   { return channel(s >> 56) }
func (s speech) kept() uint16  { return uint16(s >> keptAt) }
func (s speech) heard() uint16 { return uint16(s >> heardAt) }
func (s speech) chars() int    { return int(s & charBits) }

// unkept is the same text as none of the answer's, unheard as one that is not kept at all.
func (s speech) unkept() speech  { return s &^ keptBits }
func (s speech) unheard() speech { return s &^ (keptBits | heardBits) }

// within is the same text in other channels, and none of the answer's.
func (s speech) within(in channel) speech {
	return spoken(in, s.chars(), pieces{heard: s.heard()})
}

// add takes more text; an event, which is no longer than MaxLine, has room for less than 24 bits of characters.
func (s *speech) add(more speech) { *s = (*s|more)&^charBits | (*s+more)&charBits }

// same takes a text that servers send under several names at once: it counts, and is heard, once.
func (s *speech) same(again speech) {
	longer := *s
	if again.chars() > s.chars() {
		longer = again
	}
	*s = (*s|again)&^(charBits|heardBits) | longer&(charBits|heardBits)
}

// named is the text in an event of that name.
func (s speech) named(name []byte) speech {
	if s.in()&answer == 0 {
		return s
	}
	if !bytes.Contains(name, []byte("reasoning")) {
		if s.kept() != 0 && bytes.HasPrefix(name, []byte("response.")) && !bytes.Contains(name, []byte("text")) && !bytes.Contains(name, []byte("refusal")) {
			return s.unkept() // a call's arguments
		}
		return s
	}
	in := s.in()&^answer | reasoning
	if bytes.Contains(name, []byte("summary")) {
		in |= summary
	}
	return s.within(in)
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
	return w.textOf(raw, escaped, c)
}

// textOf is a text of a channel, which stands there escaped or as it is.
func (w *walker) textOf(raw []byte, escaped bool, c channel) speech {
	var of pieces
	if w.keep != nil {
		of = w.keep.note(piece{raw: raw, escaped: escaped})
	}
	return spoken(c, chars(raw, escaped), of)
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
	var of pieces
	if w.keep != nil {
		of = w.keep.note(piece{raw: raw, escaped: escaped, content: c == answer, refused: refused})
	}
	return spoken(c, chars(raw, escaped), of)
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
