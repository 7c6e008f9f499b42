package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"redline/bench/selftest"
)

const selftestHelp = `selftest measures what this machine and redline are good for. A server in a process of its own, on this machine, writes into each token when it
was sent; the lag of a token is the instant that a run would use for it less that one. The same streams are read by redline as in a run, and by a
reader that does nothing else. It also tells how often redline was right about itself when it said that it was late.

Server and client share the processors: with the server elsewhere the numbers are better. It takes up to three minutes.`

// selftestVerb measures this machine.
func (m *Main) selftestVerb(forced chan<- int) *cobra.Command {
	quick, asJSON := false, false
	cmd := &cobra.Command{
		Use: "selftest", Short: "measure how good the instants are on this machine", Long: selftestHelp, Args: noWords,
		Example: "  redline selftest\n  redline selftest --quick\n  redline selftest --json > machine.json",
	}
	cmd.Flags().BoolVar(&quick, "quick", false, "measure less, in half a minute")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the results for machines")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return m.selftest(cmd.Context(), quick, asJSON, forced) }
	return cmd
}

// selftest runs until it has measured all, or until a signal comes; at the second one it is left at once.
func (m *Main) selftest(ctx context.Context, quick, asJSON bool, forced chan<- int) error {
	m.hear()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	interrupted, over := make(chan os.Signal, 1), make(chan struct{})
	defer close(over)
	go func() {
		for {
			select {
			case sig := <-m.Signals:
				select {
				case interrupted <- sig:
					cancel()
				default:
					forced <- signalCode(sig)
					return
				}
			case <-over:
				return
			}
		}
	}()
	report, err := m.measureMachine(ctx, quick)
	if ctx.Err() != nil && len(interrupted) > 0 {
		return &exit{code: signalCode(<-interrupted)}
	}
	if err != nil {
		return fmt.Errorf("self-test: %w", err)
	}
	return tellMachine(m.Stdout, report, asJSON)
}

// measureMachine measures against a server of its own, which has gone when it returns.
func (m *Main) measureMachine(ctx context.Context, quick bool) (*selftest.Report, error) {
	server, err := startServer(m.Simulator, "--stamped")
	if err != nil {
		return nil, err
	}
	defer server.stop()
	defer easeCollector(m.Env)()
	host := strings.TrimSuffix(strings.TrimPrefix(server.address, "http://"), "/v1")
	report, err := selftest.Run(ctx, selftest.Options{Host: host, Files: int(min(m.Files(), math.MaxInt32)), Quick: quick, Progress: func(text string) {
		_, _ = fmt.Fprintf(m.Stderr, "redline: measuring %s\n", text)
	}})
	if err != nil && server.dead() {
		return nil, server.failure(err.Error())
	}
	return report, err
}

// tellMachine prints a report.
func tellMachine(w io.Writer, r *selftest.Report, asJSON bool) error {
	text := r.Markdown()
	if asJSON {
		b, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			return fmt.Errorf("self-test: %w", err)
		}
		text = string(b) + "\n"
	}
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("self-test: %w", err)
	}
	return nil
}
