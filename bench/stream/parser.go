// Package stream turns the bytes of one streamed answer, each read with its instant, into chunks, marks, counts and a verdict.
//
// It owns the dialects of server-sent events in which servers stream: chat completions in all their variants, the older completions, the
// Responses dialect and the Messages dialect. It knows no clock, no goroutine, no socket and no HTTP status: a Parser is a pure state
// machine, one per stream, and the same bytes with the same instants always give the same result. How the bytes were cut into reads
// changes which token events share a chunk, and nothing else.
package stream

import (
	"bytes"
	"io"
	"time"

	"redline/bench"
)

// MaxLine bounds one line, in bytes. A longer one is a malformed event; the stream goes on behind it.
const MaxLine = 8 << 20

// keptLine bounds the buffer that a parser keeps for the next partial line.
const keptLine = 16 << 10

// Options are what a Parser cannot read from the bytes.
type Options struct {
	// Started is when the request was handed to the transport; TTFT counts from here.
	Started time.Duration
	// Stall is the chunk gap above which a stall is counted; 0 counts none.
	Stall time.Duration
	// Clean, if set, takes secrets out of a server's words before they become the message.
	Clean func(string) string
	// KeepAnswer keeps the text of the answer.
	KeepAnswer bool
}

// Parser reads one stream. It is not safe for concurrent use.
//
//	state     | input                                | next
//	opening   | blank line, comment, field           | opening
//	opening   | data line                            | open
//	opening   | line that begins with { [ or <       | plain: the body is no event stream, and is kept (64 KiB)
//	open      | data without text                    | open
//	open      | data with text in any channel        | open; the first one is the first token
//	open      | data that ends between two words     | open; spread: lines are joined until its brackets are closed
//	open      | finish reason                        | open; finished once every choice met has one
//	open      | error, error event, bare { line with an error | failed
//	open      | name of an error without data        | open; an error at the end, with the last words not understood
//	open      | [DONE], message_stop, response.completed | done
//	open      | line over MaxLine, invalid JSON      | open; one event malformed
//	failed    | anything                             | failed; not read
//	done      | anything                             | done; not read
//	any       | Close                                | the verdict: see Parser.verdict
//
// What follows an end is not read even where it came in the same read, or counts would depend on the cuts: a client stops reading there.
//
// Usage that a gateway sends behind [DONE] is not waited for: the next request of this slot would wait with it, and many servers send
// nothing more and keep the connection.
type Parser struct {
	opt Options
	w   walker
	ev  event

	// carry is the line begun by earlier reads; over tells that it is past MaxLine and dropped.
	carry []byte
	over  bool
	// cr tells that the last line ended with a carriage return, to which a line feed may still belong.
	cr bool
	// begun is set once the first line has been met (a byte order mark may stand before it), open once a data line has.
	begun, open, plain, done bool
	// name is the name that an `event:` line gave to the next payload; named is set if it is that of an error. behind tells that the block
	// has had a payload; alarm is set once an error was named that none followed.
	name                 []byte
	named, behind, alarm bool
	// declared tells that an event's name has declared the answer over.
	declared bool
	spread   spread
	// head is the beginning of the body as it came.
	head []byte
	// body is the head of what is no event stream, or of what could not be read.
	body []byte
	// odd is the last payload of which nothing was understood, if neither text nor a finish reason came behind it.
	odd []byte

	at, closed time.Duration
	shut       bool
	err        error

	// alien are payloads that are valid, and neither objects nor nothing.
	readable, malformed, junk, alien int
	seen, finished                   uint64
	finish                           string
	fault                            *Fault

	first, answer, last bench.Mark
	counts              bench.Counts
	// chunkEvents are the token events of the present read, and chunkChars the characters in them.
	chunkEvents, chunkChars int
	// summaries are the reasoning events that only sum up what was thought.
	summaries int
	maxGap    time.Duration
	stalls    int
	gaps      bench.GapList
	kept      keeper

	tally    tally
	timings  timings
	progress progress
}

// New is a parser at the start of a stream.
func New(opt Options) *Parser {
	p := new(Parser)
	p.Reset(opt)
	return p
}

// Reset makes the parser ready for another stream, keeping a modest line buffer.
func (p *Parser) Reset(opt Options) {
	carry := p.carry[:0]
	if cap(carry) > keptLine {
		carry = nil
	}
	p.kept.reset()
	*p = Parser{opt: opt, carry: carry, name: p.name[:0], head: p.head[:0], odd: p.odd[:0], kept: p.kept}
	p.kept.answers = opt.KeepAnswer
	p.w.keep = &p.kept
}

// Listen says whether the text that comes from now on is to be kept for Heard. Where the stream has only begun, what came before is kept for it too.
func (p *Parser) Listen(on bool) {
	if p.kept.live == on {
		return
	}
	p.kept.listen(on)
	p.keepText()
}

// Heard is what was generated since the last call, in whatever channel, decoded and otherwise as it came; it holds until the next bytes are fed. begins
// tells that nothing was generated before it.
func (p *Parser) Heard() (text []byte, begins bool) { return p.kept.heard() }

// keepText keeps text only while it is wanted: from then on it costs nothing.
func (p *Parser) keepText() {
	p.w.keep = nil
	if p.kept.wanted() {
		p.w.keep = &p.kept
	}
}

// Feed takes the bytes of one socket read and its instant. The token events that they complete are one chunk; without any
// there is none. It keeps no reference to b.
func (p *Parser) Feed(b []byte, at time.Duration) (bench.Chunk, bool) {
	if len(b) == 0 || p.shut || p.Done() {
		return bench.Chunk{}, false
	}
	p.at = at
	all := b
	for len(b) > 0 && !p.Done() {
		i := lineEnd(b)
		if i < 0 {
			p.keep(b)
			p.cr, b = false, nil
			break
		}
		line, end := b[:i], b[i]
		b = b[i+1:]
		if i == 0 && end == '\n' && p.cr { // the second half of a CRLF, not a blank line
			p.cr = false
			continue
		}
		p.cr = end == '\r'
		if len(p.carry) > 0 || p.over {
			p.keep(line)
			line = p.carry
		}
		p.line(line)
		p.drop()
	}
	if len(p.head) < rawHead {
		p.keepHead(all[:len(all)-len(b)])
	}
	return p.chunk(at)
}

// Close ends the stream: err is nil or io.EOF when the server ended it, else what cut it. A last line without its newline is
// read now and stamped with the instant of its bytes; when it held token events, they are a last chunk. Where the server did not end the
// stream, what is cut off in that line is no fault of its events: it is dropped.
func (p *Parser) Close(at time.Duration, err error) (bench.Chunk, bool) {
	if p.shut {
		return bench.Chunk{}, false
	}
	p.closed, p.shut = at, true
	if err != io.EOF {
		p.err = err
	}
	if (len(p.carry) > 0 || p.over) && !p.Done() && (p.err == nil || p.over || whole(p.carry)) {
		p.line(p.carry)
	}
	if p.err == nil && !p.Done() {
		p.abandon()
	}
	if len(p.name) > 0 && !p.Done() {
		p.settleName()
	}
	p.conclude()
	p.carry = nil
	return p.chunk(p.at)
}

// Done tells that the answer is complete, whether or not the server has ended the body: [DONE], or an error that ends it.
func (p *Parser) Done() bool { return p.done || p.fault != nil }

// Begun tells whether the first token has come.
func (p *Parser) Begun() bool { return p.first.OK }

// lineEnd is the index of the first line feed or carriage return, so that streams with bare carriage returns are read as they
// come.
func lineEnd(b []byte) int {
	i := bytes.IndexByte(b, '\n')
	if i < 0 {
		return bytes.IndexByte(b, '\r')
	}
	if i > 0 && b[i-1] == '\r' {
		// The common CRLF first; a bare CR may still stand before it.
		if j := bytes.IndexByte(b[:i-1], '\r'); j >= 0 {
			return j
		}
		return i - 1
	}
	if j := bytes.IndexByte(b[:i], '\r'); j >= 0 {
		return j
	}
	return i
}

func (p *Parser) keep(part []byte) {
	if p.over {
		return
	}
	if len(p.carry)+len(part) > MaxLine {
		// Enough stays to tell afterwards what kind of line it was.
		p.carry, p.over = append([]byte(nil), p.stub(part)...), true
		return
	}
	p.carry = append(p.carry, part...)
}

// stub is the beginning of a line that is too long.
func (p *Parser) stub(part []byte) []byte {
	b := p.carry[:min(len(p.carry), 16)]
	return append(b[:len(b):len(b)], part[:min(len(part), 16)]...)
}

func (p *Parser) drop() {
	p.over = false
	if p.carry = p.carry[:0]; cap(p.carry) > keptLine {
		p.carry = nil
	}
}
