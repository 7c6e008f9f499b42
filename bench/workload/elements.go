package workload

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// elements reads the elements of one JSON array, one after the other, without holding the array.
type elements struct {
	r *bufio.Reader
	// line is the line that is read, from 1; began the one on which the last element began; bytes how many were read.
	line, began int
	bytes       int64
	buf         []byte
	inside      bool
}

func newElements(r io.Reader) *elements {
	l := newLines(r)
	return &elements{r: l.r, line: 1}
}

func (e *elements) byte() (byte, error) {
	c, err := e.r.ReadByte()
	if err == nil {
		e.bytes++
		if c == '\n' {
			e.line++
		}
	}
	return c, err
}

// skip passes over white space.
func (e *elements) skip() (byte, error) {
	for {
		c, err := e.byte()
		if err != nil || c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			return c, err
		}
	}
}

// next is the next element as it stands there, valid until the one after it. One that is too long is told, and only its beginning is there. io.EOF ends.
func (e *elements) next() (element []byte, tooLong bool, err error) {
	c, err := e.skip()
	if !e.inside {
		if err != nil {
			return nil, false, err
		}
		if c != '[' {
			return nil, false, fmt.Errorf("line %d begins with %s where an array begins with [", e.line, short(string(c)))
		}
		e.inside = true
		c, err = e.skip()
	}
	if c == ',' && err == nil {
		c, err = e.skip()
	}
	if err != nil {
		return nil, false, e.broken(err, e.line)
	}
	if c == ']' {
		return nil, false, io.EOF
	}
	return e.element(c)
}

// element reads up to the comma or bracket after it.
func (e *elements) element(c byte) (_ []byte, tooLong bool, err error) {
	e.began, e.buf = e.line, e.buf[:0]
	depth, quoted, escaped := 0, false, false
	for {
		switch {
		case escaped:
			escaped = false
		case quoted:
			escaped, quoted = c == '\\', c != '"'
		case c == '"':
			quoted = true
		case c == '{' || c == '[':
			depth++
		case (c == '}' || c == ']') && depth > 0:
			depth--
		case c == ',' && depth == 0 || c == ']':
			e.r.UnreadByte()
			e.bytes--
			return bytes.TrimSpace(e.buf), tooLong, nil
		}
		if len(e.buf) < longestLine {
			e.buf = append(e.buf, c)
		} else {
			tooLong = true
		}
		if c, err = e.byte(); err != nil {
			return nil, false, e.broken(err, e.began)
		}
	}
}

// broken tells of an end in the middle.
func (e *elements) broken(err error, line int) error {
	if !errors.Is(err, io.EOF) {
		return fmt.Errorf("line %d: %w", line, err)
	}
	return fmt.Errorf("it ends in the middle of the array: what begins on line %d is not closed", line)
}
