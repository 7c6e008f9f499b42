package stream

import (
	"io"
	"strings"
	"testing"

	"redline/bench"
)

// outcomes checks bodies for what they come to, fed whole and byte by byte.
func outcomes(t *testing.T, name, body string, want bench.Outcome, message string) {
	t.Helper()
	for _, at := range []int{0, len(body) / 3, len(body) - 1} {
		e := cutAt(body, at, io.EOF)
		if e.Outcome != want || !strings.Contains(e.Message, message) || (message == "") != (e.Message == "") {
			t.Errorf("%s, cut at %d: %v %q, want %v %q", name, at, e.Outcome, e.Message, want, message)
		}
	}
}

// Errors that stand bare in a payload, as servers and the frameworks under them write them.
var bareErrors = []struct {
	name, payload string
	outcome       bench.Outcome
	message       string
}{
	{"FastAPI", `{"detail":"Internal Server Error"}`, bench.StreamError, "Internal Server Error"},
	{"FastAPI's validation", `{"detail":[{"loc":["body","messages"],"msg":"field required","type":"value_error"}]}`, bench.StreamError, "field required"},
	{"FastAPI with an object for its detail", `{"detail":{"message":"busy","code":503}}`, bench.StreamError, "busy"},
	{"FastChat", `{"text":"**NETWORK ERROR DUE TO HIGH TRAFFIC.** (CUDA out of memory)","error_code":50002}`, bench.StreamError, "CUDA out of memory"},
	{"Zhipu", `{"code":500,"msg":"404 NOT_FOUND","success":false}`, bench.StreamError, "404 NOT_FOUND"},
	{"a success that is refused", `{"success":false,"message":"no"}`, bench.StreamError, "no"},
	{"Baidu", `{"error_code":336100,"error_msg":"try again","id":"as"}`, bench.StreamError, "try again"},
	{"DashScope", `{"code":"Throttling.RateQuota","message":"slow","request_id":"r"}`, bench.RateLimited, "slow"},
	{"a status as a number", `{"message":"Too many requests","status":429}`, bench.RateLimited, "Too many requests"},
	{"Nest", `{"statusCode":503,"message":"busy","error":""}`, bench.Overloaded, "busy"},
	{"a status as digits", `{"status":"401","title":"who?"}`, bench.Unauthorized, "who?"},
	{"a status in words", `{"status":"failed","message":"boom"}`, bench.StreamError, "boom"},
	{"a problem report", `{"type":"about:blank","title":"Too Many Requests","status":429,"detail":"wait"}`, bench.RateLimited, "wait"},
	{"Spring", `{"timestamp":"2026","status":500,"error":"Internal Server Error","path":"/v1"}`, bench.StreamError, "Internal Server Error"},
	{"AWS", `{"__type":"com.amazon.coral.service#ThrottlingException","message":"Too many requests"}`, bench.RateLimited, "Too many requests"},
	{"AWS without words", `{"__type":"AccessDeniedException"}`, bench.Unauthorized, "AccessDenied"},
	{"camel case", `{"errorCode":"E7","errorMessage":"boom"}`, bench.StreamError, "boom"},
	{"WeChat's style", `{"errcode":40001,"errmsg":"bad token"}`, bench.StreamError, "bad token"},
	{"a type that is an error's", `{"type":"invalid_request_error","message":"bad"}`, bench.StreamError, "bad"},
	{"an exception", `{"type":"exception","message":"bad"}`, bench.StreamError, "bad"},
	{"beside choices that are null", `{"choices":null,"code":500,"msg":"boom"}`, bench.StreamError, "boom"},
	{"beside choices that are none, and no usage", `{"choices":[],"usage":null,"detail":"boom"}`, bench.StreamError, "boom"},
}

func TestBareErrorsAreErrorsWhateverFollows(t *testing.T) {
	for _, tt := range bareErrors {
		e := data(tt.payload)
		for _, body := range []string{e, e + done, role + e + done, text("a") + e + done, text("a") + e, text("a") + e + stop + done, "event: message\n" + e + done} {
			outcomes(t, tt.name, body, tt.outcome, tt.message)
		}
		outcomes(t, tt.name+", as a body", tt.payload, tt.outcome, tt.message)
		outcomes(t, tt.name+", bare in the stream", text("a")+tt.payload+"\n\n", tt.outcome, tt.message)
	}
}

func TestWhatOnlyLooksLikeABareErrorIsNone(t *testing.T) {
	for _, payload := range []string{
		`{"choices":[{"delta":{"content":"b"}}],"detail":"d","code":500,"msg":"m","status":500,"error_code":7,"success":false}`,
		`{"usage":{"prompt_tokens":7,"completion_tokens":2},"status":500,"detail":"d"}`,
		`{"response":"b","status":500,"detail":"d"}`,
		`{"type":"response.code_interpreter_call_code.done","code":"print(1)"}`, `{"type":"response.created","status":"failed","detail":"d"}`,
		`{"type":"response.created","response":{"error":{"code":null,"message":""}}}`,
		`{"status":"processing"}`, `{"status":200,"message":"ok"}`, `{"statusCode":0}`, `{"code":0,"msg":"success"}`, `{"code":"200","message":"OK"}`,
		`{"error_code":0,"error_msg":""}`, `{"error_code":"0","error_msg":"success"}`, `{"detail":null}`, `{"detail":[]}`, `{"detail":""}`, `{"success":true,"message":"m"}`, `{"success":false}`,
		`{"msg":"hold on"}`, `{"__type":""}`, `{"oops":"x"}`, `{}`,
	} {
		outcomes(t, payload, role+data(payload)+text("a")+stop+done, bench.OK, "")
	}
}

func TestLastWordsThatNobodyUnderstandsAreAnErrorBehindWhichOnlyDoneComes(t *testing.T) {
	odd := data(`{"message":"An unexpected error occurred","request_id":"x"}`)
	const words = "An unexpected error occurred"
	for _, tt := range []struct {
		name, body string
		outcome    bench.Outcome
		message    string
	}{
		{"[DONE] alone behind them", odd + done, bench.StreamError, words},
		{"behind a role", role + odd + done, bench.StreamError, words},
		{"behind text", text("a") + odd + done, bench.StreamError, words},
		{"an event that declares the end", text("a") + odd + "event: done\ndata: {}\n\n", bench.StreamError, words},
		{"usage among them", text("a") + odd + usage3 + done, bench.StreamError, words},
		{"named as any message", "event: message\n" + odd + done, bench.StreamError, words},
		{"named, and no text", "event: chunk\n" + odd + done, bench.StreamError, words},
		{"a dialect that nobody knows", data(`{"event":"start","data":{"x":1}}`) + data(`{"event":"token","data":{"x":"Hello"}}`) + done, bench.StreamError, "Hello"},
		{"the whole of it, where no words stand in it", data(`{"oops":{"a":1}}`) + done, bench.StreamError, `{"oops":{"a":1}}`},
		{"without an end it is a truncated stream that says what came last", text("a") + odd, bench.Truncated, words},
		{"a finish reason behind them", text("a") + odd + stop + done, bench.OK, ""},
		{"a finish reason before them", text("a") + stop + odd + done, bench.OK, ""},
		{"text behind them", odd + text("a") + done, bench.OK, ""},
		{"a name of their own beside text", text("a") + "event: metadata\n" + data(`{"run_id":"x"}`) + done, bench.OK, ""},
		{"a type of their own beside text", text("a") + data(`{"type":"finish","x":1}`) + done, bench.OK, ""},
		{"words that stand bare in the stream", text("a") + "upstream connect error. reset reason: connection termination\n" + done, bench.StreamError, "reset reason: connection termination"},
		{"words that stand bare, and no text", role + "Internal Server Error\n" + done, bench.StreamError, "Internal Server Error"},
		{"an object that stands bare", text("a") + `{"message":"` + words + "\"}\n" + done, bench.StreamError, words},
		{"a page", text("a") + "<html><head><title>504 Gateway Time-out</title></head></html>\r\n", bench.Truncated, "behind 504 Gateway Time-out"},
		{"bare words behind which text comes", role + "3a\n" + text("a") + done, bench.OK, ""},
		{"fields that nobody knows", text("a") + "time: 12\n" + done, bench.OK, ""},
		{"pings say nothing", data(`{"type":"ping"}`) + "event: ping\n" + data(`{"time":1}`) + data(`{}`) + data(`{ }`) + done, bench.OK, ""},
		{"nor do the members of any dialect", data(`{"choices":[]}`) + data(`{"id":"x","object":"chat.completion.chunk"}`) + data(`{"response":""}`) + data(`{"usage":null}`) +
			data(`{"delta":{}}`) + data(`{"x_groq":{"id":"r"}}`) + data(`{"base_resp":{"status_code":0}}`) + done, bench.OK, ""},
		{"[DONE] alone", done, bench.OK, ""},
	} {
		outcomes(t, tt.name, tt.body, tt.outcome, tt.message)
	}
}

func TestTheNameOfAnErrorMayStandAnywhereInItsBlock(t *testing.T) {
	boom := data(`{"message":"boom"}`)
	for _, tt := range []struct{ name, body, message string }{
		{"before its data", text("a") + "event: error\n" + boom + stop, "boom"},
		{"with other fields between", text("a") + "event: error\nid: 3\nretry: 1\n" + boom + stop, "boom"},
		{"behind its data", text("a") + "data: {\"message\":\"boom\"}\nevent: error\n\n" + stop, "boom"},
		{"behind its data, at the end", text("a") + "data: {\"message\":\"boom\"}\nevent: error", "boom"},
		{"behind data that is no JSON", "data: boom\nevent: error\n\n", "boom"},
		{"a blank line before its data", text("a") + "event: error\n\n" + boom + done, "boom"},
		{"an exception", text("a") + "event: exception\n" + boom + done, "boom"},
		{"any kind of error", text("a") + "event: stream_error\ndata: boom\n\n" + done, "boom"},
		{"a failure", text("a") + "event: failed\n" + boom + done, "boom"},
		{"[DONE] for its data", text("a") + "event: error\n" + done, "says nothing"},
		{"[DONE] for its data behind what nobody understands", text("a") + boom + "event: error\n" + done, "boom"},
		{"no data", text("a") + "event: error\n\n" + done, "says nothing"},
		{"empty data", text("a") + "event: error\ndata:\n\n" + stop + done, "says nothing"},
		{"cut before its data", text("a") + "event: error\n", "says nothing"},
		{"a failed response behind its data", "data: {\"response\":{}}\nevent: response.failed\n\n", "response.failed"},
	} {
		outcomes(t, tt.name, tt.body, bench.StreamError, tt.message)
	}
	e := cutAt("data: {\"delta\":\"a\"}\nevent: response.output_text.delta\n\ndata: {\"response\":{\"usage\":{\"input_tokens\":4,\"output_tokens\":3}}}\nevent: response.completed\n\n"+text("b"), 0, nil)
	if e.Outcome != bench.OK || e.Finish != "completed" || e.Counts.Events != 1 || e.Counts.Output != 3 {
		t.Errorf("a name behind the data of the end: %v %q %+v", e.Outcome, e.Finish, e.Counts)
	}
}

func TestAnErrorOfWhichNoPartSaysAnythingIsNoneBesideAnAnswer(t *testing.T) {
	for _, rest := range []string{
		`"error":{"code":0,"message":"","details":[]}`, `"error":{"code":0,"details":[{}],"inner":{"a":[null,false,""]}}`, `"error":{"code":"0","message":"success"}`,
		`"error":{"code":200,"message":"OK"}`, `"error":"none"`, `"errors":[{}]`, `"x_groq":{"error":{"message":""}}`,
		`"base_resp":{"status_code":"0","status_msg":"success"}`, `"base_resp":{"status_code":0}`, `"base_resp":{"status_code":""}`,
	} {
		outcomes(t, rest, data(`{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}],`+rest+`}`)+done, bench.OK, "")
		outcomes(t, rest, data(`{`+rest+`,"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop","p":NaN}]}`)+done, bench.OK, "")
	}
	outcomes(t, "in a choice", data(`{"choices":[{"index":0,"delta":{"content":"a"},"error":{"code":null,"message":""},"finish_reason":"stop"}]}`)+done, bench.OK, "")
	outcomes(t, "beside usage", text("a")+stop+data(`{"choices":[],"usage":{"prompt_tokens":1},"error":{"code":0,"message":""}}`)+done, bench.OK, "")
	outcomes(t, "alone", text("a")+data(`{"error":{"code":0,"message":"","details":[]}}`)+stop+done, bench.StreamError, "details")
	outcomes(t, "one that does", data(`{"choices":[{"delta":{"content":"a"},"error":{"code":0,"details":[{"reason":"gone"}]}}]}`)+stop+done, bench.StreamError, "gone")
	outcomes(t, "one that does behind one that does not", data(`{"error":{"message":""},"choices":[{"delta":{},"error":{"message":"gone"}}]}`)+stop+done, bench.StreamError, "gone")
	outcomes(t, "a status", data(`{"choices":[{"delta":{"content":"a"}}],"base_resp":{"status_code":"1002","status_msg":"too fast"}}`)+stop+done, bench.StreamError, "too fast")
}

func TestAnAnswerOfWhichNoTokenCouldBeReadIsMalformed(t *testing.T) {
	broken := strings.Repeat("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x}\n\n", 5)
	for _, tt := range []struct {
		name, body string
		outcome    bench.Outcome
		message    string
	}{
		{"cut events between a role and a finish reason", role + broken + stop + done, bench.Malformed, "content"},
		{"and before usage", role + broken + stop + usage3, bench.Malformed, "content"},
		{"strings", data(`"Hello"`) + data(`" there"`) + done, bench.Malformed, `"Hello"`},
		{"strings behind a role", role + data(`"Hello"`) + stop + done, bench.Malformed, `"Hello"`},
		{"strings without an end", data(`"Hello"`), bench.Malformed, `"Hello"`},
		{"arrays", data(`[{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}]`) + done, bench.Malformed, "choices"},
		{"numbers", data("7") + done, bench.Malformed, "7"},
		{"one token that could be", role + broken + data(`"x"`) + text("a") + stop + done, bench.OK, ""},
		{"nothing but null, and what is empty", data("null") + data(`""`) + data("[]") + data("false") + data("0") + stop + done, bench.OK, ""},
		{"a server that was cut off", role + broken, bench.Truncated, "without"},
		{"an error in an array", data(`[{"error":{"message":"gone"}}]`) + done, bench.StreamError, "gone"},
	} {
		outcomes(t, tt.name, tt.body, tt.outcome, tt.message)
	}
	if e := cutAt(role+broken+stop+"data: {\"choices", 0, io.ErrUnexpectedEOF); e.Outcome != bench.Malformed || e.Counts.Malformed != 5 {
		t.Errorf("cut behind its end: %v %+v", e.Outcome, e.Counts)
	}
}

func TestNumbersThatAreNoneAreReadAsNumbers(t *testing.T) {
	body := role
	for _, word := range []string{"NaN", "Infinity", "-Infinity"} {
		body += data(`{"choices":[{"index":0,"delta":{"content":"a"},"logprobs":{"content":[{"token":"a","logprob":` + word + `}]}}]}`)
	}
	body += stop + data(`{"usage":{"prompt_tokens":7,"completion_tokens":NaN,"total_tokens":-Infinity},"timings":{"prompt_ms":-Infinity,"predicted_ms":NaN}}`) + done
	e := cutAt(body, 0, nil)
	if c := e.Counts; e.Outcome != bench.OK || c.Events != 3 || c.Output != 3 || c.Input != 7 || c.Malformed != 0 || e.Timings.OK {
		t.Errorf("%v %q %+v %+v", e.Outcome, e.Message, c, e.Timings)
	}
}

func TestTextUnderTheNameResponseIsTextWhateverItsEventIsCalled(t *testing.T) {
	for _, name := range []string{"message", "data", "token"} {
		e := cutAt("event: "+name+"\n"+data(`{"response":"Hi"}`)+"event: "+name+"\n"+data(`{"response":" you","usage":{"prompt_tokens":3,"completion_tokens":2}}`)+done, 0, nil)
		if c := e.Counts; e.Outcome != bench.OK || c.Events != 2 || c.Output != 2 || c.Input != 3 {
			t.Errorf("%s: %v %+v", name, e.Outcome, c)
		}
	}
}

func TestFinishReasonsThatReportAFailureFailAsItsKind(t *testing.T) {
	for _, tt := range []struct {
		reason string
		want   bench.Outcome
	}{
		{"model_error", bench.StreamError}, {"MODEL-ERROR", bench.StreamError}, {"internal_server_error", bench.StreamError}, {"aborted_by_user", bench.StreamError},
		{"timeout", bench.StreamError}, {"timed_out", bench.StreamError}, {"request time-out", bench.StreamError}, {"failure", bench.StreamError}, {"exception", bench.StreamError},
		{"cancelled", bench.StreamError}, {"insufficient_system_resource", bench.StreamError}, {"network_error", bench.StreamError}, {"FinishReasonError", bench.StreamError},
		{"rate_limit", bench.RateLimited}, {"RateLimitExceeded", bench.RateLimited}, {"throttled", bench.RateLimited},
		{"overload", bench.Overloaded}, {"engine_overloaded", bench.Overloaded}, {"service unavailable", bench.Overloaded},
		{"insufficient_quota", bench.Unauthorized},
		{"stop", bench.OK}, {"length", bench.OK}, {"tool_calls", bench.OK}, {"content_filter", bench.OK}, {"sensitive", bench.OK}, {"eos", bench.OK}, {"stop_sequence", bench.OK},
		{"repetition", bench.OK}, {"recitation", bench.OK}, {"SAFETY", bench.OK}, {"end_turn", bench.OK}, {"model_context_window_exceeded", bench.OK}, {"max_output_tokens", bench.OK},
	} {
		message := ""
		if tt.want != bench.OK {
			message = tt.reason
		}
		outcomes(t, tt.reason, text("a")+data(`{"choices":[{"index":0,"delta":{},"finish_reason":"`+tt.reason+`"}]}`)+done, tt.want, message)
	}
}
