package sim

import (
	"net/http"
	"strconv"
	"time"

	"redline/bench/sim/model"
)

// sender sends one answer's events in its dialect's voice. Everything that does not change is made once; a token event
// costs appends and one flush.
type sender struct {
	w       http.ResponseWriter
	rc      *http.ResponseController
	voice   voice
	request *request
	buf     []byte
	opened  bool

	// sent is how many tokens went out, reasoned of them as reasoning.
	sent, reasoned int
}

func newSender(t *turn) *sender {
	return &sender{w: t.w, rc: http.NewResponseController(t.w), voice: t.dialect.voice(t), request: t.request}
}

// open sends the headers and what comes before the first token, once.
func (s *sender) open() error {
	if s.opened {
		return nil
	}
	s.opened = true
	h := s.w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	s.w.WriteHeader(http.StatusOK)
	s.voice.open(s)
	return s.flush()
}

// token appends one token to the buffer.
func (s *sender) token(text string, reasoning bool) {
	s.sent++
	if reasoning {
		s.reasoned++
	}
	s.voice.token(s, text, reasoning)
}

func (s *sender) finish(why model.Reason) error {
	s.voice.finish(s, why)
	return s.flush()
}

func (s *sender) fail(no *refusal) error {
	s.voice.fail(s, no)
	return s.flush()
}

func (s *sender) done() error {
	s.voice.done(s)
	return s.flush()
}

// stamp ends an event with its send time, which is read as late as can be: the write follows at once.
func (s *sender) stamp() {
	s.buf = append(s.buf, `,"sent_ns":`...)
	s.buf = strconv.AppendInt(s.buf, time.Now().UnixNano(), 10)
	s.buf = append(s.buf, "}\n\n"...)
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
