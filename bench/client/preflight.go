package client

import (
	"context"
	"errors"
	"time"

	"redline/bench"
)

// Report is what a preflight found.
type Report struct {
	// URL is the base URL in use, fit to print.
	URL   string
	Model string
	// Proxy is the proxy on the way, fit to print; empty if none.
	Proxy string
	// PromptTokens is the prompt's length by the server; 0 if it does not say.
	PromptTokens int
	// TokensPerEvent is how many tokens one event held, on average; 1 if unknown.
	TokensPerEvent float64
	// Source is where token counts come from.
	Source bench.Source
	TTFT   time.Duration
	// Timings tells whether the server sends its own timings.
	Timings bool
	// Notes are sentences for the operator: what was changed to suit the server, and what makes its numbers special.
	Notes []string
	// Ended are the facts of the request itself.
	Ended bench.Ended
}

// Preflight sends one real request, streamed and with the full prompt but at most 16 tokens of answer, and adapts to the server.
func (c *Client) Preflight(ctx context.Context, p bench.Prompt) (Report, error) {
	return Report{}, errors.New("not there yet")
}

// Models are the names of the models that the server lists.
func (c *Client) Models(ctx context.Context) ([]string, error) {
	return nil, errors.New("not there yet")
}
