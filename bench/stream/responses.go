package stream

import "bytes"

// The Responses dialect: events that tell by their type what they are.
//
//	type                                               | what it is
//	response.….delta                                   | text; of reasoning, where the type says so
//	response.….done                                    | the same text again
//	response.completed, response.incomplete            | the end; usage and the reason stand in response
//	response.failed, response.cancelled, error         | a failure
//	any other                                          | nothing

// response reads the response that an event carries. Workers AI streams its text under this name.
func (e *event) response(w *walker) {
	e.known = true
	switch w.peek() {
	case '{':
	case '"':
		e.loose.add(w.contentIn(answer, false))
		return
	default:
		w.skip()
		return
	}
	for w.enter(); w.member(); {
		switch string(w.key) {
		case "usage":
			e.readUsage(w)
		case "error":
			e.fault = w.deepFailure() || e.fault
		case "status":
			e.status = w.name()
		case "incomplete_details":
			e.details(w)
		default:
			w.skip()
		}
	}
}

// details reads why a response is incomplete.
func (e *event) details(w *walker) {
	if w.peek() != '{' {
		w.skip()
		return
	}
	for w.enter(); w.member(); {
		switch string(w.key) {
		case "reason":
			e.reason = w.name()
		default:
			w.skip()
		}
	}
}

// close ends the stream with an event that says that the response is over. The finish reason is why it is incomplete, or its status.
func (e *event) close(name []byte) {
	finish := bytes.TrimPrefix(name, []byte("response."))
	switch string(e.status) {
	case "failed", "cancelled", "canceled":
		e.fault = true
		return
	case "completed", "incomplete":
		finish = e.status
	}
	if len(e.reason) > 0 {
		finish = e.reason
	}
	e.last, e.finish = true, finish
	e.seen, e.finished = e.seen|1, e.finished|1
}
