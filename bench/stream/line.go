package stream

import (
	"bytes"

	"redline/bench"
)

const (
	// keptBody bounds what is kept of a body that is no event stream: enough to read an error in it.
	keptBody = 64 << 10
	// keptJunk bounds what is kept of lines that could not be read.
	keptJunk = 4 << 10
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// line takes one line without its end. Each data line is one payload: servers separate events in too many ways (single
// newlines, blank lines that hold a space) for the blank line to mean anything but the end of an event's name.
func (p *Parser) line(b []byte) {
	if !p.begun {
		p.begun = true
		b = bytes.TrimPrefix(b, byteOrderMark)
	}
	if p.plain {
		p.keepBody(b, keptBody)
		return
	}
	if payload, ok := bytes.CutPrefix(b, []byte("data:")); ok {
		p.open = true
		if p.over || len(b) > MaxLine {
			p.malformed++
			return
		}
		p.data(bytes.TrimSpace(payload))
		return
	}
	if b = bytes.TrimSpace(b); len(b) == 0 {
		p.named = false
		return
	}
	p.other(b)
}

// other takes a line that is neither blank nor data.
func (p *Parser) other(b []byte) {
	switch b[0] {
	case ':':
		return
	case '{', '[', '<':
		if !p.open {
			p.plain = true
			p.keepBody(b, keptBody)
			return
		}
		// Some servers let an error fall bare into a stream that has begun.
		if f, ok := ReadFault(b); ok {
			p.fail(f)
			return
		}
	}
	name, value, _ := bytes.Cut(b, []byte(":"))
	switch string(name) {
	case "event":
		p.named = string(bytes.TrimSpace(value)) == "error"
	case "id", "retry", "data":
	default:
		p.junk++
		p.keepBody(b, keptJunk)
	}
}

// data takes one payload.
func (p *Parser) data(b []byte) {
	if len(b) == 0 || b[0] == ':' { // a gateway wraps its upstream's comments
		return
	}
	if string(b) == "[DONE]" {
		p.done = true
		return
	}
	p.w.reset(b)
	valid := p.ev.read(&p.w)
	if p.named {
		p.named = false
		p.fail(anyFault(b))
		return
	}
	if !valid {
		p.malformed++
		p.keepBody(b, keptJunk)
		return
	}
	if b[0] != '{' {
		return
	}
	p.readable++
	if p.ev.fault {
		p.fail(anyFault(b))
	}
	p.event()
}

func (p *Parser) fail(f Fault) {
	if p.fault == nil {
		p.fault = &f
	}
}

// keepBody keeps the head of what may have to be shown; events that could be read end the need for it.
func (p *Parser) keepBody(b []byte, limit int) {
	if p.readable > 0 || len(p.body) >= limit {
		return
	}
	p.body = append(p.body, b[:min(len(b), limit-len(p.body))]...)
	p.body = append(p.body, '\n')
}

// event counts the event that was just read.
func (p *Parser) event() {
	e := &p.ev
	ended := p.finished != 0
	p.seen |= e.seen
	p.finished |= e.finished
	if len(e.finish) > 0 && !failing([]byte(p.finish)) && string(e.finish) != p.finish {
		p.finish = string(e.finish)
	}
	if e.hasUsage {
		p.tally.add(&e.usage)
		// A usage that comes only with the finish or behind it is the final one; before, the server counts as it goes.
		if p.progress.on || (!ended && e.finished == 0) {
			p.progress.usage(p.tally.output.n, p.counts.Events == 0)
		}
	}
	if e.timings.ok {
		p.timings = e.timings
	}
	if e.answer || e.reasoning {
		p.token(e)
	}
	p.done = p.done || e.last
}

func (p *Parser) token(e *event) {
	p.chunkEvents++
	p.counts.Events++
	if e.reasoning {
		p.counts.Reasoning++
	}
	if e.hasUsage && p.progress.on {
		p.progress.events++
	}
	if e.answer && !p.answer.OK {
		p.answer = bench.MarkAt(p.at)
	}
}
