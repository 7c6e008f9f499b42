package stream

import (
	"fmt"
	"testing"
)

func TestUsageInEveryForm(t *testing.T) {
	type sums struct{ input, cached, output, hidden int }
	tests := []struct {
		name   string
		usages []string
		want   sums
	}{
		{"chat names", []string{`{"prompt_tokens":9,"completion_tokens":5,"total_tokens":14,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":2}}`}, sums{9, 4, 5, 2}},
		{"names of the Responses dialect", []string{`{"input_tokens":9,"output_tokens":5,"total_tokens":14,"input_tokens_details":{"cached_tokens":4},"output_tokens_details":{"reasoning_tokens":2}}`}, sums{9, 4, 5, 2}},
		{"names of the Messages dialect", []string{`{"input_tokens":9,"output_tokens":5,"cache_read_input_tokens":4,"cache_creation_input_tokens":1}`}, sums{14, 4, 5, 0}},
		{"those names with a total that holds the cache", []string{`{"input_tokens":9,"output_tokens":5,"cache_read_input_tokens":4,"total_tokens":18}`}, sums{13, 4, 5, 0}},
		{"those names with a total that has the cache in the input", []string{`{"input_tokens":9,"output_tokens":5,"cache_read_input_tokens":4,"total_tokens":14}`}, sums{9, 4, 5, 0}},
		{"a prompt that all came from the cache", []string{`{"input_tokens":0,"output_tokens":5,"cache_read_input_tokens":40}`}, sums{40, 40, 5, 0}},
		{"chat names beside the cache's: it is part of the prompt (LiteLLM)", []string{`{"prompt_tokens":9,"completion_tokens":5,"cache_read_input_tokens":4,"cache_creation_input_tokens":0}`}, sums{9, 4, 5, 0}},
		{"a prompt smaller than its cache cannot hold it", []string{`{"prompt_tokens":3,"completion_tokens":5,"cache_read_input_tokens":40}`}, sums{43, 40, 5, 0}},
		{"names of both kinds, one of them filled with zeros (one-api)", []string{`{"prompt_tokens":9,"completion_tokens":5,"total_tokens":14,"input_tokens":0,"output_tokens":0,"input_tokens_details":null}`}, sums{9, 0, 5, 0}},
		{"DeepSeek's cache", []string{`{"prompt_tokens":9,"completion_tokens":5,"prompt_cache_hit_tokens":4,"prompt_cache_miss_tokens":5}`}, sums{9, 4, 5, 0}},
		{"SGLang's reasoning", []string{`{"prompt_tokens":9,"completion_tokens":5,"total_tokens":14,"reasoning_tokens":2,"prompt_tokens_details":null}`}, sums{9, 0, 5, 2}},
		{"reasoning left out of the completion (xAI)", []string{`{"prompt_tokens":12,"completion_tokens":2,"total_tokens":354,"completion_tokens_details":{"reasoning_tokens":340}}`}, sums{12, 0, 342, 340}},
		{"a total that is too small says nothing", []string{`{"prompt_tokens":12,"completion_tokens":2,"total_tokens":3}`}, sums{12, 0, 2, 0}},
		{"a prompt smaller than what is called cached cannot hold it either", []string{`{"prompt_tokens":10,"completion_tokens":2,"total_tokens":112,"prompt_tokens_details":{"cached_tokens":100}}`}, sums{110, 100, 2, 0}},
		{"unless the total says that there was no more", []string{`{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11,"prompt_tokens_details":{"cached_tokens":16}}`}, sums{9, 9, 2, 0}},
		{"without a total there is room", []string{`{"prompt_tokens":3,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":99}}`}, sums{102, 99, 2, 0}},
		{"a cache under both names is added once", []string{`{"prompt_tokens":3,"completion_tokens":2,"cache_read_input_tokens":40,"cache_creation_input_tokens":2,"prompt_tokens_details":{"cached_tokens":40}}`}, sums{45, 40, 2, 0}},
		{"a prompt that is known only later takes its cache in", []string{`{"prompt_tokens":0,"completion_tokens":1,"prompt_tokens_details":{"cached_tokens":4}}`, `{"prompt_tokens":9,"completion_tokens":2}`}, sums{9, 4, 2, 0}},
		{"a prompt that is all cached holds it", []string{`{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11,"prompt_tokens_details":{"cached_tokens":9}}`}, sums{9, 9, 2, 0}},
		{"a completion smaller than its reasoning cannot hold it", []string{`{"prompt_tokens":3,"completion_tokens":5,"completion_tokens_details":{"reasoning_tokens":99}}`}, sums{3, 0, 104, 99}},
		{"though the total leaves it out too (Perplexity)", []string{`{"prompt_tokens":33,"completion_tokens":7163,"total_tokens":7196,"reasoning_tokens":94051}`}, sums{33, 0, 101214, 94051}},
		{"a completion that is all reasoning but for a token holds it", []string{`{"prompt_tokens":3,"completion_tokens":100,"completion_tokens_details":{"reasoning_tokens":99}}`}, sums{3, 0, 100, 99}},
		{"reasoning that is apart is added once, however often the server says so", []string{`{"prompt_tokens":3,"completion_tokens":5,"reasoning_tokens":99}`, `{"prompt_tokens":3,"completion_tokens":6,"reasoning_tokens":99}`, `{"prompt_tokens":3,"completion_tokens":0}`, `{"prompt_tokens":3}`}, sums{3, 0, 105, 99}},
		{"a completion that comes to hold its reasoning does", []string{`{"prompt_tokens":3,"completion_tokens":5,"reasoning_tokens":9}`, `{"prompt_tokens":3,"completion_tokens":12,"reasoning_tokens":9}`}, sums{3, 0, 12, 9}},
		{"a prompt of zero is not known, and its difference to the total no output", []string{`{"prompt_tokens":0,"completion_tokens":2,"total_tokens":22}`}, sums{0, 0, 2, 0}},
		{"nor is it one where no completion is told", []string{`{"prompt_tokens":0,"total_tokens":22}`}, sums{0, 0, 1, 0}},
		{"a total behind a prompt that was told is", []string{`{"prompt_tokens":5}`, `{"total_tokens":11}`}, sums{5, 0, 6, 0}},
		{"numbers as strings", []string{`{"prompt_tokens":"9","completion_tokens":"5"}`}, sums{9, 0, 5, 0}},
		{"numbers as fractions", []string{`{"prompt_tokens":9.0,"completion_tokens":5.9}`}, sums{9, 0, 5, 0}},
		{"numbers with exponents", []string{`{"prompt_tokens":9e0,"completion_tokens":5E+1}`}, sums{9, 0, 50, 0}},
		{"negative numbers are none", []string{`{"prompt_tokens":-1,"completion_tokens":-5,"total_tokens":-6}`}, sums{0, 0, 1, 0}},
		{"nor are those beyond all reason", []string{`{"prompt_tokens":99999999999999999999,"completion_tokens":1e300,"total_tokens":9223372036854775807}`}, sums{0, 0, 1, 0}},
		{"nor words, truths, arrays and null", []string{`{"prompt_tokens":"7 or so","completion_tokens":true,"total_tokens":[7],"prompt_tokens_details":"x"}`, `{"prompt_tokens":null,"completion_tokens":{"a":1}}`}, sums{0, 0, 1, 0}},
		{"usage that is no object is none", []string{`{"prompt_tokens":9,"completion_tokens":5}`, `[]`, `7`, `"none"`, `null`, `false`}, sums{9, 0, 5, 0}},
		{"the last one holds, of each number", []string{`{"prompt_tokens":9,"completion_tokens":5}`, `{"completion_tokens":7}`, `{"prompt_tokens":8}`}, sums{8, 0, 7, 0}},
		{"nulls and zeros wipe nothing", []string{`{"prompt_tokens":9,"completion_tokens":5}`, `{"prompt_tokens":null,"completion_tokens":0,"total_tokens":0}`, `{}`}, sums{9, 0, 5, 0}},
		{"a number that falls is the last one too", []string{`{"prompt_tokens":9,"completion_tokens":7,"total_tokens":16}`, `{"prompt_tokens":9,"completion_tokens":5}`}, sums{9, 0, 5, 0}},
		{"a count that comes twice in one object", []string{`{"completion_tokens":5,"completion_tokens":6,"prompt_tokens":1}`}, sums{1, 0, 6, 0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body := text("a") + stop
			for _, u := range tt.usages {
				body += data(`{"choices":[],"usage":` + u + `}`)
			}
			e, _ := run(Options{}, nil, lines(body+done)...)
			c := e.Counts
			if got := (sums{c.Input, c.Cached, c.Output, c.Hidden}); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestGapsHoldTheServersTokensWhereItCounts(t *testing.T) {
	usage := func(n int) string { return with(fmt.Sprintf(`"usage":{"prompt_tokens":3,"completion_tokens":%d}`, n)) }
	tests := []struct {
		name           string
		texts          []string
		counted        bool
		events, tokens string
	}{
		{"a server that counts as it goes", []string{usage(4), usage(8), usage(9) + usage(12)}, true, "[1 2]", "[4 4]"},
		{"a chunk without a count has none, and the next one holds it", []string{usage(4), text("a"), usage(12)}, true, "[1 1]", "[0 8]"},
		{"a server that does not", []string{text("a"), text("b"), text("c") + text("d")}, false, "[1 2]", "[1 2]"},
		{"one that begins in the middle", []string{text("a"), text("b"), usage(10), usage(13)}, false, "[1 1 1]", "[1 1 3]"},
		{"one chunk has no gaps", []string{usage(4)}, false, "[]", "[]"},
	}
	for _, tt := range tests {
		e, _ := run(Options{}, nil, every(tt.texts...)...)
		events, tokens := []int{}, []int{}
		for _, n := range e.Gaps.All() {
			events = append(events, n)
		}
		for _, n := range e.Gaps.AllTokens() {
			tokens = append(tokens, n)
		}
		if fmt.Sprint(events) != tt.events || fmt.Sprint(tokens) != tt.tokens || e.Gaps.Tokens() != tt.counted {
			t.Errorf("%s: events %v, tokens %v, counted %v", tt.name, events, tokens, e.Gaps.Tokens())
		}
	}
}
