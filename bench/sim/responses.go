package sim

import (
	"encoding/json"
	"fmt"
	"net/http"

	"redline/bench/sim/model"
)

// openAIResponses is /v1/responses: named events, numbered, around items that open, grow and close.
type openAIResponses struct{ openAI }

type responsesBody struct {
	Model           string `json:"model"`
	Input           input  `json:"input"`
	Instructions    string `json:"instructions"`
	Stream          bool   `json:"stream"`
	MaxOutputTokens *int   `json:"max_output_tokens"`
	IgnoreEOS       bool   `json:"ignore_eos"`
}

// input is a text, or a conversation.
type input []message

// UnmarshalJSON takes a text for what a user says.
func (in *input) UnmarshalJSON(b []byte) error {
	if b[0] == '[' {
		return json.Unmarshal(b, (*[]message)(in))
	}
	var c content
	if err := c.UnmarshalJSON(b); err != nil {
		return err
	}
	if string(b) != "null" {
		*in = input{{Role: "user", Content: c}}
	}
	return nil
}

func (openAIResponses) read(body []byte, _ *http.Request) (*request, *refusal) {
	var b responsesBody
	if no := decode(body, &b, "a request for a response"); no != nil {
		return nil, no
	}
	if b.Model == "" {
		return nil, badRequest("model", "you must provide a model parameter")
	}
	q := &request{
		model: b.Model, promptField: "input", limit: b.MaxOutputTokens, limitField: "max_output_tokens",
		stream: b.Stream, ignoreEOS: b.IgnoreEOS,
	}
	var system content
	if b.Instructions != "" {
		system = content{b.Instructions}
	}
	if no := q.messages(system, b.Input); no != nil {
		return nil, no
	}
	if no := q.limited(); no != nil {
		return nil, no
	}
	return q, nil
}

func (openAIResponses) whole(t *turn, thought, text string, why model.Reason) map[string]any {
	var output []json.RawMessage
	if thought != "" {
		output = append(output, reasoningItem.whole(t.id, thought))
	}
	if text != "" {
		output = append(output, messageItem.whole(t.id, text))
	}
	return response(t, responseStatus(why), output, responsesUsage(t.request, t.used, words(thought)))
}

// response is the object that begins and ends a stream, and is a whole answer.
func response(t *turn, status string, output []json.RawMessage, usage any) map[string]any {
	if output == nil {
		output = []json.RawMessage{}
	}
	var limit, why any
	if t.request.limit != nil {
		limit = *t.request.limit
	}
	if status == "incomplete" {
		why = map[string]any{"reason": "max_output_tokens"}
	}
	return map[string]any{
		"id": fmt.Sprintf("resp_sim_%d", t.id), "object": "response", "created_at": t.accepted.Unix(), "model": t.server.opts.Model,
		"status": status, "error": nil, "incomplete_details": why, "max_output_tokens": limit, "output": output, "usage": usage,
	}
}

// responseStatus is how an answer ended, in the protocol's word.
func responseStatus(why model.Reason) string {
	if why == model.Length {
		return "incomplete"
	}
	return "completed"
}

func responsesUsage(q *request, sent, reasoned int) map[string]any {
	return map[string]any{
		"input_tokens": q.prompt, "input_tokens_details": map[string]any{"cached_tokens": q.cached},
		"output_tokens": sent, "output_tokens_details": map[string]any{"reasoning_tokens": reasoned},
		"total_tokens": q.prompt + sent,
	}
}

// item is a kind of output item: its words in events and objects.
type item struct {
	id, kind string
	// part is the type of its one part, event the stem of the events that carry its text.
	part, event string
	// rest are further fields of the item and of its part.
	rest, partRest string
}

var (
	reasoningItem = &item{id: "rs", kind: "reasoning", part: "reasoning_text", event: "response.reasoning_text", rest: `,"summary":[]`}
	messageItem   = &item{
		id: "msg", kind: "message", part: "output_text", event: "response.output_text", rest: `,"role":"assistant"`, partRest: `,"annotations":[],"logprobs":[]`,
	}
)

func (k *item) partOf(text string) string {
	return fmt.Sprintf(`{"type":"%s","text":"%s"%s}`, k.part, text, k.partRest)
}

func (k *item) object(turn uint64, status, parts string) string {
	return fmt.Sprintf(`{"id":"%s_sim_%d","type":"%s","status":"%s","content":[%s]%s}`, k.id, turn, k.kind, status, parts, k.rest)
}

func (k *item) whole(turn uint64, text string) json.RawMessage {
	return json.RawMessage(k.object(turn, "completed", k.partOf(text)))
}
