package sim

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sashabaranov/go-openai"
)

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

func TestHostedProtocolsOpenBeforeTheFirstToken(t *testing.T) {
	early := map[string]bool{"/v1/responses": true, "/v1/messages": true}
	inEach(t, nil, func(t *testing.T, w *world, g tongue) {
		began := time.Now()
		events := w.say(g, ask{g.limit: 1}).events
		opening, last := events[0].at.Sub(began), events[len(events)-1].at.Sub(began)
		if hosted := early[g.path] || strings.HasPrefix(g.path, "/openai"); hosted != (opening < time.Millisecond) || last < 10*time.Millisecond {
			t.Errorf("opened after %v, ended after %v", opening, last)
		}
	})
}
