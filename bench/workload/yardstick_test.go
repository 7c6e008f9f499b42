package workload

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"redline/bench"
)

// mixed is a data set of texts of many kinds and lengths, in conversations of up to four turns.
func mixed(t *testing.T) string {
	t.Helper()
	kinds := []string{"plain words that any reader knows ", "x := a[i]*b[j] + (c<<3); ", "3.14159 2.71828 1,618 ", "Überprüfungsverfahren, Zuständigkeit; ", "短い文です。", "{\"key\":[1,2,{\"a\":null}]}\n"}
	draw := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for row := range 40 {
		turns := make([]string, 1+draw.IntN(4))
		for i := range turns {
			turns[i] = fmt.Sprintf("%d.%d ", row, i) + strings.Repeat(kinds[draw.IntN(len(kinds))], 1+draw.IntN(20))
		}
		line, err := json.Marshal(map[string]any{"turns": turns})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	return file(t, "mixed.jsonl", b.String())
}

// wording is all the text of a prompt.
func wording(p bench.Prompt) string {
	var b strings.Builder
	for _, m := range p.History {
		b.WriteString(m.Text + "\n")
	}
	return b.String() + p.Text
}

// byWords counts as a server whose tokens are words; perTurn is what its template puts around each message.
func byWords(perTurn int) func(bench.Prompt) int {
	return func(p bench.Prompt) int { return 6 + len(strings.Fields(wording(p))) + perTurn*len(p.History) }
}

func byRatio(template, ratio float64) func(bench.Prompt) int {
	return func(p bench.Prompt) int { return int(math.Round(template + ratio*float64(p.Counted))) }
}

// compare asks for prompts after two first tries, as a run does, and returns what was asked for on average from a prompt on, and what counts says of it.
func compare(s *Source, from, to int, counts func(bench.Prompt) int, said func(bench.Prompt) bench.Counts) (asked, counted float64) {
	for _, n := range []int{16, 64} {
		p, _ := s.Short(n).Next(0)
		s.Learn(&p, counts(p))
	}
	for i := range to {
		now := time.Duration(i) * time.Second
		p, ok := s.Next(now)
		if !ok {
			break
		}
		if i >= from {
			asked, counted = asked+float64(p.InputTokens), counted+float64(counts(p))
		}
		s.Ended(now, &bench.Ended{Request: bench.Request{Prompt: p}, Outcome: bench.OK, Answer: "this is an answer of some words", Counts: said(p)})
	}
	return asked / float64(to-from), counted / float64(to-from)
}

func TestTheLengthOfADataSetIsLearned(t *testing.T) {
	path := mixed(t)
	for name, counts := range map[string]func(bench.Prompt) int{
		"words": byWords(0), "words and a template around each message": byWords(5), "as we do": byRatio(6, 1), "less": byRatio(3, 0.7), "more": byRatio(40, 1.6), "much more": byRatio(9, 3),
	} {
		for _, tail := range []string{"", ",turns=one", ",think=3s"} {
			for _, span := range [][2]int{{20, 120}, {500, 1000}} {
				asked, counted := compare(open(t, path+tail), span[0], span[1], counts, func(p bench.Prompt) bench.Counts { return bench.Counts{Input: counts(p)} })
				if off := math.Abs(asked - counted); off > max(0.02*counted, 2) {
					t.Errorf("a server that counts %s, %q, prompts %d: %.1f tokens are asked for on average, and %.1f are counted", name, tail, span, asked, counted)
				}
			}
		}
	}
}

// cache is a server's that has seen some texts; rest is what it has not.
type cache []string

func (c *cache) rest(text string) float64 {
	longest := 0
	for _, seen := range *c {
		n := 0
		for n < min(len(seen), len(text)) && seen[n] == text[n] {
			n++
		}
		longest = max(longest, n)
	}
	*c = append(*c, text)
	return 1 - float64(longest)/float64(len(text))
}

func TestACountWithoutWhatTheCacheHadDoesNotShortenADataSet(t *testing.T) {
	path := mixed(t)
	for _, tail := range []string{"", ",turns=one"} {
		var had cache
		counts := byRatio(6, 1.4)
		asked, counted := compare(open(t, path+tail), 20, 300, counts, func(p bench.Prompt) bench.Counts {
			return bench.Counts{Input: max(int(had.rest(wording(p))*float64(counts(p))), 1)}
		})
		if off := math.Abs(asked - counted); off > 0.05*counted {
			t.Errorf("%q: %.1f tokens are asked for on average, and have %.1f", tail, asked, counted)
		}
	}
}

func TestAServerThatTellsWhatItsCacheHadIsBelieved(t *testing.T) {
	y := newYardstick(newFit())
	for i := range 400 {
		y.learn(asked{text: fmt.Sprint(i % 100), ours: float64(100 + i%100)}, 2*(100+i%100)-i/100*10, i > 0)
	}
	if got := y.estimate(asked{text: "50", ours: 150}); y.leaves || got != 270 {
		t.Errorf("150 tokens counted 270 at last, and are estimated to count %d; the server leaves its cache out: %v", got, y.leaves)
	}
}

func TestWhatADataSetCountsIsHeldToSense(t *testing.T) {
	for _, row := range []struct {
		sentence string
		counts   func(i, ours int) int
		least    int
		most     int
	}{
		{"it counts nine, whatever it gets", func(int, int) int { return 9 }, 158, 158},
		{"it does not count", func(int, int) int { return 0 }, 158, 158},
		{"it counts below zero", func(int, int) int { return -3 }, 158, 158},
		{"it counts a number beyond any sense", func(int, int) int { return math.MaxInt32 }, 158, 158},
		{"it counts what its cache did not have, of a file that it knows", func(i, _ int) int { return 3 + i%4 }, 158, 158},
		{"longer prompts count less", func(_, ours int) int { return 300 - ours }, 1, 300},
	} {
		y := newYardstick(newFit())
		for i := range 200 {
			ours := 100 + i%100
			y.learn(asked{text: fmt.Sprint(i), ours: float64(ours)}, row.counts(i, ours), false)
		}
		if got := y.unseen(150); got < row.least || got > row.most {
			t.Errorf("%s: 150 tokens are said to count %d, want %d to %d", row.sentence, got, row.least, row.most)
		}
	}
}

func TestTheBoundsOfMemoryOfConversationsHold(t *testing.T) {
	y := newYardstick(newFit())
	for i := range 3 * mostTurns {
		y.learn(asked{text: "a", conversation: uint64(i), turn: 1 + i%3, ours: 10}, 10+i%3, false)
	}
	if len(y.turns) > mostTurns || len(y.first) > 1 {
		t.Errorf("%d conversations and %d texts are kept", len(y.turns), len(y.first))
	}
}

// TestASharedPrefixIsLearned: the first tries are short, and the clause against caches must not hold on to what they taught.
func TestASharedPrefixIsLearned(t *testing.T) {
	for _, text := range []string{"in=900,prefix=300", "in=lognormal(512,0.6),prefix=100,prefixes=5", "in=64,prefix=20", "testdata/mooncake.jsonl"} {
		for name, counts := range map[string]func(bench.Prompt) int{"words": byWords(0), "less": byRatio(3, 0.7), "more": byRatio(40, 1.6), "much more": byRatio(9, 3)} {
			asked, counted := compare(open(t, text), 20, 120, counts, func(p bench.Prompt) bench.Counts { return bench.Counts{Input: counts(p)} })
			if off := math.Abs(asked - counted); off > max(0.02*counted, 2) {
				t.Errorf("a server that counts %s, %s: %.1f tokens are asked for on average, and %.1f are counted", name, text, asked, counted)
			}
		}
	}
}
