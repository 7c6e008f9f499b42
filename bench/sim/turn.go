package sim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"time"

	"redline/bench/sim/model"
)

// busyRetry is how long a request that the queue has no room for is told to stay away.
const busyRetry = time.Second

// turn is one accepted request on its way to its answer.
type turn struct {
	server   *Server
	dialect  dialect
	w        http.ResponseWriter
	ctx      context.Context
	request  *request
	id       uint64
	accepted time.Time
	// bound is the answer's longest length; used is how much of it was sent.
	bound, used int
	place       *place
	dice        *rand.Rand
	lot         lot
	// start is where in the prose the answer begins.
	start int
}

// complete answers one request of a dialect.
func (s *Server) complete(d dialect, w http.ResponseWriter, r *http.Request) {
	t, no := s.accept(d, w, r)
	if no != nil {
		s.refuse(w, d, no)
		return
	}
	defer t.place.leave()
	if t.lot.fate == fateError {
		t.place.leave()
		s.refuse(w, d, &refusal{status: http.StatusInternalServerError, kind: "InternalServerError", message: "simulated failure"})
		s.quota.giveBack(t.request.prompt + t.bound)
		return
	}
	defer func() { s.quota.giveBack(t.bound - min(t.used, t.bound)) }()
	switch {
	case s.opts.Pace.On:
		t.paced()
	case t.request.stream:
		t.stream()
	default:
		t.whole()
	}
}

// accept reads and judges a request.
func (s *Server) accept(d dialect, w http.ResponseWriter, r *http.Request) (*turn, *refusal) {
	accepted := time.Now()
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return nil, &refusal{status: http.StatusRequestEntityTooLarge, kind: "BadRequestError", message: fmt.Sprintf("the body is larger than %d bytes", maxBody)}
		}
		return nil, badRequest("", "the body could not be read: %v", err)
	}
	if no := s.unwanted(body, d); no != nil {
		return nil, no
	}
	q, no := d.read(body, r)
	if no != nil {
		return nil, no
	}
	if q.model != s.opts.Model {
		return nil, unknownModel(q.model)
	}
	context := s.engine.model.Params().ContextLength
	bound, ok := q.bound(context)
	if !ok {
		return nil, d.tooLong(q, context)
	}
	told := s.opts.QuotaHeaders
	if told == QuotaOwn {
		told = d.quotas()
	}
	if no := s.quota.take(accepted, q.prompt+bound, w.Header(), told); no != nil {
		return nil, no
	}
	q.details = !s.opts.Pace.On && s.engine.model.Params().PrefixCache
	id := s.turns.Add(1)
	dice := rand.New(rand.NewPCG(s.opts.Seed, 16+id))
	return &turn{
		server: s, dialect: d, w: w, ctx: r.Context(), request: q, id: id, accepted: accepted, bound: bound,
		place: s.tally.enter(), dice: dice, lot: s.opts.Faults.draw(dice), start: s.prose.begin(dice),
	}, nil
}

// submit brings the request over the network to the engine; nil when the client left before.
func (t *turn) submit() *answer {
	if !sleepUntil(t.ctx, t.accepted.Add(t.server.around.network.delay(t.dice))) {
		return nil
	}
	job := model.Job{PromptTokens: t.request.prompt, Prefix: t.request.prefix, MaxTokens: t.bound, IgnoreEOS: t.request.ignoreEOS}
	a, err := t.server.engine.submit(job, t.accepted)
	if err != nil {
		t.place.leave()
		no := badRequest("", "%v", err)
		if errors.Is(err, errBusy) {
			no = &refusal{
				status: http.StatusServiceUnavailable, kind: "ServiceUnavailableError", retry: busyRetry,
				message: fmt.Sprintf("The model is overloaded: %d requests are waiting already.", t.server.opts.MaxWaiting),
			}
		}
		t.server.refuse(t.w, t.dialect, no)
		return nil
	}
	return a
}

// name is the model's name as JSON.
func (t *turn) name() []byte { return object(t.server.opts.Model) }
