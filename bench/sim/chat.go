package sim

import (
	"encoding/json"
	"fmt"
	"net/http"

	"redline/bench/sim/model"
)

// openAI is what OpenAI's three protocols have in common.
type openAI struct{}

func (openAI) key(h http.Header) string { return bearer(h) }
func (openAI) quotas() QuotaHeaders     { return QuotaOpenAI }

func (openAI) word(no *refusal) (int, []byte) { return no.status, no.body() }

func (openAI) tooLong(q *request, context int) *refusal {
	if q.limit == nil {
		return badRequest(q.promptField, "This model's maximum context length is %d tokens. However, your messages resulted in %d tokens. "+
			"Please reduce the length of the messages.", context, q.prompt)
	}
	return badRequest(q.limitField, "This model's maximum context length is %d tokens. However, you requested %d tokens "+
		"(%d in the messages, %d in the completion). Please reduce the length of the messages or completion.",
		context, uint64(q.prompt)+uint64(*q.limit), q.prompt, *q.limit)
}

// openAIChat is /v1/chat/completions, as vLLM speaks it.
type openAIChat struct{ openAI }

// chatBody is a chat completion as asked for.
type chatBody struct {
	Model    string    `json:"model"`
	Messages []message `json:"messages"`
	streaming
	MaxTokens           *int `json:"max_tokens"`
	MaxCompletionTokens *int `json:"max_completion_tokens"`
}

// streaming are the fields that OpenAI's two older protocols share.
type streaming struct {
	Stream        bool `json:"stream"`
	StreamOptions *struct {
		IncludeUsage         bool `json:"include_usage"`
		ContinuousUsageStats bool `json:"continuous_usage_stats"`
	} `json:"stream_options"`
	N         *int `json:"n"`
	IgnoreEOS bool `json:"ignore_eos"`
}

func (openAIChat) read(body []byte, _ *http.Request) (*request, *refusal) { return readChat(body, "") }

// readChat reads a chat completion; the path may have named the model.
func readChat(body []byte, name string) (*request, *refusal) {
	var b chatBody
	if no := decode(body, &b, "a chat completion request"); no != nil {
		return nil, no
	}
	q := &request{model: b.Model, promptField: "messages", limit: b.MaxTokens, limitField: "max_tokens"}
	if b.MaxCompletionTokens != nil {
		q.limit, q.limitField = b.MaxCompletionTokens, "max_completion_tokens"
	}
	if name != "" {
		q.model = name
	}
	if q.model == "" {
		return nil, badRequest("model", "you must provide a model parameter")
	}
	if no := q.messages(nil, b.Messages); no != nil {
		return nil, no
	}
	// The other limit counts for nothing, but must make sense all the same.
	if b.MaxTokens != nil && *b.MaxTokens < 1 {
		return nil, badRequest("max_tokens", "max_tokens must be at least 1, got %d", *b.MaxTokens)
	}
	return q.streamed(b.streaming)
}

// streamed takes over the fields that the older protocols share.
func (q *request) streamed(s streaming) (*request, *refusal) {
	if s.StreamOptions != nil && !s.Stream {
		return nil, badRequest("stream_options", "stream_options is only allowed when stream is enabled")
	}
	if s.N != nil && *s.N != 1 {
		return nil, badRequest("n", "n must be 1, got %d", *s.N)
	}
	q.stream, q.ignoreEOS = s.Stream, s.IgnoreEOS
	if s.StreamOptions != nil {
		q.final = s.StreamOptions.IncludeUsage
		q.continuous = q.final && s.StreamOptions.ContinuousUsageStats
	}
	if no := q.limited(); no != nil {
		return nil, no
	}
	return q, nil
}

func (openAIChat) voice(t *turn) voice {
	return &chunks{head: chunkHead(t, "chatcmpl", "chat.completion.chunk")}
}

// chunkHead is the part of each chunk that does not change in a stream.
func chunkHead(t *turn, id, object string) string {
	return fmt.Sprintf(`data: {"id":"%s-sim-%d","object":"%s","created":%d,"model":%s,"choices":[`, id, t.id, object, t.accepted.Unix(), t.name())
}

func (openAIChat) whole(t *turn, thought, text string, why model.Reason) map[string]any {
	message := map[string]any{"role": "assistant", "content": text}
	if thought != "" {
		message["reasoning_content"] = thought
	}
	return map[string]any{
		"id": fmt.Sprintf("chatcmpl-sim-%d", t.id), "object": "chat.completion", "created": t.accepted.Unix(), "model": t.server.opts.Model,
		"choices": []any{map[string]any{"index": 0, "message": message, "logprobs": nil, "finish_reason": why.String()}},
		"usage":   completionUsage(t, thought),
	}
}

// completionUsage is the usage of a whole answer in the older protocols' names.
func completionUsage(t *turn, thought string) json.RawMessage {
	return appendCompletionUsage(nil, t.request, t.used, words(thought))
}
