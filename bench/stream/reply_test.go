package stream

import (
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"redline/bench"
)

func TestTheBeginningOfTheReplyIsKept(t *testing.T) {
	for _, tt := range []struct {
		sentence, stream, want string
	}{
		{"content", role + text("a") + text(" b\n") + text("\tc") + stop + done, "a b\n\tc"},
		{"decoded", delta(`"content":"\u00e9\ud83d\ude00\"\\\/ \ud83d. \u0000"`) + stop + done, "é😀\"\\/ \uFFFD. "},
		{"reasoning, and the answer in a paragraph of its own", delta(`"reasoning_content":"hm"`) + delta(`"reasoning_content":"m"`) + text("a") + text("b") + stop + done, "hmm\n\nab"},
		{"reasoning under two names once", delta(`"reasoning_content":"hm","reasoning":"hm"`) + text("a") + stop + done, "hm\n\na"},
		{"reasoning among parts", delta(`"content":[{"text":"hm","type":"thinking"}]`) + delta(`"content":[{"type":"text","text":"a"}]`) + stop + done, "hm\n\na"},
		{"calls", delta(`"tool_calls":[{"function":{"name":"f","arguments":"{\"x\""}}]`) + delta(`"tool_calls":[{"function":{"arguments":":1}"}}]`) + stop + done, `f{"x":1}`},
		{"a call's arguments as an object", delta(`"tool_calls":[{"function":{"name":"f","arguments":{"x":"y"}}}]`) + stop + done, `f{"x":"y"}`},
		{"a refusal", delta(`"refusal":"no"`) + delta(`"refusal":", sorry"`) + stop + done, "no, sorry"},
		{"of two choices the first", data(`{"choices":[{"index":0,"delta":{"content":"a"}},{"delta":{"content":"b"},"index":1}]}`) + done, "a"},
		{"no repetition", data(`{"choices":[{"delta":{"content":"a"},"message":{"content":"a"}}]}`) + data(`{"choices":[{"delta":{"content":"b"},"message":{"content":"ab"}}]}`) + done, "ab"},
		{"a whole answer", data(`{"object":"chat.completion","choices":[{"message":{"content":"abc"},"finish_reason":"stop"}]}`) + done, "abc"},
		{"completions", data(`{"choices":[{"text":"a"}]}`) + data(`{"choices":[{"text":"b"}]}`) + done, "ab"},
		{"responses", opening + typed("response.reasoning_text.delta", `"delta":"hmm"`) + typed("response.reasoning_text.done", `"text":"hmm"`) + responseText("a") + responseText("b") +
			typed("response.output_text.done", `"text":"ab"`) + completed(2, 0), "hmm\n\nab"},
		{"a response's call", opening + typed("response.function_call_arguments.delta", `"delta":"{}"`) + completed(2, 0), "{}"},
		{"messages", messageStart(`"input_tokens":3`) + block(`"type":"thinking_delta","thinking":"hmm"`) + block(`"type":"text_delta","text":"a"`) +
			block(`"type":"input_json_delta","partial_json":"{}"`) + message("message_stop", ""), "hmm\n\na{}"},
		{"control characters go", delta(`"content":"a\u001b[31m\u0000\r\n\tb\u007f\u009b"`) + done, "a[31m\n\tb"},
		{"a character that two events share is whole", data("{\"choices\":[{\"delta\":{\"content\":\"a\xf0\x9f\"}}]}") + data("{\"choices\":[{\"delta\":{\"content\":\"\x98\x80b\"}}]}") + done, "a😀b"},
		{"what came of a failure", text("a") + data(`{"error":{"message":"x"}}`), "a"},
		{"nothing", stop + done, ""},
		{"cut at a character", strings.Repeat(text("é😀x"), 1000) + stop + done, strings.Repeat("é😀x", bench.ReplyBytes/7) + "é"},
	} {
		for _, step := range []int{1 << 20, 1, 7} {
			var reads []read
			for all := tt.stream; all != ""; {
				n := min(step, len(all))
				reads, all = append(reads, read{100 * ms, all[:n]}), all[n:]
			}
			e, _ := run(Options{}, io.EOF, reads...)
			if e.Reply != tt.want || len(e.Reply) > bench.ReplyBytes {
				t.Errorf("%s: %q, want %q (cut by %d)", tt.sentence, e.Reply, tt.want, step)
			}
			// Whoever listens from the beginning on hears the same, and all of it.
			p := New(Options{})
			heard := ""
			take := func() {
				text, begins := p.Heard()
				if len(text) > 0 && begins != (heard == "") {
					t.Errorf("%s: %q behind %q is said to begin: %v", tt.sentence, text, heard, begins)
				}
				heard += string(text)
			}
			for i, r := range reads {
				p.Listen(i >= len(reads)/2 && (p.kept.live || !p.kept.full))
				p.Feed([]byte(r.text), r.at)
				take()
			}
			p.Close(100*ms, io.EOF)
			take()
			if s := Text([]byte(heard)); !strings.HasPrefix(s, tt.want) && p.kept.live {
				t.Errorf("%s: heard %.80q, want %.80q (cut by %d)", tt.sentence, s, tt.want, step)
			}
		}
	}
}

// A secret that is cut by the bound, or moves up into what is shown, is not there in pieces.
func TestASecretInAReplyIsTakenOutWhereverItStands(t *testing.T) {
	const key = "sk-0123456789abcdef"
	clean := func(s string) string {
		s = strings.ReplaceAll(s, key, "***")
		for n := len(key) - 1; n >= 9; n-- {
			if rest, ok := strings.CutSuffix(s, key[:n]); ok {
				return rest + "***"
			}
		}
		return s
	}
	for before := range bench.ReplyBytes + 40 {
		said := strings.Repeat("x", before) + strings.Repeat(key+" ", 200)
		p := New(Options{Clean: clean})
		for len(said) > 0 {
			n := min(5, len(said))
			p.Feed([]byte(text(said[:n])), ms)
			said = said[n:]
		}
		p.Close(ms, io.EOF)
		var e bench.Ended
		p.Fill(&e)
		rest := strings.TrimLeft(e.Reply, "x")
		if strings.Trim(rest, "* ") != "" || len(e.Reply) > bench.ReplyBytes || len(e.Reply) < min(before, bench.ReplyBytes) {
			t.Fatalf("%d before it: %q", before, rest)
		}
	}
}

func TestAFullReplyCostsNothing(t *testing.T) {
	p := New(Options{})
	for range 2 * rawReply {
		p.Feed([]byte(text("x")), ms)
	}
	if p.w.keep != nil || len(p.kept.said) != rawReply {
		t.Errorf("%d bytes, still keeping: %v", len(p.kept.said), p.w.keep != nil)
	}
	p.Listen(true)
	p.Feed([]byte(text("yz")), ms)
	if got, begins := p.Heard(); string(got) != "yz" || begins {
		t.Errorf("heard %q, as the beginning: %v", got, begins)
	}
	p.Listen(false)
	if p.Feed([]byte(text("x")), ms); p.w.keep != nil || len(p.kept.fresh) != 0 {
		t.Error("kept for nobody")
	}
}

func FuzzDecoded(f *testing.F) {
	for _, s := range []string{`a`, `\n\u00e9`, `\ud83d\ude00`, `\ud83d`, `\ude00\ud83d`, `\ud83d\n`, `\ud83d\u0041`, `\/\b\f\r\t\"\\`, "\xff\\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got := appendDecoded(nil, raw, 1<<20)
		if want, ok := decodedText(raw); ok && utf8.Valid(raw) && string(got) != want {
			t.Fatalf("%q: %q, want %q", raw, got, want)
		}
		if n := len(appendDecoded(nil, raw, 3)); n > len(got) {
			t.Fatalf("%q: bounded it is longer: %d", raw, n)
		}
	})
}

// decodedText is what a decoder makes of a string; false for what is none.
func decodedText(raw []byte) (string, bool) {
	w := walker{b: append(append([]byte{'"'}, raw...), '"')}
	if inner, _ := w.str(); w.bad || len(inner) != len(raw) {
		return "", false
	}
	return string(unescape(raw)), true
}

// BenchmarkReply is an event whose text is still kept, against BenchmarkParser, whose text is not any more.
func BenchmarkReply(b *testing.B) {
	line, p := []byte(line240), New(Options{})
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%64 == 0 {
			p.Reset(Options{})
		}
		p.Feed(line, ms)
	}
}
