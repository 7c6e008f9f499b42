package stream

import "bytes"

// What is wrong with an event, and what no dialect knows.

// readError reads a member that goes by the name of an error.
func (e *event) readError(w *walker) {
	w.peek()
	start := w.i
	if !w.truthy() || w.bad {
		return
	}
	if inner := (walker{b: w.b[start:w.i]}); inner.deepFailure() {
		e.fault = true
	} else {
		e.faint = true
	}
}

// strange reads a member of no dialect: servers, and the frameworks under them, put an error's parts there when they write it bare.
func (e *event) strange(w *walker) {
	switch string(w.key) {
	case "code": // in the Responses dialect, a text
		text, from := w.peek() == '"', w.i
		if w.failure() {
			e.suspect = true
			if text {
				e.rest.add(w.textOf(w.b[from+1:w.i-1], true, answer))
			}
		}
	case "detail", "error_msg", "error_message", "errorMessage", "errmsg", "error_code", "errorCode", "errcode", "__type",
		"status", "statusCode", "status_code":
		e.suspect = w.failure() || e.suspect
	case "success":
		e.suspect = w.peek() == 'f' || e.suspect
		w.skip()
	default:
		w.skip()
	}
}

// fails tells whether the event holds an error, once it is settled.
func (e *event) fails() bool { return e.fault || e.faint && e.seen == 0 && !e.hasUsage }

// doubtful tells whether the event may itself be an error: it holds nothing else.
func (e *event) doubtful() bool {
	return e.suspect && e.seen == 0 && !e.hasUsage && e.text.in()|e.whole.in() == 0 && !dialectal(e.name)
}

// foreign tells whether nothing of the event was understood, though it says something. A name of its own explains an event beside text, and
// none explains one where no text is.
func (e *event) foreign(w *walker, texts int) bool {
	switch {
	case e.known || e.chosen || e.text.in()|e.whole.in() != 0 || e.last || len(e.finish) > 0, w.key == nil, dialectal(e.name):
		return false
	}
	return texts == 0 || len(e.name) == 0 || string(e.name) == "message"
}

// failingName tells whether an event, or what an object calls its type, is named as an error.
func failingName(name []byte) bool {
	name = bytes.TrimSpace(name)
	for _, word := range []string{"error", "exception"} {
		if n := len(name) - len(word); n >= 0 && bytes.EqualFold(name[n:], []byte(word)) {
			return true
		}
	}
	for _, word := range []string{"failure", "failed"} {
		if bytes.EqualFold(name, []byte(word)) {
			return true
		}
	}
	return false
}
