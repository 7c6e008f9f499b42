package sim

import (
	"net/http"
	"strings"
	"time"

	"redline/bench/sim/model"
)

// whole answers with one JSON object.
func (t *turn) whole() {
	a := t.submit()
	if a == nil {
		return
	}
	defer t.server.engine.cancel(a)
	reasoning := t.reasoning(a)
	var thought, text strings.Builder
	for tokens, ended, why := []time.Time(nil), false, model.Stop; !ended; {
		select {
		case <-a.wake:
		case <-t.ctx.Done():
			return
		}
		if tokens, ended, why = a.take(tokens); len(tokens) > 0 {
			t.request.cached = a.cached
		}
		for range tokens {
			to := &text
			if t.used < reasoning {
				to = &thought
			}
			to.WriteString(t.server.prose.token(t.start, t.used))
			t.used++
		}
		if ended {
			t.reply(thought.String(), text.String(), why)
		}
	}
}

// reply writes the whole answer. Of the faults in mid-stream, a stall delays it, a cut breaks it, and an error in the
// stream becomes one before it.
func (t *turn) reply(thought, text string, why model.Reason) {
	switch t.lot.fate {
	case fateStall:
		if !sleepUntil(t.ctx, time.Now().Add(t.server.opts.Faults.StallFor)) {
			return
		}
	case fateStreamError:
		t.place.leave()
		t.server.refuse(t.w, t.dialect, &refusal{status: http.StatusInternalServerError, kind: "InternalServerError", message: "simulated failure"})
		return
	case fateCut:
		t.place.leave()
		panic(http.ErrAbortHandler)
	}
	if !sleepUntil(t.ctx, time.Now().Add(t.server.around.network.delay(t.dice))) {
		return
	}
	answer := t.dialect.whole(t, thought, text, why)
	answer["sent_ns"] = time.Now().UnixNano()
	body := object(answer)
	t.place.leave()
	t.w.Header().Set("Content-Type", "application/json")
	_, _ = t.w.Write(body) // nobody is left to tell
}
