package client

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"

	"github.com/sashabaranov/go-openai"

	"redline/bench"
)

// target is where requests go and what their bodies are made of. It never changes; Preflight makes another.
type target struct {
	base  *url.URL
	model string
	extra map[string]any
	// tokensField names the output limit; dropped are fields that the server does not take.
	tokensField string
	dropped     []string
	// single: the server keeps no connections, so that each request has its own.
	single bool
	// fixed is the body without messages and output limit, from its second byte on.
	fixed []byte
}

const defaultTokensField = "max_tokens"

func newTarget(base *url.URL, model, tokensField string, extra map[string]any, dropped ...string) (*target, error) {
	t := &target{base: base, model: model, extra: extra, tokensField: tokensField, dropped: dropped}
	if t.tokensField == "" {
		t.tokensField = defaultTokensField
	}
	// go-openai omits a temperature of 0, which is a value like any other here; and its rules for model names live in its own
	// client, so that any name and any limit can be sent.
	request := openai.ChatCompletionRequest{Model: model, Stream: true, StreamOptions: &openai.StreamOptions{IncludeUsage: true}}
	fields, err := fieldsOf(request)
	if err != nil {
		return nil, err
	}
	fields["temperature"] = json.RawMessage("0")
	delete(fields, "messages")
	for name, value := range extra {
		if fields[name], err = merged(fields[name], value); err != nil {
			return nil, fmt.Errorf("extra field %q: %w", name, err)
		}
	}
	for _, name := range dropped {
		delete(fields, name)
	}
	fixed, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	t.fixed = fixed[1:]
	return t, nil
}

func fieldsOf(v any) (map[string]json.RawMessage, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil || fields == nil {
		return nil, fmt.Errorf("%s is no object", b)
	}
	return fields, nil
}

// merged is the value of a field when an extra one is laid over it: of two objects the members, else the extra one.
func merged(ours json.RawMessage, extra any) (json.RawMessage, error) {
	b, err := json.Marshal(extra)
	if err != nil || len(ours) == 0 || ours[0] != '{' || b[0] != '{' {
		return b, err
	}
	var under, over map[string]json.RawMessage
	if json.Unmarshal(ours, &under) != nil || json.Unmarshal(b, &over) != nil {
		return b, nil
	}
	for name, value := range over {
		under[name] = value
	}
	return json.Marshal(under)
}

// body is the body of one request.
func (t *target) body(p bench.Prompt) ([]byte, error) {
	messages, err := json.Marshal([]openai.ChatCompletionMessage{{Role: openai.ChatMessageRoleUser, Content: p.Text}})
	if err != nil {
		return nil, err
	}
	b := make([]byte, 0, len(messages)+len(t.fixed)+64)
	b = append(append(b, `{"messages":`...), messages...)
	if _, set := t.extra[t.tokensField]; !set && p.MaxTokens > 0 {
		b = append(append(append(b, `,"`...), t.tokensField...), `":`...)
		b = strconv.AppendInt(b, int64(p.MaxTokens), 10)
	}
	return append(append(b, ','), t.fixed...), nil
}
