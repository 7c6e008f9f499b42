package sim

import (
	"encoding/json"
	"fmt"
	"strconv"

	"redline/bench/sim/model"
)

// responseEvents is the voice of /v1/responses. Its closing events repeat the text, so that it has to be kept.
type responseEvents struct {
	turn *turn
	// number is the next event's.
	number int
	// growing is the item that is open, nil between items; where is what its events say of it.
	growing *item
	where   string
	text    []byte
	output  []json.RawMessage
	why     model.Reason
}

func (openAIResponses) voice(t *turn) voice { return &responseEvents{turn: t} }

func (e *responseEvents) early() bool { return true }

// begin appends an event up to its own fields, which s.stamp ends.
func (e *responseEvents) begin(s *sender, kind string) {
	s.buf = append(s.buf, "event: "...)
	s.buf = append(s.buf, kind...)
	s.buf = append(s.buf, "\ndata: {\"type\":\""...)
	s.buf = append(s.buf, kind...)
	s.buf = append(s.buf, `","sequence_number":`...)
	s.buf = strconv.AppendInt(s.buf, int64(e.number), 10)
	e.number++
}

// event appends a whole event.
func (e *responseEvents) event(s *sender, kind, format string, args ...any) {
	e.begin(s, kind)
	s.buf = fmt.Appendf(s.buf, format, args...)
	s.stamp()
}

// whole appends an event that carries the response.
func (e *responseEvents) whole(s *sender, kind, status string, usage, failure any) {
	r := response(e.turn, status, e.output, usage)
	r["error"] = failure
	e.event(s, kind, `,"response":%s`, object(r))
}

func (e *responseEvents) open(s *sender) {
	e.whole(s, "response.created", "in_progress", nil, nil)
	e.whole(s, "response.in_progress", "in_progress", nil, nil)
}

func (e *responseEvents) token(s *sender, text string, reasoning bool) {
	kind := messageItem
	if reasoning {
		kind = reasoningItem
	}
	if e.growing != kind {
		e.closeItem(s)
		e.openItem(s, kind)
	}
	e.text = append(e.text, text...)
	e.begin(s, kind.event+".delta")
	s.buf = append(s.buf, e.where...)
	s.buf = append(s.buf, `,"delta":"`...)
	s.buf = append(s.buf, text...)
	s.buf = append(s.buf, '"')
	s.stamp()
}

func (e *responseEvents) openItem(s *sender, kind *item) {
	e.growing, e.text = kind, e.text[:0]
	e.where = fmt.Sprintf(`,"item_id":"%s_sim_%d","output_index":%d,"content_index":0`, kind.id, e.turn.id, len(e.output))
	e.event(s, "response.output_item.added", `,"output_index":%d,"item":%s`, len(e.output), kind.object(e.turn.id, "in_progress", ""))
	e.event(s, "response.content_part.added", `%s,"part":%s`, e.where, kind.partOf(""))
}

func (e *responseEvents) closeItem(s *sender) {
	if e.growing == nil {
		return
	}
	kind, text := e.growing, string(e.text)
	done := kind.whole(e.turn.id, text)
	e.event(s, kind.event+".done", `%s,"text":"%s"`, e.where, text)
	e.event(s, "response.content_part.done", `%s,"part":%s`, e.where, kind.partOf(text))
	e.event(s, "response.output_item.done", `,"output_index":%d,"item":%s`, len(e.output), done)
	e.output = append(e.output, done)
	e.growing = nil
}

func (e *responseEvents) finish(s *sender, why model.Reason) {
	e.closeItem(s)
	e.why = why
}

// done appends the event that ends the stream; there is no other end mark.
func (e *responseEvents) done(s *sender) {
	status := responseStatus(e.why)
	e.whole(s, "response."+status, status, responsesUsage(s.request, s.sent, s.reasoned), nil)
}

// fail appends both of the events that tell of a failure, as OpenAI does.
func (e *responseEvents) fail(s *sender, no *refusal) {
	e.event(s, "error", `,"code":"server_error","message":%s,"param":null`, object(no.message))
	e.whole(s, "response.failed", "failed", nil, map[string]any{"code": "server_error", "message": no.message})
}
