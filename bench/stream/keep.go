package stream

import (
	"bytes"
	"iter"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"redline/bench"
)

// keeper collects what was generated: the beginning of all of it, the text of the answer for whoever asked for it, and what comes for whoever
// listens.
type keeper struct {
	// pieces are the strings of the present event that may belong to it; they point into the event.
	pieces []piece
	// answers: the text of the answer is kept, in text and refusal.
	answers       bool
	text, refusal []byte
	// said is the beginning of all that was generated, until it is full; thought tells that the last of it was reasoning.
	said    []byte
	full    bool
	thought bool
	// live: what comes is kept in fresh until it is asked for; begins: what stands in fresh is, or will be, the beginning of all.
	live, begins bool
	fresh        []byte
}

// rawReply is how much of the beginning is kept: more than is shown, so that a secret that begins in what is shown is there as a whole.
const rawReply = 2 * bench.ReplyBytes

// piece is a string as it stands in the event; content is what may be the answer's.
type piece struct {
	raw                       []byte
	escaped, content, refused bool
}

// most is the last place of a piece that has a bit of its own.
const most = 15

// note keeps a piece in mind, and gives its bits.
func (k *keeper) note(p piece) (of pieces) {
	k.pieces = append(k.pieces, p)
	of.heard = 1 << min(len(k.pieces)-1, most)
	if p.content {
		of.kept = of.heard
	}
	return of
}

// next forgets the pieces of the event before; nothing where no text is kept.
func (k *keeper) next() {
	if k != nil {
		k.pieces = k.pieces[:0]
	}
}

// wanted tells whether anything is still to be kept.
func (k *keeper) wanted() bool { return k.answers || !k.full || k.live }

// of are the places of the pieces of a set.
func (k *keeper) of(set uint16) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := bits.TrailingZeros16(set); i < len(k.pieces); i++ {
			if set>>min(i, most)&1 != 0 && !yield(i) {
				return
			}
		}
	}
}

// take keeps what an event has of the answer: new text, or a whole one where nothing came before it.
func (k *keeper) take(e *event) {
	if !k.answers {
		return
	}
	set := e.text.kept()
	if set == 0 && len(k.text)+len(k.refusal) == 0 {
		set = e.whole.kept()
	}
	if set == 0 {
		return
	}
	declined := bytes.Contains(e.name, []byte("refusal"))
	for i := range k.of(set) {
		switch p := &k.pieces[i]; {
		case !p.content:
		case p.refused || declined:
			k.refusal = p.appendTo(k.refusal, bench.AnswerBytes)
		default:
			k.text = p.appendTo(k.text, bench.AnswerBytes)
		}
	}
}

// hear takes what an event has of what was generated, in whatever channel. An answer begins a paragraph of its own behind the reasoning.
func (k *keeper) hear(text speech) {
	if k.full && !k.live || text.heard() == 0 {
		return
	}
	thought := text.in()&reasoning != 0 && text.in()&answer == 0
	if k.thought && !thought {
		k.put(&piece{raw: []byte(between)})
	}
	k.thought = thought
	for i := range k.of(text.heard()) {
		k.put(&k.pieces[i])
	}
}

// between stands between reasoning and answer.
const between = "\n\n"

// saidRoom is the room for the beginning of a stream at first.
const saidRoom = 512

// put appends a piece to what was said, and to what is fresh.
func (k *keeper) put(p *piece) {
	if k.live {
		k.fresh = p.appendTo(k.fresh, MaxLine)
	}
	if !k.full {
		if k.said == nil {
			k.said = make([]byte, 0, saidRoom)
		}
		k.said = p.appendTo(k.said, rawReply)
		k.full = len(k.said) == rawReply
	}
}

// appendTo appends the piece, decoded, as far as there is room up to a size.
func (p *piece) appendTo(to []byte, size int) []byte {
	if p.escaped {
		to = appendDecoded(to, p.raw, size)
		return to[:min(len(to), size)]
	}
	return append(to, p.raw[:min(len(p.raw), size-len(to))]...)
}

// short are the characters that an escape of one letter stands for.
var short = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// appendDecoded appends a string of JSON, given what stands between its quotes, until that reaches a size. Half of a surrogate pair is none, and what
// is no escape stays as it is.
func appendDecoded(to, raw []byte, size int) []byte {
	for len(raw) > 0 && len(to) < size {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return append(to, raw...)
		}
		to, raw = append(to, raw[:i]...), raw[i:]
		switch n := escapeLen(raw); n {
		case 2:
			to, raw = append(to, short[raw[1]]), raw[n:]
		case 6:
			r := unit(raw)
			if raw = raw[n:]; utf16.IsSurrogate(r) {
				low := rune(utf8.RuneError)
				if len(raw) > 0 && raw[0] == '\\' && escapeLen(raw) == 6 {
					low = unit(raw)
				}
				if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
					raw = raw[n:]
				}
			}
			to = utf8.AppendRune(to, r)
		default:
			return append(to, raw...)
		}
	}
	return to
}

// unit is the number in an escape that has one.
func unit(escape []byte) (r rune) {
	for _, c := range escape[2:6] {
		switch {
		case c <= '9':
			c -= '0'
		default:
			c = c | 0x20 - 'a' + 10
		}
		r = r<<4 | rune(c)
	}
	return r
}

// listen says whether what comes is to be kept for the next call of fresh. Where only the beginning has come so far, that is fresh too.
func (k *keeper) listen(on bool) {
	k.live, k.begins, k.fresh = on, on && !k.full, nil
	if k.begins {
		k.fresh = append(k.fresh, k.said...)
	}
}

// heard is the text that has come since the last call, and whether it is the beginning; it holds until more comes.
func (k *keeper) heard() (text []byte, begins bool) {
	text, begins = k.fresh, k.begins
	if len(text) > 0 {
		k.begins = false
	}
	k.fresh = text[:0]
	return text, begins
}

// answer is the text that was kept. A refusal stands for an answer that did not come.
func (k *keeper) answer() string {
	b := k.text
	if len(b) == 0 {
		b = k.refusal
	}
	if len(b) == bench.AnswerBytes {
		b = WholeRunes(b)
	}
	return clipped(Text(b), bench.AnswerBytes)
}

// reply is the beginning of what was generated, cleaned of secrets.
func (k *keeper) reply(clean func(string) string) string {
	if !k.full {
		s := Text(k.said)
		if clean != nil {
			s = clean(s)
		}
		return clipped(s, bench.ReplyBytes)
	}
	s := Text(WholeRunes(k.said))
	if clean == nil {
		return strings.Clone(clipped(s, bench.ReplyBytes))
	}
	whole := clean(s)
	if whole != s {
		// What is behind a secret has moved up, a part of one that was cut off with it (see Head).
		whole = whole[:agree(whole, clean(s[:len(s)/2]))]
	}
	return strings.Clone(clipped(whole, bench.ReplyBytes))
}

// Text is text that was generated, fit to show: valid UTF-8, without control characters but line breaks and tabs.
func Text(b []byte) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(b), "\uFFFD"))
}

// clipped is a valid text of at most n bytes.
func clipped(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return string(WholeRunes([]byte(s[:n])))
}

// WholeRunes is a text without the last character where that is cut off.
func WholeRunes(b []byte) []byte {
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
	*k = keeper{pieces: k.pieces[:0], text: k.text[:0], refusal: k.refusal[:0], said: k.said[:0]}
	if cap(k.text)+cap(k.refusal) > keptLine {
		k.text, k.refusal = nil, nil
	}
}
