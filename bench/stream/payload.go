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

// isDone tells whether a payload says [DONE], in any of its spellings.
func isDone(b []byte) bool {
	if len(b) < 4 || len(b) > 8 {
		return false
	}
	b = bytes.Trim(b, `"[]`)
	return bytes.EqualFold(b, []byte("done"))
}

// data takes what stands behind the field name of a data line: one payload, as a rule.
func (p *Parser) data(b []byte) {
	if p.spread.on && p.join(b) {
		return
	}
	for len(b) > 0 && !p.Done() {
		if b[0] != '{' {
			if b = p.unwrap(b); len(b) == 0 {
				return
			}
		}
		p.w.reset(b)
		valid := p.ev.read(&p.w)
		if !valid && p.spread.begin(b) {
			return
		}
		end := len(b)
		if !valid && !p.w.bad && followed(b[p.w.i:]) {
			// The newline between two events was lost.
			valid, end = true, p.w.i
		}
		p.take(b[:end], valid)
		b = b[end:]
	}
}

// unwrap takes off what stands around a payload that does not begin as an object; nothing is left of comments and of [DONE].
func (p *Parser) unwrap(b []byte) []byte {
	for {
		inner, ok := looseData(b) // a gateway wraps its upstream's lines
		if !ok {
			break
		}
		b = trim(inner)
	}
	switch {
	case len(b) == 0 || b[0] == ':': // … and its upstream's comments
		return nil
	case isDone(b):
		p.done = true
		p.alarm = p.alarm || p.named
		return nil
	}
	return b
}

// followed tells whether another payload begins there.
func followed(b []byte) bool {
	if b[0] == '{' {
		return true
	}
	_, ok := looseData(b)
	return ok
}

// twice tells whether a payload is a string in which JSON stands: a gateway has encoded its events twice, and no client reads them.
func twice(b []byte) bool {
	return len(b) > 1 && b[0] == '"' && (b[1] == '{' || b[1] == '[')
}

// take takes one payload, which was read if it is valid.
func (p *Parser) take(b []byte, valid bool) {
	if !valid || p.named || b[0] != '{' {
		p.takeOdd(b, valid)
	} else {
		p.takeEvent(b)
	}
	p.behind = true
	if len(p.name) > 0 {
		p.name, p.named = p.name[:0], false
	}
}

// takeEvent takes a payload that is an object.
func (p *Parser) takeEvent(b []byte) {
	e := &p.ev
	p.readable++
	if len(p.name) > 0 || e.unsettled() {
		e.settle(p.name)
	}
	if e.fails() {
		p.fail(anyFault(b))
	} else if e.doubtful() {
		if f, ok := ReadFault(b); ok {
			p.fail(f)
		}
	}
	if e.foreign(&p.w, p.counts.Events) {
		p.odd = append(p.odd[:0], b[:min(len(b), keptJunk)]...)
	}
	p.count()
}

// takeOdd takes a payload that is no event but perhaps an error.
func (p *Parser) takeOdd(b []byte, valid bool) {
	switch {
	case p.named:
		p.fail(anyFault(b))
	case !valid || twice(b):
		p.malformed++
		p.keepBody(b, keptJunk)
	default:
		if f, ok := ReadFault(b); ok {
			p.fail(f)
			return
		}
		if w := (walker{b: b}); w.truthy() {
			p.alien++
			p.keepBody(b, keptJunk)
		}
	}
}

func (p *Parser) fail(f Fault) {
	if p.fault == nil {
		p.fault = &f
	}
}

// keepBody keeps the head of what may have to be shown; tokens end the need for it.
func (p *Parser) keepBody(b []byte, limit int) {
	if p.counts.Events > 0 || len(p.body) >= limit {
		return
	}
	p.body = append(p.body, b[:min(len(b), limit-len(p.body))]...)
	p.body = append(p.body, '\n')
}

// count counts the event that was just read.
func (p *Parser) count() {
	e := &p.ev
	ended := p.finished != 0
	p.seen |= e.seen
	p.finished |= e.finished
	if len(e.finish) > 0 && !failing([]byte(p.finish)) && string(e.finish) != p.finish {
		p.finish = string(e.finish[:min(len(e.finish), keptJunk)])
	}
	if e.hasUsage {
		p.tally.add(&e.usage)
		// A usage that comes only with the finish or behind it is the final one; before, the server counts as it goes, if it does
		// so beside the text. (The Messages dialect says now and then where its count stands.)
		if p.progress.on || (!ended && e.finished == 0 && (e.chosen || e.text.in() != 0)) {
			p.progress.usage(p.tally.output.n, p.counts.Events == 0)
		}
	}
	if e.timings.ok {
		p.timings = e.timings
	}
	text := e.text
	if text.in() == 0 && p.counts.Events == 0 {
		text = e.whole
	}
	if text.in() != 0 {
		p.token(text)
	}
	if p.w.keep != nil {
		p.kept.take(e)
		if p.kept.hear(text); p.kept.full {
			p.keepText()
		}
	}
	if text.in() != 0 || e.finished != 0 { // what was not understood was not the last word
		p.odd = p.odd[:0]
	}
	p.done = p.done || e.last
}

func (p *Parser) token(text speech) {
	p.chunkEvents++
	p.chunkChars += text.chars()
	p.counts.Events++
	if text.in()&reasoning != 0 {
		p.counts.Reasoning++
		if text.in()&summary != 0 {
			p.summaries++
		}
	}
	if p.ev.hasUsage && p.progress.on {
		p.progress.events++
	}
	if text.in()&answer != 0 && !p.answer.OK {
		p.answer = bench.MarkAt(p.at)
	}
}
