package stream

// event is what one data line says. Its slices point into the line.
type event struct {
	// answer and reasoning tell in which channels non-empty text came; white space is text.
	answer, reasoning bool
	// finish is a finish reason; of several choices the last, or the first that fails.
	finish []byte
	// seen and finished are the choices met, and those with a finish reason, a bit per index (64 and above share a bit).
	seen, finished uint64
	// fault: an error stands in the event.
	fault bool
	// last: the event ends the stream by itself (message_stop of the Messages dialect).
	last     bool
	hasUsage bool
	usage    usage
	timings  timings
}

// timings are llama.cpp's own measurements.
type timings struct {
	ok                          bool
	promptMs, predictedMs       float64
	promptN, predictedN, cacheN count
}

// read takes a payload apart. It is false when the payload is not valid JSON; what the event then holds means nothing.
// A valid payload that is no object says nothing.
func (e *event) read(w *walker) bool {
	e.clear()
	if w.peek() != '{' {
		w.skip()
		return w.end()
	}
	for w.enter(); w.member(); {
		switch string(w.key) {
		case "choices":
			e.choices(w)
		case "usage":
			e.readUsage(w)
		case "error":
			e.fault = w.truthy() || e.fault
		case "object", "type":
			e.kind(w)
		case "timings":
			e.readTimings(w)
		case "x_groq":
			e.groq(w)
		case "delta":
			e.delta(w)
		case "message":
			e.message(w)
		default:
			w.skip()
		}
	}
	return w.end()
}

// clear forgets the last event; its usage, which is large and seldom there, is cleared when it is read.
func (e *event) clear() {
	e.answer, e.reasoning, e.fault, e.last, e.hasUsage = false, false, false, false, false
	e.finish, e.seen, e.finished, e.timings.ok = nil, 0, 0, false
}

// kind reads the event's own name for itself.
func (e *event) kind(w *walker) {
	if w.peek() != '"' {
		w.skip()
		return
	}
	switch raw, _ := w.str(); string(raw) {
	case "error":
		e.fault = true
	case "message_stop":
		e.last = true
	}
}

func (e *event) choices(w *walker) {
	if w.peek() != '[' {
		w.skip()
		return
	}
	for w.enter(); w.element(); {
		e.choice(w)
	}
}

func (e *event) choice(w *walker) {
	if w.peek() != '{' {
		w.skip()
		return
	}
	index, finished := 0, false
	for w.enter(); w.member(); {
		switch string(w.key) {
		case "delta", "message":
			e.delta(w)
		case "text":
			e.answer = w.text() || e.answer
		case "finish_reason":
			finished = e.finishReason(w)
		case "index":
			index, _ = w.count()
		default:
			w.skip()
		}
	}
	bit := uint64(1) << min(max(index, 0), 63)
	e.seen |= bit
	if finished {
		e.finished |= bit
	}
}

// finishReason reads a finish reason; null, an empty one and the string "null" (DashScope) are none.
func (e *event) finishReason(w *walker) bool {
	if w.peek() != '"' {
		w.skip()
		return false
	}
	raw, _ := w.str()
	if len(raw) == 0 || string(raw) == "null" {
		return false
	}
	if !failing(e.finish) {
		e.finish = raw
	}
	return true
}

// delta reads the generated channels of one choice, or the delta of the Messages dialect.
func (e *event) delta(w *walker) {
	if w.peek() != '{' {
		w.skip()
		return
	}
	for w.enter(); w.member(); {
		switch string(w.key) {
		case "content":
			e.parts(w, false)
		case "reasoning_content", "reasoning", "reasoning_details", "thinking":
			e.parts(w, true)
		case "refusal", "text", "partial_json":
			e.answer = w.text() || e.answer
		case "tool_calls":
			e.calls(w)
		case "function_call", "audio":
			e.call(w)
		case "stop_reason":
			if e.finishReason(w) {
				e.seen, e.finished = e.seen|1, e.finished|1
			}
		default:
			w.skip()
		}
	}
}

// parts reads a channel that is a string, an array of typed parts, or one such part.
func (e *event) parts(w *walker, reasoning bool) {
	switch w.peek() {
	case '"':
		if raw, _ := w.str(); len(raw) > 0 {
			e.mark(reasoning)
		}
	case '[':
		for w.enter(); w.element(); {
			e.parts(w, reasoning)
		}
	case '{':
		e.part(w, reasoning)
	default:
		w.skip()
	}
}

// part reads one typed part. Its type may stand behind its text, so the channel is settled at its end.
func (e *event) part(w *walker, reasoning bool) {
	text := false
	for w.enter(); w.member(); {
		switch string(w.key) {
		case "type":
			if w.peek() != '"' {
				w.skip()
				break
			}
			raw, _ := w.str()
			reasoning = reasoning || string(raw) == "thinking" || string(raw) == "reasoning"
		case "text", "summary", "content":
			text = w.text() || text
		case "thinking":
			e.parts(w, true)
		default:
			w.skip()
		}
	}
	if text {
		e.mark(reasoning)
	}
}

func (e *event) mark(reasoning bool) {
	if reasoning {
		e.reasoning = true
	} else {
		e.answer = true
	}
}

func (e *event) calls(w *walker) {
	if w.peek() != '[' {
		w.skip()
		return
	}
	for w.enter(); w.element(); {
		if w.peek() != '{' {
			w.skip()
			continue
		}
		for w.enter(); w.member(); {
			switch string(w.key) {
			case "function", "custom":
				e.call(w)
			default:
				w.skip()
			}
		}
	}
}

// call reads a called function, or generated audio: whatever of it is generated is text.
func (e *event) call(w *walker) {
	if w.peek() != '{' {
		w.skip()
		return
	}
	for w.enter(); w.member(); {
		switch string(w.key) {
		case "name", "input", "transcript", "data":
			e.answer = w.text() || e.answer
		case "arguments":
			// Some servers send the arguments as an object instead of as its text.
			if w.peek() == '{' {
				e.answer = w.truthy() || e.answer
			} else {
				e.answer = w.text() || e.answer
			}
		default:
			w.skip()
		}
	}
}

// message reads the message of the Messages dialect's first event, for the usage in it.
func (e *event) message(w *walker) {
	if w.peek() != '{' {
		w.skip()
		return
	}
	for w.enter(); w.member(); {
		switch string(w.key) {
		case "usage":
			e.readUsage(w)
		default:
			w.skip()
		}
	}
}

// groq reads the extension in which Groq puts an error, or a second copy of the usage.
func (e *event) groq(w *walker) {
	if w.peek() != '{' {
		w.skip()
		return
	}
	for w.enter(); w.member(); {
		switch string(w.key) {
		case "error":
			e.fault = w.truthy() || e.fault
		case "usage":
			if e.hasUsage {
				w.skip()
			} else {
				e.readUsage(w)
			}
		default:
			w.skip()
		}
	}
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
