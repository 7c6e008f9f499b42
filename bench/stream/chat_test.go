package stream

import (
	"strings"
	"testing"

	"redline/bench"
)

// data is one event.
func data(payload string) string { return "data: " + payload + "\n\n" }

func TestChatEventsInEveryForm(t *testing.T) {
	one := func(w want) want {
		w.first, w.answer, w.last, w.events, w.output = 100*ms, 100*ms, 100*ms, 1, max(w.output, 1)
		return w
	}
	stopped := one(want{finish: "stop"})
	role := delta(`"role":"assistant","content":null`)
	checkRows(t, []row{
		{"a role with real text beside it is a token (Ollama, LM Studio, Kimi)", every(delta(`"role":"assistant","content":"<think>"`), stop, done), nil, stopped},
		{"a role on every event is nothing (TGI)", lines(role + delta(`"role":"assistant","content":"a"`) + delta(`"role":"assistant"`) + delta(`"role":"assistant"`) + stop), nil, stopped},
		{"choices may be an object", lines(data(`{"choices":{"index":0,"delta":{"content":"a"}}}`) + data(`{"choices":{"index":0,"delta":{},"finish_reason":"stop"}}`)), nil, stopped},
		{"choices that are a number, a string or a truth are none", lines(data(`{"choices":7}`) + data(`{"choices":"a"}`) + data(`{"choices":[true,"a",3]}`) + text("a") + stop), nil, stopped},
		{"a choice may have no index, or a string, a fraction or a negative number for one",
			lines(data(`{"choices":[{"delta":{"content":"a"}}]}`) + data(`{"choices":[{"index":"0","delta":{}}]}`) + data(`{"choices":[{"index":-1,"delta":{}}]}`) +
				data(`{"choices":[{"index":0.0,"delta":{}}]}`) + data(`{"choices":[{"index":null,"delta":{},"finish_reason":"stop"}]}`)), nil, stopped},
		{"indexes that are strings are told apart", lines(text("a") + data(`{"choices":[{"index":"1","delta":{}}]}`) + stop), nil,
			one(want{outcome: bench.Truncated, source: bench.FromPart, finish: "stop", message: "without"})},
		{"one of two choices that never finishes is no harm behind [DONE]", lines(text("a") + data(`{"choices":[{"index":1,"delta":{}}]}`) + stop + done), nil, stopped},
		{"a hundred choices must all finish, or [DONE] must come", lines(text("a") + data(`{"choices":[{"index":99,"delta":{}}]}`) + stop), nil,
			one(want{outcome: bench.Truncated, source: bench.FromPart, finish: "stop", message: "without"})},
		{"a delta may be a string", lines(data(`{"choices":[{"delta":"a"}]}`) + data(`{"choices":[{"delta":""}]}`) + stop), nil, stopped},
		{"a delta that is a number or an array is none", lines(data(`{"choices":[{"delta":7},{"delta":["a"]}]}`) + text("a") + stop), nil, stopped},
		{"the older completions have a text, which may be empty or null", lines(data(`{"object":"text_completion","choices":[{"index":0,"text":"","logprobs":null,"finish_reason":null}]}`) +
			data(`{"choices":[{"index":0,"text":null}]}`) + data(`{"choices":[{"index":0,"text":" "}]}`) + data(`{"choices":[{"index":0,"text":"","finish_reason":"stop"}]}`)), nil, stopped},
		{"text and delta of one choice are one token (Together)", lines(data(`{"choices":[{"index":0,"text":"a","delta":{"content":"a","token_id":5}}]}`) + stop), nil, stopped},
		{"a finish reason beside the last text ends it too", lines(data(`{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}`)), nil, stopped},
		{"a stop string that the server matched is no finish reason (vLLM)", lines(data(`{"choices":[{"delta":{"content":"a"},"finish_reason":null,"stop_reason":"END"}]}`)), nil,
			one(want{outcome: bench.Truncated, source: bench.FromPart, message: "without"})},
		{"a finish reason may be in capitals", lines(text("a") + data(`{"choices":[{"delta":{},"finish_reason":"STOP"}]}`)), nil, one(want{finish: "STOP"})},
		{"a failing one fails in capitals", lines(text("a") + data(`{"choices":[{"delta":{},"finish_reason":"Abort"}]}`)), nil,
			one(want{outcome: bench.StreamError, finish: "Abort", message: "finish reason Abort"})},
		{"an empty finish reason, the words null and None, and what is no string are none", lines(text("a") + data(`{"choices":[{"finish_reason":""}]}`) +
			data(`{"choices":[{"finish_reason":"null"}]}`) + data(`{"choices":[{"finish_reason":"None"}]}`) + data(`{"choices":[{"finish_reason":0}]}`) + data(`{"choices":[{"finish_reason":{"a":1}}]}`)), nil,
			one(want{outcome: bench.Truncated, source: bench.FromPart, message: "without"})},
		{"a finish reason that never comes is no harm behind [DONE] (LightLLM)", lines(text("a") + done), nil, one(want{})},
		{"keys that come twice say both", lines(data(`{"choices":[{"delta":{"content":"a"},"finish_reason":"stop","finish_reason":null}],"choices":[]}`)), nil, stopped},
		{"an error that is null, beside choices, is none", lines(data(`{"error":null,"choices":[{"delta":{"content":"a"}}]}`) + stop), nil, stopped},
		{"so is one that says nothing, beside choices", lines(data(`{"error":{"message":"","type":"","code":null},"choices":[{"delta":{"content":"a"}}]}`) + stop), nil, stopped},
		{"alone it is one", lines(text("a") + data(`{"error":{"message":"","code":null},"choices":[]}`) + done), nil,
			one(want{outcome: bench.StreamError, source: bench.FromPart, message: `"message":""`})},
		{"a code that is a success, words without a code and a code without words are none",
			lines(data(`{"code":200,"message":"ok"}`) + data(`{"message":"hold on"}`) + data(`{"code":7}`) + text("a") + data(`{"code":"Success","message":"ok","usage":{"prompt_tokens":0}}`) + stop), nil, stopped},
		{"nor are both beside choices", lines(data(`{"code":7,"message":"m","choices":[{"delta":{"content":"a"}}]}`) + stop), nil, stopped},
		{"an error in a choice is one (OpenRouter)", lines(text("a") + data(`{"choices":[{"error":{"code":502,"message":"upstream"},"finish_reason":"error"}]}`)), nil,
			one(want{outcome: bench.StreamError, source: bench.FromPart, finish: "error", message: "upstream"})},
		{"a status that is not zero is an error (MiniMax)", lines(data(`{"choices":[{"delta":{"content":"a"}}],"base_resp":{"status_code":0,"status_msg":""}}`) + data(`{"base_resp":{"status_code":1002,"status_msg":"too fast"}}`)), nil,
			one(want{outcome: bench.StreamError, source: bench.FromPart, message: "too fast"})},
		{"probabilities without text are no token", lines(text("a") + data(`{"choices":[{"index":0,"delta":{"content":""},"logprobs":{"content":[{"token":"x","logprob":-1}]}}]}`) + stop), nil, stopped},
		{"text that is not UTF-8, or half of a surrogate pair, is text", lines(data("{\"choices\":[{\"delta\":{\"content\":\"\xff\xfe\"}}]}") + data(`{"choices":[{"index":0,"finish_reason":"st\u006fp"}]}`)), nil, stopped},
		{"half a surrogate pair", lines(delta(`"content":"\ud83d"`) + stop), nil, stopped},
		{"keys written with escapes are keys", lines(data(`{"\u0063hoices":[{"d\u0065lta":{"content":"a"}}]}`) + stop), nil, stopped},
		{"the answer so far beside each delta is no token (Perplexity)",
			lines(data(`{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"a"},"message":{"content":"a"}}]}`) +
				data(`{"object":"chat.completion.done","choices":[{"index":0,"delta":{"content":""},"message":{"content":"a"},"finish_reason":"stop"}]}`)), nil, stopped},
		{"nor is the whole answer at the end (MiniMax)", lines(text("a") + data(`{"object":"chat.completion","choices":[{"index":0,"message":{"content":"a"},"finish_reason":"stop"}]}`)), nil, stopped},
		{"the whole answer in one event is one token event", lines(data(`{"object":"chat.completion","choices":[{"index":0,"message":{"content":"ab"},"finish_reason":"stop"}]}`)), nil, stopped},
		{"nor is the answer so far beside a delta without text",
			lines(text("a") + data(`{"choices":[{"index":0,"delta":{"role":"assistant"},"message":{"content":"a"}}]}`) + stop), nil, stopped},
		{"messages may stand where deltas do", lines(data(`{"choices":[{"message":{"content":"a"}}]}`) + data(`{"choices":[{"message":{"content":"b"}}]}`) + stop), nil, two(want{finish: "stop"})},
		{"a message may stand where deltas do", lines(data(`{"choices":[{"message":{"content":"a"}}]}`) + stop), nil, stopped},
		{"text under the name response is text (Workers AI)", lines(data(`{"response":"a","p":"xy"}`) + data(`{"response":"","usage":null}`) + done), nil, one(want{})},
		{"a filter that ends the answer is a proper end", lines(text("a") + data(`{"choices":[{"delta":{},"finish_reason":"content_filter"}]}`)), nil, one(want{finish: "content_filter"})},
		{"so is one that comes before any text", lines(data(`{"choices":[{"delta":{},"finish_reason":"content_filter"}]}`) + done), nil, want{first: none, answer: none, last: none, finish: "content_filter"}},
		{"an answer that its length ended is one", lines(text("a") + data(`{"choices":[{"delta":{},"finish_reason":"length"}]}`)), nil, one(want{finish: "length"})},
		{"a refusal is text", lines(delta(`"refusal":"no"`) + stop), nil, stopped},
		{"tool calls may be an object", lines(delta(`"tool_calls":{"function":{"arguments":"{"}}`) + stop), nil, stopped},
		{"a tool call whose arguments are empty or null is no token", lines(delta(`"tool_calls":[{"index":0,"id":"","function":{"name":null,"arguments":""}}]`) +
			delta(`"tool_calls":[{"function":{"arguments":null}},{"function":null},null]`) + delta(`"tool_calls":[{"function":{"arguments":{}}}]`) + text("a") + stop), nil, stopped},
		{"a tool call may come whole, arguments as an object (Mistral)", lines(delta(`"tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]`) + stop), nil, stopped},
		{"arguments that come as an object are text without a name", lines(delta(`"tool_calls":[{"function":{"arguments":{"a":1}}}]`) + stop), nil, stopped},
		{"the older call of a function is one", lines(delta(`"function_call":{"name":"","arguments":"{"}`) + stop), nil, stopped},
		{"pictures and annotations are no text", lines(text("a") + delta(`"images":[{"image_url":{"url":"data:x"}}],"annotations":[{"type":"url_citation"}]`) + stop), nil, stopped},
		{"usage in the choice counts where there is no other (Moonshot)", lines(text("a") + data(`{"choices":[{"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":4,"completion_tokens":1}}]}`)), nil,
			one(want{source: bench.FromUsage, input: 4, finish: "stop"})},
		{"white space is text", lines(text(" \n") + stop), nil, stopped},
		{"payloads that are no objects say nothing", lines(data("5") + data("null") + data(`"x"`) + data("[]") + data("true") + text("a") + stop), nil, stopped},
	})
}

func TestReasoningInEveryForm(t *testing.T) {
	for _, fields := range []string{`"reasoning_content":"hm"`, `"content":"","reasoning_content":"hm"`, `"content":null,"reasoning":"hm"`, `"reasoning_details":[{"type":"reasoning.text","text":"hm"}]`,
		`"reasoning":"hm","reasoning_details":[{"type":"reasoning.summary","summary":"hm"}]`, `"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]`,
		`"content":[{"text":"hm","type":"reasoning"}]`, `"thinking_blocks":[{"type":"thinking","thinking":"hm","signature":""}]`, `"reasoning_content":{"text":"hm"}`} {
		e, _ := run(Options{}, nil, lines(delta(fields)+text("a")+stop)...)
		if e.Counts.Events != 2 || e.Counts.Reasoning != 1 {
			t.Errorf("%s: %+v", fields, e.Counts)
		}
	}
	for _, fields := range []string{`"reasoning_content":""`, `"reasoning":null`, `"reasoning_details":[{"type":"reasoning.encrypted","data":"gAAA"}]`, `"reasoning_details":[]`,
		`"thinking_blocks":[{"type":"thinking","thinking":"","signature":"x"}]`, `"content":[{"type":"thinking","thinking":[]}]`, `"reasoning":7`} {
		e, _ := run(Options{}, nil, lines(delta(fields)+text("a")+stop)...)
		if e.Counts.Events != 1 || e.Counts.Reasoning != 0 {
			t.Errorf("%s: %+v", fields, e.Counts)
		}
	}
}

func TestFaultsOfEveryServer(t *testing.T) {
	tests := []struct {
		payload string
		outcome bench.Outcome
		message string
	}{
		{`{"error":{"message":"m","type":"RateLimitError","code":null}}`, bench.RateLimited, "m"},
		{`{"error":{"message":"m","code":"too_many_requests"}}`, bench.RateLimited, "m"},
		{`{"error":{"message":"m","code":"Throttling.RateQuota"}}`, bench.RateLimited, "m"},
		{`{"error":{"message":"m","code":429,"status":"RESOURCE_EXHAUSTED"}}`, bench.RateLimited, "m"},
		{`[{"error":{"message":"m","code":503,"status":"UNAVAILABLE"}}]`, bench.Overloaded, "m"},
		{`{"error":{"message":"m","status":"UNAVAILABLE"}}`, bench.Overloaded, "m"},
		{`{"error":{"message":"Loading model","type":"unavailable_error","code":503}}`, bench.Overloaded, "Loading model"},
		{`{"error":{"message":"m","code":"server_is_overloaded","type":"service_unavailable_error"}}`, bench.Overloaded, "m"},
		{`{"error":{"message":"m","code":"slow_down"}}`, bench.Overloaded, "m"},
		{`{"error":"Model is overloaded","error_type":"overloaded"}`, bench.Overloaded, "Model is overloaded"},
		{`{"error":{"message":"m","code":"invalid_api_key","type":"invalid_request_error"}}`, bench.Unauthorized, "m"},
		{`{"error":{"message":"m","type":"AuthenticationError","code":401}}`, bench.Unauthorized, "m"},
		{`{"error":{"message":"m","status":"PERMISSION_DENIED","code":403}}`, bench.Unauthorized, "m"},
		{`{"error":{"message":"m","code":"insufficient_credits"}}`, bench.Unauthorized, "m"},
		{`{"error":{"message":"m","type":"BadRequestError","code":400}}`, bench.StreamError, "m"},
		{`{"error":{"message":"m","code":"1301"}}`, bench.StreamError, "m"},
		{`{"type":"response.error","message":"m","code":"server_error"}`, bench.StreamError, "m"},
		{`{"type":"response.failed","response":{"error":{"code":"rate_limit_exceeded","message":"m"}}}`, bench.RateLimited, "m"},
		{`{"type":"error","error":null,"message":"m","code":"server_error"}`, bench.StreamError, "m"},
		{`{"code":"Throttling.RateQuota","message":"m","request_id":"r"}`, bench.RateLimited, "m"},
		{`{"success":false,"code":500,"message":"m"}`, bench.StreamError, "m"},
		{`{"errors":[{"message":"m","code":7003}]}`, bench.StreamError, "m"},
	}
	for _, tt := range tests {
		e, _ := run(Options{}, nil, lines(data(tt.payload))...)
		if e.Outcome != tt.outcome || e.Message != tt.message {
			t.Errorf("%s: %v %q, want %v %q", tt.payload, e.Outcome, e.Message, tt.outcome, tt.message)
		}
	}
}

func TestLongestLine(t *testing.T) {
	// Just short of the bound, and just over it.
	fits := delta(`"content":"` + strings.Repeat("x", MaxLine-200) + `"`)
	over := delta(`"content":"` + strings.Repeat("x", MaxLine) + `"`)
	e, _ := run(Options{}, nil, lines(fits+over+text("b")+stop)...)
	if e.Outcome != bench.OK || e.Counts.Events != 2 || e.Counts.Malformed != 1 {
		t.Errorf("%v %q, %+v", e.Outcome, e.Message, e.Counts)
	}
}
