package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"redline/bench"
	"redline/bench/client"
	"redline/bench/engine"
	"redline/bench/health"
	"redline/bench/report"
	"redline/bench/workload"
)

// sender is a client that has been through its preflight.
type sender interface {
	engine.Sender
	// Restart puts its instants on the run's clock.
	Restart(bench.Clock)
}

// connection is a target that has answered once.
type connection struct {
	client sender
	// works are the workloads, in the order in which the run goes through them.
	works  []*workload.Source
	report client.Report
	// monitor watches the process and the client's connections.
	monitor *health.Monitor
	// in and out are the tokens that finding out has used.
	in, out int
	// clean takes every secret that the client knows out of a text.
	clean func(string) string
	// cleanPart does so for a part of a text: late tells that there was more before it, goesOn that there may be more to come.
	cleanPart func(text string, late, goesOn bool) string
	// curl words a request as a command of curl.
	curl func(*bench.Request) bench.Curl
	// gauges reads what the target tells of itself, by the run's clock; nil where it is not asked.
	gauges func(bench.Clock) engine.Gauges
	close  func()
}

// patience is how long the first answer may take before the operator is told what redline waits for.
const patience = 2 * time.Second

// connect finds the model, sends one request to see how the target answers, and adapts to it. The error is one sentence for the operator.
func (m *Main) connect(ctx context.Context, s *settings, t target) (*connection, error) {
	host := hostOf(t.base)
	if s.screen.private {
		host = "the target"
	}
	reminder := time.AfterFunc(patience, func() {
		fmt.Fprintf(m.Stderr, "redline: waiting for the first answer of %s (ctrl+c gives up)\n", host)
	})
	defer reminder.Stop()
	monitor := t.monitor
	if monitor == nil {
		monitor = health.New(bench.NewClock(time.Now()))
	}
	opt := client.Options{
		URL: t.base, API: s.api, Model: s.model, Key: t.key, KeyVariable: s.keyEnv, Header: s.header, Secrets: s.secrets, Extra: s.body, Limits: s.limits.ofRequests(),
		Stall: s.limits.stall, Concurrency: s.max, Version: version(), TLS: s.tls, HTTP2: s.http2, Rotate: s.rotate, NoProxy: s.noProxy,
		Watch: monitor.Watch,
	}
	if opt.Model == "" {
		name, err := m.onlyModel(ctx, opt)
		if err != nil {
			return nil, withNote(err, t)
		}
		opt.Model = name
	}
	c, err := client.New(opt)
	if err != nil {
		return nil, fmt.Errorf("--url %s: %w", report.ShownURL(t.base), err)
	}
	conn := &connection{client: c, works: s.sources, monitor: monitor, clean: c.Clean, cleanPart: c.CleanPart, curl: c.Curl, close: c.Close}
	if err := conn.learn(ctx, c); err != nil {
		c.Close()
		return nil, withNote(s.withKnobs(err), t)
	}
	conn.gauges = func(clock bench.Clock) engine.Gauges { return s.scraper(t, conn.report.URL, clock, c.Authorize) }
	return conn, nil
}

// nameOne ends the sentence of a target that wants a key where none was given; how one is named is known here alone.
const nameOne = ": name the one to use"

// withNote adds to a refusal how a key is named, and that there is one which was not sent: the two often belong together.
func withNote(err error, t target) error {
	if strings.HasSuffix(err.Error(), nameOne) {
		err = fmt.Errorf("%w with --api-key-env or --api-key-file", err)
	}
	var refusal *client.Refusal
	if t.keyNote == "" || !errors.As(err, &refusal) || refusal.Outcome != bench.Unauthorized {
		return err
	}
	return fmt.Errorf("%w\n  %s", err, t.keyNote)
}

// onlyModel is the one model that the server lists.
func (m *Main) onlyModel(ctx context.Context, opt client.Options) (string, error) {
	c, err := client.New(opt)
	if err != nil {
		return "", fmt.Errorf("--url %s: %w", report.ShownURL(opt.URL), err)
	}
	defer c.Close()
	names, err := c.Models(ctx)
	switch {
	case listless(err):
		return "", fmt.Errorf("%w; without --model the server's list of models is needed", err)
	case err != nil:
		return "", err
	case len(names) == 0:
		return "", fmt.Errorf("%s lists no model; name one with --model", hostOf(opt.URL))
	case len(names) > 1:
		return "", errors.New(offer(names, hostOf(opt.URL)))
	}
	return names[0], nil
}

// listless tells whether a target answered, and the list of its models alone is what it did not give: a key or a connection is wanted all the same.
func listless(err error) bool {
	var refusal *client.Refusal
	if !errors.As(err, &refusal) {
		return false
	}
	switch refusal.Outcome {
	case bench.ClientError, bench.Truncated, bench.TimeoutFirst:
		return true
	}
	return false
}

// offered is how many names an error lists.
const offered = 20

// offer is the sentence that asks for one of several models.
func offer(names []string, host string) string {
	shown := make([]string, 0, offered)
	for _, n := range names[:min(len(names), offered)] {
		shown = append(shown, report.Printable(n))
	}
	more := ""
	if len(names) > offered {
		more = fmt.Sprintf(" and %d more", len(names)-offered)
	}
	return fmt.Sprintf("%s serves %d models; name one with --model: %s%s", host, len(names), strings.Join(shown, ", "), more)
}
