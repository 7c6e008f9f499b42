package sim

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"redline/bench/sim/model"
)

func TestPromptsThatBeginAlikeHaveTheSameFirstBlocks(t *testing.T) {
	text := func(s string) *tokens {
		n := newTokens(6)
		n.text(s)
		return n
	}
	long := strings.Repeat("one two three four ", 20)
	base := text(long)
	if base.n != 86 || len(base.blocks) != 5 {
		t.Fatalf("%d tokens in %d blocks", base.n, len(base.blocks))
	}
	if more := text(long + "more"); !slices.Equal(more.blocks[:5], base.blocks) {
		t.Error("what goes on has other blocks")
	}
	if spaced := text(strings.ReplaceAll(long, " ", "\n\t ")); !slices.Equal(spaced.blocks, base.blocks) {
		t.Error("white space is part of a token")
	}
	for name, other := range map[string]*tokens{"an early change": text("won" + long[3:]), "joined words": text("onetwo three " + long)} {
		if slices.ContainsFunc(other.blocks, func(h uint64) bool { return slices.Contains(base.blocks, h) }) {
			t.Errorf("%s: a block is the same", name)
		}
	}
	user, system := newTokens(0), newTokens(0)
	user.message("user", content{long})
	system.message("system", content{long})
	if user.n != system.n || user.blocks[0] == system.blocks[0] {
		t.Error("who says it makes no difference")
	}
}

func TestTheBlocksOfEveryPresetAreThoseThatAreHashed(t *testing.T) {
	for _, p := range model.Presets() {
		if got := p.Params().BlockSize; got != model.BlockSize {
			t.Errorf("%v: blocks of %d tokens", p, got)
		}
	}
}

func FuzzWords(f *testing.F) {
	f.Add("a  b\u00a0c\u2003\xffd\u0085")
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := words(s), len(strings.FieldsFunc(s, unicode.IsSpace)); got != want {
			t.Fatalf("%q: %d words, not %d", s, got, want)
		}
	})
}
