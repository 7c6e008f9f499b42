package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"

	"github.com/spf13/cobra"

	"redline/bench/sim"
)

// simVerb runs the simulated server alone.
func (m *Main) simVerb() *cobra.Command {
	o, parent := sim.Defaults(), false
	cmd := &cobra.Command{
		Use: "sim", Short: "run the simulated server alone; its address is the first line", Args: cobra.NoArgs,
		Long:    "sim serves the API of an OpenAI-compatible server with a simulated inference engine behind it, until it is interrupted.",
		Example: "  redline sim --addr 127.0.0.1:8321 --preset large-gpu\n  redline --url http://127.0.0.1:8321/v1 -c 8",
	}
	cmd.Flags().SortFlags = false
	o.Flags(cmd.Flags())
	cmd.Flags().BoolVar(&parent, "parent", false, "end when the standard input ends")
	if err := cmd.Flags().MarkHidden("parent"); err != nil {
		panic(err)
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return m.simulate(cmd.Context(), o, parent) }
	return cmd
}

// simulate serves until a signal comes or, with a parent, until the parent's end of the standard input closes: that happens however the
// parent ends, so that no server is left behind.
func (m *Main) simulate(ctx context.Context, o sim.Options, parent bool) error {
	server, err := sim.New(o)
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", o.Addr)
	if err != nil {
		return fmt.Errorf("simulated server: %w", err)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	interrupted := make(chan os.Signal, 1)
	go func() {
		select {
		case s := <-m.Signals:
			interrupted <- s
			stop()
		case <-ctx.Done():
		}
	}()
	if parent {
		go func() {
			_, _ = io.Copy(io.Discard, m.Stdin)
			stop()
		}()
	}
	if _, err := fmt.Fprintf(m.Stdout, "http://%s/v1\n", ln.Addr()); err != nil {
		_ = ln.Close()
		return fmt.Errorf("simulated server: telling the address: %w", err)
	}
	if err := server.Serve(ctx, ln); err != nil {
		return err
	}
	select {
	case s := <-interrupted:
		return &exit{code: signalCode(s)}
	default:
		return nil
	}
}
