package stream

import (
	"strings"
	"testing"

	"redline/bench"
)

// Streams as servers and gateways send them, shortened.
func TestProviders(t *testing.T) {
	at := func(source bench.Source, events, output, input int, finish string) want {
		return want{source: source, first: 100 * ms, answer: 100 * ms, last: 100 * ms, events: events, output: output, input: input, finish: finish}
	}
	chunk := func(delta, rest string) string {
		return data(`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{` + delta + `},"logprobs":null` + rest)
	}
	checkRows(t, []row{
		{"OpenAI: a role, text, a finish, usage; padding and null usage on each", lines(chunk(`"role":"assistant","content":"","refusal":null`, `,"finish_reason":null}],"usage":null,"obfuscation":"aZ3"}`) +
			chunk(`"content":"a"`, `,"finish_reason":null}],"usage":null,"obfuscation":"q"}`) + chunk("", `,"finish_reason":"stop"}],"usage":null,"obfuscation":"x"}`) +
			data(`{"id":"c","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":1,"total_tokens":10,"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0}}}`) + done), nil,
			at(bench.FromUsage, 1, 1, 9, "stop")},
		{"Azure: filters before and behind, hidden reasoning", lines(data(`{"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[{"prompt_index":0,"content_filter_results":{"hate":{"filtered":false}}}]}`) +
			chunk(`"content":"a"`, `,"content_filter_results":{},"finish_reason":null}],"usage":null}`) + chunk("", `,"finish_reason":"stop"}],"usage":null}`) +
			data(`{"choices":[{"content_filter_offsets":{"check_offset":5},"content_filter_results":{"hate":{"filtered":false}},"finish_reason":null,"index":0}]}`) +
			data(`{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":65,"total_tokens":74,"completion_tokens_details":{"reasoning_tokens":64}}}`) + done), nil,
			func() want { w := at(bench.FromUsage, 1, 65, 9, "stop"); w.hidden = 64; return w }()},
		{"Groq: usage twice on the finish event", lines(chunk(`"role":"assistant","content":""`, `,"finish_reason":null}],"x_groq":{"id":"req","seed":1}}`) + chunk(`"content":"a"`, `,"finish_reason":null}]}`) +
			chunk("", `,"finish_reason":"stop"}],"x_groq":{"id":"req","usage":{"queue_time":0.1,"prompt_tokens":8,"completion_tokens":7}},"usage":{"queue_time":0.1,"prompt_tokens":9,"prompt_time":0.01,"completion_tokens":1,"total_tokens":10}}`) + done), nil,
			at(bench.FromUsage, 1, 1, 9, "stop")},
		{"Groq: usage in its extension alone", lines(chunk(`"content":"a"`, `,"finish_reason":null}]}`) + chunk("", `,"finish_reason":"stop"}],"x_groq":{"usage":{"prompt_tokens":9,"completion_tokens":1}}}`) + done), nil,
			at(bench.FromUsage, 1, 1, 9, "stop")},
		{"DashScope: several tokens an event, finish reasons that are the word null", lines(chunk(`"content":"","reasoning_content":"","role":"assistant"`, `,"finish_reason":"null"}],"usage":null}`) + chunk(`"content":"abcd"`, `}],"usage":null}`) +
			chunk(`"content":""`, `,"finish_reason":"stop"}],"usage":null}`) + data(`{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13}}`) + done), nil,
			at(bench.FromUsage, 1, 4, 9, "stop")},
		{"DeepSeek: keep-alive comments, usage on the finish event", lines(": keep-alive\n\n: keep-alive\n\n" + chunk(`"role":"assistant","content":null,"reasoning_content":""`, `,"finish_reason":null}],"usage":null}`) +
			chunk(`"content":"a","reasoning_content":null`, `,"finish_reason":null}],"usage":null}`) + chunk(`"content":"","reasoning_content":null`, `,"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11,"prompt_cache_hit_tokens":0}}`) + done), nil,
			at(bench.FromUsage, 1, 2, 9, "stop")},
		{"Mistral: the length of the model as an end", lines(chunk(`"content":"a"`, `,"finish_reason":"model_length"}],"usage":{"prompt_tokens":9,"completion_tokens":1,"total_tokens":10}}`) + done), nil,
			at(bench.FromUsage, 1, 1, 9, "model_length")},
		{"Perplexity: CRLF, usage and citations on every event, the answer so far beside each delta", lines(strings.ReplaceAll(
			data(`{"object":"chat.completion.chunk","usage":{"prompt_tokens":9,"completion_tokens":1,"total_tokens":10},"citations":["u"],"choices":[{"index":0,"finish_reason":null,"message":{"role":"assistant","content":"a"},"delta":{"role":"assistant","content":"a"}}]}`)+
				data(`{"object":"chat.completion.chunk","usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11},"choices":[{"index":0,"finish_reason":null,"message":{"role":"assistant","content":"ab"},"delta":{"role":"assistant","content":"b"}}]}`)+
				data(`{"object":"chat.completion.done","usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11},"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"ab"},"delta":{"role":"assistant","content":""}}]}`), "\n", "\r\n")), nil,
			at(bench.FromContinuous, 2, 2, 9, "stop")},
		{"vLLM: continuous usage from the role on, and once more at the end", lines(data(`{"choices":[{"index":0,"delta":{"role":"assistant","content":""}}],"usage":{"prompt_tokens":9,"completion_tokens":0,"total_tokens":9}}`) +
			data(`{"choices":[{"index":0,"delta":{"content":"abc"}}],"usage":{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12}}`) +
			data(`{"choices":[{"index":0,"delta":{"content":"d"},"finish_reason":"stop","stop_reason":"END"}],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13}}`) +
			data(`{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13}}`) + done), nil,
			at(bench.FromContinuous, 2, 4, 9, "stop")},
		{"SGLang: nulls everywhere, hidden states between finish and usage", lines(chunk(`"role":null,"content":"a","reasoning_content":null,"tool_calls":null`, `,"finish_reason":null,"matched_stop":null}],"usage":null}`) +
			chunk(`"role":null,"content":null,"tool_calls":null`, `,"finish_reason":"stop","matched_stop":2}],"usage":null}`) + data(`{"choices":[],"sglext":{"hidden":[1]}}`) +
			data(`{"choices":[],"usage":{"prompt_tokens":9,"total_tokens":10,"completion_tokens":1,"prompt_tokens_details":null,"reasoning_tokens":0}}`) + done), nil,
			at(bench.FromUsage, 1, 1, 9, "stop")},
		{"TensorRT-LLM: a space at the end of each line", lines(strings.ReplaceAll(chunk(`"role":"assistant"`, `}]}`)+chunk(`"content":"a"`, `,"finish_reason":"stop"}]}`)+done, "\n\n", " \n\n")), nil,
			at(bench.FromEvents, 1, 1, 0, "stop")},
		{"TGI: no space, overload told inside the stream", lines(`data:{"error":{"message":"Model is overloaded","http_status_code":422}}` + "\n\ndata:[DONE]\n\n"), nil,
			want{outcome: bench.Overloaded, source: bench.FromPart, first: none, answer: none, last: none, message: "overloaded"}},
		{"Ollama: a failure in mid-stream is an empty event and the end", lines(chunk(`"role":"assistant","content":"a"`, `,"finish_reason":null}]}`) + chunk("", `,"finish_reason":null}]}`)), nil,
			func() want {
				w := at(bench.FromPart, 1, 1, 0, "")
				w.outcome, w.message = bench.Truncated, "without"
				return w
			}()},
		{"a router: cumulative usage, and null at the end", lines(chunk(`"content":"a"`, `}],"usage":{"prompt_tokens":9,"completion_tokens":1}}`) + chunk(`"content":"b"`, `}],"usage":{"prompt_tokens":9,"completion_tokens":2}}`) +
			chunk("", `,"finish_reason":"stop"}],"usage":null}`) + data(`{"choices":[],"usage":null}`) + done), nil,
			at(bench.FromContinuous, 2, 2, 9, "stop")},
		{"LiteLLM: usage with a choice beside it", lines(chunk(`"content":"a"`, `}]}`) + chunk("", `,"finish_reason":"stop"}]}`) + data(`{"choices":[{"index":0,"delta":{}}],"usage":{"prompt_tokens":9,"completion_tokens":1}}`) + done), nil,
			at(bench.FromUsage, 1, 1, 9, "stop")},
		{"GLM: thinking first, and a filter that ends it", lines(chunk(`"role":"assistant","content":"a","reasoning_content":""`, `}]}`) + chunk("", `,"finish_reason":"sensitive"}],"usage":{"prompt_tokens":9,"completion_tokens":1}}`) + done), nil,
			at(bench.FromUsage, 1, 1, 9, "sensitive")},
		{"OpenRouter: comments, and comments as data", lines(": OPENROUTER PROCESSING\n\ndata: : OPENROUTER PROCESSING\n\n" + chunk(`"role":"assistant","content":"a"`, `,"finish_reason":null,"native_finish_reason":null}],"provider":"p"}`) +
			chunk(`"role":"assistant","content":""`, `,"finish_reason":"stop","native_finish_reason":"STOP"}]}`) + data(`{"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"usage":{"prompt_tokens":9,"completion_tokens":1,"cost":0.1,"cost_details":{}}}`) + done), nil,
			at(bench.FromUsage, 1, 1, 9, "stop")},
	})
}

func TestChunkedPrefillStartsNoClock(t *testing.T) {
	e, chunks := run(Options{Stall: 1000 * ms}, nil, read{900 * ms, role}, read{2200 * ms, text("a")}, read{2220 * ms, text("b")}, read{2240 * ms, stop}, read{2540 * ms, usage3 + done})
	if ttft, ok := e.TTFT(); !ok || ttft != 2200*ms {
		t.Errorf("TTFT %v", ttft)
	}
	if len(chunks) != 2 || e.MaxGap != 20*ms || e.Stalls != 0 || e.Marks.LastToken.At != 2220*ms {
		t.Errorf("%d chunks, longest gap %v, %d stalls, last token %v", len(chunks), e.MaxGap, e.Stalls, e.Marks.LastToken.At)
	}
}
