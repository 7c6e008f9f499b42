package stream

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"redline/bench"
)

const ms = time.Millisecond

// read is one socket read of a test stream.
type read struct {
	at   time.Duration
	text string
}

// run feeds reads, closes 1 ms after the last with err, and returns the facts and the chunks.
func run(opt Options, err error, reads ...read) (bench.Ended, []bench.Chunk) {
	p := New(opt)
	var chunks []bench.Chunk
	var at time.Duration
	for _, r := range reads {
		at = r.at
		if c, ok := p.Feed([]byte(r.text), at); ok {
			chunks = append(chunks, c)
		}
	}
	if c, ok := p.Close(at+ms, err); ok {
		chunks = append(chunks, c)
	}
	var e bench.Ended
	e.Marks.Started = bench.MarkAt(opt.Started)
	p.Fill(&e)
	return e, chunks
}

// every spreads texts over reads, the first at 100 ms and then one each 10 ms.
func every(texts ...string) []read {
	var reads []read
	for i, text := range texts {
		reads = append(reads, read{100*ms + time.Duration(i)*10*ms, text})
	}
	return reads
}

func delta(fields string) string {
	return `data: {"id":"x","object":"chat.completion.chunk","choices":[{"index":0,"delta":{` + fields + `},"finish_reason":null}]}` + "\n\n"
}

func text(s string) string { return delta(fmt.Sprintf(`"content":%q`, s)) }

func with(field string) string {
	return `data: {"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}],` + field + "}\n\n"
}

const (
	role   = `data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"usage":null}` + "\n\n"
	stop   = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n"
	usage3 = `data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}}` + "\n\n"
	done   = "data: [DONE]\n\n"
)

// want is what a stream must come to; zero fields of it are checked too, but for first, which -1 makes "none".
type want struct {
	outcome                  bench.Outcome
	source                   bench.Source
	first                    time.Duration
	answer                   time.Duration
	last                     time.Duration
	events, output, input    int
	hidden, reasoning, wrong int
	finish, message          string
}

const none = -1

func check(t *testing.T, e bench.Ended, w want) {
	t.Helper()
	at := func(m bench.Mark) time.Duration {
		if !m.OK {
			return none
		}
		return m.At
	}
	got := want{
		outcome: e.Outcome, source: e.Counts.Source, first: at(e.Marks.FirstToken), answer: at(e.Marks.FirstAnswer), last: at(e.Marks.LastToken),
		events: e.Counts.Events, output: e.Counts.Output, input: e.Counts.Input, hidden: e.Counts.Hidden,
		reasoning: e.Counts.Reasoning, wrong: e.Counts.Malformed, finish: e.Finish, message: e.Message,
	}
	if w.message != "" && strings.Contains(got.message, w.message) {
		got.message = w.message
	}
	if got != w {
		t.Errorf("\n got %+v\nwant %+v", got, w)
	}
}

func TestDialects(t *testing.T) {
	big := strings.Repeat("x", 1<<20)
	checkRows(t, []row{
		{"01 the role event starts no clock, the usage event stops none, and tokens come from usage",
			every(role, text("a"), text("b"), text("c"), stop, usage3, done), nil,
			want{source: bench.FromUsage, first: 110 * ms, answer: 110 * ms, last: 130 * ms, events: 3, output: 3, input: 7, finish: "stop"}},
		{"02 Azure's empty choices at the start and its filter event without a delta are nothing",
			every(`data: {"choices":[],"prompt_filter_results":[{"prompt_index":0}],"id":"","created":0}`+"\n\n", text("a"), stop,
				`data: {"choices":[{"index":0,"finish_reason":null,"content_filter_offsets":{"check_offset":1}}]}`+"\n\n", done), nil,
			want{source: bench.FromEvents, first: 110 * ms, answer: 110 * ms, last: 110 * ms, events: 1, output: 1, finish: "stop"}},
		{"03 usage on the finish event counts although choices are there",
			every(text("a"), text("b"), `data: {"choices":[{"index":0,"delta":{},"finish_reason":"length"}],"usage":{"prompt_tokens":4,"completion_tokens":9}}`+"\n\n", done), nil,
			want{source: bench.FromUsage, first: 100 * ms, answer: 100 * ms, last: 110 * ms, events: 2, output: 9, input: 4, finish: "length"}},
		{"04 usage on every event is cumulative: the last one holds, nothing is summed",
			every(with(`"usage":{"prompt_tokens":5,"completion_tokens":1}`), with(`"usage":{"prompt_tokens":5,"completion_tokens":2}`), stop, done), nil,
			want{source: bench.FromContinuous, first: 100 * ms, answer: 100 * ms, last: 110 * ms, events: 2, output: 2, input: 5, finish: "stop"}},
		{"05 a null usage at the end does not wipe what was said",
			every(with(`"usage":{"prompt_tokens":5,"completion_tokens":4}`), with(`"usage":{"prompt_tokens":5,"completion_tokens":8}`), stop,
				`data: {"choices":[],"usage":null}`+"\n\n", done), nil,
			want{source: bench.FromContinuous, first: 100 * ms, answer: 100 * ms, last: 110 * ms, events: 2, output: 8, input: 5, finish: "stop"}},
		{"06 without usage the events are counted, and said to be",
			every(role, text("a"), text("b"), stop, done), nil,
			want{source: bench.FromEvents, first: 110 * ms, answer: 110 * ms, last: 120 * ms, events: 2, output: 2, finish: "stop"}},
		{"07 an answer of reasoning alone has a first token and no first answer",
			every(role, delta(`"reasoning_content":"hm"`), delta(`"content":null,"reasoning":"hm"`), `data: {"choices":[{"delta":{},"finish_reason":"length"}]}`+"\n\n", done), nil,
			want{source: bench.FromEvents, first: 110 * ms, answer: none, last: 120 * ms, events: 2, output: 2, reasoning: 2, finish: "length"}},
		{"08 reasoning starts TTFT, content the time to first answer",
			every(delta(`"role":"assistant","content":"","reasoning_content":"hm"`), delta(`"content":null,"reasoning_content":"m"`), text("a"), stop, done), nil,
			want{source: bench.FromEvents, first: 100 * ms, answer: 120 * ms, last: 120 * ms, events: 3, output: 3, reasoning: 2, finish: "stop"}},
		{"09 content may be an array of typed parts, thinking among them",
			every(delta(`"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]`), delta(`"content":[{"text":"hm","type":"thinking"}]`),
				delta(`"content":[{"type":"text","text":""}]`), delta(`"content":[{"type":"text","text":"a"}]`), stop, done), nil,
			want{source: bench.FromEvents, first: 100 * ms, answer: 130 * ms, last: 130 * ms, events: 3, output: 3, reasoning: 2, finish: "stop"}},
		{"10 five tokens an event, by continuous usage",
			every(with(`"usage":{"completion_tokens":5,"prompt_tokens":1}`), with(`"usage":{"completion_tokens":10,"prompt_tokens":1}`), stop,
				`data: {"choices":[],"usage":{"completion_tokens":10,"prompt_tokens":1}}`+"\n\n", done), nil,
			want{source: bench.FromContinuous, first: 100 * ms, answer: 100 * ms, last: 110 * ms, events: 2, output: 10, input: 1, finish: "stop"}},
		{"11 five tokens an event, by the final usage",
			every(text("abcde"), text("fghij"), stop, `data: {"choices":[],"usage":{"completion_tokens":10,"prompt_tokens":1}}`+"\n\n", done), nil,
			want{source: bench.FromUsage, first: 100 * ms, answer: 100 * ms, last: 110 * ms, events: 2, output: 10, input: 1, finish: "stop"}},
		{"12 any number of comments before the first token is no token and no error",
			append(every(strings.Repeat(": OPENROUTER PROCESSING\n\n:\n\ndata: : wrapped\n\n", 400)), read{3 * time.Second, text("a")}, read{3010 * ms, stop + done}), nil,
			want{source: bench.FromEvents, first: 3 * time.Second, answer: 3 * time.Second, last: 3 * time.Second, events: 1, output: 1, finish: "stop"}},
		{"13 data without a space, lines with CRLF, a byte order mark before them",
			every("\xef\xbb\xbf" + strings.ReplaceAll(strings.ReplaceAll(text("a")+stop+done, "data: ", "data:"), "\n", "\r\n")), nil,
			want{source: bench.FromEvents, first: 100 * ms, answer: 100 * ms, last: 100 * ms, events: 1, output: 1, finish: "stop"}},
		{"14 single newlines, and carriage returns alone, separate events as well",
			every(strings.ReplaceAll(text("a")+text("b"), "\n\n", "\n"), strings.ReplaceAll(text("c")+stop+done, "\n\n", "\r")), nil,
			want{source: bench.FromEvents, first: 100 * ms, answer: 100 * ms, last: 110 * ms, events: 3, output: 3, finish: "stop"}},
		{"15 spaces at the ends of lines, and blank lines that hold one",
			every(strings.ReplaceAll(text("a")+stop+done, "\n\n", " \n \n")), nil,
			want{source: bench.FromEvents, first: 100 * ms, answer: 100 * ms, last: 100 * ms, events: 1, output: 1, finish: "stop"}},
		{"16 the end after a finish reason is a proper end, [DONE] or not, and the last line needs no newline",
			every(text("a"), strings.TrimSpace(stop)), io.EOF,
			want{source: bench.FromEvents, first: 100 * ms, answer: 100 * ms, last: 100 * ms, events: 1, output: 1, finish: "stop"}},
		{"17 an end in the middle of an event is a truncated stream that keeps its tokens",
			every(text("a"), text("b")[:40]), nil,
			want{outcome: bench.Truncated, source: bench.FromPart, first: 100 * ms, answer: 100 * ms, last: 100 * ms, events: 1, output: 1, wrong: 1, message: "without a finish reason"}},
		{"17 a cut connection is one too, and says what cut it",
			every(text("a")), io.ErrUnexpectedEOF,
			want{outcome: bench.Truncated, source: bench.FromPart, first: 100 * ms, answer: 100 * ms, last: 100 * ms, events: 1, output: 1, message: "unexpected EOF"}},
		{"18 an error event in place of an answer fails, [DONE] or not",
			every(`data: {"error":{"message":"boom","code":500}}`+"\n\n", done), nil,
			want{outcome: bench.StreamError, source: bench.FromPart, first: none, answer: none, last: none, message: "boom"}},
		{"19 an error after tokens keeps them, wherever in the event and in whatever form it stands",
			every(": ping\n\n", text("a"), `data: { "id":"x", "error" : "out of memory"}`+"\n\n"), nil,
			want{outcome: bench.StreamError, source: bench.FromPart, first: 110 * ms, answer: 110 * ms, last: 110 * ms, events: 1, output: 1, message: "out of memory"}},
		{"19 text that looks like an error is text, and an error that says nothing is none",
			every(text(`{"error":"x"} "error": finish_reason`), `data: {"error":null,"choices":[{"delta":{"content":"b"}}]}`+"\n", stop, done), nil,
			want{source: bench.FromEvents, first: 100 * ms, answer: 100 * ms, last: 110 * ms, events: 2, output: 2, finish: "stop"}},
		{"20 an event named error is one, whatever its data",
			every(text("a"), "event: error\r\ndata: upstream gone\r\n\r\n"), nil,
			want{outcome: bench.StreamError, source: bench.FromPart, first: 100 * ms, answer: 100 * ms, last: 100 * ms, events: 1, output: 1, message: "upstream gone"}},
		{"20 the object that is itself an error",
			every(`data: {"object":"error","message":"bad","code":400}` + "\n\n"), nil,
			want{outcome: bench.StreamError, source: bench.FromPart, first: none, answer: none, last: none, message: "bad"}},
		{"21 a JSON error in place of a stream is the server's error",
			every("{\n \"error\": {\"message\": \"no\", \"type\": \"x\"}\n}\n"), nil,
			want{outcome: bench.StreamError, source: bench.FromPart, first: none, answer: none, last: none, message: "no"}},
		{"22 a full JSON answer in place of a stream is not streaming, and counts no token",
			every(`{"object":"chat.completion","choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}`), nil,
			want{outcome: bench.NotStreaming, source: bench.FromPart, first: none, answer: none, last: none, message: `{"object":"chat.completion"`}},
		{"23 a web page is not streaming either",
			every("<!DOCTYPE html>\n<title>Bad gateway</title>"), nil,
			want{outcome: bench.NotStreaming, source: bench.FromPart, first: none, answer: none, last: none, message: "a web page: Bad gateway"}},
		{"25 a line of a megabyte is an event like any other",
			every(text(big), stop, done), nil,
			want{source: bench.FromEvents, first: 100 * ms, answer: 100 * ms, last: 100 * ms, events: 1, output: 1, finish: "stop"}},
		{"26 one token has a first and a last, and no TPOT",
			every(text("a"), stop, done), nil,
			want{source: bench.FromEvents, first: 100 * ms, answer: 100 * ms, last: 100 * ms, events: 1, output: 1, finish: "stop"}},
		{"27 no token at all has none of them, and ended well",
			every(role, stop, done), nil,
			want{source: bench.FromEvents, first: none, answer: none, last: none, finish: "stop"}},
		{"28 tool calls are tokens: name and arguments, not the index and not an empty string",
			every(delta(`"tool_calls":[{"index":0,"id":"c","type":"function","function":{"arguments":""}}]`), delta(`"tool_calls":[{"index":0,"function":{"name":"f"}}]`),
				delta(`"tool_calls":[{"function":{"arguments":"{}"}}]`), `data: {"choices":[{"delta":{"tool_calls":null},"finish_reason":"tool_calls"}]}`+"\n", done), nil,
			want{source: bench.FromEvents, first: 110 * ms, answer: 110 * ms, last: 120 * ms, events: 2, output: 2, finish: "tool_calls"}},
		{"29 of two interleaved choices both must finish",
			every(text("a"), `data: {"choices":[{"index":1,"delta":{"content":"b"}}]}`+"\n", stop, `data: {"choices":[{"index":1,"delta":{},"finish_reason":"length"}]}`+"\n",
				usage3), nil,
			want{source: bench.FromUsage, first: 100 * ms, answer: 100 * ms, last: 110 * ms, events: 2, output: 3, input: 7, finish: "length"}},
		{"29 one finished choice of two is a truncated answer",
			every(text("a"), `data: {"choices":[{"index":1,"delta":{"content":"b"}}]}`+"\n", stop), nil,
			want{outcome: bench.Truncated, source: bench.FromPart, first: 100 * ms, answer: 100 * ms, last: 110 * ms, events: 2, output: 2, finish: "stop", message: "without"}},
		{"30 headers and then nothing is a truncated stream without a first token",
			nil, io.ErrUnexpectedEOF,
			want{outcome: bench.Truncated, source: bench.FromPart, first: none, answer: none, last: none, message: "unexpected EOF"}},
		{"31 a stream that is cut off after three tokens keeps them",
			every(text("a"), text("b"), text("c")), io.ErrClosedPipe,
			want{outcome: bench.Truncated, source: bench.FromPart, first: 100 * ms, answer: 100 * ms, last: 120 * ms, events: 3, output: 3, message: "closed pipe"}},
		{"34 a stream held back and sent at once is one chunk, which TPOT does not divide",
			[]read{{1700 * ms, role + text("a") + text("b") + text("c") + stop + usage3 + done}}, nil,
			want{source: bench.FromUsage, first: 1700 * ms, answer: 1700 * ms, last: 1700 * ms, events: 3, output: 3, input: 7, finish: "stop"}},
		{"35 xAI leaves reasoning out of completion but not out of total: what was not streamed is hidden",
			every(text("a"), text("b"), stop, `data: {"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":2,"total_tokens":354,"completion_tokens_details":{"reasoning_tokens":340}}}`+"\n", done), nil,
			want{source: bench.FromUsage, first: 100 * ms, answer: 100 * ms, last: 110 * ms, events: 2, output: 342, input: 12, hidden: 340, finish: "stop"}},
		{"35 reasoning that was streamed is not hidden",
			every(delta(`"reasoning_content":"hm"`), text("b"), stop, `data: {"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":2,"total_tokens":354,"completion_tokens_details":{"reasoning_tokens":340}}}`+"\n", done), nil,
			want{source: bench.FromUsage, first: 100 * ms, answer: 110 * ms, last: 110 * ms, events: 2, output: 342, input: 12, reasoning: 1, finish: "stop"}},
		{"36 the Messages dialect: named events, cumulative usage, message_stop",
			every(`event: message_start`+"\n"+`data: {"type":"message_start","message":{"content":[],"usage":{"input_tokens":9,"cache_read_input_tokens":3,"output_tokens":1}}}`+"\n\n",
				`event: content_block_start`+"\n"+`data: {"type":"content_block_start","content_block":{"type":"text","text":""}}`+"\n\nevent: ping\ndata: {\"type\":\"ping\"}\n\n",
				`data: {"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"hm"}}`+"\n\n", `data: {"type":"content_block_delta","delta":{"type":"text_delta","text":"a"}}`+"\n\n",
				`data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":8}}`+"\n\n", `data: {"type":"message_stop"}`+"\n\n"), nil,
			want{source: bench.FromUsage, first: 120 * ms, answer: 130 * ms, last: 130 * ms, events: 2, output: 8, input: 12, reasoning: 1, finish: "end_turn"}},
		{"37 choices and deltas that are null are nothing",
			every(`data: {"choices":null}`+"\n", `data: {"choices":[{"index":0,"delta":null}]}`+"\n", `data: {"choices":[null]}`+"\n", text("a"), stop, done), nil,
			want{source: bench.FromEvents, first: 130 * ms, answer: 130 * ms, last: 130 * ms, events: 1, output: 1, finish: "stop"}},
		{"38 a rune cut between two reads, and between two events, is text all the same",
			every(text("a")[:3], text("a")[3:]+"data: {\"choices\":[{\"delta\":{\"content\":\"\xe4\xbd", "\xa0\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"\xe5\"}}]}\n\n", stop+done), nil,
			want{source: bench.FromEvents, first: 110 * ms, answer: 110 * ms, last: 120 * ms, events: 3, output: 3, finish: "stop"}},
		{"39 a finish reason with which the server reports its failure fails",
			every(text("a"), `data: {"choices":[{"delta":{},"finish_reason":"network_error"}]}`+"\n", usage3, done), nil,
			want{outcome: bench.StreamError, source: bench.FromUsage, first: 100 * ms, answer: 100 * ms, last: 100 * ms, events: 1, output: 3, input: 7, finish: "network_error", message: "network_error"}},
		{"39 so does abort",
			every(text("a"), `data: {"choices":[{"delta":{},"finish_reason":"abort"}]}`+"\n", done), nil,
			want{outcome: bench.StreamError, source: bench.FromEvents, first: 100 * ms, answer: 100 * ms, last: 100 * ms, events: 1, output: 1, finish: "abort", message: "abort"}},
	})
}

// row is a stream and what it must come to.
type row struct {
	name  string
	reads []read
	err   error
	want  want
}

func checkRows(t *testing.T, rows []row) {
	t.Helper()
	for _, tt := range rows {
		t.Run(tt.name, func(t *testing.T) {
			e, _ := run(Options{}, tt.err, tt.reads...)
			check(t, e, tt.want)
			if ttft, ok := e.TTFT(); ok != (tt.want.first != none) || (ok && ttft != tt.want.first) {
				t.Errorf("TTFT %v %v, want %v", ttft, ok, tt.want.first)
			}
			if tpot, ok := e.TPOT(); ok && e.Counts.Chunks < 2 {
				t.Errorf("TPOT %v of a single chunk", tpot)
			}
		})
	}
}
