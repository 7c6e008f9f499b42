package stream

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"redline/bench"
)

func TestCharactersOfEveryChannelCountOnce(t *testing.T) {
	reasoned := func(fields string) string { return delta(fields) }
	for _, tt := range []struct {
		sentence string
		stream   string
		chars    int
	}{
		{"plain text", text("abc") + text(" d") + stop + done, 5},
		{"what is beyond ASCII counts by characters, not bytes", text("é你😀") + stop + done, 3},
		{"an escape is one character, and a pair of them for one character too", delta(`"content":"\n\"\u00e9\ud83d\ude00x"`) + stop + done, 5},
		{"half of a pair is one character, as decoders make it", delta(`"content":"\ud83dx\ude00\ud83d\ud83d\ude00"`) + stop + done, 5},
		{"reasoning counts", delta(`"reasoning_content":"hmm"`) + text("a") + stop + done, 4},
		{"and once where it comes under two names", reasoned(`"reasoning":"hmm","reasoning_details":[{"type":"reasoning.text","text":"hmm"}]`) + text("a") + stop + done, 4},
		{"content and reasoning of one event are two texts", delta(`"content":"ab","reasoning_content":"hmm"`) + stop + done, 5},
		{"so do parts", delta(`"content":[{"type":"text","text":"ab"},{"type":"thinking","thinking":[{"type":"text","text":"hmm"}]}]`) + stop + done, 5},
		{"a refusal counts", delta(`"refusal":"no"`) + stop + done, 2},
		{"a called name and its arguments count", delta(`"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"find","arguments":""}}]`) +
			delta(`"tool_calls":[{"index":0,"function":{"arguments":"{\"a\""}}]`) + stop + done, 8},
		{"arguments that are an object count as they stand", delta(`"tool_calls":[{"function":{"arguments":{"a":1}}}]`) + stop + done, 7},
		{"a call under its old and its new name is one", delta(`"function_call":{"name":"find"},"tool_calls":[{"function":{"name":"find"}}]`) + stop + done, 4},
		{"sound has no characters", delta(`"audio":{"data":"AAAA","transcript":"hi"}`) + stop + done, 2},
		{"an answer so far beside its delta is a repetition",
			data(`{"choices":[{"delta":{"content":"ab"},"message":{"content":"ab"}}]}`) + data(`{"choices":[{"delta":{"content":"c"},"message":{"content":"abc"}}]}`) + stop + done, 3},
		{"a whole answer counts where nothing came before it", data(`{"object":"chat.completion","choices":[{"message":{"content":"abc"},"finish_reason":"stop"}]}`) + done, 3},
		{"and not behind its pieces", text("abc") + data(`{"object":"chat.completion","choices":[{"message":{"content":"abc"},"finish_reason":"stop"}]}`) + done, 3},
		{"two choices are two texts", data(`{"choices":[{"index":0,"delta":{"content":"a"}},{"index":1,"delta":{"content":"bc"}}]}`) + done, 3},
		{"completions", data(`{"choices":[{"text":"ab"}]}`) + done, 2},
		{"responses do not count again what done and completed repeat",
			opening + responseText("ab") + responseText("é") + typed("response.output_text.done", `"text":"abé"`) + typed("response.content_part.done", `"part":{"text":"abé"}`) + completed(2, 0), 3},
		{"a response's arguments", opening + typed("response.function_call_arguments.delta", `"delta":"{}"`) + typed("response.function_call_arguments.done", `"arguments":"{}"`) + completed(2, 0), 2},
		{"a response that only repeats", opening + typed("response.output_text.done", `"text":"abc"`) + completed(2, 0), 3},
		{"messages: thinking, text and a call's input; signatures are none", messageStart(`"input_tokens":3`) + block(`"type":"thinking_delta","thinking":"hmm"`) +
			block(`"type":"signature_delta","signature":"c2lt"`) + block(`"type":"text_delta","text":"ab"`) + block(`"type":"input_json_delta","partial_json":"{"`) + message("message_stop", ""), 6},
	} {
		e, chunks := run(Options{}, nil, every(tt.stream)...)
		sum := 0
		for _, c := range chunks {
			sum += c.Chars
		}
		if e.Counts.Chars != tt.chars || sum != tt.chars || e.Outcome != bench.OK {
			t.Errorf("%s: %d characters (%d in the chunks), want %d; %v %q", tt.sentence, e.Counts.Chars, sum, tt.chars, e.Outcome, e.Message)
		}
	}
}

// decoded is how many characters a decoder finds between the quotes.
func decoded(raw []byte) (n int, ok bool) {
	var s string
	if json.Unmarshal([]byte(`"`+string(raw)+`"`), &s) != nil {
		return 0, false
	}
	return utf8.RuneCountInString(s), true
}

func TestCharactersAreThoseThatADecoderFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	bits := []string{"a", " ", "é", "你", "😀", "\u2028", `\n`, `\"`, `\\`, `\/`, `\u0041`, `\u00E9`, `\ud83d`, `\uDE00`, `\uD83D\ude00`, `\udbff\udfff`, `\ud7ff`, `\ue000`, "\xff", "\xf0\x9f", "long run of plain text "}
	for range 20_000 {
		var b strings.Builder
		for range r.IntN(12) {
			b.WriteString(bits[r.IntN(len(bits))])
		}
		raw := b.String()
		want, ok := decoded([]byte(raw))
		if !ok {
			t.Fatalf("%q is no string", raw)
		}
		w := walker{b: []byte(`"` + raw + `"`)}
		if got := w.textIn(answer); got.chars() != want || w.bad || (raw == "") != (got.in() == 0) {
			t.Fatalf("%q: %d characters, a decoder finds %d", raw, got.chars(), want)
		}
	}
	for range 20_000 { // what a writer of JSON makes of random text
		var runes []rune
		for range r.IntN(20) {
			runes = append(runes, rune(r.IntN(utf8.MaxRune)>>r.IntN(20)))
		}
		quoted, err := json.Marshal(string(runes))
		if err != nil {
			t.Fatal(err)
		}
		w := walker{b: quoted}
		if got := w.textIn(answer); got.chars() != len(runes) {
			t.Fatalf("%s: %d characters of %d", quoted, got.chars(), len(runes))
		}
	}
}

func FuzzCharacters(f *testing.F) {
	for _, s := range []string{"", `a\u00e9`, `\ud83d\ude00`, `\ud83d\u0041`, `\`, `\u`, `\ud8`, `\ud83d\`, `\ud83d\ude`, "\\\xff", `\x\\`, "\xf0\x9f\x98", `\uD83D\uD83D\uDE00`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got := chars(raw, true)
		if got > len(raw) {
			t.Fatalf("%q: %d characters of %d bytes", raw, got, len(raw))
		}
		if want, ok := decoded(raw); ok && got != want {
			t.Fatalf("%q: %d characters, a decoder finds %d", raw, got, want)
		}
		if want := utf8.RuneCount(raw); chars(raw, false) != want {
			t.Fatalf("%q: without escapes %d, want %d", raw, chars(raw, false), want)
		}
	})
}

func TestCharactersCostNoMemory(t *testing.T) {
	for name, line := range map[string]string{
		"chat": line240, "escaped": delta(`"content":"\u00e9\n😀"`), "responses": responseText(" token"), "messages": block(`"type":"text_delta","text":" token"`),
	} {
		p := New(Options{})
		b, at := []byte(line), 0
		if n := testing.AllocsPerRun(200, func() { at++; p.Feed(b, ms) }); n > 0 {
			t.Errorf("%s: %v allocations an event", name, n)
		}
		if p.counts.Chars < at {
			t.Errorf("%s: %d characters of %d events", name, p.counts.Chars, at)
		}
	}
	if got := fmt.Sprint(chars([]byte(strings.Repeat("x", 1000)), false)); got != "1000" {
		t.Error(got)
	}
}
