package workload

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"redline/bench"
)

// record is one row of a data set, in any of the shapes that occur.
type record struct {
	Prompt        json.RawMessage `json:"prompt"`
	Messages      json.RawMessage `json:"messages"`
	Conversations json.RawMessage `json:"conversations"`
	Conversation  json.RawMessage `json:"conversation"`
	Items         json.RawMessage `json:"items"`
	Turns         json.RawMessage `json:"turns"`
	System        json.RawMessage `json:"system"`
	MaxTokens     json.RawMessage `json:"max_tokens"`
	MaxCompletion json.RawMessage `json:"max_completion_tokens"`
	// Body is that of a batch file's request.
	Body *record `json:"body"`
}

// said is one message as it is written down.
type said struct {
	From    string          `json:"from"`
	Role    string          `json:"role"`
	Value   json.RawMessage `json:"value"`
	Content json.RawMessage `json:"content"`
	Text    json.RawMessage `json:"text"`
}

// What a row lacks, in the words of a tally.
var (
	errNoJSON    = errors.New("that are not JSON objects")
	errNoPrompt  = errors.New("without a prompt")
	errRole      = errors.New("with a role that is not system, user or assistant")
	errNotText   = errors.New("with something other than text")
	errMaxTokens = errors.New("whose max_tokens is no whole number from 1 to 1000000")
)

// readChat reads one row: a string, or an object with a prompt, turns or messages.
func readChat(raw []byte) (chat, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) > 0 && raw[0] == '"' {
		return readRecord(&record{Prompt: raw})
	}
	var rec record
	if len(raw) == 0 || raw[0] != '{' || json.Unmarshal(raw, &rec) != nil {
		return chat{}, errNoJSON
	}
	if rec.Body != nil {
		rec = *rec.Body
	}
	return readRecord(&rec)
}

func readRecord(rec *record) (c chat, err error) {
	if c.most, err = readMost(rec); err != nil {
		return chat{}, err
	}
	switch {
	case isThere(rec.Prompt) && bytes.HasPrefix(rec.Prompt, []byte("[")):
		err = c.messages(rec.Prompt, true)
	case isThere(rec.Prompt):
		err = c.strings([]json.RawMessage{rec.Prompt})
	case isThere(rec.Messages):
		err = c.messages(rec.Messages, true)
	case isThere(rec.Turns):
		var turns []json.RawMessage
		if json.Unmarshal(rec.Turns, &turns) != nil {
			return chat{}, errNoPrompt
		}
		err = c.strings(turns)
	default:
		for _, list := range []json.RawMessage{rec.Conversations, rec.Conversation, rec.Items} {
			if isThere(list) {
				err = c.messages(list, false)
				break
			}
		}
	}
	if err == nil && len(c.turns) == 0 {
		err = errNoPrompt
	}
	if err != nil {
		return chat{}, err
	}
	if system, ok := text(rec.System); ok && strings.TrimSpace(system) != "" {
		c.history = append([]bench.Message{{Role: "system", Text: system}}, c.history...)
	}
	return c, nil
}

func isThere(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

func readMost(rec *record) (int, error) {
	raw := rec.MaxTokens
	if !isThere(raw) {
		raw = rec.MaxCompletion
	}
	if !isThere(raw) {
		return 0, nil
	}
	n, ok := wholeNumber(bare(raw))
	if !ok || n < 1 || n > maxLength {
		return 0, errMaxTokens
	}
	return n, nil
}

// strings takes what the user says, turn by turn.
func (c *chat) strings(turns []json.RawMessage) error {
	for _, raw := range turns {
		words, ok := text(raw)
		if !ok {
			return errNotText
		}
		if strings.TrimSpace(words) == "" {
			return errNoPrompt
		}
		c.turns = append(c.turns, words)
	}
	return nil
}

// messages takes a list of messages. One that ends with the user's words may be one request with all before it (request); else it was recorded, and
// the user's turns are played again, with the answers that come this time.
func (c *chat) messages(raw json.RawMessage, request bool) error {
	var list []said
	if json.Unmarshal(raw, &list) != nil {
		return errNoPrompt
	}
	all := make([]bench.Message, 0, len(list))
	for i := range list {
		m, err := list[i].message()
		if err != nil {
			return err
		}
		if strings.TrimSpace(m.Text) != "" {
			all = append(all, m)
		}
	}
	if last := len(all) - 1; request && last >= 0 && all[last].Role == "user" {
		c.history, c.turns = all[:last:last], []string{all[last].Text}
		return nil
	}
	for _, m := range all {
		switch {
		case m.Role == "user":
			c.turns = append(c.turns, m.Text)
		case m.Role == "system" && len(c.turns) == 0:
			c.history = append(c.history, m)
		}
	}
	return nil
}

var roles = map[string]string{
	"system": "system", "developer": "system",
	"user": "user", "human": "user", "prompter": "user",
	"assistant": "assistant", "gpt": "assistant", "chatgpt": "assistant", "bing": "assistant", "bard": "assistant", "claude": "assistant",
	"model": "assistant", "bot": "assistant",
}

func (s *said) message() (bench.Message, error) {
	from := s.From
	if from == "" {
		from = s.Role
	}
	role, ok := roles[strings.ToLower(strings.TrimSpace(from))]
	if !ok {
		return bench.Message{}, errRole
	}
	for _, raw := range []json.RawMessage{s.Value, s.Content, s.Text} {
		if isThere(raw) {
			words, ok := text(raw)
			if !ok {
				return bench.Message{}, errNotText
			}
			return bench.Message{Role: role, Text: words}, nil
		}
	}
	return bench.Message{Role: role}, nil
}

// text reads a string, or a list of parts that are text.
func text(raw json.RawMessage) (string, bool) {
	var words string
	if json.Unmarshal(raw, &words) == nil {
		return words, isThere(raw)
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil || len(parts) == 0 {
		return "", false
	}
	var b strings.Builder
	for _, p := range parts {
		if p.Type != "text" && p.Type != "input_text" {
			return "", false
		}
		b.WriteString(p.Text)
	}
	return b.String(), true
}
