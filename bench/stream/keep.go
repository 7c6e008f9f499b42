package stream

import (
	"bytes"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"redline/bench"
)

// keeper collects the text of an answer, for whoever asked for it.
type keeper struct {
	// pieces are the strings of the present event that may belong to it; they point into the event.
	pieces        []piece
	text, refusal []byte
}

// piece is a string as it stands in the event.
type piece struct {
	raw              []byte
	escaped, refused bool
}

// most is the last place of a piece that has a bit of its own.
const most = 15

// note keeps a piece in mind, and gives its bit.
func (k *keeper) note(raw []byte, escaped, refused bool) uint16 {
	k.pieces = append(k.pieces, piece{raw, escaped, refused})
	return 1 << min(len(k.pieces)-1, most)
}

// next forgets the pieces of the event before; nothing where no answer is kept.
func (k *keeper) next() {
	if k != nil {
		k.pieces = k.pieces[:0]
	}
}

// take keeps what an event has of the answer: new text, or a whole one where nothing came before it.
func (k *keeper) take(e *event) {
	set := e.text.pieces()
	if set == 0 && len(k.text)+len(k.refusal) == 0 {
		set = e.whole.pieces()
	}
	if set == 0 {
		return
	}
	declined := bytes.Contains(e.name, []byte("refusal"))
	for i := bits.TrailingZeros16(set); i < len(k.pieces); i++ {
		if set>>min(i, most)&1 == 0 {
			continue
		}
		to := &k.text
		if k.pieces[i].refused || declined {
			to = &k.refusal
		}
		k.pieces[i].appendTo(to)
	}
}

// appendTo appends the piece, decoded, as far as there is room.
func (p piece) appendTo(to *[]byte) {
	text := p.raw
	if p.escaped {
		text = unescape(text)
	}
	*to = append(*to, text[:min(len(text), bench.AnswerBytes-len(*to))]...)
}

// answer is the text that was kept: valid UTF-8, without control characters but line breaks and tabs. A refusal stands for an answer that did not
// come.
func (k *keeper) answer() string {
	b := k.text
	if len(b) == 0 {
		b = k.refusal
	}
	if len(b) == bench.AnswerBytes {
		b = wholeRunes(b)
	}
	s := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(b), "\uFFFD"))
	return string(wholeRunes([]byte(s[:min(len(s), bench.AnswerBytes)])))
}

// wholeRunes is a text without the last character where that is cut off.
func wholeRunes(b []byte) []byte {
	for i := len(b) - 1; i >= max(0, len(b)-utf8.UTFMax); i-- {
		if utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				return b[:i]
			}
			break
		}
	}
	return b
}

// reset forgets all, keeping modest buffers.
func (k *keeper) reset() {
	clear(k.pieces)
	*k = keeper{k.pieces[:0], k.text[:0], k.refusal[:0]}
	if cap(k.text)+cap(k.refusal) > keptLine {
		k.text, k.refusal = nil, nil
	}
}
