package stream

import (
	"bytes"
	"encoding/json"
	"strings"

	"redline/bench"
)

// failures are the words in finish reasons with which servers report their own failure inside an HTTP 200, in lower case and without
// separators: network_error, abort, insufficient_system_resource, RATE_LIMIT.
var failures = [][]byte{
	[]byte("error"), []byte("abort"), []byte("fail"), []byte("exception"), []byte("cancel"), []byte("timeout"), []byte("timedout"),
	[]byte("unavailable"), []byte("overload"), []byte("ratelimit"), []byte("throttl"), []byte("insufficient"), []byte("quota"),
}

func failing(reason []byte) bool {
	if len(reason) == 0 {
		return false
	}
	var room [keptName]byte
	name := room[:0]
	for _, c := range reason[:min(len(reason), keptName)] {
		switch {
		case c >= 'A' && c <= 'Z':
			name = append(name, c|0x20)
		case c != '_' && c != '-' && c != ' ':
			name = append(name, c)
		}
	}
	for _, word := range failures {
		if bytes.Contains(name, word) {
			return true
		}
	}
	return false
}

// Fill writes what the stream was into a request's facts, once it is closed: the marks from first chunk to last token and
// Ended, counts, outcome, message, head, finish, gaps, whether it came in a burst, the text of the answer where it is kept, the beginning of the reply, and the server's own timings. What the HTTP exchange was is left alone.
func (p *Parser) Fill(e *bench.Ended) {
	m := &e.Marks
	m.FirstChunk, m.FirstToken, m.FirstAnswer, m.LastToken = p.first, p.first, p.answer, p.last
	if p.shut {
		m.Ended = bench.MarkAt(p.closed)
	}
	e.Finish = Clip(Message(p.finish, p.opt.Clean), 64)
	e.Outcome, e.Message = p.verdict()
	if e.Message != "" {
		e.Message = Message(e.Message, p.opt.Clean)
	}
	if e.Outcome != bench.OK {
		e.Head = Head(p.head, p.opt.Clean)
	}
	e.Counts = p.total()
	e.Burst = p.burst()
	e.Answer, e.Reply = p.kept.answer(), p.kept.reply(p.opt.Clean)
	e.MaxGap, e.Stalls, e.Gaps = p.maxGap, p.stalls, p.gaps
	if t := p.timings; t.ok {
		e.Timings = bench.Timings{OK: true, PromptMs: t.promptMs, PredictedMs: t.predictedMs, PromptN: t.promptN.n, PredictedN: t.predictedN.n}
	}
}

// complete tells whether the answer ended properly: [DONE] or an event named so, or a finish reason for every choice that was met. Why
// it ended does not matter: answers cut by their length or by a filter are answers.
func (p *Parser) complete() bool {
	return p.done || p.declared || (p.finished != 0 && p.seen&^p.finished == 0)
}

// verdict is the outcome of the stream and the words that explain it.
//
//	what stands at the end                                  | outcome
//	an error object, an error event                         | that error's (see Fault.Outcome)
//	an event named as an error that has no payload          | StreamError, or what was last said and not understood
//	[DONE] behind what was not understood, no finish reason | what was last said
//	a body that is JSON, or lines of it, with an error in it | that error's
//	any other body that begins with { [ or <                | NotStreaming
//	a finish reason that is a failure                       | that failure's
//	nothing readable, but something, and not cut            | Malformed
//	a proper end, no token, but events that nobody can read | Malformed
//	[DONE], or all choices finished                         | OK
//	anything else                                           | Truncated
func (p *Parser) verdict() (bench.Outcome, string) {
	switch {
	case p.fault != nil:
		return p.fault.Outcome(), p.fault.Message
	case p.plain:
		return plainVerdict(p.body)
	case failing([]byte(p.finish)):
		return Fault{Type: p.finish}.Outcome(), "finish reason " + p.finish
	case p.counts.Events == 0 && p.malformed+p.alien > 0 && p.complete():
		return bench.Malformed, string(p.body)
	case p.readable == 0 && p.malformed+p.junk+p.alien > 0 && p.err == nil:
		return bench.Malformed, string(p.body)
	case p.complete():
		return bench.OK, ""
	case p.err != nil:
		return bench.Truncated, "stream cut: " + p.err.Error()
	}
	if len(p.odd) > 0 {
		return bench.Truncated, "stream ended without a finish reason or [DONE] behind " + string(p.odd)
	}
	return bench.Truncated, "stream ended without a finish reason or [DONE]"
}

// conclude looks, once the stream is closed, for an error that none of its events was by itself: one that was named and had no payload, and
// last words that nobody understood, where nothing but [DONE] ends the answer.
func (p *Parser) conclude() {
	switch {
	case p.fault != nil || p.plain:
	case len(p.odd) > 0 && (p.alarm || p.finished == 0 && (p.done || p.declared)):
		p.fail(anyFault(p.odd))
	case p.alarm && len(p.body) > 0:
		p.fail(anyFault(bytes.TrimSpace(p.body)))
	case p.alarm:
		p.fail(Fault{Message: "an error event that says nothing"})
	}
}

// plainVerdict is the outcome of a body that is no event stream.
func plainVerdict(body []byte) (bench.Outcome, string) {
	if f, ok := ReadFault(body); ok {
		return f.Outcome(), f.Message
	}
	if text, ok := Page(string(body)); ok {
		return bench.NotStreaming, strings.TrimSuffix("a web page: "+text, ": ")
	}
	lines, objects := bytes.Split(body, []byte("\n")), 0
	for _, line := range lines {
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] != '{' || !json.Valid(line) {
			continue
		}
		if f, ok := ReadFault(line); ok {
			return f.Outcome(), f.Message
		}
		objects++
	}
	if objects > 1 {
		return bench.NotStreaming, "lines of JSON in place of server-sent events: " + string(body)
	}
	return bench.NotStreaming, string(body)
}

// total are the counts by the best source there is.
func (p *Parser) total() bench.Counts {
	c := p.counts
	c.Malformed = p.malformed
	c.Input, c.Cached = p.tally.input.n, p.tally.cached.n
	output := p.tally.output
	if !output.ok && p.timings.predictedN.ok {
		output = p.timings.predictedN
		if !p.tally.input.ok {
			c.Input, c.Cached = p.timings.promptN.n+p.timings.cacheN.n, p.timings.cacheN.n
		}
	}
	if output.n == 0 && c.Events > 0 { // text came, so a count of zero is no count
		output.ok = false
	}
	switch {
	case p.fault != nil || !p.complete():
		c.Source, c.Output = bench.FromPart, max(output.n, c.Events)
	case !output.ok:
		c.Source, c.Output = bench.FromEvents, c.Events
	case p.progress.events > 0 && 2*p.progress.events >= c.Events:
		c.Source, c.Output = bench.FromContinuous, output.n
	default:
		c.Source, c.Output = bench.FromUsage, output.n
	}
	c.Cached = min(c.Cached, c.Input)
	if c.Reasoning == p.summaries {
		// No reasoning was streamed but sums of it. Every event holds at least a token, so no more than the rest can have been hidden.
		c.Hidden = max(0, min(p.tally.reasoning.n, c.Output-c.Events))
	}
	return c
}
