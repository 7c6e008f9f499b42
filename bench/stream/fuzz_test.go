package stream

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"redline/bench"
)

var seeds = []string{
	role + text("a") + text("b") + stop + usage3 + done,
	strings.ReplaceAll(text("a")+stop+done, "\n", "\r\n"),
	strings.ReplaceAll(text("a")+stop+done, "\n\n", "\r"),
	"\xef\xbb\xbf: x\n\ndata:{\"choices\":[{\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"\xe4\xbd\xa0\"}]}}]} \n",
	"data: {\"message\":\"boom\"}\nevent: exception\n\n" + done, "event: error\n\n" + text("a") + "data: [1]\n\nevent: error\ndata: [DONE]\n\n",
	text("a") + data(`{"detail":[{"msg":"m"}],"status":429}`), data(`{"code":"500","msg":"m","choices":null}`) + data(`{"oops":{"error_code":7}}`) + done,
	data(`{"choices":[{"delta":{"content":"a"},"error":{"code":"0","details":[{}]},"p":-Infinity}],"error":{"code":0,"message":"ok"}}`),
	"event: error\r\ndata: {\"error\":\"x\"}\r\n\r\n", "{\"error\":{\"message\":\"x\"}}", "<html>", "data: {oops\n\ndata: 5\n\nx\n",
	with(`"usage":{"prompt_tokens":1,"completion_tokens":4}`) + text("b")[:20],
	`data: {"type":"message_stop","delta":{"stop_reason":"end_turn","text":"\u00e9"}}` + "\n",
	opening + responseText("a") + typed("response.reasoning_summary_text.delta", `"delta":"hm"`) + typed("response.output_text.done", `"text":"a"`) + completed(9, 4),
	typed("response.failed", `"response":{"status":"failed","error":{"message":"x"}}`),
	messageStart(`"input_tokens":3,"cache_read_input_tokens":5,"output_tokens":1`) + block(`"type":"thinking_delta","thinking":"hm"`) + block(`"type":"text_delta","text":"a"`) +
		messageEnd("end_turn", `"output_tokens":9`) + message("message_stop", ""),
	message("error", `"error":{"type":"overloaded_error","message":"m"}`),
	"data: {\ndata: \"choices\": [\n: ping\n{\"delta\": {\"content\": \"a\"}}\ndata: ]}\n\nevent: done\n\n",
	"data: {\"choices\": [\ndata: {\"error\":\"x\"}\n\n", "event: error\ndata: {\"a\":\n\n",
	"DATA : " + strings.TrimPrefix(strings.TrimSpace(text("a")), "data: ") + text("b") + "data: \"[done]\"\n",
	"{\"message\":{\"content\":\"a\"}}\n{\"error\":\"x\"}\n", "\x00\xef\xbb\xbfdata: data: {\"choices\":{\"delta\":\"a\",\"index\":\"3\"}}\x00\r\r\n",
	`data: {"choices":[{"message":{"content":"a"},"finish_reason":"STOP","usage":{"prompt_tokens":"7","completion_tokens":-1.5,"total_tokens":1e99}}],"object":"chat.completion"}` + "\n",
}

// FuzzParser feeds the same bytes whole, byte by byte and cut by a pattern: nothing panics, the chunks' events are the counted
// ones, and where the cuts fall changes neither counts nor verdict.
func FuzzParser(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s), []byte{1, 7, 30}, false)
		f.Add([]byte(s), []byte{200}, true)
	}
	f.Fuzz(func(t *testing.T, body, cuts []byte, cut bool) {
		err := io.EOF
		if cut {
			err = io.ErrUnexpectedEOF
		}
		whole := feed(t, body, nil, err)
		for _, pattern := range [][]byte{{1}, cuts} {
			if got := feed(t, body, pattern, err); got != whole {
				t.Fatalf("cut by %v:\n got %+v\nwant %+v", pattern, got, whole)
			}
		}
	})
}

// digest is what must not depend on the cuts.
type digest struct {
	outcome         bench.Outcome
	counts          bench.Counts
	finish, message string
	first, answer   bool
	head            string
}

func feed(t *testing.T, body, cuts []byte, err error) digest {
	p := New(Options{Stall: 1})
	events := 0
	add := func(c bench.Chunk, ok bool) {
		if ok {
			events += c.Events
		}
		if ok && c.Events < 1 || c.Tokens < 0 || c.Gap < 0 {
			t.Fatalf("chunk %+v", c)
		}
	}
	at := time.Duration(0)
	for i := 0; len(body) > 0; i++ {
		n := len(body)
		if len(cuts) > 0 {
			n = min(n, max(1, int(cuts[i%len(cuts)])))
		}
		at++
		add(p.Feed(body[:n], at))
		body = body[n:]
		if len(cuts) == 1 && p.Done() { // as the client does
			break
		}
	}
	add(p.Close(at, err))
	var e bench.Ended
	p.Fill(&e)
	if events != e.Counts.Events {
		t.Fatalf("chunks held %d events, counted %d", events, e.Counts.Events)
	}
	if c := e.Counts; c.Output < 0 || c.Hidden < 0 || c.Hidden > c.Output || c.Cached > c.Input || len(e.Message) > MaxMessage || len(e.Head) > bench.HeadBytes {
		t.Fatalf("counts %+v, message of %d bytes", c, len(e.Message))
	}
	s := digest{e.Outcome, e.Counts, e.Finish, e.Message, e.Marks.FirstToken.OK, e.Marks.FirstAnswer.OK, e.Head}
	listed := e.Counts.FirstEvents
	for _, n := range e.Gaps.All() {
		listed += n
	}
	if listed != events {
		t.Fatalf("first chunk and gaps hold %d events of %d", listed, events)
	}
	// How many reads there were is the one thing that depends on them.
	s.counts.Chunks, s.counts.FirstEvents = 0, 0
	return s
}

// FuzzWalker holds the walker against encoding/json: the same texts are valid, and of valid objects both read the same channels
// and usage.
func FuzzWalker(f *testing.F) {
	for _, s := range seeds {
		for _, line := range strings.Split(s, "\n") {
			f.Add([]byte(strings.TrimSpace(strings.TrimPrefix(line, "data:"))))
		}
	}
	for _, s := range []string{`{"a":[1,-0.5e+3,true,false,null,"\ud83d\ude00\"\\"],"b":{}}`, `{"a":1,}`, `[1,]`, `01`, `1.`, `1e`, `-`, `"\x"`, "\"\x01\"", `{"a":[NaN,Infinity,-Infinity,-NaN]}`,
		`{"\u0063hoices":[{"delta":{"content":"a"}}]}`, `{"choices":[{"delta":{"content":"\n"}}],"usage":{"completion_tokens":2.0}}`, `{} x`, `nul`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if deep(b) {
			return
		}
		var w walker
		var e event
		w.reset(b)
		got := e.read(&w)
		bare := bytes.Contains(b, []byte("NaN")) || bytes.Contains(b, []byte("Infinity"))
		if want := json.Valid(b); got != want && !(got && bare) {
			t.Fatalf("%q: valid %v, encoding/json says %v", b, got, want)
		}
		var top map[string]any
		if !got || json.Unmarshal(b, &top) != nil || len(b) == 0 || repeats(b) {
			return
		}
		if want := saysContent(top); want && e.text.in()&answer == 0 {
			t.Fatalf("%q: content missed", b)
		}
		if u, ok := top["usage"].(map[string]any); ok {
			n, number := u["completion_tokens"].(float64)
			if _, ok := u["completion_tokens"].(string); ok {
				return
			}
			if number = number && n >= 0 && n < 1<<40; number != e.usage.completion.ok && u["output_tokens"] == nil {
				t.Fatalf("%q: usage %+v", b, e.usage)
			}
			if number && u["output_tokens"] == nil && e.usage.completion.n != int(n) {
				t.Fatalf("%q: %d tokens", b, e.usage.completion.n)
			}
		}
	})
}

func saysContent(top map[string]any) bool {
	choices, _ := top["choices"].([]any)
	for _, c := range choices {
		choice, _ := c.(map[string]any)
		delta, _ := choice["delta"].(map[string]any)
		if s, _ := delta["content"].(string); s != "" {
			return true
		}
	}
	return false
}

// deep tells whether b may nest deeper than the walker goes.
func deep(b []byte) bool {
	return strings.Count(string(b), "[")+strings.Count(string(b), "{") > maxDepth
}

// repeats tells whether an object in b has a key twice, of which encoding/json keeps the last alone.
func repeats(b []byte) bool {
	var walk func(d *json.Decoder) bool
	walk = func(d *json.Decoder) bool {
		tok, err := d.Token()
		if err != nil {
			return true
		}
		switch tok {
		case json.Delim('{'):
			keys := map[string]bool{}
			for d.More() {
				k, err := d.Token()
				name, _ := k.(string)
				if err != nil || keys[name] || walk(d) {
					return true
				}
				keys[name] = true
			}
			_, err = d.Token()
		case json.Delim('['):
			for d.More() {
				if walk(d) {
					return true
				}
			}
			_, err = d.Token()
		}
		return err != nil
	}
	return walk(json.NewDecoder(strings.NewReader(string(b))))
}

// FuzzUsage holds the accounting against a plain reading by encoding/json, one usage object a line: nothing is negative or more than what
// it is a part of, and of input and output the last number that was given holds.
func FuzzUsage(f *testing.F) {
	for _, s := range []string{
		`{"prompt_tokens":9,"completion_tokens":5,"total_tokens":14,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":2}}`,
		`{"input_tokens":3,"cache_read_input_tokens":40,"cache_creation_input_tokens":2,"output_tokens":1}` + "\n" + `{"output_tokens":50}`,
		`{"prompt_tokens":12,"completion_tokens":2,"total_tokens":354}` + "\n" + `{"prompt_tokens":null,"completion_tokens":0}`,
		`{"prompt_tokens":-1,"completion_tokens":2.9}` + "\nnull\n" + `{"completion_tokens":"7","reasoning_tokens":1e20}`,
		`{"completion_tokens":7}` + "\n" + `{"prompt_tokens":1,"total_tokens":3,"cached_tokens":5}`, `{"total_tokens":1099511627776}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		p := New(Options{})
		p.Feed([]byte(text("a")+stop), ms)
		var input, output int
		plain := true
		for _, line := range strings.Split(strings.ReplaceAll(string(b), "\r", "\n"), "\n") {
			if deep([]byte(line)) || !json.Valid([]byte(line)) {
				continue
			}
			p.Feed([]byte(`data: {"choices":[],"usage":`+line+"}\n\n"), ms)
			var u map[string]any
			if json.Unmarshal([]byte(line), &u) != nil {
				continue
			}
			plain = plain && !repeats([]byte(line))
			for key, v := range u {
				if _, ok := v.(string); ok || strings.HasPrefix(key, "cache_") {
					plain = false // read more generously than plainly
				}
			}
			plain = plain && !(u["prompt_tokens"] != nil && u["input_tokens"] != nil) && !(u["completion_tokens"] != nil && u["output_tokens"] != nil)
			input = last(input, u, "prompt_tokens", "input_tokens")
			output = last(output, u, "completion_tokens", "output_tokens")
		}
		p.Close(2*ms, nil)
		var e bench.Ended
		p.Fill(&e)
		c := e.Counts
		if c.Input < 0 || c.Output < 1 || c.Cached < 0 || c.Hidden < 0 || c.Cached > c.Input || c.Hidden > c.Output || c.Output > 2<<40 || c.Input > 3<<40 {
			t.Fatalf("%q: %+v", b, c)
		}
		if plain && (c.Input != input && c.Input != input+c.Cached || c.Output < output) {
			t.Fatalf("%q: %+v, a plain reading says %d in, %d out", b, c, input, output)
		}
	})
}

// last is the later of two counts, the second under one of its names; zero is none.
func last(before int, u map[string]any, names ...string) int {
	for _, name := range names {
		if n, ok := u[name].(float64); ok && n >= 1 && n <= 1<<40 {
			return int(n)
		}
	}
	return before
}
