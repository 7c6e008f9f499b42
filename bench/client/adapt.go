package client

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"redline/bench"
	"redline/bench/stream"
)

// probe is a preflight on its way: the form of request that it tries now, and what it had to change for it.
type probe struct {
	c      *Client
	ctx    context.Context
	t      *target
	prompt bench.Prompt
	notes  []string
	// given is the base URL as the operator wrote it, once the other form has been tried, and status what it answered.
	given  *url.URL
	status int
	guess  guess
	// in and out are the tokens of all tries, quotas those of the last answer that had some.
	in, out int
	quotas  []bench.Quota
}

// pickModel takes the server's first model where none was named.
func (x *probe) pickModel() error {
	if x.t.model != "" {
		return nil
	}
	if name := deployment(x.t.base); name != "" {
		x.change(func(f *form) { f.model = name }, "no model was named: %s is the deployment that the URL names", name)
		return nil
	}
	names, err := x.c.models(x.ctx, x.t.base)
	if r := (*Refusal)(nil); err != nil && asRefusal(err, &r) && r.Outcome == bench.ClientError {
		if other, otherErr := x.c.models(x.ctx, otherForm(x.t.base)); otherErr == nil {
			names, err = other, nil
			x.move(http.StatusNotFound)
		}
	}
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return &Refusal{Outcome: bench.ClientError, text: fmt.Sprintf("%s lists no model: name the model to drive", shown(x.t.base))}
	}
	x.change(func(f *form) { f.model = names[0] }, "no model was named: %s is the first of %d that the server lists", names[0], len(names))
	return nil
}

// change makes the next form of the request, and notes why.
func (x *probe) change(edit func(*form), format string, args ...any) bool {
	if !x.reform(edit) {
		return false
	}
	x.notes = append(x.notes, fmt.Sprintf(format, args...))
	return true
}

// reform makes the next form of the request.
func (x *probe) reform(edit func(*form)) bool {
	next := x.t.form
	next.extra, next.dropped = maps.Clone(x.t.extra), slices.Clone(x.t.dropped)
	edit(&next)
	t, err := newTarget(next)
	if err != nil {
		return false
	}
	x.t = t
	return true
}

// move goes to the other form of the base URL, once.
func (x *probe) move(status int) bool {
	if x.given != nil || deployment(x.t.base) != "" {
		return false
	}
	x.given, x.status = x.t.base, status
	other := otherForm(x.t.base)
	return x.change(func(f *form) { f.base = other }, "%s has no %s: using %s", shown(x.given), wires[x.t.api].path, shown(other))
}

// adapt changes the request to what the server's refusal asks for; false when there is nothing to change, or it has been changed
// already.
func (x *probe) adapt(e *bench.Ended, a *answer) bool {
	switch {
	case e.Status == http.StatusBadRequest || e.Status == http.StatusUnprocessableEntity:
		q := complaintOf(a.body)
		return !noModel(a) && x.refit(&q) || !unknownModel(e, a) && !tooLong(e, a) && x.guessField(&q)
	case wrongURL(e, a):
		return x.move(e.Status)
	}
	return false
}

// wrongURL tells whether the answer speaks of a path that does not have what was asked.
func wrongURL(e *bench.Ended, a *answer) bool {
	switch e.Status {
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return !unknownModel(e, a)
	case http.StatusOK:
		return isPage(e)
	}
	return false
}

// isPage tells whether a web page came in place of a stream.
func isPage(e *bench.Ended) bool {
	_, ok := stream.Page(e.Head)
	return ok && e.Outcome == bench.NotStreaming
}

// noModel tells whether the answer's own class of error is that the server does not have the model.
func noModel(a *answer) bool {
	return strings.Contains(strings.ToLower(a.fault.Code+a.fault.Type), "model_not_found")
}

// unknownModel tells whether the answer says that the server does not have the model.
func unknownModel(e *bench.Ended, a *answer) bool {
	if e.Status != http.StatusBadRequest && e.Status != http.StatusNotFound && e.Status != http.StatusUnprocessableEntity {
		return false
	}
	if noModel(a) {
		return true
	}
	text := strings.ToLower(a.fault.Message)
	if !strings.Contains(text, "model") {
		return false
	}
	for _, words := range []string{"parameter", "field", "argument", "extra input"} { // of which "this model" does not have one
		if strings.Contains(text, words) {
			return false
		}
	}
	if strings.Contains(strings.ToLower(a.fault.Type), "not_found") { // Anthropic: the message is the name alone
		return true
	}
	for _, words := range []string{"not found", "not exist", "no such", "unknown", "invalid model", "not a valid model", "unavailable"} {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}
