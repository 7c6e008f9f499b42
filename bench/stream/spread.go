package stream

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// spread is an event whose JSON is spread over several data lines. Its lines are joined until its brackets are closed; strings cannot span
// lines, so that each line is looked at once.
type spread struct {
	on   bool
	text []byte
	// depth is how many brackets are open; broken tells that a part of the event is lost for its length.
	depth  int
	broken bool
}

// begin takes a payload that is not valid. It is false if more lines could not make it so: it does not only end too early, or ends inside
// a string.
func (s *spread) begin(line []byte) bool {
	depth, closed := openings(line)
	if depth <= 0 || !closed {
		return false
	}
	var v json.RawMessage
	if !errors.Is(json.NewDecoder(bytes.NewReader(line)).Decode(&v), io.ErrUnexpectedEOF) {
		return false
	}
	s.on, s.broken, s.depth = true, false, depth
	s.text = append(s.text[:0], line...)
	return true
}

func (s *spread) add(line []byte) {
	depth, _ := openings(line)
	if s.depth += depth; len(s.text)+len(line) >= MaxLine {
		s.broken = true
	}
	if !s.broken {
		s.text = append(append(s.text, '\n'), line...)
	}
}

// end forgets the event, keeping a modest buffer.
func (s *spread) end() {
	if s.on = false; cap(s.text) > keptLine {
		s.text = nil
	}
}

// openings is how many brackets more a line opens than it closes, and whether its strings end.
func openings(line []byte) (depth int, closed bool) {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			w := walker{b: line, i: i}
			if w.str(); w.bad {
				return depth, false
			}
			i = w.i - 1
		}
	}
	return depth, true
}

// join takes a line behind one with which an event began that its end cuts off. It is false if the line is no part of that event, which
// is lost then: an event of its own, or the end.
func (p *Parser) join(b []byte) bool {
	if len(b) == 0 || b[0] == ':' {
		return true
	}
	if b[0] == '{' {
		p.w.reset(b)
		if p.ev.read(&p.w) && p.ev.stands() {
			p.abandon()
			return false
		}
	} else if isDone(b) {
		p.abandon()
		return false
	}
	s := &p.spread
	if s.add(b); s.depth > 0 {
		return true
	}
	p.w.reset(s.text)
	p.take(s.text, p.ev.read(&p.w)) // without its closing bracket, if a part is lost
	s.end()
	return true
}

// abandon gives up an event that was never completed.
func (p *Parser) abandon() {
	if !p.spread.on {
		return
	}
	p.take(p.spread.text, false)
	p.spread.end()
}
