package stream

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"redline/bench"
)

func TestEventsOfOneReadAreOneChunk(t *testing.T) {
	e, chunks := run(Options{Started: 20 * ms, Stall: 50 * ms}, nil,
		read{100 * ms, role + text("a") + text("b")}, read{110 * ms, ": ping\n\n"}, read{120 * ms, text("c")}, read{200 * ms, text("d") + stop + done})
	want := []bench.Chunk{
		{At: 100 * ms, First: true, TTFT: 80 * ms, Events: 2, Chars: 2},
		{At: 120 * ms, Gap: 20 * ms, Events: 1, Chars: 1},
		{At: 200 * ms, Gap: 80 * ms, Events: 1, Chars: 1},
	}
	if fmt.Sprint(chunks) != fmt.Sprint(want) {
		t.Errorf("chunks\n got %v\nwant %v", chunks, want)
	}
	c := e.Counts
	if c.Chunks != 3 || c.FirstEvents != 2 || e.MaxGap != 80*ms || e.Stalls != 1 {
		t.Errorf("chunks %d, first %d, longest gap %v, stalls %d", c.Chunks, c.FirstEvents, e.MaxGap, e.Stalls)
	}
	var gaps []time.Duration
	for gap := range e.Gaps.All() {
		gaps = append(gaps, gap)
	}
	if fmt.Sprint(gaps) != "[20ms 80ms]" {
		t.Errorf("gaps %v", gaps)
	}
}

func TestContinuousUsageGivesTokensPerChunk(t *testing.T) {
	usage := func(n int) string { return with(fmt.Sprintf(`"usage":{"prompt_tokens":3,"completion_tokens":%d}`, n)) }
	tests := []struct {
		name  string
		texts []string
		want  []int
	}{
		{"each chunk has what the server counted since the last", []string{usage(4), usage(8), usage(12)}, []int{4, 4, 4}},
		{"two events in one read are one chunk with both their tokens", []string{usage(4) + usage(8), usage(9)}, []int{8, 1}},
		{"a role event with a count of zero is the base", []string{`data: {"choices":[],"usage":{"completion_tokens":0}}` + "\n", usage(2), usage(3)}, []int{2, 1}},
		{"a count that begins in the middle has no base before it", []string{text("a"), usage(10), usage(13)}, []int{0, 0, 3}},
		{"without usage the server did not say", []string{text("a"), text("b")}, []int{0, 0}},
		{"a final usage is no running count, though text comes with it",
			[]string{text("a"), `data: {"choices":[{"delta":{"content":"b"},"finish_reason":"stop"}],"usage":{"completion_tokens":2}}` + "\n"}, []int{0, 0}},
		{"a count that falls back gives nothing", []string{usage(5), usage(3), usage(6)}, []int{5, 0, 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, chunks := run(Options{}, nil, every(tt.texts...)...)
			var got []int
			for _, c := range chunks {
				got = append(got, c.Tokens)
			}
			if fmt.Sprint(got) != fmt.Sprint(tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestOversizedLineCostsOneEvent(t *testing.T) {
	long := "data: {\"x\":\"" + strings.Repeat("x", MaxLine) + "\"}\n\n"
	for _, step := range []int{len(long) + 1000, 100_000} {
		p := New(Options{})
		for all := text("a") + long + text("b") + stop + done; len(all) > 0; {
			n := min(step, len(all))
			p.Feed([]byte(all[:n]), 5*ms)
			all = all[n:]
		}
		if cap(p.carry) > keptLine {
			t.Errorf("step %d: %d bytes kept after the long line", step, cap(p.carry))
		}
		p.Close(6*ms, nil)
		var e bench.Ended
		p.Fill(&e)
		if e.Outcome != bench.OK || e.Counts.Events != 2 || e.Counts.Malformed != 1 {
			t.Errorf("step %d: %v, %+v", step, e.Outcome, e.Counts)
		}
	}
}

func TestUnreadableBodies(t *testing.T) {
	tests := []struct {
		name, body string
		outcome    bench.Outcome
		message    string
	}{
		{"nothing at all is a truncated stream", "", bench.Truncated, "without a finish reason"},
		{"comments alone are one too", ": ping\n\n", bench.Truncated, "without a finish reason"},
		{"events that are no JSON, though [DONE] follows", "data: {oops\n\ndata: [DONE]\n\n", bench.Malformed, "{oops"},
		{"events that were encoded twice", `data: "{\"choices\":[]}"` + "\n\ndata: [DONE]\n\n", bench.Malformed, "choices"},
		{"a plain word", "Bad Gateway\n", bench.Malformed, "Bad Gateway"},
		{"[DONE] alone is a proper end", "data: [DONE]", bench.OK, ""},
		{"one event of two lost", "data: {oops\n\n" + text("a") + stop, bench.OK, ""},
		{"an error bare in the stream", text("a") + `{"error":"runner gone"}`, bench.StreamError, "runner gone"},
		{"newline-delimited JSON is no event stream", `{"message":{"content":"a"}}` + "\n" + `{"done":true}` + "\n", bench.NotStreaming, `{"message"`},
		{"a keep-alive before the JSON error", "\n\n: hold\n\n" + `{"error":{"message":"late"}}`, bench.StreamError, "late"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, _ := run(Options{}, nil, read{5 * ms, tt.body})
			if e.Outcome != tt.outcome || !strings.Contains(e.Message, tt.message) || (tt.message == "") != (e.Message == "") {
				t.Errorf("%v %q, want %v %q", e.Outcome, e.Message, tt.outcome, tt.message)
			}
		})
	}
}

func TestFaultsInsideTheStream(t *testing.T) {
	tests := []struct {
		data    string
		outcome bench.Outcome
		message string
	}{
		{`{"error":{"message":"Rate limit exceeded","code":429}}`, bench.RateLimited, "Rate limit exceeded"},
		{`{"error":{"message":"m","type":"insufficient_quota","code":"insufficient_quota"}}`, bench.Unauthorized, "m"},
		{`{"error":{"message":"Model is overloaded","http_status_code":422}}`, bench.Overloaded, "Model is overloaded"},
		{`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, bench.Overloaded, "Overloaded"},
		{`{"error":{"message":"No credits","code":402}}`, bench.Unauthorized, "No credits"},
		{`{"error":{"code":"server_error"}}`, bench.StreamError, "server_error"},
		{`{"error":["x"]}`, bench.StreamError, "x"},
		{`{"error":true,"message":"odd"}`, bench.StreamError, "odd"},
		{`{"x_groq":{"error":"over capacity"}}`, bench.StreamError, "over capacity"},
		{`{"object":"error","message":{"detail":[{"msg":"bad"}]}}`, bench.StreamError, "bad"},
	}
	for _, tt := range tests {
		p := New(Options{})
		p.Feed([]byte("data: "+tt.data+"\n\n"), ms)
		if !p.Done() {
			t.Errorf("%s: not the end", tt.data)
		}
		p.Close(ms, nil)
		var e bench.Ended
		p.Fill(&e)
		if e.Outcome != tt.outcome || !strings.Contains(e.Message, tt.message) {
			t.Errorf("%s: %v %q", tt.data, e.Outcome, e.Message)
		}
	}
	for _, data := range []string{`{"error":null}`, `{"error":""}`, `{"error":{ }}`, `{"error":false}`, `{"error":0}`, `{"error":[]}`} {
		if e, _ := run(Options{}, nil, read{ms, "data: " + data + "\n\n" + text("a") + stop}); e.Outcome != bench.OK {
			t.Errorf("%s: %v %q", data, e.Outcome, e.Message)
		}
	}
}

func TestTimingsAndCache(t *testing.T) {
	e, _ := run(Options{}, nil, every(text("a"), stop,
		`data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":1,"prompt_tokens_details":{"cached_tokens":4}},"timings":{"cache_n":4,"prompt_n":5,"prompt_ms":12.5,"predicted_n":1,"predicted_ms":3e1}}`+"\n", done)...)
	want := bench.Timings{OK: true, PromptMs: 12.5, PredictedMs: 30, PromptN: 5, PredictedN: 1}
	if e.Timings != want || e.Counts.Input != 9 || e.Counts.Cached != 4 {
		t.Errorf("%+v, %+v", e.Timings, e.Counts)
	}
}

func TestUsageOfZeroIsNoCountWhenTextCame(t *testing.T) {
	e, _ := run(Options{}, nil, every(text("a"), text("b"), stop, `data: {"usage":{"prompt_tokens":0,"completion_tokens":0}}`+"\n", done)...)
	if e.Counts.Output != 2 || e.Counts.Source != bench.FromEvents {
		t.Errorf("%+v", e.Counts)
	}
}

func TestMessageIsPrintableShortAndClean(t *testing.T) {
	clean := func(s string) string { return strings.ReplaceAll(s, "sk-secret", "***") }
	words := strings.Repeat("ü", 250) + "\x1b[31m\r\n\tsk-secret " + strings.Repeat("x", 600)
	p := New(Options{Clean: clean})
	p.Feed([]byte(fmt.Sprintf("event: error\ndata: %s\n\n", strings.ReplaceAll(words, "\r\n", "\v"))), ms)
	p.Close(ms, nil)
	var e bench.Ended
	p.Fill(&e)
	if len(e.Message) > MaxMessage || strings.ContainsAny(e.Message, "\x1b\r\n\t\v") || strings.Contains(e.Message, "secret") || !strings.Contains(e.Message, "***") {
		t.Errorf("%q", e.Message)
	}
}

func TestResetForgets(t *testing.T) {
	p := New(Options{})
	p.Feed([]byte(text("a")+"data: half"), ms)
	p.Reset(Options{})
	p.Feed([]byte(role+stop), 2*ms)
	p.Close(3*ms, nil)
	var e bench.Ended
	p.Fill(&e)
	if e.Outcome != bench.OK || e.Counts.Events != 0 || e.Counts.Malformed != 0 || e.Marks.FirstToken.OK {
		t.Errorf("%v %+v", e.Outcome, e.Counts)
	}
}
