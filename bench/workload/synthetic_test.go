package workload

import (
	"strings"
	"testing"
)

func TestPromptsAreUniqueFromTheStart(t *testing.T) {
	s := NewSynthetic(1, 512, 64)
	seen := map[string]bool{}
	for range 2000 {
		p := s.Next()
		head := strings.Join(strings.Fields(p.Text)[:2], " ")
		if seen[head] {
			t.Fatalf("two prompts begin with %q", head)
		}
		seen[head] = true
		if p.MaxTokens != 64 || p.InputTokens != 512 {
			t.Fatalf("prompt asks for %d in, %d out", p.InputTokens, p.MaxTokens)
		}
	}
}

func TestSameSeedSamePrompts(t *testing.T) {
	a, b, c := NewSynthetic(7, 100, 1), NewSynthetic(7, 100, 1), NewSynthetic(8, 100, 1)
	for range 10 {
		x, y, z := a.Next(), b.Next(), c.Next()
		if x.Text != y.Text {
			t.Fatal("the same seed gave another prompt")
		}
		if x.Text == z.Text {
			t.Fatal("another seed gave the same prompt")
		}
	}
}

func TestPromptLengthFollowsTheServersCount(t *testing.T) {
	for _, asked := range []int{1, 3, 16, 128, 512, 4096} {
		for _, perWord := range []float64{0.9, 1.3, 3.1} {
			s := NewSynthetic(1, asked, 1)
			const overhead = 9
			var real int
			for range 20 {
				p := s.Next()
				if got := len(strings.Fields(p.Text)); got != p.Words {
					t.Fatalf("asked %d: prompt says %d words and has %d", asked, p.Words, got)
				}
				real = int(perWord*float64(p.Words)+0.5) + overhead
				s.Learn(p.Words, real)
			}
			// A prompt cannot be shorter than one word and the server's own template.
			least := int(perWord+0.5) + overhead
			if off := real - max(asked, least); float64(off) > max(4, 0.03*float64(asked)) || float64(off) < -max(4, 0.03*float64(asked)) {
				t.Errorf("asked %d tokens at %.1f a word: the server counts %d", asked, perWord, real)
			}
		}
	}
}

func TestPromptsDoNotGrowWithoutEnd(t *testing.T) {
	s := NewSynthetic(1, 100, 16)
	for range 200 { // the server counts nine tokens, whatever it gets
		p := s.Next()
		s.Learn(p.Words, 9)
	}
	if p := s.Next(); p.Words != 100 {
		t.Errorf("prompts of 100 tokens have %d words", p.Words)
	}
}
