package sim

import (
	"unicode"
	"unicode/utf8"

	"redline/bench/sim/model"
)

// tokens counts a prompt, and hashes what stands up to each whole block of it, so that prompts that begin alike are known.
type tokens struct {
	n      int
	hash   uint64
	blocks []uint64
}

// FNV-1a, 64 bits.
const (
	hashBasis = 14695981039346656037
	hashPrime = 1099511628211
)

// newTokens is a prompt behind so many tokens of a template.
func newTokens(template int) *tokens { return &tokens{n: template, hash: hashBasis} }

func (t *tokens) byte(b byte) { t.hash = (t.hash ^ uint64(b)) * hashPrime }

// ended counts a token whose bytes are in the hash.
func (t *tokens) ended() {
	t.byte(0) // keeps "a b" and "ab" apart
	if t.n++; t.n%model.BlockSize == 0 {
		t.blocks = append(t.blocks, t.hash)
	}
}

// text adds a text: a token is a run of anything but white space.
func (t *tokens) text(s string) {
	inside := false
	for i := 0; i < len(s); {
		size, space := 1, false
		if c := s[i]; c < utf8.RuneSelf {
			space = c == ' ' || c-'\t' < 5
		} else {
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			space = unicode.IsSpace(r)
		}
		if space && inside {
			t.ended()
		}
		if inside = !space; inside {
			for _, b := range []byte(s[i : i+size]) {
				t.byte(b)
			}
		}
		i += size
	}
	if inside {
		t.ended()
	}
}

// message adds what somebody said. The role is no token of its own, but another role is another prompt.
func (t *tokens) message(role string, c content) {
	for _, b := range []byte(role) {
		t.byte(b)
	}
	t.byte(1)
	for _, s := range c {
		t.text(s)
	}
}

// token adds a token that was given by its number.
func (t *tokens) token(number uint32) {
	for shift := 0; shift < 32; shift += 8 {
		t.byte(byte(number >> shift))
	}
	t.ended()
}

// words counts the tokens of a text.
func words(s string) int {
	t := newTokens(0)
	t.text(s)
	return t.n
}
