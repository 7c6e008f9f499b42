package sim

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sashabaranov/go-openai"
)

func TestEveryProtocolCountsItsPromptAndItsAnswer(t *testing.T) {
	inEach(t, nil, func(t *testing.T, w *world, g tongue) {
		if v := w.say(g, nil); v.err != nil || v.status != http.StatusOK {
			t.Fatalf("status %d, %v, %s", v.status, v.err, v.body)
		}
		synctest.Wait()
		got := w.server.gauges()
		if int(got.PromptTokens) != g.prompt || got.GenerationTokens != 40 || got.CutShort != 1 || w.server.tally.inFlight.Load() != 0 {
			t.Errorf("%+v", got)
		}
	})
}

func TestEveryEventOfEveryProtocolCarriesItsSendTime(t *testing.T) {
	inEach(t, nil, func(t *testing.T, w *world, g tongue) {
		for _, e := range w.say(g, nil).events {
			if sent := into[struct {
				Sent int64 `json:"sent_ns"`
			}](t, e.data).Sent; sent != e.at.UnixNano() {
				t.Fatalf("%s read at %d", e.data, e.at.UnixNano())
			}
		}
	})
}

func TestEveryProtocolAnswersWithoutStreaming(t *testing.T) {
	inEach(t, func(o *Options) { o.ReasoningShare = 0.25 }, func(t *testing.T, w *world, g tongue) {
		v := w.say(g, ask{"stream": false})
		if v.status != http.StatusOK || v.header.Get("Content-Type") != "application/json" {
			t.Fatalf("status %d, %s", v.status, v.body)
		}
		switch g.path {
		case "/v1/responses":
			r := into[responseObject](t, v.body)
			r.check(t, "incomplete", 10, 30)
		case "/v1/messages":
			m := into[struct {
				Content    []struct{ Type, Text, Thinking string }
				StopReason string `json:"stop_reason"`
				Usage      anthropicCounts
			}](t, v.body)
			if m.StopReason != "max_tokens" || m.Usage.Output != 40 || m.Usage.Input != g.prompt || len(m.Content) != 2 ||
				len(strings.Fields(m.Content[0].Thinking)) != 10 || len(strings.Fields(m.Content[1].Text)) != 30 {
				t.Errorf("%s", v.body)
			}
		case "/v1/completions":
			c := into[openai.CompletionResponse](t, v.body)
			if len(strings.Fields(c.Choices[0].Text)) != 40 || c.Usage.CompletionTokens != 40 || c.Choices[0].FinishReason != "length" {
				t.Errorf("%s", v.body)
			}
		default:
			c := into[openai.ChatCompletionResponse](t, v.body)
			if len(strings.Fields(c.Choices[0].Message.Content)) != 30 || c.Usage.CompletionTokensDetails.ReasoningTokens != 10 {
				t.Errorf("%s", v.body)
			}
		}
	})
}

func TestEveryProtocolTakesItsOwnKey(t *testing.T) {
	inEach(t, func(o *Options) { o.APIKey = "sk-hidden" }, func(t *testing.T, w *world, g tongue) {
		keys := []map[string]string{{"Authorization": "Bearer sk-hidden"}}
		wrong := []map[string]string{{}, {"Authorization": "Bearer sk-other"}, {"Authorization": "sk"}}
		if g.keyHeader != "" {
			keys = append(keys, map[string]string{g.keyHeader: "sk-hidden"})
			wrong = append(wrong, map[string]string{g.keyHeader: "sk-other"})
		} else {
			wrong = append(wrong, map[string]string{"x-api-key": "sk-hidden"})
		}
		try := func(headers []map[string]string, want int) {
			for _, h := range headers {
				with := g
				with.header = map[string]string{"anthropic-version": "1"}
				for k, v := range h {
					with.header[k] = v
				}
				if v := w.say(with, nil); v.status != want || bytes.Contains(v.body, []byte("sk-")) {
					t.Errorf("%v: status %d, %s", h, v.status, v.body)
				}
			}
		}
		try(keys, http.StatusOK)
		try(wrong, http.StatusUnauthorized)
	})
}

func TestEveryProtocolFailsInItsOwnWords(t *testing.T) {
	inEach(t, func(o *Options) { o.Faults.Error = 1 }, func(t *testing.T, w *world, g tongue) {
		v := w.say(g, nil)
		e := into[struct {
			Type  string
			Error struct{ Type, Message string }
		}](t, v.body)
		if v.status != http.StatusInternalServerError || e.Error.Type != g.errorType || e.Error.Message == "" || (e.Type == "error") != (g.keyHeader == "x-api-key") {
			t.Errorf("status %d, %s", v.status, v.body)
		}
	})
}

func TestEveryProtocolFailsInMidStream(t *testing.T) {
	ends := map[string]string{"/v1/responses": "response.failed", "/v1/messages": "error"}
	inEach(t, func(o *Options) { o.Faults.StreamError = 1 }, func(t *testing.T, w *world, g tongue) {
		v := w.say(g, nil)
		if v.status != http.StatusOK || v.err != nil || len(v.events) < 3 {
			t.Fatalf("status %d, %v, %d events", v.status, v.err, len(v.events))
		}
		last := v.events[len(v.events)-1]
		if !bytes.Contains(last.data, []byte("simulated failure in mid-stream")) || last.name != ends[g.path] || v.done == (ends[g.path] != "") {
			t.Errorf("%s %s, done %v", last.name, last.data, v.done)
		}
		synctest.Wait()
		if n := w.server.tally.inFlight.Load(); n != 0 {
			t.Errorf("%d in flight", n)
		}
	})
}

func TestEveryProtocolCanBeCutAndPaced(t *testing.T) {
	t.Run("cut", func(t *testing.T) {
		inEach(t, func(o *Options) { o.Faults.Cut = 1 }, func(t *testing.T, w *world, g tongue) {
			if v := w.say(g, nil); v.err == nil || v.done || len(v.events) == 0 {
				t.Errorf("%v, done %v", v.err, v.done)
			}
		})
	})
	t.Run("paced", func(t *testing.T) {
		inEach(t, func(o *Options) { o.Pace = Pace{On: true, Rate: 50} }, func(t *testing.T, w *world, g tongue) {
			began := time.Now()
			v := w.say(g, nil)
			if took := time.Since(began); v.err != nil || v.status != http.StatusOK || took < 750*time.Millisecond || took > 850*time.Millisecond {
				t.Errorf("40 tokens at 50 tok/s took %v, %v", took, v.err)
			}
		})
	})
}

func TestEveryProtocolRefusesWhatIsTooLong(t *testing.T) {
	inEach(t, nil, func(t *testing.T, w *world, g tongue) {
		for why, change := range map[string]ask{
			"no room for an answer": {g.limit: 0}, "an answer longer than the context": {g.limit: 8192}, "no model like this": {"model": "other"},
		} {
			v := w.say(g, change)
			want := http.StatusBadRequest
			if change["model"] != nil {
				want = http.StatusNotFound
				if strings.HasPrefix(g.path, "/openai") {
					continue // the path names the model
				}
			}
			if e := into[struct{ Error *struct{ Message string } }](t, v.body).Error; v.status != want || e == nil || e.Message == "" {
				t.Errorf("%s: status %d, %s", why, v.status, v.body)
			}
		}
	})
}

func TestAnthropicAsksForAVersionAndALimit(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, w *world) {
		w.t = t
		g := tongues()["anthropic"]
		if v := w.say(g, ask{"max_tokens": nil}); v.status != http.StatusBadRequest || !bytes.Contains(v.body, []byte("max_tokens: Field required")) {
			t.Errorf("%d %s", v.status, v.body)
		}
		g.header = nil
		if v := w.say(g, nil); v.status != http.StatusBadRequest || !bytes.Contains(v.body, []byte("anthropic-version: header is required")) {
			t.Errorf("%d %s", v.status, v.body)
		}
		if status, body := (anthropicMessages{}).word(&refusal{status: http.StatusServiceUnavailable}); status != 529 || !bytes.Contains(body, []byte("overloaded_error")) {
			t.Errorf("an overload is %d %s", status, body)
		}
	})
}

func TestPromptsOfEveryShapeAreCounted(t *testing.T) {
	for text, want := range map[string][2]int{ // tokens of the first, texts
		`"one two  three"`: {3, 1}, `["a b"]`: {2, 1}, `["a","b c"]`: {1, 2}, `[1,2,3]`: {3, 1}, `[[1,2]]`: {2, 1}, `[[1,2],[3]]`: {2, 2}, `[]`: {}, `""`: {0, 1},
		`"\u00a0a\u2003b\u0085c\u001cd\t"`: {3, 1},
	} {
		p := into[prompt](t, []byte(text))
		if got := [2]int{p.tokens().n, p.texts}; got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
	for _, text := range []string{`3`, `{}`, `[-1]`, `["a",1]`, `[["a"]]`, `[{}]`} {
		if json.Unmarshal([]byte(text), &prompt{}) == nil {
			t.Errorf("%s is a prompt", text)
		}
	}
}
