package client

import (
	"encoding/json"

	"github.com/sashabaranov/go-openai"

	"redline/bench"
)

// wire is how requests of one protocol are written.
type wire struct {
	// path is where they go, below the base URL.
	path string
	// prompt names the field of the prompt, and system that of the system's words where they stand apart, else it is empty; words makes both of what
	// is said. tokens names the output limit.
	prompt, system, tokens string
	words                  func(all []turn) (prompt any, system string)
	// request are the other fields.
	request func(model string) any
}

const (
	chatTokens    = "max_tokens"
	chatTokensNew = "max_completion_tokens"
)

// wires are the protocols. Temperature is 0 in all; where go-openai omits that, which is a value like any other here, it is added. The
// rules of go-openai for model names live in its own client, so that any name and any limit can be sent.
var wires = [bench.NumAPIs]wire{
	bench.Chat: {
		path: "/chat/completions", prompt: "messages", tokens: chatTokens, words: chatTurns,
		request: func(model string) any {
			return cold(openai.ChatCompletionRequest{Model: model, Stream: true, StreamOptions: &openai.StreamOptions{IncludeUsage: true}})
		},
	},
	bench.Completions: {
		path: "/completions", prompt: "prompt", tokens: chatTokens, words: oneText,
		request: func(model string) any {
			return cold(openai.CompletionRequest{Model: model, Stream: true, StreamOptions: &openai.StreamOptions{IncludeUsage: true}})
		},
	},
	bench.Responses: {
		path: "/responses", prompt: "input", system: "instructions", tokens: "max_output_tokens", words: inputItems,
		request: func(model string) any {
			var store bool // answers are kept otherwise, for whoever asks for them later
			return cold(openai.CreateResponseRequest{Model: model, Stream: true, Store: &store})
		},
	},
	bench.Anthropic: {
		path: "/messages", prompt: "messages", system: "system", tokens: chatTokens, words: alternating,
		request: func(model string) any { return cold(map[string]any{"model": model, "stream": true}) },
	},
}

// cold is a request with a temperature of 0.
func cold(request any) any {
	fields, err := fieldsOf(request)
	if err != nil {
		return nil
	}
	fields["temperature"] = json.RawMessage("0")
	return fields
}
