package client

import (
	"context"
	"maps"
	"strings"
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
	// Quotas are those that the headers of the last answer with any stated.
	Quotas []bench.Quota
	// UsedIn and UsedOut are the tokens of prompts and answers that all tries used; set beside an error too. Where the server does not count,
	// the prompt's asked length stands.
	UsedIn, UsedOut int
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
// so. Where one answer proves too little, it asks for another. Its error is a *Refusal, or the cause of the context's end. It is meant to
// run before the first Send, and may run again with another prompt.
func (c *Client) Preflight(ctx context.Context, p bench.Prompt) (Report, error) {
	p.MaxTokens = min(preflightTokens, max(p.MaxTokens, 1))
	x := &probe{c: c, ctx: ctx, t: c.target.Load(), prompt: p}
	if err := x.pickModel(); err != nil {
		return Report{}, err
	}
	for {
		ended, a := x.ask()
		if ctx.Err() != nil {
			return x.used(), context.Cause(ctx)
		}
		if ended.Outcome == bench.OK && ended.Counts.Output > 0 {
			x.settle(&ended, &a)
			if ctx.Err() != nil {
				return x.used(), context.Cause(ctx)
			}
			c.target.Store(x.t)
			return x.report(ended, &a), nil
		}
		// Each adaptation is made once, so that this ends.
		if x.adapt(&ended, &a) {
			continue
		}
		return x.used(), &Refusal{Outcome: ended.Outcome, text: c.redact.clean(x.sentence(&ended, &a))}
	}
}

// used is a report of nothing but what the tries have used.
func (x *probe) used() Report { return Report{UsedIn: x.in, UsedOut: x.out, Quotas: x.quotas} }

// Started, Chunk and Quotas make a probe the observer of its own requests.
func (x *probe) Started(time.Duration)       {}
func (x *probe) Chunk(bench.Chunk)           {}
func (x *probe) Quotas(quotas []bench.Quota) { x.quotas = quotas }

// ask sends the request in its present form, and books what it used.
func (x *probe) ask() (bench.Ended, answer) {
	ended, a := x.c.send(x.ctx, x.t, bench.Request{Prompt: x.prompt}, x, newTail())
	n := ended.Counts
	if n.Input == 0 && (ended.Outcome == bench.OK || n.Output > 0) {
		n.Input = x.prompt.InputTokens
	}
	x.in, x.out = x.in+n.Input, x.out+n.Output
	return ended, a
}

// settle finishes the form of a request that was answered well.
func (x *probe) settle(e *bench.Ended, a *answer) {
	x.weigh(e, a)
	x.holds(e, a)
	x.keep(a)
}

// lumpEvents is how many events an answer has to have before their coming at once says anything.
const lumpEvents = 10

// lump tells whether an answer came in one piece, or nearly so.
func lump(e *bench.Ended) bool {
	n := &e.Counts
	once := n.Chunks == 1 && e.Marks.LastToken.At-e.Marks.Started.At > time.Millisecond
	return n.Events >= lumpEvents && (once || e.Burst)
}

// holds asks once more where an answer came in one piece: a single one may have been held up by chance, on this machine or on the way.
func (x *probe) holds(e *bench.Ended, a *answer) {
	if x.t.held || !lump(e) {
		return
	}
	ended, next := x.ask()
	if ended.Outcome != bench.OK || ended.Counts.Output == 0 {
		return
	}
	if *e, *a = ended, next; lump(e) {
		x.reform(func(f *form) { f.held = true })
	}
}

// weigh asks for usage with each event where an event holds several tokens, so that each is known by its weight.
func (x *probe) weigh(e *bench.Ended, a *answer) {
	t := x.t
	_, sent := t.fields["stream_options"]
	if t.weighed || !sent || e.Counts.Source != bench.FromUsage || e.Counts.PerEvent() <= several || strings.Contains(string(t.fields["stream_options"]), continuous) {
		return
	}
	notes := x.notes
	options := map[string]any{continuous: true}
	if given, ok := t.extra["stream_options"].(map[string]any); ok {
		options = maps.Clone(given)
		options[continuous] = true
	}
	x.change(func(f *form) {
		if f.weighed = true; f.extra == nil {
			f.extra = make(map[string]any)
		}
		f.extra["stream_options"] = options
	}, "the server is asked for usage with each event, so that tokens are counted as they come")
	ended, next := x.ask()
	if ended.Outcome == bench.OK && ended.Counts.Source == bench.FromContinuous {
		*e, *a = ended, next
		return
	}
	x.t, x.notes = t, notes
	if ended.Outcome != bench.OK && ended.Outcome != bench.ClientError {
		return // it says nothing of the option; another preflight may ask again
	}
	x.change(func(f *form) { f.weighed = true }, "the server does not send usage with each event: the weight of an event is known at its stream's end")
}
