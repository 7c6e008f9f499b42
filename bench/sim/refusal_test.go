package sim

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// sprintf hides the format from vet, which does not know that tables of formats are meant.
var sprintf = fmt.Sprintf

func TestBadRequestsAreRefusedInTheCommonShape(t *testing.T) {
	body := func(change ask) string {
		b, err := json.Marshal(chat(change))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	inBubble(t, nil, func(t *testing.T, w *world) {
		for name, c := range map[string]struct {
			body   string
			status int
			text   string
		}{
			"not JSON":                        {"{", 400, "not a chat completion"},
			"two values":                      {"{} {}", 400, "more than one"},
			"no model":                        {body(ask{"model": nil}), 400, "model"},
			"another model":                   {body(ask{"model": "gpt-x"}), 404, "The model `gpt-x` does not exist."},
			"no messages":                     {body(ask{"messages": []any{}}), 400, "at least one message"},
			"a message without role":          {body(ask{"messages": []any{ask{"content": "x"}}}), 400, "no role"},
			"a content that is a number":      {body(ask{"messages": []any{ask{"role": "user", "content": 3}}}), 400, "not a chat"},
			"no room for an answer":           {body(ask{"max_tokens": 0}), 400, "at least 1"},
			"more than the context":           {body(ask{"max_tokens": 8192}), 400, "However, you requested 8298 tokens (106 in the messages, 8192 in the completion)"},
			"far more than the context":       {body(ask{"max_tokens": 1<<63 - 1}), 400, "maximum context length is 8192"},
			"several answers":                 {body(ask{"n": 2}), 400, "n must be 1"},
			"stream options without a stream": {body(ask{"stream": false}), 400, "stream_options"},
			"too large":                       {`{"model":"` + strings.Repeat("x", maxBody) + `"}`, 413, "larger than"},
		} {
			res, err := w.raw(t.Context(), []byte(c.body), "")
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			text, err := io.ReadAll(res.Body)
			_ = res.Body.Close()
			var shape struct {
				Error *struct{ Message, Type string }
			}
			if err != nil || res.StatusCode != c.status || json.Unmarshal(text, &shape) != nil || shape.Error == nil || shape.Error.Type == "" ||
				!strings.Contains(shape.Error.Message, c.text) {
				t.Errorf("%s: status %d, %s", name, res.StatusCode, text)
			}
		}
		if n := w.server.tally.inFlightMax.Load(); n != 0 {
			t.Errorf("%d refused requests counted as accepted", n)
		}
	})
}

func TestEveryProtocolRefusesWhatItCannotTake(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, w *world) {
		w.t = t
		for name, c := range map[string]struct {
			tongue string
			change ask
			text   string
		}{
			"two prompts":                {"completions", ask{"prompt": []string{"a", "b"}}, "prompt must be one text, got 2"},
			"an empty prompt":            {"completions", ask{"prompt": " "}, "at least one token"},
			"no prompt":                  {"completions", ask{"prompt": nil}, "prompt must be one text, got 0"},
			"a prompt that is a number":  {"completions", ask{"prompt": 3}, "not a completion request"},
			"no name of a model":         {"completions", ask{"model": nil}, "model parameter"},
			"several completions":        {"completions", ask{"n": 2}, "n must be 1"},
			"no input":                   {"responses", ask{"input": nil}, "input must hold at least one message"},
			"an input without a role":    {"responses", ask{"input": []any{ask{"content": "x"}}}, "input[0] has no role"},
			"no model for a response":    {"responses", ask{"model": nil}, "model parameter"},
			"a limit that counts not":    {"chat", ask{"max_tokens": 0, "max_completion_tokens": 5}, "max_tokens must be at least 1"},
			"no messages":                {"anthropic", ask{"messages": []any{}}, "at least one message"},
			"a role of another protocol": {"anthropic", ask{"messages": []any{ask{"role": "system", "content": "x"}}}, "messages.0.role"},
			"no model for a message":     {"anthropic", ask{"model": nil}, "model: Field required"},
			"a prompt that is too long":  {"anthropic", ask{"system": strings.Repeat("w ", 9000)}, "prompt is too long: 9106 tokens > 8192 maximum"},
		} {
			v := w.say(tongues()[c.tongue], c.change)
			if e := into[struct{ Error struct{ Message string } }](t, v.body).Error; v.status != http.StatusBadRequest || !strings.Contains(e.Message, c.text) {
				t.Errorf("%s: status %d, %s", name, v.status, v.body)
			}
		}
	})
}

func TestInstructionsArePartOfThePrompt(t *testing.T) {
	inBubble(t, func(o *Options) { o.PrefixCache = Off }, func(t *testing.T, w *world) {
		w.t = t
		for tongue, change := range map[string]ask{
			"responses": {"instructions": "be very kind", "stream": false}, "anthropic": {"system": []any{ask{"type": "text", "text": "be very kind"}}, "stream": false},
		} {
			v := w.say(tongues()[tongue], change)
			if u := into[struct{ Usage anthropicCounts }](t, v.body).Usage; u.Input != hundred+3+templateTokens {
				t.Errorf("%s: %s", tongue, v.body)
			}
		}
	})
}

func TestCompletionIsShortUnlessAskedFor(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, w *world) {
		w.t = t
		v := w.say(tongues()["completions"], ask{"max_tokens": nil, "stream": false})
		if c := into[struct{ Usage usage }](t, v.body); c.Usage.Completion != 16 {
			t.Errorf("%s", v.body)
		}
	})
}

func TestWholeAnswerIsOneObject(t *testing.T) {
	inBubble(t, func(o *Options) { o.ReasoningShare = 0.5 }, func(t *testing.T, w *world) {
		res, err := w.post(t.Context(), chat(ask{"stream": false, "stream_options": nil, "max_tokens": 20, "ignore_eos": true}))
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		var got struct {
			Object  string
			Choices []struct {
				FinishReason string `json:"finish_reason"`
				Message      struct {
					Content   string
					Reasoning string `json:"reasoning_content"`
				}
			}
			Usage usage
		}
		if err := json.NewDecoder(res.Body).Decode(&got); err != nil {
			t.Fatal(err)
		}
		if got.Object != "chat.completion" || len(got.Choices) != 1 || got.Choices[0].FinishReason != "length" || got.Usage.Completion != 20 {
			t.Fatalf("%+v", got)
		}
		m := got.Choices[0].Message
		if len(strings.Fields(m.Content)) != 10 || len(strings.Fields(m.Reasoning)) != 10 || got.Usage.Details.Reasoning != 10 {
			t.Errorf("%+v", got)
		}
	})
}

func TestModelsAndHealth(t *testing.T) {
	inBubble(t, func(o *Options) { o.Model = "other" }, func(t *testing.T, w *world) {
		if status, body := w.get("/v1/models"); status != http.StatusOK || !strings.Contains(body, `"id":"other"`) {
			t.Errorf("models: %d %s", status, body)
		}
		if status, _ := w.get("/health"); status != http.StatusOK {
			t.Errorf("health: %d", status)
		}
	})
}

func TestWordsAreCountedInEveryShapeOfContent(t *testing.T) {
	for text, want := range map[string]int{
		`"one two  three\n"`: 3, `null`: 0, `""`: 0, `[{"type":"text","text":"a b"},{"type":"image_url"},{"text":"c"}]`: 3, `"読む 本"`: 2,
	} {
		var c content
		err := json.Unmarshal([]byte(text), &c)
		count := newTokens(0)
		if count.message("user", c); err != nil || count.n != want {
			t.Errorf("%s: %d words, not %d, %v", text, count.n, want, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"model":"m","messages":[{"role":"user","content":"hi there"}],"max_tokens":3}`,
		`{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"x"}]}],"stream":true,"stream_options":{"include_usage":true}}`,
		`{"model":"m","messages":[{"role":"user","content":null}],"max_completion_tokens":-1}`, `[]`, `null`, `{"messages":[null]}`,
		`{"model":"m","prompt":"hi there"}`, `{"model":"m","prompt":[[1,2]],"max_tokens":3}`, `{"model":"m","prompt":["a b"]}`, `{"model":"m","prompt":[1,2,3]}`,
		`{"model":"m","input":"hi","instructions":"be kind","max_output_tokens":9}`, `{"model":"m","input":[{"role":"user","content":[{"type":"input_text","text":"x"}]}]}`,
		`{"model":"m","system":[{"type":"text","text":"be kind"}],"messages":[{"role":"user","content":"hi"}],"max_tokens":9,"stream":true}`, `{"max_tokens":1e3}`,
	} {
		f.Add([]byte(seed))
	}
	r := httptest.NewRequest(http.MethodPost, "/?api-version=1", nil)
	r.Header.Set("Anthropic-Version", "1")
	f.Fuzz(func(t *testing.T, body []byte) {
		for pattern, d := range routes {
			q, no := d.read(body, r)
			if (q == nil) == (no == nil) {
				t.Fatalf("%s: neither a request nor a refusal, or both", pattern)
			}
			if no == nil {
				n, ok := q.bound(1000)
				if ok && (n < 1 || q.prompt < 1 || q.prompt+n > 1000) {
					t.Fatalf("%s: prompt of %d and answer of %d in a context of 1000", pattern, q.prompt, n)
				}
				if ok {
					continue
				}
				no = d.tooLong(q, 1000)
			}
			if status, text := d.word(no); status != http.StatusBadRequest || !json.Valid(text) {
				t.Fatalf("%s: refused with %d %s", pattern, status, text)
			}
		}
	})
}
