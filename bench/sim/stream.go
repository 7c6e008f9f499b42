package sim

import (
	"math"
	"net/http"
	"time"

	"redline/bench/sim/model"
)

// stream answers with events.
func (t *turn) stream() {
	a := t.submit()
	if a == nil {
		return
	}
	defer t.server.engine.cancel(a)
	out := newSender(t)
	defer func() { t.used = out.sent }()
	reasoning := t.reasoning(a)
	arrives := t.accepted
	if out.voice.early() {
		arrives = t.arrival(time.Now(), arrives)
		if !sleepUntil(t.ctx, arrives) || out.open() != nil {
			return
		}
	}
	for tokens, ended, why := []time.Time(nil), false, model.Stop; !ended; {
		select {
		case <-a.wake:
		case <-t.ctx.Done():
			return
		}
		if tokens, ended, why = a.take(tokens); len(tokens) > 0 {
			t.request.cached = a.cached
		}
		for _, at := range tokens {
			arrives = t.arrival(at, arrives)
			if !t.token(out, arrives, reasoning) {
				return
			}
		}
		if ended {
			t.last(out, why)
		}
	}
}

// reasoning is how many of the answer's tokens go to the reasoning channel, if there is one.
func (t *turn) reasoning(a *answer) int {
	if t.request.oneChannel {
		return 0
	}
	return int(math.Round(float64(a.planned) * t.server.opts.ReasoningShare))
}

// token sends the next token when it is due; false when the stream is over.
func (t *turn) token(out *sender, due time.Time, reasoning int) bool {
	if !sleepUntil(t.ctx, due) {
		return false
	}
	// As with vLLM, nothing is sent before the engine's first output, unless the protocol is a hosted provider's.
	if out.open() != nil {
		return false
	}
	out.token(t.server.prose.token(t.start, out.sent), out.sent < reasoning)
	if out.flush() != nil {
		return false
	}
	return out.sent != t.lot.after || t.meet(out)
}

// arrival is when a token that left the engine then is at the client's door; a connection keeps the order.
func (t *turn) arrival(left, previous time.Time) time.Time {
	at := left.Add(t.server.around.network.delay(t.dice))
	if at.Before(previous) {
		return previous
	}
	return at
}

// last ends a stream as its fate allows.
func (t *turn) last(out *sender, why model.Reason) {
	if t.lot.after > out.sent && !t.meet(out) {
		return
	}
	if out.finish(why) != nil {
		return
	}
	t.place.leave()
	_ = out.done() // the answer is complete; a client that left now misses only the end mark
}

// meet lets the turn's fate strike; false when the stream is over.
func (t *turn) meet(out *sender) bool {
	switch t.lot.fate {
	case fateStall:
		return sleepUntil(t.ctx, time.Now().Add(t.server.opts.Faults.StallFor))
	case fateStreamError:
		t.place.leave()
		// The stream is over whether this arrives or not.
		_ = out.fail(&refusal{status: http.StatusInternalServerError, kind: "InternalServerError", message: "simulated failure in mid-stream"})
		return false
	case fateCut:
		t.place.leave()
		panic(http.ErrAbortHandler) // closes the connection without an end; deferred calls still run
	}
	return true
}
