package sim

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sashabaranov/go-openai"
)

// tongue is how a test speaks one of the protocols.
type tongue struct {
	path   string
	header map[string]string
	// keyHeader is the protocol's own header of keys, and limit its field of the longest answer.
	keyHeader, limit string
	body             ask
	// prompt is how many tokens the body's prompt has.
	prompt int
	// errorType is the word in errors of the server's own making.
	errorType string
}

const hundred = 100

func tongues() map[string]tongue {
	text := strings.TrimSpace(strings.Repeat("word ", hundred))
	said := []any{ask{"role": "user", "content": text}}
	usage := ask{"include_usage": true}
	return map[string]tongue{
		"chat": {
			path: "/v1/chat/completions", limit: "max_tokens", prompt: hundred + templateTokens, errorType: "InternalServerError",
			body: ask{"model": "redline-sim-7b", "messages": said, "stream_options": usage},
		},
		"completions": {
			path: "/v1/completions", limit: "max_tokens", prompt: hundred, errorType: "InternalServerError",
			body: ask{"model": "redline-sim-7b", "prompt": text, "stream_options": usage},
		},
		"responses": {
			path: "/v1/responses", limit: "max_output_tokens", prompt: hundred + templateTokens, errorType: "InternalServerError",
			body: ask{"model": "redline-sim-7b", "input": text},
		},
		"anthropic": {
			path: "/v1/messages", limit: "max_tokens", prompt: hundred + templateTokens, errorType: "api_error",
			header: map[string]string{"anthropic-version": "2023-06-01"}, keyHeader: "x-api-key",
			body: ask{"model": "redline-sim-7b", "messages": said},
		},
		"azure": {
			path: "/openai/deployments/redline-sim-7b/chat/completions?api-version=2024-10-21", limit: "max_tokens", prompt: hundred + templateTokens,
			errorType: "InternalServerError", keyHeader: "api-key",
			body: ask{"messages": said, "stream_options": usage},
		},
	}
}

// told is one event as it came.
type told struct {
	name string
	data []byte
	at   time.Time
}

// reply is an answer in any protocol.
type reply struct {
	status int
	header http.Header
	events []told
	body   []byte
	done   bool
	err    error
}

// say posts in a protocol, with changes to the body; a nil takes a field away.
func (w *world) say(g tongue, change ask) reply {
	w.t.Helper()
	q := ask{"stream": true, g.limit: 40, "ignore_eos": true}
	for _, fields := range []ask{g.body, change} {
		for k, v := range fields {
			if q[k] = v; v == nil {
				delete(q, k)
			}
		}
	}
	if q["stream"] == false {
		delete(q, "stream_options")
	}
	body, err := json.Marshal(q)
	if err != nil {
		w.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, "http://sim"+g.path, bytes.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	for k, v := range g.header {
		r.Header.Set(k, v)
	}
	res, err := w.client.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	v := reply{status: res.StatusCode, header: res.Header}
	if !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		v.body, v.err = io.ReadAll(res.Body)
		return v
	}
	v.read(w.t, res.Body)
	return v
}

func (v *reply) read(t *testing.T, body io.Reader) {
	sc, name := bufio.NewScanner(body), ""
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		if rest, ok := strings.CutPrefix(sc.Text(), "event: "); ok {
			name = rest
		}
		data, ok := strings.CutPrefix(sc.Text(), "data: ")
		if !ok {
			continue
		}
		if v.done {
			t.Errorf("%s comes after the end", data)
		}
		if data == "[DONE]" {
			v.done = true
			continue
		}
		if !json.Valid([]byte(data)) {
			t.Errorf("event %s", data)
		}
		v.events = append(v.events, told{name, []byte(data), time.Now()})
		name = ""
	}
	v.err = sc.Err()
}

// into reads an event or a body.
func into[T any](t *testing.T, data []byte) (v T) {
	t.Helper()
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return v
}

// inEach runs a test in every protocol.
func inEach(t *testing.T, change func(*Options), test func(*testing.T, *world, tongue)) {
	for name, g := range tongues() {
		t.Run(name, func(t *testing.T) {
			inBubble(t, change, func(t *testing.T, w *world) {
				w.t = t
				test(t, w, g)
			})
		})
	}
}

func TestCompletionsStreamHasTexts(t *testing.T) {
	inBubble(t, func(o *Options) { o.ReasoningShare = 0.5 }, func(t *testing.T, w *world) {
		v := w.say(tongues()["completions"], nil)
		if v.status != http.StatusOK || !v.done || len(v.events) != 42 {
			t.Fatalf("status %d, done %v, %d events", v.status, v.done, len(v.events))
		}
		text := ""
		for i, e := range v.events[:41] {
			c := into[openai.CompletionResponse](t, e.data)
			if c.Object != "text_completion" || len(c.Choices) != 1 || (c.Choices[0].Text == "") != (i == 40) || (c.Choices[0].FinishReason == "length") != (i == 40) {
				t.Fatalf("event %d: %s", i, e.data)
			}
			text += c.Choices[0].Text
		}
		last := into[openai.CompletionResponse](t, v.events[41].data)
		if len(strings.Fields(text)) != 40 || len(last.Choices) != 0 || last.Usage == nil || last.Usage.CompletionTokens != 40 || last.Usage.PromptTokens != hundred {
			t.Errorf("%q, %s", text, v.events[41].data)
		}
	})
}

func TestResponsesStreamIsAStreamOfItems(t *testing.T) {
	inBubble(t, func(o *Options) { o.ReasoningShare = 0.25 }, func(t *testing.T, w *world) {
		v := w.say(tongues()["responses"], nil)
		if v.status != http.StatusOK || v.done {
			t.Fatalf("status %d, a [DONE] %v", v.status, v.done)
		}
		var order []string
		texts := map[string]string{}
		for i, e := range v.events {
			m := into[struct {
				Type   string
				Number int `json:"sequence_number"`
				Delta  string
				Text   string
				Index  int    `json:"output_index"`
				ItemID string `json:"item_id"`
			}](t, e.data)
			if m.Type != e.name || m.Number != i {
				t.Fatalf("event %d is called %s: %s", i, e.name, e.data)
			}
			if len(order) == 0 || order[len(order)-1] != m.Type {
				order = append(order, m.Type)
			}
			if channel, ok := strings.CutSuffix(m.Type, ".delta"); ok {
				texts[channel] += m.Delta
				if wantIndex := map[string]int{"response.reasoning_text": 0, "response.output_text": 1}[channel]; m.Index != wantIndex || m.ItemID == "" {
					t.Errorf("%s", e.data)
				}
			}
			if channel, ok := strings.CutSuffix(m.Type, "_text.done"); ok && m.Text != texts[channel+"_text"] {
				t.Errorf("%s ends with %q, not %q", channel, m.Text, texts[channel+"_text"])
			}
		}
		if n, m := len(strings.Fields(texts["response.reasoning_text"])), len(strings.Fields(texts["response.output_text"])); n != 10 || m != 30 {
			t.Errorf("%d words of reasoning and %d of the answer", n, m)
		}
		item := func(channel string) string {
			return "response.output_item.added response.content_part.added " + channel + ".delta " + channel + ".done response.content_part.done response.output_item.done "
		}
		want := "response.created response.in_progress " + item("response.reasoning_text") + item("response.output_text") + "response.incomplete"
		if got := strings.Join(order, " "); got != want {
			t.Errorf("order\n%s\nwant\n%s", got, want)
		}
		end := into[struct{ Response responseObject }](t, v.events[len(v.events)-1].data).Response
		end.check(t, "incomplete", 10, 30)
	})
}

// responseObject is what /v1/responses answers as a whole.
type responseObject struct {
	Status  string
	Details *struct{ Reason string } `json:"incomplete_details"`
	Output  []struct {
		Type    string
		Content []struct{ Type, Text string }
	}
	Usage struct {
		Input   int `json:"input_tokens"`
		Output  int `json:"output_tokens"`
		Total   int `json:"total_tokens"`
		Details struct {
			Reasoning int `json:"reasoning_tokens"`
		} `json:"output_tokens_details"`
	}
}

func (r *responseObject) check(t *testing.T, status string, thought, said int) {
	t.Helper()
	u := r.Usage
	if r.Status != status || (r.Details != nil) != (status == "incomplete") || u.Output != thought+said || u.Total != u.Input+u.Output || u.Input != hundred+templateTokens || u.Details.Reasoning != thought {
		t.Errorf("%+v", r)
	}
	if len(r.Output) != 2 || r.Output[0].Type != "reasoning" || r.Output[1].Type != "message" ||
		len(strings.Fields(r.Output[0].Content[0].Text)) != thought || len(strings.Fields(r.Output[1].Content[0].Text)) != said {
		t.Errorf("%+v", r.Output)
	}
}

func TestMessagesStreamIsAStreamOfBlocks(t *testing.T) {
	inBubble(t, func(o *Options) { o.ReasoningShare = 0.25 }, func(t *testing.T, w *world) {
		v := w.say(tongues()["anthropic"], nil)
		if v.status != http.StatusOK || v.done {
			t.Fatalf("status %d, a [DONE] %v", v.status, v.done)
		}
		var order []string
		var thought, said string
		for i, e := range v.events {
			m := into[struct {
				Type  string
				Index int
				Delta struct {
					Type, Text, Thinking, Signature string
					StopReason                      string `json:"stop_reason"`
				}
				Message *struct{ Usage anthropicCounts }
				Usage   *anthropicCounts
			}](t, e.data)
			kind := m.Type
			if m.Delta.Type != "" {
				kind = m.Delta.Type
			}
			if len(order) == 0 || order[len(order)-1] != kind {
				order = append(order, kind)
			}
			thought, said = thought+m.Delta.Thinking, said+m.Delta.Text
			switch {
			case m.Type != e.name:
				t.Fatalf("event %d is called %s: %s", i, e.name, e.data)
			case m.Type == "message_start" && (m.Message.Usage.Input != hundred+templateTokens || m.Message.Usage.Output != 1):
				t.Errorf("%s", e.data)
			case m.Type == "message_delta" && (m.Usage.Output != 40 || m.Delta.StopReason != "max_tokens"):
				t.Errorf("%s", e.data)
			case m.Delta.Text != "" && m.Index != 1, m.Delta.Thinking != "" && m.Index != 0:
				t.Errorf("%s", e.data)
			}
		}
		if n, m := len(strings.Fields(thought)), len(strings.Fields(said)); n != 10 || m != 30 {
			t.Errorf("%d words of thinking and %d of the answer", n, m)
		}
		const want = "message_start ping content_block_start thinking_delta signature_delta content_block_stop content_block_start text_delta content_block_stop message_delta message_stop"
		if got := strings.Join(order, " "); got != want {
			t.Errorf("order\n%s\nwant\n%s", got, want)
		}
	})
}

type anthropicCounts struct {
	Input  int `json:"input_tokens"`
	Output int `json:"output_tokens"`
}

func TestAzureBeginsWithFiltersAndNoChoice(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, w *world) {
		v := w.say(tongues()["azure"], nil)
		if v.status != http.StatusOK || !v.done || len(v.events) != 44 {
			t.Fatalf("status %d, done %v, %d events", v.status, v.done, len(v.events))
		}
		first := into[openai.ChatCompletionStreamResponse](t, v.events[0].data)
		if len(first.Choices) != 0 || len(first.PromptFilterResults) != 1 || first.ID != "" || first.Model != "" {
			t.Errorf("%s", v.events[0].data)
		}
		if role := into[openai.ChatCompletionStreamResponse](t, v.events[1].data).Choices[0]; role.Delta.Role != "assistant" || role.Delta.Content != "" {
			t.Errorf("%s", v.events[1].data)
		}
		text := ""
		for _, e := range v.events[2:42] {
			c := into[openai.ChatCompletionStreamResponse](t, e.data)
			text += c.Choices[0].Delta.Content
			if c.Usage != nil || !bytes.Contains(e.data, []byte(`"usage":null`)) || !bytes.Contains(e.data, []byte(`"content_filter_results":{}`)) {
				t.Errorf("%s", e.data)
			}
		}
		last := into[openai.ChatCompletionStreamResponse](t, v.events[43].data)
		if len(strings.Fields(text)) != 40 || last.Usage == nil || last.Usage.CompletionTokens != 40 {
			t.Errorf("%q, %s", text, v.events[43].data)
		}
		if v.events[0].at.After(v.events[2].at.Add(-time.Millisecond)) {
			t.Error("the filters come no earlier than the first token")
		}
	})
}

func TestAzureAsksForAVersionAndADeployment(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, w *world) {
		for path, want := range map[string]struct {
			status int
			code   string
		}{
			"/openai/deployments/redline-sim-7b/chat/completions":               {400, "MissingApiVersionParameter"},
			"/openai/deployments/other/chat/completions?api-version=2024-10-21": {404, "DeploymentNotFound"},
		} {
			g := tongues()["azure"]
			g.path = path
			v := w.say(g, nil)
			if e := into[struct {
				Error struct{ Code, Message string }
			}](t, v.body).Error; v.status != want.status || e.Code != want.code || e.Message == "" {
				t.Errorf("%s: status %d, %s", path, v.status, v.body)
			}
		}
	})
}

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
	for text, want := range map[string]prompt{
		`"one two  three"`: {3, 1}, `["a b"]`: {2, 1}, `["a","b c"]`: {3, 2}, `[1,2,3]`: {3, 1}, `[[1,2]]`: {2, 1}, `[[1,2],[3]]`: {2, 2}, `[]`: {}, `""`: {0, 1},
	} {
		if got := into[prompt](t, []byte(text)); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
	for _, text := range []string{`3`, `{}`, `[-1]`, `["a",1]`, `[["a"]]`, `[{}]`} {
		if json.Unmarshal([]byte(text), &prompt{}) == nil {
			t.Errorf("%s is a prompt", text)
		}
	}
}
