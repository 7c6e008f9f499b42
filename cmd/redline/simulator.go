package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"

	"github.com/spf13/cobra"

	"redline/bench/selftest"
	"redline/bench/sim"
)

// simVerb runs the simulated server alone.
func (m *Main) simVerb() *cobra.Command {
	o, parent, stamped, name := sim.Defaults(), false, false, ""
	cmd := &cobra.Command{
		Use: "sim", Short: "run the simulated server alone; its address is the first line", Args: noWords,
		Long: scriptHelp,
		Example: "  redline sim --addr 127.0.0.1:8321 --preset large-gpu\n  redline --url http://127.0.0.1:8321/v1 -c 8\n" +
			"  redline sim --script list\n  redline sim --script error-after-ten",
	}
	cmd.Flags().SortFlags = false
	o.Flags(cmd.Flags())
	cmd.Flags().StringVar(&name, "script", "", "play a `FILE`, or a built-in script by its name (list: all of them), instead of the engine")
	cmd.Flags().BoolVar(&parent, "parent", false, "end when the standard input ends")
	cmd.Flags().BoolVar(&stamped, "stamped", false, "stream stamped tokens, for the self-test")
	for _, name := range []string{"parent", "stamped"} {
		if err := cmd.Flags().MarkHidden(name); err != nil {
			panic(err)
		}
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		var s server
		var err error
		switch {
		case name == "list":
			return listScripts(m.Stdout)
		case cmd.Flags().Changed("script"):
			s, err = scriptServer(cmd.Flags(), name)
		case stamped:
			s = new(selftest.Server)
		default:
			s, err = sim.New(o)
		}
		if err != nil {
			return err
		}
		return m.simulate(cmd.Context(), s, o.Addr, parent)
	}
	return cmd
}

// server answers on a listener until the context ends.
type server interface {
	Serve(ctx context.Context, ln net.Listener) error
}

// simulate serves until a signal comes or, with a parent, until the parent's end of the standard input closes: that happens however the
// parent ends, so that no server is left behind.
func (m *Main) simulate(ctx context.Context, s server, addr string, parent bool) error {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("simulated server: %w", err)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	m.hear()
	interrupted := make(chan os.Signal, 1)
	go func() {
		select {
		case sig := <-m.Signals:
			interrupted <- sig
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
	if err := s.Serve(ctx, ln); err != nil {
		return err
	}
	select {
	case sig := <-interrupted:
		return &exit{code: signalCode(sig)}
	default:
		return nil
	}
}
