package selftest

import (
	"bytes"
	"time"
)

// digits is the length of a stamp: nanoseconds of the wall clock have so many until the year 2286.
const digits = 19

// mark stands before the stamp of a token.
var mark = []byte(`"sent":`)

// head and tail are a token around its stamp, as a server of chat completions streams it.
const (
	head = `data: {"id":"selftest","object":"chat.completion.chunk","created":1,"model":"selftest","choices":[{"index":0,"delta":{"content":" token"},"finish_reason":null}],"sent":`
	tail = "}\n\n"
	last = `data: {"id":"selftest","object":"chat.completion.chunk","created":1,"model":"selftest","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` +
		"\n\ndata: [DONE]\n\n"
)

// putStamp writes an instant into the digits of b.
func putStamp(b []byte, at time.Time) {
	ns := uint64(at.UnixNano())
	for i := digits - 1; i >= 0; i-- {
		b[i] = byte('0' + ns%10)
		ns /= 10
	}
}

// size is the length of a stamp with its mark.
const size = len(`"sent":`) + digits

// Stamps finds the stamps in the bytes of one stream, however they were cut into reads. Its zero value is at the beginning of a stream.
type Stamps struct {
	// kept is the end of the last read, where it may be the beginning of a stamp.
	kept [size]byte
	n    int
}

// Read calls f with each stamp that b completes, in nanoseconds of the wall clock. It keeps no reference to b.
func (s *Stamps) Read(b []byte, f func(sent int64)) {
	if s.n > 0 {
		// What began in the last read ends within this much of the present one, or is not there yet.
		var both [2 * size]byte
		joined := append(append(both[:0], s.kept[:s.n]...), b[:min(len(b), size)]...)
		i := scan(joined, s.n, f)
		s.n = 0
		if i >= 0 {
			s.n = copy(s.kept[:], joined[i:])
			return
		}
	}
	if i := scan(b, len(b), f); i >= 0 {
		s.n = copy(s.kept[:], b[i:])
	}
}

// scan calls f with each stamp that begins in the first limit bytes. It gives where a stamp begins whose end is missing, else -1.
func scan(b []byte, limit int, f func(sent int64)) int {
	from := 0
	for {
		i := bytes.Index(b[from:], mark)
		if i < 0 {
			break
		}
		if i += from; i >= limit {
			return -1
		}
		if len(b) < i+size {
			return i
		}
		if sent, ok := stamped(b[i+len(mark) : i+size]); ok {
			f(sent)
		}
		from = i + len(mark)
	}
	for i := max(from, len(b)-len(mark)+1); i < min(limit, len(b)); i++ {
		if bytes.HasPrefix(mark, b[i:]) {
			return i
		}
	}
	return -1
}

// stamped reads the digits of a stamp.
func stamped(b []byte) (sent int64, ok bool) {
	for _, c := range b {
		if c < '0' || c > '9' || sent > (1<<63-1-9)/10 {
			return 0, false
		}
		sent = 10*sent + int64(c-'0')
	}
	return sent, true
}
