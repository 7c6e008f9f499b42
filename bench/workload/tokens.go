package workload

import (
	"context"
	"sync"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"
)

// vocabulary is the tokenizer that we count with: cl100k_base, whose words those of Llama 3 and Qwen were made from, so that a server's count
// is seldom far from ours. It takes 6 ms and 3.5 MB to set up, and is safe for concurrent use.
var vocabulary = sync.OnceValue(codec.NewCl100kBase)

// pieceBytes is about how much is counted at once: the tokenizer is several times slower on long texts.
const (
	pieceBytes = 2048
	mostPiece  = 64 << 10
)

// tokens counts text; it stops soon after maxLength. What the tokenizer cannot read counts as four bytes a token.
func tokens(text string) int { return tokensUntil(context.Background(), text) }

// tokensUntil counts no further once ctx ends: what has no words to cut at may take seconds.
func tokensUntil(ctx context.Context, text string) int {
	sum := 0
	for text != "" && sum <= maxLength && ctx.Err() == nil {
		piece := text[:cut(text)]
		text = text[len(piece):]
		n, err := vocabulary().Count(piece)
		if err != nil {
			n = (len(piece) + 3) / 4
		}
		sum += n
	}
	return sum
}

// cut is where text can be cut so that the counts of its parts add up: before a space between two letters, where the tokenizer always begins a new
// word. Without such a place it is cut anywhere after mostPiece, which may be a token too many: one piece of millions of bytes would take minutes.
func cut(text string) int {
	for i := pieceBytes; i+1 < min(len(text), mostPiece); i++ {
		if text[i] == ' ' && isLetter(text[i-1]) && isLetter(text[i+1]) {
			return i
		}
	}
	if len(text) <= mostPiece {
		return len(text)
	}
	at := mostPiece
	for at > mostPiece-utf8.UTFMax && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
