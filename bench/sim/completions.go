package sim

import (
	"encoding/json"
	"fmt"
	"net/http"

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

// prompt is a text, a list that holds one text, or a list of tokens.
type prompt struct {
	text    string
	numbers []uint32
	texts   int
}

// UnmarshalJSON takes each shape that the API allows.
func (p *prompt) UnmarshalJSON(b []byte) error {
	if b[0] != '[' {
		p.texts = 1
		return json.Unmarshal(b, &p.text)
	}
	var list []json.RawMessage
	if err := json.Unmarshal(b, &list); err != nil || len(list) == 0 {
		return err
	}
	p.texts = len(list)
	switch list[0][0] {
	case '"':
		var texts []string
		if err := json.Unmarshal(b, &texts); err != nil {
			return err
		}
		p.text = texts[0]
	case '[':
		var many [][]uint32
		if err := json.Unmarshal(b, &many); err != nil {
			return err
		}
		p.numbers = many[0]
	default:
		p.texts = 1
		return json.Unmarshal(b, &p.numbers)
	}
	return nil
}

// tokens are the prompt's, without any template.
func (p *prompt) tokens() *tokens {
	t := newTokens(0)
	t.text(p.text)
	for _, number := range p.numbers {
		t.token(number)
	}
	return t
}

func (openAICompletions) read(body []byte, _ *http.Request) (*request, *refusal) {
	var b completionBody
	if no := decode(body, &b, "a completion request"); no != nil {
		return nil, no
	}
	t := b.Prompt.tokens()
	switch {
	case b.Model == "":
		return nil, badRequest("model", "you must provide a model parameter")
	case b.Prompt.texts != 1:
		return nil, badRequest("prompt", "prompt must be one text, got %d", b.Prompt.texts)
	case t.n == 0:
		return nil, badRequest("prompt", "prompt must hold at least one token")
	}
	q := &request{model: b.Model, prompt: t.n, prefix: t.blocks, promptField: "prompt", limit: b.MaxTokens, limitField: "max_tokens", oneChannel: true}
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
