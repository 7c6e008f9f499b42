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
)

// probe is a preflight on its way: the form of request that it tries now, and what it had to change for it.
type probe struct {
	c     *Client
	ctx   context.Context
	t     *target
	notes []string
	// given is the base URL as the operator wrote it, once the other form has been tried, and status what it answered.
	given  *url.URL
	status int
}

// pickModel takes the server's first model where none was named.
func (x *probe) pickModel() error {
	if x.t.model != "" {
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
	x.change(func(t *target) { t.model = names[0] }, "no model was named: %s is the first of %d that the server lists", names[0], len(names))
	return nil
}

// change makes the next form of the request, and notes why.
func (x *probe) change(edit func(*target), format string, args ...any) bool {
	next := *x.t
	next.extra, next.dropped = maps.Clone(x.t.extra), slices.Clone(x.t.dropped)
	edit(&next)
	t, err := newTarget(next.base, next.model, next.tokensField, next.extra, next.dropped...)
	if err != nil {
		return false
	}
	t.single = next.single
	x.t = t
	x.notes = append(x.notes, fmt.Sprintf(format, args...))
	return true
}

// move goes to the other form of the base URL, once.
func (x *probe) move(status int) bool {
	if x.given != nil {
		return false
	}
	x.given, x.status = x.t.base, status
	other := otherForm(x.t.base)
	return x.change(func(t *target) { t.base = other }, "%s has no chat completions: using %s", shown(x.given), shown(other))
}

// adapt changes the request to what the server's refusal asks for; false when there is nothing to change, or it has been changed
// already.
func (x *probe) adapt(e *bench.Ended, a *answer) bool {
	switch {
	case e.Status == http.StatusBadRequest || e.Status == http.StatusUnprocessableEntity:
		return !unknownModel(e, a) && x.refit(strings.ToLower(a.body))
	case wrongURL(e, a):
		return x.move(e.Status)
	}
	return false
}

// wrongURL tells whether the answer speaks of a path that has no chat completions.
func wrongURL(e *bench.Ended, a *answer) bool {
	switch e.Status {
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return !unknownModel(e, a)
	case http.StatusOK:
		return e.Outcome == bench.NotStreaming && strings.HasPrefix(strings.TrimSpace(e.Message), "<")
	}
	return false
}

// unknownModel tells whether the answer says that the server does not have the model.
func unknownModel(e *bench.Ended, a *answer) bool {
	if e.Status != http.StatusBadRequest && e.Status != http.StatusNotFound && e.Status != http.StatusUnprocessableEntity {
		return false
	}
	if strings.Contains(strings.ToLower(a.fault.Code+a.fault.Type), "model_not_found") {
		return true
	}
	text := strings.ToLower(a.fault.Message)
	if !strings.Contains(text, "model") {
		return false
	}
	for _, words := range []string{"not found", "not exist", "no such", "unknown", "invalid model", "not a valid model", "unavailable"} {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}

// refit drops or renames the first field that a refusal names.
func (x *probe) refit(text string) bool {
	t := x.t
	if strings.Contains(text, "stream_options") || strings.Contains(text, "continuous_usage_stats") {
		if _, ours := t.extra["stream_options"]; ours {
			return x.change(func(t *target) { delete(t.extra, "stream_options") }, "the server refuses the extra stream_options: asking for final usage only")
		}
		if x.drop("stream_options", "the server refuses stream_options: token counts come only if it sends usage unasked") {
			return true
		}
	}
	tooLong := strings.Contains(text, "context length") || strings.Contains(text, "too large")
	if strings.Contains(text, "max_completion_tokens") && !tooLong && t.tokensField == defaultTokensField {
		return x.change(func(t *target) { t.tokensField = "max_completion_tokens" }, "the server wants max_completion_tokens instead of max_tokens")
	}
	for name := range t.extra {
		if len(name) > 3 && strings.Contains(text, strings.ToLower(name)) {
			return x.change(func(t *target) { delete(t.extra, name) }, "the server refuses %s: it is left out", name)
		}
	}
	return strings.Contains(text, "temperature") && x.drop("temperature", "the server refuses temperature 0: its own default holds")
}

func (x *probe) drop(field, note string) bool {
	if slices.Contains(x.t.dropped, field) {
		return false
	}
	return x.change(func(t *target) { t.dropped = append(t.dropped, field) }, "%s", note)
}
