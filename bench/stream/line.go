package stream

import (
	"bytes"
	"strings"
)

// keptName bounds what is kept of an event's name.
const keptName = 64

var byteOrderMark = []byte("\xef\xbb\xbf")

// line takes one line without its end. Each data line is one payload: servers separate events in too many ways (single
// newlines, blank lines that hold a space) for the blank line to mean anything but the end of an event's name, and of an event whose
// JSON is spread over several lines.
func (p *Parser) line(b []byte) {
	if !p.begun {
		p.begun = true
		b = bytes.TrimPrefix(b, byteOrderMark)
	}
	if p.plain {
		p.keepBody(b, keptBody)
		return
	}
	payload, ok := bytes.CutPrefix(b, []byte("data:"))
	if !ok {
		if len(b) == 0 { // the usual one
			p.blank()
			return
		}
		if b = trim(bytes.TrimPrefix(b, byteOrderMark)); len(b) == 0 {
			p.blank()
			return
		}
		if payload, ok = looseData(b); !ok {
			p.other(b)
			return
		}
	}
	p.open = true
	switch {
	case !p.over && len(b) <= MaxLine:
		p.data(trim(payload))
	case p.spread.on:
		p.spread.broken = true
	default:
		p.malformed++
	}
}

// blank takes the end of an event.
func (p *Parser) blank() {
	if p.spread.on {
		p.abandon()
	}
	if len(p.name) > 0 {
		p.settleName()
		p.name, p.named = p.name[:0], false
	}
	p.behind = false
}

// settleName takes a name behind which no payload came. It may name the payload before it: the fields of an event have no order.
func (p *Parser) settleName() {
	switch {
	case p.named && p.behind && len(p.odd) > 0:
		p.fail(anyFault(p.odd))
	case p.named: // its payload may be lost, or stand in the next block
		p.alarm = true
	case p.behind:
		p.ev.clear()
		p.ev.settle(p.name)
		if p.ev.fault {
			p.fail(Fault{Message: "the server named an event " + string(p.name), Type: string(p.name)})
		}
		p.count()
	}
}

// trim cuts white space off, and zero bytes, with which some proxies pad.
func trim(b []byte) []byte {
	b = bytes.TrimSpace(b)
	if len(b) == 0 || b[0] != 0 && b[len(b)-1] != 0 {
		return b
	}
	return bytes.Trim(b, "\x00 \t\r\n\v\f")
}

// looseData is the payload of a data line whose field name is in other letter case, or has a space behind it.
func looseData(b []byte) ([]byte, bool) {
	if len(b) < len("data:") || !bytes.EqualFold(b[:4], []byte("data")) {
		return nil, false
	}
	return bytes.CutPrefix(bytes.TrimLeft(b[4:], " \t"), []byte(":"))
}

// whole tells whether a line is all there though its end is not: it is no data, or its payload is complete.
func whole(b []byte) bool {
	payload, ok := looseData(trim(bytes.TrimPrefix(b, byteOrderMark)))
	if !ok {
		return true
	}
	payload = trim(payload)
	w := walker{b: payload}
	w.skip()
	return w.end() || isDone(payload)
}

// other takes a line that is neither blank nor data.
func (p *Parser) other(b []byte) {
	if b[0] == ':' {
		return
	}
	name, value, _ := bytes.Cut(b, []byte(":"))
	switch {
	case isField(name, "event"):
		p.event(trim(value))
		return
	case isField(name, "id"), isField(name, "retry"), isField(name, "data"):
		return
	}
	if p.spread.on && p.join(b) { // only the first line of some spread events says that it is data
		return
	}
	switch b[0] {
	case '{', '[', '<':
		if !p.open {
			p.plain = true
			p.keepBody(b, keptBody)
			return
		}
		if isDone(b) {
			p.done = true
			return
		}
		// Some servers let an error fall bare into a stream that has begun.
		if f, ok := ReadFault(b); ok {
			p.fail(f)
			return
		}
	}
	p.junk++
	p.keepBody(b, keptJunk)
	if p.open && !fieldName(name, len(b)) { // words of a proxy, or of the server itself
		p.odd = append(p.odd[:0], b[:min(len(b), keptJunk)]...)
	}
}

// fieldName tells whether what stands before the first colon of a line of so many bytes can be the name of a field that nobody knows.
func fieldName(name []byte, line int) bool {
	return len(name) < line && !bytes.ContainsAny(name, " \t{[<\"'")
}

// isField tells whether a field goes by that name, in whatever letter case.
func isField(name []byte, field string) bool {
	name = bytes.TrimRight(name, " \t")
	return len(name) == len(field) && strings.EqualFold(string(name), field)
}

// event takes the name of the next payload.
func (p *Parser) event(name []byte) {
	p.name = append(p.name[:0], name[:min(len(name), keptName)]...)
	p.named = failingName(p.name)
	p.declared = p.declared || isDone(name) || bytes.EqualFold(name, []byte("end"))
}
