package workload

import (
	"strings"
	"testing"
	"unicode/utf8"

	"redline/bench"
)

// honest holds a prompt against what it says of itself.
func honest(t testing.TB, p bench.Prompt) {
	t.Helper()
	counted, chars := tokens(p.Text), utf8.RuneCountInString(p.Text)
	for _, m := range p.History {
		counted, chars = counted+tokens(m.Text), chars+utf8.RuneCountInString(m.Text)
	}
	if counted != p.Counted || chars != p.Chars {
		t.Fatalf("the prompt says %d tokens and %d characters, and has %d and %d: %.80q", p.Counted, p.Chars, counted, chars, p.Text)
	}
	if p.MaxTokens < 1 || p.InputTokens < 1 {
		t.Fatalf("the prompt asks for %d tokens, and at most %d", p.InputTokens, p.MaxTokens)
	}
}

func TestWordsAddUp(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range words {
		if tokens(w) != 1 || tokens(" "+w) != 1 || seen[w] {
			t.Errorf("%s is not one token, or is there twice", w)
		}
		seen[w] = true
	}
	if len(words) < 1000 {
		t.Errorf("there are only %d words", len(words))
	}
	for out := range 3000 {
		if got, want := requestTokens(out), tokens("bread"+request(out))-1; got != want {
			t.Fatalf("the request for %d tokens counts %d, and has %d", out, got, want)
		}
	}
}

func TestPromptsHaveTheLengthThatTheySay(t *testing.T) {
	for _, text := range []string{"in=1", "in=2..12", "in=1..60", "in=1..60,out=1..5000", "in=1..4096,out=200", "in=1..3000,prefix=700,share=0.5,prefixes=3",
		"testdata/azure2023.csv", "testdata/mooncake.jsonl", "testdata/burstgpt.csv,prefix=100", "testdata/chat.jsonl", "testdata/sharegpt.json"} {
		s := open(t, text)
		for _, from := range []*Source{s, s.WarmUp(), s.Short(16), s.WarmUp().Short(5)} {
			for i := range 100 {
				p := next(t, from)
				honest(t, p)
				// Each unlike the last count, so that the lengths of ours change too.
				from.Learn(&p, int(float64(p.Counted)*(0.8+float64(i%5)/10)))
			}
		}
	}
}

// TestPromptsAreUniqueFromTheStart: a token alone cannot tell 20,000 prompts apart, two can. Prompts in a row have not even the first in common.
func TestPromptsAreUniqueFromTheStart(t *testing.T) {
	for _, text := range []string{"in=2", "in=64", "in=5..600,out=20"} {
		s := open(t, text)
		from := map[string]*Source{"measured": s, "warm-up": s.WarmUp(), "first try": s.Short(16), "first try of the warm-up": s.WarmUp().Short(16)}
		seen, last := map[string]string{}, ""
		for name, from := range from {
			for range 20_000 {
				p := next(t, from)
				fields := strings.Fields(p.Text)
				if len(fields) < 2 {
					continue
				}
				if fields[0] == last {
					t.Fatalf("%s: two prompts in a row begin with %s", text, last)
				}
				last = fields[0]
				head := fields[0] + " " + fields[1]
				if seen[head] != "" {
					t.Fatalf("%s: a %s prompt and a %s one begin with %q", text, name, seen[head], head)
				}
				seen[head] = name
			}
			last = ""
		}
	}
}

func TestASharedPrefixIsSharedTokenForToken(t *testing.T) {
	const asked, many = 1024, 4000
	s := open(t, "in=2000,prefix=1024,share=0.8,prefixes=4")
	p := next(t, s.Short(16))
	s.Learn(&p, p.Counted+20)
	heads, heard := map[string]int{}, map[string]int{}
	after := map[string]bool{}
	for range many {
		p := next(t, s)
		fields := strings.Fields(p.Text)
		heads[strings.Join(fields[:asked-20], " ")]++
		heard[fields[0]+" "+fields[1]]++
		s.Learn(&p, p.Counted+20)
		if rest := strings.Join(fields[asked:asked+3], " "); after[rest] {
			t.Fatalf("what follows the prefix is there twice: %s", rest)
		} else {
			after[rest] = true
		}
	}
	shared, prefixes := 0, 0
	for _, n := range heads {
		if n > 1 {
			shared, prefixes = shared+n, prefixes+1
			if n < many/6 {
				t.Errorf("a prefix is in %d of %d prompts only", n, many)
			}
		}
	}
	if prefixes != 4 || shared < many*77/100 || shared > many*83/100 {
		t.Errorf("%d prompts share %d prefixes; asked for were 80%% of %d and 4", shared, prefixes, many)
	}
}

func TestAPrefixHasItsLengthByTheServersCount(t *testing.T) {
	s := open(t, "in=4000,prefix=2000")
	for range 2 {
		p := next(t, s.Short(200))
		s.Learn(&p, int(1.5*float64(p.Counted)))
	}
	for range 20 {
		p := next(t, s)
		s.Learn(&p, int(1.5*float64(p.Counted)))
	}
	a, b := next(t, s), next(t, s)
	n := 0
	for n < min(len(a.Text), len(b.Text)) && a.Text[n] == b.Text[n] {
		n++
	}
	if got := 1.5 * float64(tokens(a.Text[:n])); got < 1600 || got > 2100 {
		t.Errorf("a prefix of 2000 tokens has %.0f", got)
	}
}

func TestWishesForLengthAreInThePrompt(t *testing.T) {
	p := next(t, open(t, "in=100,out=200"))
	if !strings.HasSuffix(p.Text, ". Write about 150 words.") || p.MaxTokens != 200 {
		t.Errorf("a wish for 200 tokens is %q with at most %d", p.Text[len(p.Text)-40:], p.MaxTokens)
	}
	p = next(t, open(t, "in=100,out=200,max=300"))
	if !strings.HasSuffix(p.Text, ". Write about 150 words.") || p.MaxTokens != 300 {
		t.Errorf("a wish for 200 tokens, bounded by 300, has the bound %d", p.MaxTokens)
	}
	if p = next(t, open(t, "in=12,out=200")); strings.Contains(p.Text, "Write") {
		t.Errorf("a prompt of 12 tokens is all wish: %q", p.Text)
	}
	if p = next(t, open(t, "in=100")); !strings.HasSuffix(p.Text, ". Write a long story that uses all these words.") {
		t.Errorf("a prompt without a wish ends with %q", p.Text[len(p.Text)-60:])
	}
}

func TestSameSeedSamePrompts(t *testing.T) {
	for _, text := range []string{"in=lognormal(300,0.7),out=10..900", "in=500,prefix=100,share=0.5,prefixes=9", "testdata/mooncake.jsonl", "testdata/azure2024.csv"} {
		a, b, c := openSeed(t, text, 7), openSeed(t, text, 7), openSeed(t, text, 8)
		for i := range 50 {
			x, y, z := next(t, a), next(t, b), next(t, c)
			if x.Text != y.Text || x.MaxTokens != y.MaxTokens || x.InputTokens != y.InputTokens {
				t.Fatalf("%s: the same seed gave another prompt %d", text, i)
			}
			if x.Text == z.Text {
				t.Fatalf("%s: another seed gave the same prompt %d", text, i)
			}
		}
	}
}

// TestStreamsAreIndependent: what is drawn of one thing does not move another.
func TestStreamsAreIndependent(t *testing.T) {
	a, b := open(t, "x=synthetic,in=100..900,out=5"), open(t, "x=synthetic,in=100..900,out=5..700")
	a.seed, b.seed = 5, 5
	a.feed, b.feed = a.newFeed(), b.newFeed()
	for range 100 {
		if x, y := next(t, a), next(t, b); x.InputTokens != y.InputTokens || strings.Fields(x.Text)[0] != strings.Fields(y.Text)[0] {
			t.Fatal("drawing the lengths of answers moves the prompts")
		}
	}
}

func TestWorkloadsOfOneRunDiffer(t *testing.T) {
	a, b := next(t, open(t, "in=100")), next(t, open(t, "in=200"))
	if a.Text[:20] == b.Text[:20] {
		t.Error("two workloads send the same prompts")
	}
}

func BenchmarkPrompt4096(b *testing.B) {
	s := open(b, "in=4096")
	b.ReportAllocs()
	for b.Loop() {
		s.Next(0)
	}
}

func BenchmarkPromptOfBlocks(b *testing.B) {
	s := open(b, "testdata/mooncake.jsonl")
	b.ReportAllocs()
	for b.Loop() {
		s.Next(0)
	}
}

func BenchmarkLearn(b *testing.B) {
	s := open(b, "in=100..900")
	p := next(b, s)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p.Counted = 100 + i%800
		s.Learn(&p, p.Counted+17)
	}
}

func BenchmarkOpen(b *testing.B) {
	for b.Loop() {
		open(b, "testdata/chat.jsonl")
	}
}
