package sim

import (
	"bytes"
	"encoding/json"
	"net/http"
)

// templateTokens is what the chat template adds to the words of a prompt.
const templateTokens = 6

// maxBody bounds a request's body in bytes.
const maxBody = 8 << 20

// request is what was asked for, whatever the protocol. Fields that this server does not know are ignored, as vLLM does.
type request struct {
	model string
	// prompt is the prompt's length in tokens, cached how many of them the prefix cache had, and promptField the field that holds it.
	prompt, cached int
	promptField    string
	// prefix are the hashes of the prompt's whole blocks.
	prefix []uint64
	// details tells that the usage says what was cached, be it nothing.
	details bool
	// limit is the answer's longest length in tokens, nil if none was asked; limitField is the field that says so.
	limit      *int
	limitField string
	stream     bool
	ignoreEOS  bool
	// final and continuous are the usages that the client wants: once at the end, and on every event.
	final, continuous bool
	// oneChannel protocols have no place for reasoning.
	oneChannel bool
}

type message struct {
	Role    string  `json:"role"`
	Content content `json:"content"`
}

// content is the text of a message: a string, null, or parts with text.
type content []string

// UnmarshalJSON takes each shape that the APIs allow.
func (c *content) UnmarshalJSON(b []byte) error {
	if b[0] == '[' {
		var parts []struct {
			Text string `json:"text"`
		}
		if err := json.Unmarshal(b, &parts); err != nil {
			return err
		}
		for _, p := range parts {
			*c = append(*c, p.Text)
		}
		return nil
	}
	var s string // stays empty on null
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	*c = content{s}
	return nil
}

// decode reads one JSON value.
func decode(body []byte, into any, what string) *refusal {
	d := json.NewDecoder(bytes.NewReader(body))
	if err := d.Decode(into); err != nil {
		return badRequest("", "the body is not %s: %v", what, err)
	}
	if d.More() {
		return badRequest("", "the body holds more than one JSON value")
	}
	return nil
}

// messages makes a conversation the prompt, behind what the template and the system say.
func (q *request) messages(system content, all []message) *refusal {
	if len(all) == 0 {
		return badRequest(q.promptField, "%s must hold at least one message", q.promptField)
	}
	t := newTokens(templateTokens)
	if len(system) > 0 {
		t.message("system", system)
	}
	for i, m := range all {
		if m.Role == "" {
			return badRequest(q.promptField, "%s[%d] has no role", q.promptField, i)
		}
		t.message(m.Role, m.Content)
	}
	q.prompt, q.prefix = t.n, t.blocks
	return nil
}

// limited checks the limit that was asked for.
func (q *request) limited() *refusal {
	if q.limit != nil && *q.limit < 1 {
		return badRequest(q.limitField, "%s must be at least 1, got %d", q.limitField, *q.limit)
	}
	return nil
}

// bound is the answer's longest length within a context: what was asked, else whatever room the prompt leaves; false
// when there is no room.
func (q *request) bound(context int) (int, bool) {
	if q.limit == nil {
		return context - q.prompt, q.prompt < context
	}
	// Subtracted, since the sum of two large numbers overflows.
	return *q.limit, *q.limit <= context-q.prompt
}

func unknownModel(name string) *refusal {
	return &refusal{
		status: http.StatusNotFound, kind: "NotFoundError", param: "model", code: "model_not_found",
		message: "The model `" + name + "` does not exist.",
	}
}
