package sim

import (
	"fmt"
	"strconv"

	"redline/bench/sim/model"
)

// signature stands for what Anthropic signs its thinking with.
const signature = "c2lt"

// messageEvents is the voice of /v1/messages: a message that holds blocks, each of which opens, grows and closes.
type messageEvents struct {
	turn *turn
	// index is the growing block's, growing tells whether there is one, and thinking what it holds.
	index             int
	growing, thinking bool
}

func (anthropicMessages) voice(t *turn) voice { return &messageEvents{turn: t} }

func (e *messageEvents) early() bool { return true }

// event appends a whole event; its fields begin with a comma, if there are any.
func (e *messageEvents) event(s *sender, kind, format string, args ...any) {
	s.buf = fmt.Appendf(s.buf, "event: %s\ndata: {\"type\":\"%s\"", kind, kind)
	s.buf = fmt.Appendf(s.buf, format, args...)
	s.stamp()
}

func (e *messageEvents) open(s *sender) {
	// A token is counted before there is any, as Anthropic does; what is cached is known at the end.
	start := anthropicMessage(e.turn, []any{}, nil, anthropicUsage(s.request, 1))
	e.event(s, "message_start", `,"message":%s`, object(start))
	e.event(s, "ping", "")
}

func (e *messageEvents) token(s *sender, text string, reasoning bool) {
	if !e.growing || e.thinking != reasoning {
		e.closeBlock(s)
		e.openBlock(s, reasoning)
	}
	s.buf = append(s.buf, "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":"...)
	s.buf = strconv.AppendInt(s.buf, int64(e.index), 10)
	if reasoning {
		s.buf = append(s.buf, `,"delta":{"type":"thinking_delta","thinking":"`...)
	} else {
		s.buf = append(s.buf, `,"delta":{"type":"text_delta","text":"`...)
	}
	s.buf = append(s.buf, text...)
	s.buf = append(s.buf, `"}`...)
	s.stamp()
}

func (e *messageEvents) openBlock(s *sender, thinking bool) {
	e.growing, e.thinking = true, thinking
	block := `{"type":"text","text":""}`
	if thinking {
		block = `{"type":"thinking","thinking":"","signature":""}`
	}
	e.event(s, "content_block_start", `,"index":%d,"content_block":%s`, e.index, block)
}

func (e *messageEvents) closeBlock(s *sender) {
	if !e.growing {
		return
	}
	if e.thinking {
		e.event(s, "content_block_delta", `,"index":%d,"delta":{"type":"signature_delta","signature":"%s"}`, e.index, signature)
	}
	e.event(s, "content_block_stop", `,"index":%d`, e.index)
	e.growing = false
	e.index++
}

func (e *messageEvents) finish(s *sender, why model.Reason) {
	e.closeBlock(s)
	e.event(s, "message_delta", `,"delta":{"stop_reason":"%s","stop_sequence":null},"usage":%s`, stopReason(why), object(anthropicUsage(s.request, s.sent)))
}

func (e *messageEvents) done(s *sender) { e.event(s, "message_stop", "") }

func (e *messageEvents) fail(s *sender, no *refusal) {
	_, body := anthropicMessages{}.word(no)
	s.buf = fmt.Appendf(s.buf, "event: error\ndata: %s\n\n", body)
}
