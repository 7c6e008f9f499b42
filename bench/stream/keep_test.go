package stream

import (
	"io"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"redline/bench"
)

func TestTheTextOfTheAnswerIsKept(t *testing.T) {
	for _, tt := range []struct {
		sentence, stream, want string
	}{
		{"content in order", role + text("a") + text(" b\n") + text("\tc") + stop + done, "a b\n\tc"},
		{"decoded", delta(`"content":"\u00e9\ud83d\ude00\"\\"`) + stop + done, `é😀"\`},
		{"without reasoning", delta(`"reasoning_content":"hmm"`) + delta(`"reasoning":"hmm","content":"a"`) + stop + done, "a"},
		{"without the reasoning among its parts", delta(`"content":[{"text":"hmm","type":"thinking"},{"type":"text","text":"a"},{"type":"thinking","thinking":"x"}]`) + stop + done, "a"},
		{"without calls", delta(`"tool_calls":[{"function":{"name":"f","arguments":"{}"}}]`) + text("a") + stop + done, "a"},
		{"a refusal where nothing else came", delta(`"refusal":"no"`) + delta(`"refusal":", sorry"`) + stop + done, "no, sorry"},
		{"but not beside an answer", delta(`"refusal":"no"`) + text("a") + stop + done, "a"},
		{"of two choices the first", data(`{"choices":[{"index":0,"delta":{"content":"a"}},{"delta":{"content":"b"},"index":1}]}`) + done, "a"},
		{"a repetition beside each delta does not count", data(`{"choices":[{"delta":{"content":"a"},"message":{"content":"a"}}]}`) + data(`{"choices":[{"delta":{"content":"b"},"message":{"content":"ab"}}]}`) + done, "ab"},
		{"a whole answer", data(`{"object":"chat.completion","choices":[{"message":{"content":"abc"},"finish_reason":"stop"}]}`) + done, "abc"},
		{"an event of many parts", delta(`"content":[`+strings.Repeat(`{"type":"text","text":"a"},`, 39)+`{"type":"text","text":"b"}]`) + done, strings.Repeat("a", 39) + "b"},
		{"completions", data(`{"choices":[{"text":"a"}]}`) + data(`{"choices":[{"text":"b"}]}`) + done, "ab"},
		{"Workers AI", data(`{"response":"a"}`) + data(`{"response":"b"}`) + done, "ab"},
		{"responses", opening + typed("response.reasoning_text.delta", `"delta":"hmm"`) + typed("response.reasoning_text.done", `"text":"hmm"`) + responseText("a") + responseText("b") +
			typed("response.output_text.done", `"text":"ab"`) + completed(2, 0), "ab"},
		{"a response's call is no answer", opening + typed("response.function_call_arguments.delta", `"delta":"{}"`) + responseText("a") + completed(2, 0), "a"},
		{"a response's refusal", opening + typed("response.refusal.delta", `"delta":"no"`) + typed("response.refusal.done", `"refusal":"no"`) + completed(2, 0), "no"},
		{"a response that comes as a whole, behind its reasoning", opening + typed("response.reasoning_text.done", `"text":"hmm"`) + typed("response.output_text.done", `"text":"ab"`) + completed(2, 0), "ab"},
		{"a name on a line of its own", "event: response.output_text.delta\n" + data(`{"delta":"a"}`) + completed(1, 0), "a"},
		{"messages", messageStart(`"input_tokens":3`) + block(`"type":"thinking_delta","thinking":"hmm"`) + block(`"type":"text_delta","text":"a"`) +
			block(`"type":"input_json_delta","partial_json":"{}"`) + block(`"type":"text_delta","text":"b"`) + message("message_stop", ""), "ab"},
		{"control characters go, line breaks and tabs stay", delta(`"content":"a\u001b[31m\u0000\r\n\tb\u007f\u009b"`) + done, "a[31m\n\tb"},
		{"what is not UTF-8 becomes so", data("{\"choices\":[{\"delta\":{\"content\":\"a\xffb\"}}]}") + done, "a\uFFFDb"},
		{"a character that two events share is whole", data("{\"choices\":[{\"delta\":{\"content\":\"a\xf0\x9f\"}}]}") + data("{\"choices\":[{\"delta\":{\"content\":\"\x98\x80b\"}}]}") + done, "a😀b"},
		{"a failed stream has what came", text("a") + data(`{"error":{"message":"x"}}`), "a"},
		{"nothing came", stop + done, ""},
	} {
		for _, step := range []int{1 << 20, 1, 7} {
			var reads []read
			for all := tt.stream; all != ""; {
				n := min(step, len(all))
				reads, all = append(reads, read{100 * ms, all[:n]}), all[n:]
			}
			if e, _ := run(Options{KeepAnswer: true}, io.EOF, reads...); e.Answer != tt.want {
				t.Errorf("%s: %q, want %q (cut by %d)", tt.sentence, e.Answer, tt.want, step)
			}
			if e, _ := run(Options{}, io.EOF, reads...); e.Answer != "" {
				t.Errorf("%s: nobody asked for %q", tt.sentence, e.Answer)
			}
		}
	}
}

func TestAnAnswerIsBoundedAtACharacter(t *testing.T) {
	for _, unit := range []string{"x", "é", "你", "😀", "\\u4f60", "x\\u0000é"} {
		var stream strings.Builder
		event := delta(`"content":"` + strings.Repeat(unit, 10_000) + `"`)
		for n := 0; n < 2*bench.AnswerBytes; n += 10_000 {
			stream.WriteString(event)
		}
		e, _ := run(Options{KeepAnswer: true}, io.EOF, every(stream.String()+stop+done)...)
		if n := len(e.Answer); n > bench.AnswerBytes || n < bench.AnswerBytes/2 || !utf8.ValidString(e.Answer) || strings.ContainsRune(e.Answer, utf8.RuneError) {
			t.Errorf("%s: %d bytes, valid: %v", unit, n, utf8.ValidString(e.Answer))
		}
	}
}

func TestAParserKeepsNoAnswerForTheNextStream(t *testing.T) {
	p := New(Options{KeepAnswer: true})
	for _, opt := range []Options{{}, {KeepAnswer: true}} {
		p.Feed([]byte(text("a secret")), ms)
		p.Reset(opt)
		p.Feed([]byte(text("b")+stop+done), ms)
		var e bench.Ended
		p.Close(ms, nil)
		if p.Fill(&e); e.Answer != strings.Repeat("b", map[bool]int{true: 1}[opt.KeepAnswer]) {
			t.Errorf("%+v: %q", opt, e.Answer)
		}
		p.Reset(Options{KeepAnswer: true})
	}
}

// FuzzAnswer holds that what is kept is fit to be sent, and that keeping it changes nothing else.
func FuzzAnswer(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Add([]byte(text("a") + delta(`"content":"\ud83d"`) + delta(`"refusal":"x","content":[{"text":"\u0000","type":"text"}]`)))
	f.Fuzz(func(t *testing.T, body []byte) {
		off, on := New(Options{}), New(Options{KeepAnswer: true})
		var without, with bench.Ended
		for p, e := range map[*Parser]*bench.Ended{off: &without, on: &with} {
			for all := body; len(all) > 0; {
				n := min(11, len(all))
				p.Feed(all[:n], ms)
				all = all[n:]
			}
			p.Close(2*ms, io.EOF)
			p.Fill(e)
		}
		if without.Counts != with.Counts || without.Outcome != with.Outcome || without.Answer != "" {
			t.Fatalf("without %+v, with %+v", without, with)
		}
		if !utf8.ValidString(with.Answer) || len(with.Answer) > bench.AnswerBytes || utf8.RuneCountInString(with.Answer) > max(with.Counts.Chars, 1<<16) {
			t.Fatalf("%q", with.Answer)
		}
		if i := strings.IndexFunc(with.Answer, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }); i >= 0 {
			t.Fatalf("%q at %d", with.Answer, i)
		}
	})
}
