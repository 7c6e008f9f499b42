package sim

import (
	"strconv"

	"redline/bench/sim/model"
)

// chunks is the voice of OpenAI's two older protocols: one kind of event, with choices, and a line that says that it is
// done. A token costs appends only.
type chunks struct {
	// head is the beginning of every event, up to its choices.
	head string
	// legacy choices have a text instead of a delta, and no role.
	legacy bool
	// preface is an event before all others without its end, filter what each choice says of filters; Azure's.
	preface, filter string
}

func (c *chunks) early() bool { return c.preface != "" }

func (c *chunks) open(s *sender) {
	if c.preface != "" {
		s.buf = append(s.buf, c.preface...)
		s.stamp()
	}
	if c.legacy {
		return
	}
	s.buf = append(s.buf, c.head...)
	s.buf = append(s.buf, `{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null`...)
	c.close(s)
}

func (c *chunks) token(s *sender, text string, reasoning bool) {
	s.buf = append(s.buf, c.head...)
	switch {
	case c.legacy:
		s.buf = append(s.buf, `{"index":0,"text":"`...)
	case reasoning:
		s.buf = append(s.buf, `{"index":0,"delta":{"reasoning_content":"`...)
	default:
		s.buf = append(s.buf, `{"index":0,"delta":{"content":"`...)
	}
	s.buf = append(s.buf, text...)
	s.buf = append(s.buf, '"')
	if !c.legacy {
		s.buf = append(s.buf, '}')
	}
	s.buf = append(s.buf, `,"logprobs":null,"finish_reason":null`...)
	c.close(s)
}

// finish also appends the usage event, when asked for.
func (c *chunks) finish(s *sender, why model.Reason) {
	s.buf = append(s.buf, c.head...)
	if c.legacy {
		s.buf = append(s.buf, `{"index":0,"text":""`...)
	} else {
		s.buf = append(s.buf, `{"index":0,"delta":{}`...)
	}
	s.buf = append(s.buf, `,"logprobs":null,"finish_reason":"`...)
	s.buf = append(s.buf, why.String()...)
	s.buf = append(s.buf, '"')
	c.close(s)
	if s.request.final {
		s.buf = append(s.buf, c.head...)
		s.buf = append(s.buf, `],"usage":`...)
		s.buf = appendCompletionUsage(s.buf, s.request, s.sent, s.reasoned)
		s.stamp()
	}
}

// close ends an event's one choice and the event, with the usage so far when asked for.
func (c *chunks) close(s *sender) {
	s.buf = append(s.buf, c.filter...)
	s.buf = append(s.buf, "}]"...)
	switch {
	case s.request.continuous:
		s.buf = append(s.buf, `,"usage":`...)
		s.buf = appendCompletionUsage(s.buf, s.request, s.sent, s.reasoned)
	case s.request.final && c.preface != "":
		s.buf = append(s.buf, `,"usage":null`...)
	}
	s.stamp()
}

func (c *chunks) fail(s *sender, no *refusal) {
	s.buf = append(s.buf, "data: "...)
	s.buf = append(s.buf, no.body()...)
	s.buf = append(s.buf, "\n\n"...)
	c.done(s)
}

func (c *chunks) done(s *sender) { s.buf = append(s.buf, "data: [DONE]\n\n"...) }

func appendCompletionUsage(b []byte, q *request, sent, reasoned int) []byte {
	b = append(b, `{"prompt_tokens":`...)
	b = strconv.AppendInt(b, int64(q.prompt), 10)
	b = append(b, `,"completion_tokens":`...)
	b = strconv.AppendInt(b, int64(sent), 10)
	b = append(b, `,"total_tokens":`...)
	b = strconv.AppendInt(b, int64(q.prompt+sent), 10)
	if q.details {
		b = append(b, `,"prompt_tokens_details":{"cached_tokens":`...)
		b = strconv.AppendInt(b, int64(q.cached), 10)
		b = append(b, '}')
	}
	if reasoned > 0 {
		b = append(b, `,"completion_tokens_details":{"reasoning_tokens":`...)
		b = strconv.AppendInt(b, int64(reasoned), 10)
		b = append(b, '}')
	}
	return append(b, '}')
}
