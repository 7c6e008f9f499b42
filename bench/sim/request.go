package sim

import (
	"bytes"
	"encoding/json"
	"net/http"
	"unicode"
)

// templateTokens is what the chat template adds to the words of a prompt.
const templateTokens = 6

// maxBody bounds a request's body in bytes.
const maxBody = 8 << 20

// request is a chat completion as asked for. Fields that this server does not know are ignored, as vLLM does.
type request struct {
	Model    string    `json:"model"`
	Messages []message `json:"messages"`
	Stream   bool      `json:"stream"`

	StreamOptions *struct {
		IncludeUsage         bool `json:"include_usage"`
		ContinuousUsageStats bool `json:"continuous_usage_stats"`
	} `json:"stream_options"`
	MaxTokens           *int `json:"max_tokens"`
	MaxCompletionTokens *int `json:"max_completion_tokens"`
	N                   *int `json:"n"`
	IgnoreEOS           bool `json:"ignore_eos"`
}

type message struct {
	Role    string  `json:"role"`
	Content content `json:"content"`
}

// content counts the words of a message: a string, null, or parts with text.
type content struct{ words int }

// UnmarshalJSON counts the words of each shape that the API allows.
func (c *content) UnmarshalJSON(b []byte) error {
	if b[0] == '[' {
		var parts []struct {
			Text string `json:"text"`
		}
		if err := json.Unmarshal(b, &parts); err != nil {
			return err
		}
		for _, p := range parts {
			c.words += words(p.Text)
		}
		return nil
	}
	var s string // stays empty on null
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	c.words = words(s)
	return nil
}

// words counts runs of anything but white space, without splitting.
func words(s string) int {
	n, inside := 0, false
	for _, r := range s {
		space := unicode.IsSpace(r)
		if !space && !inside {
			n++
		}
		inside = !space
	}
	return n
}

// decode reads a body and refuses what no server would take, whatever its model.
func decode(body []byte) (*request, *refusal) {
	d := json.NewDecoder(bytes.NewReader(body))
	var q request
	if err := d.Decode(&q); err != nil {
		return nil, badRequest("", "the body is not a chat completion request: %v", err)
	}
	if d.More() {
		return nil, badRequest("", "the body holds more than one JSON value")
	}
	if q.Model == "" {
		return nil, badRequest("model", "you must provide a model parameter")
	}
	if len(q.Messages) == 0 {
		return nil, badRequest("messages", "messages must hold at least one message")
	}
	for i, m := range q.Messages {
		if m.Role == "" {
			return nil, badRequest("messages", "messages[%d] has no role", i)
		}
	}
	if q.StreamOptions != nil && !q.Stream {
		return nil, badRequest("stream_options", "stream_options is only allowed when stream is enabled")
	}
	for name, n := range map[string]*int{"max_tokens": q.MaxTokens, "max_completion_tokens": q.MaxCompletionTokens} {
		if n != nil && *n < 1 {
			return nil, badRequest(name, "%s must be at least 1, got %d", name, *n)
		}
	}
	if q.N != nil && *q.N != 1 {
		return nil, badRequest("n", "n must be 1, got %d", *q.N)
	}
	return &q, nil
}

// promptTokens is the prompt's length.
func (q *request) promptTokens() int {
	n := templateTokens
	for _, m := range q.Messages {
		n += m.Content.words
	}
	return n
}

// bound is the answer's longest length within a context: what was asked, else whatever room the prompt leaves.
func (q *request) bound(context int) (int, *refusal) {
	prompt := q.promptTokens()
	asked := q.MaxCompletionTokens
	if asked == nil {
		asked = q.MaxTokens
	}
	if asked == nil {
		if prompt >= context {
			return 0, badRequest("messages", "This model's maximum context length is %d tokens. However, your messages resulted in %d tokens. "+
				"Please reduce the length of the messages.", context, prompt)
		}
		return context - prompt, nil
	}
	// Subtracted, since the sum of two large numbers overflows.
	if prompt > context || *asked > context-prompt {
		return 0, badRequest("max_tokens", "This model's maximum context length is %d tokens. However, you requested %d tokens "+
			"(%d in the messages, %d in the completion). Please reduce the length of the messages or completion.",
			context, uint64(prompt)+uint64(*asked), prompt, *asked)
	}
	return *asked, nil
}

// usages tells which usage the client wants: once at the end, and on every event.
func (q *request) usages() (final, continuous bool) {
	if q.StreamOptions == nil {
		return false, false
	}
	return q.StreamOptions.IncludeUsage, q.StreamOptions.IncludeUsage && q.StreamOptions.ContinuousUsageStats
}

func unknownModel(name string) *refusal {
	return &refusal{
		status: http.StatusNotFound, kind: "NotFoundError", param: "model", code: "model_not_found",
		message: "The model `" + name + "` does not exist.",
	}
}
