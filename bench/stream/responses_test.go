package stream

import (
	"fmt"
	"testing"
	"time"

	"redline/bench"
)

// typed is an event of the Responses dialect, named twice as its servers do.
func typed(kind, fields string) string {
	if fields != "" {
		fields = "," + fields
	}
	return fmt.Sprintf("event: %s\ndata: {\"type\":%q,\"sequence_number\":7%s}\n\n", kind, kind, fields)
}

func responseText(s string) string {
	return typed("response.output_text.delta", fmt.Sprintf(`"item_id":"m","output_index":0,"content_index":0,"delta":%q,"logprobs":[],"obfuscation":"x8s"`, s))
}

const responseUsage = `"usage":{"input_tokens":7,"input_tokens_details":{"cached_tokens":4},"output_tokens":%d,"output_tokens_details":{"reasoning_tokens":%d},"total_tokens":%d}`

func completed(output, reasoning int) string {
	return typed("response.completed", `"response":{"id":"r","object":"response","status":"completed","error":null,"incomplete_details":null,"output":[{"type":"message","content":[{"type":"output_text","text":"ab"}]}],`+
		fmt.Sprintf(responseUsage, output, reasoning, 7+output)+`}`)
}

var opening = typed("response.created", `"response":{"id":"r","status":"in_progress","error":null,"usage":null,"output":[]}`) +
	typed("response.in_progress", `"response":{"id":"r","status":"in_progress","error":null,"usage":null}`) +
	typed("response.output_item.added", `"output_index":0,"item":{"type":"message","status":"in_progress","content":[],"role":"assistant"}`) +
	typed("response.content_part.added", `"part":{"type":"output_text","annotations":[],"logprobs":[],"text":""}`)

func TestResponsesDialect(t *testing.T) {
	text, reasoned := responseText, func(kind, s string) string { return typed(kind, fmt.Sprintf(`"delta":%q`, s)) }
	checkRows(t, []row{
		{"text deltas are tokens; what opens the response, and what repeats its text, is none; no [DONE] is needed",
			every(opening, text("a"), text(" "), typed("response.output_text.done", `"text":"a "`)+typed("response.content_part.done", `"part":{"type":"output_text","text":"a "}`)+
				typed("response.output_item.done", `"item":{"type":"message","content":[{"type":"output_text","text":"a "}]}`), completed(2, 0)), nil,
			want{source: bench.FromUsage, first: 110 * ms, answer: 110 * ms, last: 120 * ms, events: 2, output: 2, input: 7, finish: "completed"}},
		{"the type may stand behind the delta, and be the last thing said",
			every(`data: {"delta":"hm","type":"response.reasoning_text.delta"}`+"\n\n", `data: {"delta":"a","item_id":"m","type":"response.output_text.delta"}`+"\n\n",
				`data: {"text":"a","type":"response.output_text.done"}`+"\n\n", completed(2, 0)), nil,
			want{source: bench.FromUsage, first: 100 * ms, answer: 110 * ms, last: 110 * ms, events: 2, output: 2, input: 7, reasoning: 1, finish: "completed"}},
		{"the name of the event may stand on its own line alone",
			every("event: response.reasoning_text.delta\ndata: {\"delta\":\"hm\"}\n\n", "event: response.output_text.delta\ndata: {\"delta\":\"a\"}\n\n",
				"event: response.output_text.done\ndata: {\"text\":\"a\"}\n\n", "event: response.completed\ndata: {\"response\":{}}\n\n"), nil,
			want{source: bench.FromEvents, first: 100 * ms, answer: 110 * ms, last: 110 * ms, events: 2, output: 2, reasoning: 1, finish: "completed"}},
		{"what the event says itself outweighs that line, which holds for one payload",
			every("event: message\ndata: {\"type\":\"response.reasoning_text.delta\",\"delta\":\"hm\"}\n\n", "event: response.reasoning_text.delta\ndata: {\"delta\":\"hm\"}\ndata: {\"delta\":\"a\"}\n\n",
				"event: response.done\ndata: {\"response\":{\"status\":\"completed\"}}\n\n"), nil,
			want{source: bench.FromEvents, first: 100 * ms, answer: 110 * ms, last: 110 * ms, events: 3, output: 3, reasoning: 2, finish: "completed"}},
		{"what one event says of its response holds for no other",
			every(text("a"), "event: response.in_progress\ndata: {\"response\":{\"status\":\"failed\",\"incomplete_details\":{\"reason\":\"x\"}}}\n\n", "event: response.completed\ndata: {\"response\":{}}\n\n"), nil,
			want{source: bench.FromEvents, first: 100 * ms, answer: 100 * ms, last: 100 * ms, events: 1, output: 1, finish: "completed"}},
		{"an empty delta is none",
			every(opening+text(""), text("a"), completed(1, 0)), nil,
			want{source: bench.FromUsage, first: 110 * ms, answer: 110 * ms, last: 110 * ms, events: 1, output: 1, input: 7, finish: "completed"}},
		{"refusals, arguments of calls, code and transcripts are text",
			every(reasoned("response.refusal.delta", "no"), reasoned("response.function_call_arguments.delta", "{"), reasoned("response.custom_tool_call_input.delta", "x"),
				reasoned("response.code_interpreter_call_code.delta", "y"), reasoned("response.mcp_call_arguments.delta", "z"), reasoned("response.audio.transcript.delta", "t")+
					typed("response.function_call_arguments.done", `"arguments":"{}"`)+typed("response.custom_tool_call_input.done", `"input":"x"`)+
					typed("response.code_interpreter_call_code.done", `"code":"y"`)+typed("response.refusal.done", `"refusal":"no"`), completed(6, 0)), nil,
			want{source: bench.FromUsage, first: 100 * ms, answer: 100 * ms, last: 150 * ms, events: 6, output: 6, input: 7, finish: "completed"}},
		{"an annotation, a partial image and a search under way are none",
			every(text("a"), typed("response.output_text.annotation.added", `"annotation":{"type":"url_citation","title":"t"}`)+
				typed("response.web_search_call.searching", `"item_id":"w"`)+typed("response.image_generation_call.partial_image", `"partial_image_b64":"AAAA"`), completed(1, 0)), nil,
			want{source: bench.FromUsage, first: 100 * ms, answer: 100 * ms, last: 100 * ms, events: 1, output: 1, input: 7, finish: "completed"}},
		{"reasoning that is only summed up stays hidden, as far as the events leave room",
			every(reasoned("response.reasoning_summary_text.delta", "hm"), text("a"), text("b"), completed(103, 100)), nil,
			want{source: bench.FromUsage, first: 100 * ms, answer: 110 * ms, last: 120 * ms, events: 3, output: 103, input: 7, hidden: 100, reasoning: 1, finish: "completed"}},
		{"reasoning that is streamed is not",
			every(reasoned("response.reasoning_text.delta", "hm"), text("a"), completed(103, 100)), nil,
			want{source: bench.FromUsage, first: 100 * ms, answer: 110 * ms, last: 110 * ms, events: 2, output: 103, input: 7, reasoning: 1, finish: "completed"}},
		{"reasoning that is not streamed at all is",
			every(opening, text("a"), completed(65, 64)), nil,
			want{source: bench.FromUsage, first: 110 * ms, answer: 110 * ms, last: 110 * ms, events: 1, output: 65, input: 7, hidden: 64, finish: "completed"}},
		{"an older delta is an object with text in it",
			every(typed("response.reasoning_summary.delta", `"delta":{"text":"hm"}`), typed("response.output_text.delta", `"delta":{"text":"a"}`), completed(2, 0)), nil,
			want{source: bench.FromUsage, first: 100 * ms, answer: 110 * ms, last: 110 * ms, events: 2, output: 2, input: 7, reasoning: 1, finish: "completed"}},
		{"a response that its length cut short is a proper end",
			every(text("a"), typed("response.incomplete", `"response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},`+fmt.Sprintf(responseUsage, 1, 0, 8)+`}`)), nil,
			want{source: bench.FromUsage, first: 100 * ms, answer: 100 * ms, last: 100 * ms, events: 1, output: 1, input: 7, finish: "max_output_tokens"}},
		{"so is one that a filter cut, though it gives no usage",
			every(text("a"), typed("response.incomplete", `"response":{"incomplete_details":{"reason":"content_filter"},"usage":null}`)), nil,
			want{source: bench.FromEvents, first: 100 * ms, answer: 100 * ms, last: 100 * ms, events: 1, output: 1, finish: "content_filter"}},
		{"and one that does not say why",
			every(text("a"), typed("response.incomplete", `"response":{"incomplete_details":null}`)), nil,
			want{source: bench.FromEvents, first: 100 * ms, answer: 100 * ms, last: 100 * ms, events: 1, output: 1, finish: "incomplete"}},
		{"an end that carries no response is an end",
			every(text("a"), "data: {\"type\":\"response.completed\"}\n\n"), nil,
			want{source: bench.FromEvents, first: 100 * ms, answer: 100 * ms, last: 100 * ms, events: 1, output: 1, finish: "completed"}},
		{"a failed response is its error",
			every(text("a"), typed("response.failed", `"response":{"status":"failed","error":{"code":"server_error","message":"boom"},"usage":null}`)), nil,
			want{outcome: bench.StreamError, source: bench.FromPart, first: 100 * ms, answer: 100 * ms, last: 100 * ms, events: 1, output: 1, message: "boom"}},
		{"a failed response fails without an error too",
			every(opening, typed("response.failed", `"response":{"status":"failed","error":null}`)), nil,
			want{outcome: bench.StreamError, source: bench.FromPart, first: none, answer: none, last: none, message: "failed"}},
		{"a response that somebody cancelled has failed",
			every(text("a"), typed("response.cancelled", `"response":{"status":"cancelled","error":null}`)), nil,
			want{outcome: bench.StreamError, source: bench.FromPart, first: 100 * ms, answer: 100 * ms, last: 100 * ms, events: 1, output: 1, message: "cancelled"}},
		{"the status of a response outweighs the name of its last event",
			every(text("a"), typed("response.done", `"response":{"status":"failed","error":{"message":"late"}}`)), nil,
			want{outcome: bench.StreamError, source: bench.FromPart, first: 100 * ms, answer: 100 * ms, last: 100 * ms, events: 1, output: 1, message: "late"}},
		{"an error event at the top is one",
			every(text("a"), typed("error", `"code":"ERR_X","message":"it broke","param":null`)), nil,
			want{outcome: bench.StreamError, source: bench.FromPart, first: 100 * ms, answer: 100 * ms, last: 100 * ms, events: 1, output: 1, message: "it broke"}},
		{"a stream that ends before the response does is truncated",
			every(opening, text("a"), typed("response.output_text.done", `"text":"a"`)), nil,
			want{outcome: bench.Truncated, source: bench.FromPart, first: 110 * ms, answer: 110 * ms, last: 110 * ms, events: 1, output: 1, message: "without a finish reason"}},
		{"a server that gives the text only as a whole has streamed it once",
			every(opening, typed("response.output_text.done", `"text":"ab"`), typed("response.output_text.done", `"text":"ab"`), completed(2, 0)), nil,
			want{source: bench.FromUsage, first: 110 * ms, answer: 110 * ms, last: 110 * ms, events: 1, output: 2, input: 7, finish: "completed"}},
		{"an empty response ended well",
			every(opening, completed(0, 0)), nil,
			want{source: bench.FromUsage, first: none, answer: none, last: none, input: 7, finish: "completed"}},
	})
}

func TestNothingIsReadBehindTheEndOfAResponse(t *testing.T) {
	p := New(Options{})
	p.Feed([]byte(opening+responseText("a")+completed(1, 0)), 5*ms)
	if !p.Done() {
		t.Fatal("the response is over, and the parser waits for more")
	}
	if _, ok := p.Feed([]byte(responseText("b")), 6*time.Millisecond); ok {
		t.Error("text behind the end was taken for a token")
	}
}

func TestUsageInsideAResponseIsNoRunningCount(t *testing.T) {
	_, chunks := run(Options{}, nil, every(
		typed("response.in_progress", `"response":{"usage":{"input_tokens":3,"output_tokens":0}}`), responseText("a"), responseText("b"), completed(9, 0))...)
	for _, c := range chunks {
		if c.Tokens != 0 {
			t.Errorf("a chunk is said to hold %d tokens", c.Tokens)
		}
	}
}
