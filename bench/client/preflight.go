package client

import (
	"context"
	"fmt"
	"slices"
	"time"

	"redline/bench"
)

// preflightTokens bounds the answer of a preflight.
const preflightTokens = 16

// Report is what a preflight found.
type Report struct {
	// URL is the base URL in use, fit to print.
	URL   string
	Model string
	// Proxy is the proxy on the way, fit to print; empty if none.
	Proxy string
	// Protocol is the version of HTTP that the server answered with, as in HTTP/1.1; Address the address that was connected to.
	Protocol, Address string
	// PromptTokens is the prompt's length by the server; 0 if it does not say.
	PromptTokens int
	// TokensPerEvent is how many tokens one event held, on average; 1 if unknown.
	TokensPerEvent float64
	// Source is where token counts come from.
	Source bench.Source
	// TTFT is that of this one request, absent if its answer was all hidden reasoning.
	TTFT bench.Mark
	// Reuses tells whether connections serve more than one request.
	Reuses bool
	// Timings tells whether the server sends its own timings.
	Timings bool
	// Notes are sentences for the operator: what was changed to suit the server, and what makes its numbers special.
	Notes []string
	// Changed are those of Notes that say what was changed: a second preflight finds nothing more to change, and does not repeat them.
	Changed []string
	// Ended are the facts of the request itself.
	Ended bench.Ended
}

// Refusal is why a preflight failed, in one sentence that names the URL and what to do.
type Refusal struct {
	// Outcome is the class of the failure; bench.OK for an answer that came well but held nothing.
	Outcome bench.Outcome
	text    string
}

// Error is the sentence.
func (r *Refusal) Error() string { return r.text }

// Preflight sends one real request, streamed, with the prompt as it is but at most 16 tokens of answer. Where the server refuses a
// field or the form of the URL, it tries again without it, and later requests are sent in the form that worked; Report.Notes says
// so. Its error is a *Refusal, or the cause of the context's end. It is meant to run
// before the first Send, and may run again with another prompt.
func (c *Client) Preflight(ctx context.Context, p bench.Prompt) (Report, error) {
	p.MaxTokens = min(preflightTokens, max(p.MaxTokens, 1))
	x := &probe{c: c, ctx: ctx, t: c.target.Load()}
	if err := x.pickModel(); err != nil {
		return Report{}, err
	}
	for {
		ended, a := c.send(ctx, x.t, bench.Request{Prompt: p}, nil)
		if ctx.Err() != nil {
			return Report{}, context.Cause(ctx)
		}
		if ended.Outcome == bench.OK && ended.Counts.Output > 0 {
			if !c.keeps(ctx, x.t) {
				x.change(func(t *target) { t.single = true }, "the server closes each connection after its answer: every request makes a new one, and TTFT holds that")
			}
			c.target.Store(x.t)
			return x.report(ended), nil
		}
		// Each adaptation is made once, so that this ends.
		if x.adapt(&ended, &a) {
			continue
		}
		return Report{}, &Refusal{Outcome: ended.Outcome, text: c.redact.clean(x.sentence(&ended, &a))}
	}
}

func (x *probe) report(e bench.Ended) Report {
	r := Report{
		URL: shown(x.t.base), Model: x.t.model, PromptTokens: e.Counts.Input, TokensPerEvent: e.Counts.PerEvent(),
		Source: e.Counts.Source, Timings: e.Timings.OK, Reuses: !x.t.single, Ended: e, Changed: slices.Clone(x.notes),
	}
	if ttft, ok := e.TTFT(); ok {
		r.TTFT = bench.MarkAt(ttft)
	}
	note := func(format string, args ...any) { x.notes = append(x.notes, fmt.Sprintf(format, args...)) }
	if proxy, ok := x.c.Proxy(); ok {
		r.Proxy = proxy
		note("requests go through the proxy %s", proxy)
	}
	n := e.Counts
	if n.Source == bench.FromEvents {
		note("the server sends no usage: tokens are counted as one per event, an estimate")
	}
	if n.PerEvent() > 1.2 {
		note("one event holds %.1f tokens: chunk gaps are not inter-token latencies", n.PerEvent())
	}
	if n.Source != bench.FromEvents && n.Streamed() < n.Events {
		note("the server's usage (%d tokens) is below the events that came (%d)", n.Streamed(), n.Events)
	}
	if n.Hidden > 0 {
		note("%d of %d tokens were hidden reasoning, which the wait for the first token includes", n.Hidden, n.Output)
	}
	if n.Events >= 4 && n.Chunks == 1 && e.Marks.LastToken.At-e.Marks.Started.At > time.Millisecond {
		note("all %d events came at once: something on the way holds the stream back", n.Events)
	}
	r.Notes = x.notes
	return r
}
