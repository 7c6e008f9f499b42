package sim

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// sender writes one answer's events. Everything that does not change is made once; a token event costs appends and
// one flush.
type sender struct {
	w    http.ResponseWriter
	rc   *http.ResponseController
	head string
	buf  []byte

	prompt int
	// sent is how many tokens went out, reasoned of them as reasoning.
	sent, reasoned int
	// final and continuous are the usages the client asked for.
	final, continuous bool
}

func newSender(w http.ResponseWriter, id uint64, model string, created time.Time, q *request) *sender {
	name, err := json.Marshal(model)
	if err != nil {
		panic(err) // a string
	}
	s := &sender{
		w: w, rc: http.NewResponseController(w), prompt: q.promptTokens(),
		head: fmt.Sprintf(`data: {"id":"chatcmpl-sim-%d","object":"chat.completion.chunk","created":%d,"model":%s,"choices":[`, id, created.Unix(), name),
	}
	s.final, s.continuous = q.usages()
	return s
}

// open sends the headers and the role event.
func (s *sender) open() error {
	h := s.w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	s.w.WriteHeader(http.StatusOK)
	s.begin()
	s.buf = append(s.buf, `{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}`...)
	s.close(s.continuous)
	return s.flush()
}

// token appends one token event to the buffer; words of prose need no escaping.
func (s *sender) token(text string, reasoning bool) {
	s.sent++
	s.begin()
	s.buf = append(s.buf, `{"index":0,"delta":{"`...)
	if reasoning {
		s.reasoned++
		s.buf = append(s.buf, `reasoning_content":"`...)
	} else {
		s.buf = append(s.buf, `content":"`...)
	}
	s.buf = append(s.buf, text...)
	s.buf = append(s.buf, `"},"logprobs":null,"finish_reason":null}`...)
	s.close(s.continuous)
}

// finish appends the finish event and, when asked for, the usage event.
func (s *sender) finish(reason string) {
	s.begin()
	s.buf = append(s.buf, `{"index":0,"delta":{},"logprobs":null,"finish_reason":"`...)
	s.buf = append(s.buf, reason...)
	s.buf = append(s.buf, `"}`...)
	s.close(s.continuous)
	if s.final {
		s.begin()
		s.close(true)
	}
}

// fail appends an error event.
func (s *sender) fail(f *refusal) {
	s.buf = append(s.buf, "data: "...)
	s.buf = append(s.buf, f.body()...)
	s.buf = append(s.buf, "\n\n"...)
}

// done writes what is left and the end mark.
func (s *sender) done() error {
	s.buf = append(s.buf, "data: [DONE]\n\n"...)
	return s.flush()
}

func (s *sender) begin() { s.buf = append(s.buf, s.head...) }

// close ends an event with its send time, which is read as late as can be: the write follows at once.
func (s *sender) close(usage bool) {
	s.buf = append(s.buf, ']')
	if usage {
		s.buf = append(s.buf, `,"usage":`...)
		s.buf = s.appendUsage(s.buf)
	}
	s.buf = append(s.buf, `,"sent_ns":`...)
	s.buf = strconv.AppendInt(s.buf, time.Now().UnixNano(), 10)
	s.buf = append(s.buf, "}\n\n"...)
}

func (s *sender) appendUsage(b []byte) []byte {
	b = append(b, `{"prompt_tokens":`...)
	b = strconv.AppendInt(b, int64(s.prompt), 10)
	b = append(b, `,"completion_tokens":`...)
	b = strconv.AppendInt(b, int64(s.sent), 10)
	b = append(b, `,"total_tokens":`...)
	b = strconv.AppendInt(b, int64(s.prompt+s.sent), 10)
	if s.reasoned > 0 {
		b = append(b, `,"completion_tokens_details":{"reasoning_tokens":`...)
		b = strconv.AppendInt(b, int64(s.reasoned), 10)
		b = append(b, '}')
	}
	return append(b, '}')
}

// flush writes the buffer through to the connection.
func (s *sender) flush() error {
	_, err := s.w.Write(s.buf)
	s.buf = s.buf[:0]
	if err != nil {
		return err
	}
	return s.rc.Flush()
}
