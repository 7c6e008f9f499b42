// Command redline drives an LLM inference endpoint from a terminal and measures it while the operator changes the load.
//
// This package owns the edge: flags, environment, keys, signals, the child process of the simulated server, plain output and the summary.
// It wires bench/engine to a client, a workload and a screen, and knows nothing of how any of them works. Exit codes: see Main.Run.
package main

import (
	"context"
	"os"

	"redline/cmd/redline/hush"
)

// All other packages are initialised by now, so that the environment may be itself again.
func init() { hush.Over() }

func main() {
	m := newProcess()
	os.Exit(m.Run(context.Background()))
}
