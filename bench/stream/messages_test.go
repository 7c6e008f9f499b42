package stream

import (
	"fmt"
	"testing"

	"redline/bench"
)

// message is an event of the Messages dialect.
func message(kind, fields string) string {
	if fields != "" {
		fields = "," + fields
	}
	return fmt.Sprintf("event: %s\ndata: {\"type\":%q%s}\n\n", kind, kind, fields)
}

func block(delta string) string {
	return message("content_block_delta", `"index":0,"delta":{`+delta+`}`)
}

func messageStart(usage string) string {
	return message("message_start", `"message":{"id":"msg","type":"message","role":"assistant","content":[],"stop_reason":null,"usage":{`+usage+`}}`)
}

func messageEnd(reason, usage string) string {
	return message("message_delta", fmt.Sprintf(`"delta":{"stop_reason":%q,"stop_sequence":null},"usage":{%s}`, reason, usage))
}

func TestMessagesDialect(t *testing.T) {
	start := messageStart(`"input_tokens":25,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":35`)
	open := message("content_block_start", `"index":0,"content_block":{"type":"text","text":""}`) + message("ping", "")
	a, stopped := block(`"type":"text_delta","text":"a"`), message("message_stop", "")
	rows := []row{
		{"text starts the clock: the start of the message, that of its block, pings and signatures do not",
			every(start, open+block(`"type":"signature_delta","signature":"EqQB"`), a, message("content_block_stop", `"index":0`), messageEnd("end_turn", `"output_tokens":15`), stopped), nil,
			want{source: bench.FromUsage, first: 120 * ms, answer: 120 * ms, last: 120 * ms, events: 1, output: 15, input: 25, finish: "end_turn"}},
		{"thinking and the input of tools are tokens, citations are none",
			every(start+open, block(`"thinking":"hm","type":"thinking_delta"`), block(`"type":"input_json_delta","partial_json":""`)+block(`"type":"input_json_delta","partial_json":"{\"a"`),
				block(`"type":"citations_delta","citation":{"cited_text":"t"}`), messageEnd("tool_use", `"output_tokens":9`), stopped), nil,
			want{source: bench.FromUsage, first: 110 * ms, answer: 120 * ms, last: 120 * ms, events: 2, output: 9, input: 25, reasoning: 1, finish: "tool_use"}},
		{"a message that gave its reason ended properly, even if message_stop is missing",
			every(start, a, messageEnd("max_tokens", `"output_tokens":4`)), nil,
			want{source: bench.FromUsage, first: 110 * ms, answer: 110 * ms, last: 110 * ms, events: 1, output: 4, input: 25, finish: "max_tokens"}},
		{"a message without a reason did not",
			every(start, a, message("content_block_stop", `"index":0`)), nil,
			want{outcome: bench.Truncated, source: bench.FromPart, first: 110 * ms, answer: 110 * ms, last: 110 * ms, events: 1, output: 1, input: 25, message: "without a finish reason"}},
		{"usage adds up over the deltas by itself: the last one holds",
			every(start, a, message("message_delta", `"delta":{"stop_reason":null},"usage":{"output_tokens":5}`), messageEnd("end_turn", `"output_tokens":11`), stopped), nil,
			want{source: bench.FromUsage, first: 110 * ms, answer: 110 * ms, last: 110 * ms, events: 1, output: 11, input: 25, finish: "end_turn"}},
		{"the output that the first event tells counts for nothing where nothing was sent",
			every(start, message("error", `"error":{"type":"overloaded_error","message":"Overloaded"}`)), nil,
			want{outcome: bench.Overloaded, source: bench.FromPart, first: none, answer: none, last: none, input: 25, message: "Overloaded"}},
		{"without a usage at the end the events are counted",
			every(start, a, a, message("message_delta", `"delta":{"stop_reason":"end_turn"}`), stopped), nil,
			want{source: bench.FromEvents, first: 110 * ms, answer: 110 * ms, last: 120 * ms, events: 2, output: 2, input: 25, finish: "end_turn"}},
		{"an error behind tokens keeps them",
			every(start, a, message("error", `"error":{"type":"api_error","message":"Internal"}`)), nil,
			want{outcome: bench.StreamError, source: bench.FromPart, first: 110 * ms, answer: 110 * ms, last: 110 * ms, events: 1, output: 1, input: 25, message: "Internal"}},
		{"input is what was neither read from the cache nor written to it, and both",
			every(messageStart(`"input_tokens":3,"cache_creation_input_tokens":10,"cache_read_input_tokens":100,"output_tokens":1`), a, messageEnd("end_turn", `"output_tokens":2`), stopped), nil,
			want{source: bench.FromUsage, first: 110 * ms, answer: 110 * ms, last: 110 * ms, events: 1, output: 2, input: 113, finish: "end_turn"}},
		{"an end that repeats the input alone does not lose the cached tokens",
			every(messageStart(`"input_tokens":3,"cache_read_input_tokens":100,"output_tokens":1`), a, messageEnd("end_turn", `"input_tokens":3,"output_tokens":2`), stopped), nil,
			want{source: bench.FromUsage, first: 110 * ms, answer: 110 * ms, last: 110 * ms, events: 1, output: 2, input: 103, finish: "end_turn"}},
		{"a gateway that knows the input only at the end, or forgets it there, is believed where it says something",
			every(messageStart(`"input_tokens":0,"output_tokens":0`), a, messageEnd("end_turn", `"input_tokens":9,"output_tokens":2`)+message("message_delta", `"delta":{},"usage":{"input_tokens":0,"output_tokens":0}`), stopped), nil,
			want{source: bench.FromUsage, first: 110 * ms, answer: 110 * ms, last: 110 * ms, events: 1, output: 2, input: 9, finish: "end_turn"}},
	}
	for _, reason := range []string{"end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "refusal", "model_context_window_exceeded"} {
		rows = append(rows, row{"a message may end with " + reason, every(start, a, messageEnd(reason, `"output_tokens":2`), stopped), nil,
			want{source: bench.FromUsage, first: 110 * ms, answer: 110 * ms, last: 110 * ms, events: 1, output: 2, input: 25, finish: reason}})
	}
	checkRows(t, rows)
}

func TestUsageBetweenTheTextsOfAMessageIsNoRunningCount(t *testing.T) {
	counted := func(n int) string {
		return message("message_delta", fmt.Sprintf(`"delta":{"stop_reason":null},"usage":{"output_tokens":%d}`, n))
	}
	a := block(`"text":"a"`)
	e, chunks := run(Options{}, nil, every(messageStart(`"input_tokens":3,"output_tokens":4`), a, counted(3), a, a, counted(7), a, messageEnd("end_turn", `"output_tokens":9`))...)
	for _, c := range chunks {
		if c.Tokens != 0 {
			t.Errorf("a chunk is said to hold %d tokens", c.Tokens)
		}
	}
	if e.Gaps.Tokens() {
		t.Error("the gaps are said to hold tokens")
	}
}

func TestMessagesErrors(t *testing.T) {
	for kind, outcome := range map[string]bench.Outcome{
		"overloaded_error": bench.Overloaded, "rate_limit_error": bench.RateLimited, "authentication_error": bench.Unauthorized,
		"permission_error": bench.Unauthorized, "billing_error": bench.Unauthorized, "api_error": bench.StreamError, "timeout_error": bench.StreamError,
		"invalid_request_error": bench.StreamError, "not_found_error": bench.StreamError, "request_too_large": bench.StreamError,
	} {
		e, _ := run(Options{}, nil, read{ms, message("error", fmt.Sprintf(`"error":{"type":%q,"message":"m"},"request_id":"r"`, kind))})
		if e.Outcome != outcome || e.Message != "m" {
			t.Errorf("%s: %v %q, want %v", kind, e.Outcome, e.Message, outcome)
		}
	}
}
