package sim

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"redline/bench/sim/model"
)

// openAICompletions is /v1/completions: a prompt without a template, and one channel, so that reasoning is text like
// the rest.
type openAICompletions struct{ openAI }

// defaultCompletion is how many tokens a completion has when nothing is asked, as everywhere.
const defaultCompletion = 16

type completionBody struct {
	Model  string `json:"model"`
	Prompt prompt `json:"prompt"`
	streaming
	MaxTokens *int `json:"max_tokens"`
}

// prompt counts the tokens of a text, of a list that holds one text, or of a list of tokens.
type prompt struct{ tokens, texts int }

// UnmarshalJSON counts the tokens of each shape that the API allows.
func (p *prompt) UnmarshalJSON(b []byte) error {
	if b[0] != '[' {
		var text string
		err := json.Unmarshal(b, &text)
		*p = prompt{words(text), 1}
		return err
	}
	var list []json.RawMessage
	if err := json.Unmarshal(b, &list); err != nil || len(list) == 0 {
		return err
	}
	switch list[0][0] {
	case '"':
		var texts []string
		err := json.Unmarshal(b, &texts)
		*p = prompt{words(strings.Join(texts, " ")), len(texts)}
		return err
	case '[':
		var many [][]uint32
		if err := json.Unmarshal(b, &many); err != nil {
			return err
		}
		*p = prompt{len(many[0]), len(many)}
		return nil
	}
	var tokens []uint32
	err := json.Unmarshal(b, &tokens)
	*p = prompt{len(tokens), 1}
	return err
}

func (openAICompletions) read(body []byte, _ *http.Request) (*request, *refusal) {
	var b completionBody
	if no := decode(body, &b, "a completion request"); no != nil {
		return nil, no
	}
	switch {
	case b.Model == "":
		return nil, badRequest("model", "you must provide a model parameter")
	case b.Prompt.texts != 1:
		return nil, badRequest("prompt", "prompt must be one text, got %d", b.Prompt.texts)
	case b.Prompt.tokens == 0:
		return nil, badRequest("prompt", "prompt must hold at least one token")
	}
	q := &request{model: b.Model, prompt: b.Prompt.tokens, promptField: "prompt", limit: b.MaxTokens, limitField: "max_tokens", oneChannel: true}
	if q.limit == nil {
		n := defaultCompletion
		q.limit = &n
	}
	return q.streamed(b.streaming)
}

func (openAICompletions) voice(t *turn) voice {
	return &chunks{head: chunkHead(t, "cmpl", "text_completion"), legacy: true}
}

func (openAICompletions) whole(t *turn, _, text string, why model.Reason) map[string]any {
	return map[string]any{
		"id": fmt.Sprintf("cmpl-sim-%d", t.id), "object": "text_completion", "created": t.accepted.Unix(), "model": t.server.opts.Model,
		"choices": []any{map[string]any{"index": 0, "text": text, "logprobs": nil, "finish_reason": why.String()}},
		"usage":   completionUsage(t, ""),
	}
}
