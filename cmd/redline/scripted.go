package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/pflag"

	"redline/bench/sim/script"
)

// scriptHelp is how to write down a server's behaviour; package script has the whole format.
const scriptHelp = `sim serves the API of an OpenAI-compatible server with a simulated inference engine behind it, until it is interrupted.

With --script it plays answers that are written down instead, byte by byte and instant by instant, whatever the path: a file, or one of the
built-in scripts (--script list). A file is TOML:

  title = "An error after two tokens"
  why   = "The status was sent long before."
  [[answer]]                       # taken in turn; order = "once" or "random" (with seed) at the top
  status  = 200                    # headers = { Retry-After = "7" }; path, method, when and unless choose requests
  steps   = [
    { wait = "500ms", event = '{"choices":[{"index":0,"delta":{"content":" a"}}]}' },       # data: … and a blank line
    { repeat = 9, every = "20ms", event = '{"choices":[{"index":0,"delta":{"content":" {{n}}"}}]}' },
    { send = "event: error\ndata: {\"message\":\"it broke\"}\n\n", split = 8 },             # as it goes on the wire
    { hang = true },               # pad = N sends a line of N bytes
  ]
  end     = "cut"                  # or close, the proper end, or reset
  # or, instead of steps, a recorded answer: body = '''…''' and every = "20ms"; and accept = "hang", "close" or "reset"
  # instead of an answer; before = "2s"; frame = "close", "1.0" or "none"; gzip = "held" or "flushed"; keep = "5s"
  [expect]                         # what a true client reads, for people and tests
  outcome = "stream error"

healthy = 4 at the top gives the first four requests a good answer, so that a preflight passes.`

// scriptServer is the server of a script. The flags that shape the simulated engine mean nothing beside it; each is named.
func scriptServer(fs *pflag.FlagSet, name string) (server, error) {
	var found problems
	fs.Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "script", "addr", "parent":
		default: // its value may be a key
			found.list = append(found.list, fmt.Sprintf("--%s: not together with --script, which says all that is answered", f.Name))
		}
	})
	if !slices.Contains(script.Names(), name) {
		if err := regular(name); err != nil {
			return nil, fmt.Errorf("--script %s: %w", name, err)
		}
	}
	s, err := script.Load(name)
	if err != nil {
		found.list = append(found.list, "--script "+err.Error())
	}
	if err := found.err(); err != nil {
		return nil, err
	}
	return script.New(s), nil
}

// listScripts prints the built-in scripts. A reader who has seen enough is no error.
func listScripts(w io.Writer) error {
	var b strings.Builder
	width := 0
	for _, name := range script.Names() {
		width = max(width, len(name))
	}
	for _, name := range script.Names() {
		s, err := script.Load(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%-*s  %s\n", width, name, s.Title)
	}
	if _, err := io.WriteString(w, b.String()); err != nil && !errors.Is(err, syscall.EPIPE) {
		return fmt.Errorf("listing the scripts: %w", err)
	}
	return nil
}
