package workload

import (
	"os"
	"strings"
	"testing"
)

// wholeCount counts a text at once.
func wholeCount(t testing.TB, text string) int {
	n, err := vocabulary().Count(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestCountsOfPartsAddUp(t *testing.T) {
	var texts []string
	for _, path := range []string{"testdata/chat.jsonl", "testdata/sharegpt.json", "talks.go", "read_test.go", "../../CONTRIBUTING.md"} {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(content))
	}
	texts = append(texts, strings.Repeat("it's a  dog’s life, isn't IT? ", 900), strings.Repeat("日本 語 a b ", 900), strings.Repeat("x", 9000), strings.Repeat(" \n y z", 2000))
	for _, text := range texts {
		if got, want := tokens(text), wholeCount(t, text); got != want {
			t.Errorf("%.40q…: %d tokens in parts, %d as a whole", text, got, want)
		}
	}
}

func FuzzTokens(f *testing.F) {
	f.Add("a b", "c 'd e")
	f.Add("don't we'll I'D", " \t\n é z 123456 7")
	f.Fuzz(func(t *testing.T, a, b string) {
		text := strings.Repeat(a+" q "+b, 1+3*pieceBytes/(len(a)+len(b)+3))
		if len(text) > 1<<16 {
			return
		}
		if got, want := tokens(text), wholeCount(t, text); got != want {
			t.Fatalf("%q: %d tokens in parts, %d as a whole", text, got, want)
		}
	})
}

func BenchmarkTokens(b *testing.B) {
	text := strings.Repeat("The quick brown fox, which isn't lazy, jumps over 12 dogs. ", 400)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		tokens(text)
	}
}
