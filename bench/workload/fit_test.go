package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tiktoken-go/tokenizer/codec"

	"redline/bench"
)

// open makes a source that must be there.
func open(t testing.TB, text string) *Source {
	t.Helper()
	return openSeed(t, text, 1)
}

func openSeed(t testing.TB, text string, seed uint64) *Source {
	t.Helper()
	spec, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), spec, seed)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func next(t testing.TB, s *Source) bench.Prompt {
	t.Helper()
	p, ok := s.Next(0)
	if !ok {
		t.Fatal("there is no next prompt")
	}
	return p
}

func TestLengthsFollowTheServersCount(t *testing.T) {
	spreads := []struct{ text, why string }{
		{"in=512", "one length: all counts lie at one place"},
		{"in=64", "a short prompt, of which the template is a large part"},
		{"in=8192", "a long prompt, in which the ratio is all"},
		{"in=100..500", "lengths over a span"},
		{"in=normal(512,64)", "lengths around a mean"},
		{"in=lognormal(512,0.6)", "lengths over two orders of magnitude"},
		{"in=hist(128:3,512:5,2048:1)", "a few lengths"},
	}
	for _, spread := range spreads {
		for _, template := range []float64{0, 3, 9, 36, 55} {
			for _, ratio := range []float64{0.7, 0.93, 1, 1.25, 1.8, 3} {
				for _, try := range []int{0, 16} {
					name := fmt.Sprintf("%s, template %v, ratio %v, first try %d", spread.text, template, ratio, try)
					counts := func(p bench.Prompt) int { return int(math.Round(template + ratio*float64(p.Counted))) }
					s := open(t, spread.text)
					if try > 0 {
						p := next(t, s.Short(try))
						s.Learn(&p, counts(p))
					}
					for i := range 60 {
						p := next(t, s)
						real := counts(p)
						// A prompt has at least one token, and comes in whole tokens of ours.
						want := max(float64(p.InputTokens), template+ratio)
						if off := math.Abs(float64(real) - want); i >= 8 && off > max(0.02*want, 2) {
							t.Fatalf("%s (%s): after %d answers a prompt of %d tokens has %d", name, spread.why, i, p.InputTokens, real)
						}
						s.Learn(&p, real)
					}
				}
			}
		}
	}
}

func TestLengthsFollowAServerThatCountsWithNoise(t *testing.T) {
	for _, ratio := range []float64{0.8, 1.2, 2} {
		s, noise := open(t, "in=100..1000"), rand.New(rand.NewPCG(1, 2))
		sum, n := 0.0, 0
		for i := range 300 {
			p := next(t, s)
			real := 20 + ratio*float64(p.Counted)*(1+0.02*noise.NormFloat64())
			if i%10 == 9 {
				real *= 1.7 // something else was counted, now and then
			} else if i >= 8 {
				sum, n = sum+real/float64(p.InputTokens)-1, n+1
			}
			s.Learn(&p, int(real))
		}
		if off := sum / float64(n); math.Abs(off) > 0.02 {
			t.Errorf("ratio %v: prompts are off by %.1f%% on average", ratio, 100*off)
		}
	}
}

// TestLengthsFollowOtherTokenizers: none of these is the one that we count with.
func TestLengthsFollowOtherTokenizers(t *testing.T) {
	for _, server := range []*codec.Codec{codec.NewO200kBase(), codec.NewR50kBase()} {
		for _, text := range []string{"in=512", "in=64", "in=4096", "in=lognormal(512,0.6)", "in=900,prefix=300", "testdata/azure2023.csv"} {
			s := open(t, text)
			for i := range 30 {
				p := next(t, s)
				n, err := server.Count(p.Text)
				if err != nil {
					t.Fatal(err)
				}
				real := n + 36
				if off := math.Abs(float64(real - p.InputTokens)); i >= 8 && off > max(0.02*float64(p.InputTokens), 2) {
					t.Fatalf("%s by %s: after %d answers a prompt of %d tokens has %d", text, server.GetName(), i, p.InputTokens, real)
				}
				s.Learn(&p, real)
			}
		}
	}
}

func TestLengthsNeverRunAway(t *testing.T) {
	servers := []struct {
		why    string
		counts func(i, ours int) int
	}{
		{"it counts nine, whatever it gets", func(int, int) int { return 9 }},
		{"it counts the asked length, whatever it gets", func(int, int) int { return 512 }},
		{"it counts a little less than was asked, always", func(int, int) int { return 500 }},
		{"it counts far more than was asked, always", func(int, int) int { return 4000 }},
		{"it counts a number beyond any sense", func(int, int) int { return math.MaxInt32 }},
		{"it does not count", func(int, int) int { return 0 }},
		{"it counts below zero", func(int, int) int { return -5 }},
		{"it counts what its cache did not have: the template's rest", func(i, ours int) int { return 3 + i%2 }},
		{"it counts what its cache did not have: a third", func(i, ours int) int { return ours / 3 }},
		{"it counts at random", func(i, ours int) int { return int(mix(uint64(i), 7) % 1000) }},
		{"it counts one thing, then another", func(i, ours int) int { return ours * (1 + i/20%2) }},
	}
	for _, spread := range []string{"in=512", "in=100..500"} {
		for _, server := range servers {
			s := open(t, spread)
			for i := range 400 {
				p := next(t, s)
				if p.Counted > 2*p.InputTokens || p.Counted < 1 {
					t.Fatalf("%s, %s: prompt %d of %d tokens has %d of ours", spread, server.why, i, p.InputTokens, p.Counted)
				}
				s.Learn(&p, server.counts(i, p.Counted))
			}
		}
	}
}

func TestACountThatNeverChangesTeachesNothing(t *testing.T) {
	for _, always := range []int{9, 300, 500, 700} {
		s := open(t, "in=100..500")
		for range 100 {
			p := next(t, s)
			s.Learn(&p, always)
		}
		if p := next(t, s); p.Counted != p.InputTokens-likelyTemplate {
			t.Errorf("a server that always counts %d makes prompts of %d tokens have %d of ours", always, p.InputTokens, p.Counted)
		}
	}
}

func TestASharedPrefixThatIsNotCountedIsNotMissed(t *testing.T) {
	s := open(t, "in=2000,prefix=1000,share=0.8,prefixes=3")
	seen := map[string]bool{}
	for i := range 200 {
		p := next(t, s)
		head := p.Text[:200]
		real := 12 + 1.3*float64(p.Counted)
		if i >= 20 && math.Abs(real-2000) > 40 {
			t.Fatalf("prompt %d of 2000 tokens has %.0f", i, real)
		}
		counts := bench.Counts{Input: int(real)}
		if seen[head] { // the cache had the prefix, and the server leaves it out
			counts.Input -= 960
		}
		seen[head] = true
		s.Ended(0, &bench.Ended{Request: bench.Request{Prompt: p}, Counts: counts})
	}
}

func TestWhatTheCacheHadIsAddedWhereItWasLeftOut(t *testing.T) {
	s := open(t, "in=1000")
	for range 20 {
		p := next(t, s)
		s.Ended(0, &bench.Ended{Request: bench.Request{Prompt: p}, Counts: bench.Counts{Input: p.Counted/4 + 10, Cached: p.Counted - p.Counted/4}})
	}
	if p := next(t, s); p.Counted != 990 {
		t.Errorf("a prompt of 1000 tokens has %d of ours with a template of 10", p.Counted)
	}
}

// TestCountsAtOneLengthAreLaidToTheTokenizer: no template has hundreds of tokens as likely as a tokenizer has a ratio of 1.4.
func TestCountsAtOneLengthAreLaidToTheTokenizer(t *testing.T) {
	f := newFit()
	for range 10 {
		f.learn(643, 900, false)
	}
	if f.a > 30 || f.b < 1.35 || f.b > 1.4 || f.theirs(643) != 900 {
		t.Errorf("643 tokens that count 900 are a template of %.0f and a ratio of %.2f", f.a, f.b)
	}
}

func TestRowsOfADataSetAreEstimated(t *testing.T) {
	s := open(t, "testdata/chat.jsonl")
	text := ""
	for i := range 40 {
		p := next(t, s)
		real := 11 + int(1.4*float64(p.Counted)) + 6*len(p.History)
		if off := math.Abs(float64(p.InputTokens - real)); i >= 12 && off > max(2, 0.05*float64(real)) {
			t.Fatalf("row %d: %d tokens estimated, the server counts %d", i, p.InputTokens, real)
		}
		if i == 0 {
			text = p.Text
		}
		s.Ended(0, &bench.Ended{Request: bench.Request{Prompt: p}, Counts: bench.Counts{Input: real}})
	}
	if again := open(t, "testdata/chat.jsonl"); next(t, again).Text != text {
		t.Error("the text of a row changed")
	}
}
