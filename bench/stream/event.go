package stream

import "bytes"

// event is what one payload says. Its slices point into the payload.
type event struct {
	// text is new text.
	text speech
	// whole is text that is given as a whole: a repetition, unless nothing was streamed before it.
	whole speech
	// said, bare, loose and rest are text of which only the whole event tells what it is (see settle): of a top-level delta, of a choice's
	// message without a delta beside it, of a top-level response, and of the fields in which events of the Responses dialect repeat.
	said, bare, loose, rest speech
	// finish is a finish reason; of several choices the last, or the first that fails.
	finish []byte
	// seen and finished are the choices met, and those with a finish reason, a bit per index (63 and above share a bit).
	seen, finished uint64
	// chosen: the event has choices.
	chosen bool
	// full: the event calls itself a whole answer, not a piece of one.
	full bool
	// known: a member of a dialect stands in the event.
	known bool
	// fault: an error stands in the event. faint: one of which no part says anything, which is one where no answer stands beside it.
	// suspect: members stand at its top that make it an error itself, if it holds nothing else (see bareFault).
	fault, faint, suspect bool
	// last: the event ends the stream by itself.
	last bool
	about
	hasUsage bool
	usage    usage
	timings  timings
}

// about is what an event says of itself, where it does.
type about struct {
	// name is the event's own name for itself.
	name []byte
	// status and reason are what the Responses dialect says of the whole response.
	status, reason []byte
}

// timings are llama.cpp's own measurements.
type timings struct {
	ok                          bool
	promptMs, predictedMs       float64
	promptN, predictedN, cacheN count
}

// read takes a payload apart. It is false when the payload is not valid JSON; what the event then holds means nothing.
// A valid payload that is no object says nothing. What depends on the event's name is settled afterwards.
func (e *event) read(w *walker) bool {
	e.clear()
	w.keep.next()
	if w.peek() != '{' {
		w.skip()
		return w.end()
	}
	for w.enter(); w.member(); {
		switch string(w.key) {
		case "id", "created", "model", "system_fingerprint": // the usual ones
			w.skip()
		case "choices":
			e.choices(w)
		case "usage":
			e.known = true
			e.readUsage(w)
		case "error", "errors":
			e.readError(w)
		case "object":
			e.object(w)
		case "type":
			e.name = w.name()
		case "timings":
			e.known = true
			e.readTimings(w)
		case "x_groq":
			e.groq(w)
		case "base_resp":
			e.base(w)
		case "delta":
			e.known = true
			e.said.add(e.delta(w))
		case "message":
			e.message(w)
		case "content_block":
			e.block(w)
		case "response":
			e.response(w)
		case "text", "arguments", "refusal", "transcript", "input":
			e.rest.add(w.contentIn(answer, false))
		default:
			e.strange(w)
		}
	}
	return w.end()
}

// clear forgets the last event; its usage, which is large and seldom there, is cleared when it is read.
func (e *event) clear() {
	e.text, e.whole, e.said, e.bare, e.loose, e.rest = 0, 0, 0, 0, 0, 0
	e.finish, e.seen, e.finished, e.timings.ok = nil, 0, 0, false
	e.chosen, e.full, e.last, e.hasUsage, e.known = false, false, false, false, false
	e.fault, e.faint, e.suspect = false, false, false
	if len(e.name)+len(e.status)+len(e.reason) > 0 {
		e.about = about{}
	}
}

// object reads what kind of thing the event says it is.
func (e *event) object(w *walker) {
	switch name := w.name(); string(name) {
	case "":
		return
	case "error":
		e.fault = true
	case "chat.completion", "chat.completion.done":
		e.full = true
	}
	e.known = true
}

// unsettled tells whether there is anything to settle.
func (e *event) unsettled() bool {
	return e.said.in()|e.bare.in()|e.loose.in()|e.rest.in() != 0 || len(e.name) > 0
}

// settle decides what only the whole event tells, once all of it is read: its type may stand behind its text. name is the name that
// the line before the payload gave it, for an event that has none of its own.
func (e *event) settle(name []byte) {
	if e.bare.in() != 0 {
		if e.full {
			e.whole.add(e.bare)
		} else {
			e.text.add(e.bare)
		}
	}
	if len(e.name) == 0 {
		e.name = name
	}
	name = e.name
	switch {
	case e.chosen:
	case bytes.HasSuffix(name, []byte("done")):
		e.whole.add(e.loose)
	default:
		e.text.add(e.loose)
	}
	if len(name) == 0 {
		e.text.add(e.said)
		return
	}
	switch string(name) {
	case "response.failed", "response.cancelled", "response.canceled":
		e.fault = true
	case "message_stop":
		e.last = true
	case "response.completed", "response.incomplete", "response.done":
		e.close(name)
	default:
		e.fault = e.fault || failingName(name)
	}
	if bytes.HasSuffix(name, []byte(".done")) {
		e.whole.add(e.rest.named(name))
		return
	}
	e.text.add(e.said.named(name))
}

// stands tells whether the event can be nothing but one of its own: an object inside another event is none of these.
func (e *event) stands() bool {
	if e.chosen || e.fault || e.hasUsage {
		return true
	}
	return dialectal(e.name) || bytes.HasPrefix(e.name, []byte("error"))
}

// dialectal tells whether a name is one of an event of the Responses or the Messages dialect.
func dialectal(name []byte) bool {
	for _, prefix := range []string{"response.", "message_", "content_block_", "ping"} {
		if bytes.HasPrefix(name, []byte(prefix)) {
			return true
		}
	}
	return false
}

func (e *event) readTimings(w *walker) {
	if w.peek() != '{' {
		w.skip()
		return
	}
	e.timings = timings{}
	t := &e.timings
	for w.enter(); w.member(); {
		switch string(w.key) {
		case "prompt_ms":
			t.promptMs, t.ok = w.float()
		case "predicted_ms":
			t.predictedMs, t.ok = w.float()
		case "prompt_n":
			t.promptN.read(w)
		case "predicted_n":
			t.predictedN.read(w)
		case "cache_n":
			t.cacheN.read(w)
		default:
			w.skip()
		}
	}
}
