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

// learn sends the first request, with a short prompt, and then one as the run will have them, so that its requests have their length from the first on.
// All workloads learn from the first answer how the server counts.
func (c *connection) learn(ctx context.Context, to *client.Client) error {
	work := c.works[0].WarmUp()
	first := work
	if n := c.works[0].Words().InputTokens; n == 0 || n > shortPrompt {
		first = work.Short(shortPrompt)
	}
	prompt, err := c.ask(ctx, to, first)
	if err != nil {
		return err
	}
	c.teach(&prompt)
	if first != work && float64(c.report.PromptTokens) > surprise*float64(prompt.InputTokens) {
		// One count does not tell a long template from a tokenizer that makes much of each word; a second one does.
		prompt, err = c.ask(ctx, to, work.Short(4*shortPrompt))
		if tooFast(err) {
			return nil
		}
		if err != nil {
			return err
		}
		c.teach(&prompt)
	}
	if first != work {
		prompt, err = c.ask(ctx, to, work)
		if tooFast(err) {
			// The target has just answered, so it may be used; the length comes closer as the run goes on.
			return nil
		}
		if err != nil {
			return err
		}
		c.works[0].Learn(&prompt, c.report.PromptTokens)
	}
	if counted := c.report.PromptTokens; counted > 0 && prompt.InputTokens > 0 {
		c.report.Notes = append(c.report.Notes, fmt.Sprintf("prompts: the server counted %d tokens for one of %d", counted, prompt.InputTokens))
	}
	return nil
}

// surprise is how many times as long as asked a first prompt is by the server's count, from which on that count alone teaches too little.
const surprise = 2

// teach tells all workloads how the server counted the last prompt.
func (c *connection) teach(prompt *bench.Prompt) {
	for _, w := range c.works {
		w.Learn(prompt, c.report.PromptTokens)
	}
}

// tooFast tells whether a target only asks for less at a time: it limits requests, or has no room right after an answer.
func tooFast(err error) bool {
	var refusal *client.Refusal
	return errors.As(err, &refusal) && (refusal.Outcome == bench.RateLimited || refusal.Outcome == bench.Overloaded)
}

// ask sends one request and keeps what it found and used; it returns the prompt.
func (c *connection) ask(ctx context.Context, to *client.Client, from *workload.Source) (bench.Prompt, error) {
	prompt, ok := from.Next(0)
	if !ok {
		return prompt, errors.New("the workload has no prompt to begin with")
	}
	report, err := to.Preflight(ctx, prompt)
	c.in, c.out = c.in+report.UsedIn, c.out+report.UsedOut
	if err != nil {
		return prompt, err
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
	return prompt, nil
}
