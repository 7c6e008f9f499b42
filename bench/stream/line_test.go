package stream

import (
	"io"
	"strings"
	"testing"

	"redline/bench"
)

// ab is a stream of two tokens and a proper end.
func ab() string { return text("a") + text("b") + stop + done }

// lines has each event in a single read.
func lines(body string) []read { return []read{{100 * ms, body}} }

// two is what a stream of two tokens in one read must come to.
func two(w want) want {
	w.first, w.answer, w.last = 100*ms, 100*ms, 100*ms
	w.events, w.output = 2, max(w.output, 2)
	return w
}

func TestLinesInEveryForm(t *testing.T) {
	good := two(want{finish: "stop"})
	all := func(old, new string) []read { return lines(strings.ReplaceAll(ab(), old, new)) }
	pretty := "data: {\ndata:   \"choices\": [\ndata:     {\"index\": 0,\ndata:      \"delta\": {\"content\": \"b\"}}\ndata:   ]\ndata: }\n\n"
	checkRows(t, []row{
		{"carriage returns alone end lines", all("\n", "\r"), nil, good},
		{"so do line feeds with one before them", all("\n", "\r\n"), nil, good},
		{"and all of them mixed", lines(strings.Replace(strings.Replace(ab(), "\n", "\r", 2), "\n", "\r\n", 2)), nil, good},
		{"a byte order mark may stand before any line", all("data:", "\xef\xbb\xbfdata:"), nil, good},
		{"zero bytes around lines are padding", lines("\x00\x00" + strings.ReplaceAll(ab(), "\n\n", "\x00\n\x00\x00\n")), nil, good},
		{"a field's name may have a space behind it", all("data:", "data :"), nil, good},
		{"or be in capitals", all("data:", "DATA:"), nil, good},
		{"or be set in", all("data:", "\t  data:"), nil, good},
		{"a tab may stand for the space", all("data: ", "data:\t"), nil, good},
		{"a gateway may wrap what is wrapped", all("data: ", "data: data: "), nil, good},
		{"fields that nobody knows are not read", all("data:", "id: 1\nretry: 10\nevent: message\ndata:"), nil, good},
		{"an event without data, and data without a payload, are nothing", all("data:", "event: x\n\ndata:\n\ndata: \n\ndata\n\ndata:"), nil, good},
		{"events may follow each other without a newline",
			lines(text("a")[:len(text("a"))-2] + strings.ReplaceAll(text("b"), "\n", "") + stop + done), nil, good},
		{"even without a field name", lines(strings.TrimSpace(text("a")) + strings.TrimPrefix(text("b"), "data: ") + stop + done), nil, good},
		{"an event's JSON may be spread over several data lines", lines(text("a") + pretty + stop + done), nil, good},
		{"of which only the first says that it is data", lines(text("a") + strings.ReplaceAll(pretty, "\ndata:", "\n") + stop + done), nil, good},
		{"in lines that are objects by themselves",
			lines(text("a") + "data: {\ndata: \"choices\": [\ndata: {\"index\": 0, \"delta\": {\"content\": \"b\"}}\ndata: ]\ndata: }\n\n" + stop + done), nil, good},
		{"and be the last thing that comes", lines(text("a") + stop + strings.TrimSpace(pretty)), nil, good},
		{"with comments between them", lines(text("a") + strings.ReplaceAll(pretty, "\ndata:", "\n: ping\ndata:") + stop + done), nil, good},
		{"an event that was begun and never ended costs one event, and the next one is read",
			lines(text("a") + "data: {\"choices\": [\ndata: {\"index\": 0,\n\n" + text("b") + stop + done), nil, two(want{finish: "stop", wrong: 1})},
		{"even where no blank line stands between them",
			lines(strings.ReplaceAll(text("a")+"data: {\"choices\": [\n"+text("b")+stop+done, "\n\n", "\n")), nil, two(want{finish: "stop", wrong: 1})},
		{"or one with usage alone follows",
			lines(strings.ReplaceAll(text("a")+text("b")+stop+"data: {\"choices\": [\n"+usage3+done, "\n\n", "\n")), nil, two(want{source: bench.FromUsage, output: 3, input: 7, finish: "stop", wrong: 1})},
		{"or [DONE] follows",
			lines(text("a") + text("b") + "data: {\"choices\": [\ndata: [DONE]\n"), nil, two(want{wrong: 1})},
		{"or nothing at all does",
			lines(text("a") + text("b") + stop + "data: {\"choices\": [\ndata: {"), nil, two(want{finish: "stop", wrong: 1})},
		{"a spread event whose lines do not fit together costs one event",
			lines(text("a") + "data: {\"choices\": [\ndata: oops \"x\ndata: ]}\n\n" + text("b") + stop + done), nil, two(want{finish: "stop", wrong: 1})},
		{"a spread event named error is one",
			lines(text("a") + text("b") + "event: error\ndata: {\"error\":\ndata: {\"message\": \"boom\"}}\n\n"), nil,
			two(want{outcome: bench.StreamError, source: bench.FromPart, message: "boom"})},
		{"so is one that was never ended",
			lines(text("a") + text("b") + "event: error\ndata: {\"error\":\n\n"), nil,
			two(want{outcome: bench.StreamError, source: bench.FromPart, message: `{"error":`})},
	})
}

func TestEndsInEveryForm(t *testing.T) {
	for _, end := range []string{"data: [DONE]\n\n", "data:[DONE]\n", "data: [done]\n\n", "data: \"[DONE]\"\n\n", "data: [DONE] \r\n", "data: [DONE]", "data: DONE\n", "data: done\n\n",
		"[DONE]\n", "data: data: [DONE]\n\n", "event: done\ndata: {}\n\n", "event: done\n\n", "event: [DONE]\ndata: [DONE]\n\n", "event: end\ndata: \n\n", "data: [DONE]\x00\n"} {
		e, _ := run(Options{}, nil, lines(text("a")+end)...)
		if e.Outcome != bench.OK || e.Counts.Events != 1 || e.Counts.Malformed != 0 {
			t.Errorf("%q: %v %q, %+v", end, e.Outcome, e.Message, e.Counts)
		}
	}
	for _, end := range []string{"", "data: {}\n\n", "data: [DON", "data: \"done\": 1\n", ": [DONE]\n\n", "event: message\n\n", text("[DONE]")} {
		e, _ := run(Options{}, io.EOF, lines(text("a")+end)...)
		if e.Outcome != bench.Truncated {
			t.Errorf("%q: %v, want a truncated stream", end, e.Outcome)
		}
	}
}

func TestMalformedEventCostsOneEvent(t *testing.T) {
	deep := strings.Repeat(`{"a":`, maxDepth+1) + "1" + strings.Repeat("}", maxDepth+1)
	for _, bad := range []string{"{oops", `{"a":1}}`, `{"a":1} trailing`, `{"choices":[{"delta":{"content":"x`, `{"choices":[}`, `{"choices":[{"delta":{"content":"x"}}]`, "[1,", "{\"a\":\"\x01\"}",
		`{"choices":[{"delta":{"content":"\ud8"}}]}`, "hello", "\x1f\x8b\x08\x00", deep, "{'choices': []}", `{"n":-NaN}`, `{"n":Infinite}`, `{"n":nan}`, `{"n":+1}`, `{"n":01}`} {
		e, _ := run(Options{}, nil, lines(text("a")+"data: "+bad+"\n\n"+text("b")+stop+done)...)
		if e.Outcome != bench.OK || e.Counts.Malformed != 1 || e.Counts.Events != 2 {
			t.Errorf("%.40q: %v, %+v", bad, e.Outcome, e.Counts)
		}
	}
}

func TestManyLinesOfASpreadEventAreReadOnce(t *testing.T) {
	// Were the whole read again for each of its lines, this would take minutes.
	var b strings.Builder
	b.WriteString("data: {\"x\":[\n")
	for range 300_000 {
		b.WriteString("data: {\"a\":1},\n")
	}
	b.WriteString("data: 1],\ndata: \"choices\":[{\"delta\":{\"content\":\"b\"}}]}\n\n")
	e, _ := run(Options{}, nil, lines(text("a")+b.String()+stop+done)...)
	if e.Outcome != bench.OK || e.Counts.Events != 2 || e.Counts.Malformed != 0 {
		t.Errorf("%v, %+v", e.Outcome, e.Counts)
	}
}

func TestSpreadEventIsBounded(t *testing.T) {
	p := New(Options{})
	p.Feed([]byte(text("a")+"data: {\"x\":[\n"), ms)
	part := []byte("data: \"" + strings.Repeat("x", 1<<20) + "\",\n")
	for range 12 {
		p.Feed(part, ms)
		if len(p.spread.text) > MaxLine {
			t.Fatalf("%d bytes kept", len(p.spread.text))
		}
	}
	p.Feed([]byte("data: 1]}\n\n"+text("b")), ms)
	// A line that is too long by itself is a part of its event like any other.
	long := strings.Repeat("x", MaxLine)
	p.Feed([]byte("data: {\"x\":\ndata: \""+long+"\"\ndata: }\n\ndata: {\"x\":[\ndata: \""+long+"\"\ndata: ]}\n"+stop+done), ms)
	p.Close(ms, nil)
	var e bench.Ended
	p.Fill(&e)
	if e.Outcome != bench.OK || e.Counts.Events != 2 || e.Counts.Malformed != 3 || cap(p.spread.text) > keptLine {
		t.Errorf("%v, %+v, %d bytes kept", e.Outcome, e.Counts, cap(p.spread.text))
	}
}

func TestBodiesThatAreNoEventStreamSayWhatTheyAre(t *testing.T) {
	tests := []struct {
		name, body string
		outcome    bench.Outcome
		message    string
	}{
		{"lines of JSON, as Ollama's own protocol has them", `{"message":{"content":"a"},"done":false}` + "\n" + `{"message":{"content":""},"done":true}` + "\n", bench.NotStreaming, "lines of JSON"},
		{"lines of JSON of which one is an error", `{"message":{"content":"a"},"done":false}` + "\n" + `{"error":"runner gone"}` + "\n", bench.StreamError, "runner gone"},
		{"an array with an error in it, as Gemini sends it", "[{\n\"error\": {\"code\": 429, \"message\": \"Quota\", \"status\": \"RESOURCE_EXHAUSTED\"}\n}\n]", bench.RateLimited, "Quota"},
		{"an array of events", `[{"candidates":[]}]`, bench.NotStreaming, `[{"candidates"`},
		{"an error on many lines", "{\n\"errors\": [\n{\"message\": \"no route\", \"code\": 7003}\n]\n}", bench.StreamError, "no route"},
		{"a web page behind blank lines", "\r\n\r\n  <html>gone</html>", bench.NotStreaming, "a web page: gone"},
		{"bytes that are compressed", "\x1f\x8b\x08\x00\x00\x00", bench.Malformed, ""},
	}
	for _, tt := range tests {
		e, _ := run(Options{}, nil, lines(tt.body)...)
		if e.Outcome != tt.outcome || !strings.Contains(e.Message, tt.message) {
			t.Errorf("%s: %v %q, want %v %q", tt.name, e.Outcome, e.Message, tt.outcome, tt.message)
		}
	}
}
