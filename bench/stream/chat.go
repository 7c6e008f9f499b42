package stream

import "bytes"

// The chat dialect and the older completions: choices with deltas, messages or texts.

func (e *event) choices(w *walker) {
	e.chosen = true
	switch w.peek() {
	case '[':
		for w.enter(); w.element(); {
			e.choice(w)
		}
	default: // a single choice may stand without its array
		e.choice(w)
	}
}

func (e *event) choice(w *walker) {
	if w.peek() != '{' {
		w.skip()
		return
	}
	index, finished, pieces := 0, false, false
	var text, message speech
	for w.enter(); w.member(); {
		switch string(w.key) {
		case "delta":
			pieces = pieces || w.peek() != 'n'
			text.add(e.delta(w))
		case "message":
			message.add(e.delta(w))
		case "text":
			text.add(w.contentIn(answer, false))
		case "finish_reason":
			finished = e.finishReason(w) || finished
		case "index":
			index, _ = w.count()
		default:
			e.aside(w)
		}
	}
	if index > 0 { // the text that is kept is that of the first choice
		text, message = text.unheard(), message.unheard()
	}
	e.text.add(text)
	if pieces { // Perplexity repeats the answer so far beside each delta
		e.whole.add(message)
	} else {
		e.bare.add(message)
	}
	bit := uint64(1) << min(max(index, 0), 63)
	e.seen |= bit
	if finished {
		e.finished |= bit
	}
}

// finishReason reads a finish reason; null, an empty one and the word null as a string (DashScope) are none.
func (e *event) finishReason(w *walker) bool {
	reason := w.name()
	if len(reason) == 0 || bytes.EqualFold(reason, []byte("null")) || bytes.EqualFold(reason, []byte("none")) {
		return false
	}
	if !failing(e.finish) {
		e.finish = reason
	}
	return true
}

// delta reads the generated channels of one choice, or the delta of the Messages dialect.
func (e *event) delta(w *walker) (text speech) {
	switch w.peek() {
	case '{':
	case '"':
		return w.contentIn(answer, false)
	default:
		w.skip()
		return 0
	}
	var thought, called speech // gateways send both under more than one name at once
	for w.enter(); w.member(); {
		switch string(w.key) {
		case "content":
			text.add(parts(w, answer))
		case "reasoning_content", "reasoning", "reasoning_details", "thinking", "thinking_blocks":
			thought.same(parts(w, reasoning))
		case "text":
			text.add(w.contentIn(answer, false))
		case "refusal":
			text.add(w.contentIn(answer, true))
		case "partial_json":
			text.add(w.textIn(answer))
		case "tool_calls":
			called.same(calls(w))
		case "function_call", "audio":
			called.same(call(w))
		case "stop_reason", "finish_reason":
			if e.finishReason(w) {
				e.seen, e.finished = e.seen|1, e.finished|1
			}
		default:
			w.skip()
		}
	}
	text.add(thought)
	text.add(called)
	return text
}

// parts reads a channel that is a string, an array of typed parts, or one such part.
func parts(w *walker, in channel) (text speech) {
	switch w.peek() {
	case '"':
		return w.contentIn(in, false)
	case '[':
		for w.enter(); w.element(); {
			text.add(parts(w, in))
		}
	case '{':
		return part(w, in)
	default:
		w.skip()
	}
	return text
}

// part reads one typed part. Its type may stand behind its text, so the channel is settled at its end.
func part(w *walker, in channel) (text speech) {
	var thought speech
	for w.enter(); w.member(); {
		switch string(w.key) {
		case "type":
			switch string(w.name()) {
			case "thinking", "reasoning", "reasoning.text":
				in = reasoning
			case "reasoning.summary", "summary_text":
				in = reasoning | summary
			}
		case "text", "summary", "content":
			text.add(w.contentIn(answer, false))
		case "thinking":
			thought.add(parts(w, reasoning))
		default:
			w.skip()
		}
	}
	switch {
	case text.in() == 0:
		return thought
	case in != answer:
		text = text.within(in)
	}
	text.add(thought)
	return text
}

// calls reads the tool calls of a delta.
func calls(w *walker) (text speech) {
	switch w.peek() {
	case '[':
		for w.enter(); w.element(); {
			text.add(calls(w))
		}
	case '{':
		for w.enter(); w.member(); {
			switch string(w.key) {
			case "function", "custom":
				text.add(call(w))
			default:
				w.skip()
			}
		}
	default:
		w.skip()
	}
	return text
}

// call reads a called function, or generated audio: whatever of it is generated is text, but sound has no characters.
func call(w *walker) (text speech) {
	if w.peek() != '{' {
		w.skip()
		return 0
	}
	for w.enter(); w.member(); {
		switch string(w.key) {
		case "name", "input", "transcript":
			text.add(w.textIn(answer))
		case "data":
			text.add(spoken(w.textIn(answer).in(), 0, pieces{}))
		case "arguments":
			// Some servers send the arguments as an object instead of as its text.
			if w.peek() != '{' {
				text.add(w.textIn(answer))
			} else if from := w.i; w.truthy() {
				text.add(w.textOf(w.b[from:w.i], false, answer))
			}
		default:
			w.skip()
		}
	}
	return text
}

// groq reads the extension in which Groq puts an error, or a second copy of the usage.
func (e *event) groq(w *walker) {
	e.known = true
	if w.peek() != '{' {
		w.skip()
		return
	}
	for w.enter(); w.member(); {
		e.aside(w)
	}
}

// aside reads a member that may be an error or a usage out of its place.
func (e *event) aside(w *walker) {
	switch string(w.key) {
	case "error":
		e.readError(w)
	case "usage":
		e.spareUsage(w)
	default:
		w.skip()
	}
}

// base reads the status that MiniMax puts into its events: all but zero is an error.
func (e *event) base(w *walker) {
	e.known = true
	if w.peek() != '{' {
		w.skip()
		return
	}
	for w.enter(); w.member(); {
		switch string(w.key) {
		case "status_code":
			e.fault = w.failure() || e.fault
		default:
			w.skip()
		}
	}
}
