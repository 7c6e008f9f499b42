package sim

import (
	"fmt"
	"net/http"

	"redline/bench/sim/model"
)

// anthropicMessages is Anthropic's /v1/messages.
type anthropicMessages struct{}

// statusOverloaded is Anthropic's own status where others answer 503.
const statusOverloaded = 529

type messagesBody struct {
	Model     string    `json:"model"`
	System    content   `json:"system"`
	Messages  []message `json:"messages"`
	Stream    bool      `json:"stream"`
	MaxTokens *int      `json:"max_tokens"`
	IgnoreEOS bool      `json:"ignore_eos"`
}

func (anthropicMessages) quotas() QuotaHeaders { return QuotaAnthropic }

func (anthropicMessages) key(h http.Header) string {
	if key := h.Get("X-Api-Key"); key != "" {
		return key
	}
	return bearer(h)
}

func (anthropicMessages) read(body []byte, r *http.Request) (*request, *refusal) {
	if r.Header.Get("Anthropic-Version") == "" {
		return nil, badRequest("", "anthropic-version: header is required")
	}
	var b messagesBody
	if no := decode(body, &b, "a request for a message"); no != nil {
		return nil, no
	}
	switch {
	case b.Model == "":
		return nil, badRequest("model", "model: Field required")
	case b.MaxTokens == nil:
		return nil, badRequest("max_tokens", "max_tokens: Field required")
	case *b.MaxTokens < 1:
		return nil, badRequest("max_tokens", "max_tokens: must be greater than or equal to 1, got %d", *b.MaxTokens)
	}
	for i, m := range b.Messages {
		if m.Role != "user" && m.Role != "assistant" {
			return nil, badRequest("messages", "messages.%d.role: Input should be 'user' or 'assistant', got %q", i, m.Role)
		}
	}
	q := &request{
		model: b.Model, promptField: "messages", limit: b.MaxTokens, limitField: "max_tokens",
		stream: b.Stream, ignoreEOS: b.IgnoreEOS,
	}
	if no := q.messages(b.System, b.Messages); no != nil {
		return nil, no
	}
	return q, nil
}

func (anthropicMessages) tooLong(q *request, context int) *refusal {
	if q.prompt > context {
		return badRequest("messages", "prompt is too long: %d tokens > %d maximum", q.prompt, context)
	}
	return badRequest("max_tokens", "input length and `max_tokens` exceed context limit: %d + %d > %d, decrease input length or `max_tokens` and try again",
		q.prompt, *q.limit, context)
}

// errorTypes are the types of errors by status.
var errorTypes = map[int]string{
	http.StatusUnauthorized: "authentication_error", http.StatusForbidden: "permission_error", http.StatusNotFound: "not_found_error",
	http.StatusRequestEntityTooLarge: "request_too_large", http.StatusTooManyRequests: "rate_limit_error",
	http.StatusInternalServerError: "api_error", statusOverloaded: "overloaded_error",
}

func (anthropicMessages) word(no *refusal) (int, []byte) {
	if no.detail != nil {
		return no.status, no.body()
	}
	status, message := no.status, no.message
	switch {
	case status == http.StatusServiceUnavailable:
		status, message = statusOverloaded, "Overloaded"
	case status == http.StatusUnauthorized:
		message = "invalid x-api-key"
	case no.code == "model_not_found":
		message = "model not found"
	}
	kind, ok := errorTypes[status]
	if !ok {
		kind = "invalid_request_error"
	}
	return status, object(map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": message}})
}

func (anthropicMessages) whole(t *turn, thought, text string, why model.Reason) map[string]any {
	parts := []any{}
	if thought != "" {
		parts = append(parts, map[string]any{"type": "thinking", "thinking": thought, "signature": signature})
	}
	if text != "" {
		parts = append(parts, map[string]any{"type": "text", "text": text})
	}
	return anthropicMessage(t, parts, stopReason(why), anthropicUsage(t.request, t.used))
}

// anthropicMessage is a whole answer, or the beginning of one.
func anthropicMessage(t *turn, parts []any, why, usage any) map[string]any {
	return map[string]any{
		"id": fmt.Sprintf("msg_sim_%d", t.id), "type": "message", "role": "assistant", "model": t.server.opts.Model,
		"content": parts, "stop_reason": why, "stop_sequence": nil, "usage": usage,
	}
}

// anthropicUsage counts what came from the cache beside the input.
func anthropicUsage(q *request, sent int) map[string]any {
	return map[string]any{
		"input_tokens": q.prompt - q.cached, "cache_creation_input_tokens": 0, "cache_read_input_tokens": q.cached, "output_tokens": sent,
	}
}

func stopReason(why model.Reason) string {
	if why == model.Length {
		return "max_tokens"
	}
	return "end_turn"
}
