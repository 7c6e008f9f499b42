package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"redline/bench"
	"redline/bench/client"
	"redline/bench/workload"
)

// shortPrompt is the length, in tokens, of the prompt that a target is asked first: how many tokens a word is to it is not known yet, and a
// prompt of the full length could turn out several times as long, which costs money or does not fit the model's context.
const shortPrompt = 32

// learn sends the first request, with a short prompt, and then one of the full length, so that the requests of the run have it from the first on.
func (c *connection) learn(ctx context.Context, to *client.Client, s *settings) error {
	first := c.prompts
	if s.inputTokens > shortPrompt {
		first = workload.NewSynthetic(^s.seed, shortPrompt, s.maxTokens)
	}
	words, err := c.ask(ctx, to, first)
	if err != nil {
		return err
	}
	if first != c.prompts {
		c.prompts.Learn(words, c.report.PromptTokens)
		words, err = c.ask(ctx, to, c.prompts)
		if tooFast(err) {
			// The target has just answered, so it may be used; the length comes closer as the run goes on.
			return nil
		}
		if err != nil {
			return err
		}
	}
	c.prompts.Learn(words, c.report.PromptTokens)
	if counted := c.report.PromptTokens; counted > 0 {
		c.report.Notes = append(c.report.Notes, fmt.Sprintf("prompts: the server counted %d tokens for %d words; for about %d tokens they are made of %d",
			counted, words, s.inputTokens, c.prompts.Words()))
	}
	return nil
}

// tooFast tells whether a target only asks for less at a time: it limits requests, or has no room right after an answer.
func tooFast(err error) bool {
	var refusal *client.Refusal
	return errors.As(err, &refusal) && (refusal.Outcome == bench.RateLimited || refusal.Outcome == bench.Overloaded)
}

// ask sends one request and keeps what it found and used; it returns the number of words in its prompt.
func (c *connection) ask(ctx context.Context, to *client.Client, from *workload.Synthetic) (words int, err error) {
	prompt := from.Next()
	report, err := to.Preflight(ctx, prompt)
	c.in, c.out = c.in+report.UsedIn, c.out+report.UsedOut
	if err != nil {
		return 0, err
	}
	var notes []string
	for _, note := range append(slices.Clone(c.report.Changed), report.Notes...) {
		// What makes the server special is found by each request; it is told once.
		if !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	report.Notes = notes
	c.report = report
	return prompt.Words, nil
}
