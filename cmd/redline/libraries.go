package main

import (
	"fmt"
	"io"
	"log"
	"strings"

	"redline/bench/report"
)

// libraries keeps what libraries write to the standard log: net/http quotes there what a server sends out of turn, which may repeat the key. So it
// is told at the end of a run, cleaned of secrets.
type libraries struct {
	said   tail
	before io.Writer
}

// listen begins to keep; release gives the log back.
func listen() *libraries {
	l := &libraries{before: log.Writer()}
	log.SetOutput(&l.said)
	return l
}

func (l *libraries) release() { log.SetOutput(l.before) }

// tell prints what was kept, and what came to the standard error while the screen was open.
func (l *libraries) tell(to io.Writer, stray string, clean func(string) string) {
	for _, text := range []string{l.said.String(), stray} {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(report.Printable(clean(line))); line != "" {
				fmt.Fprintf(to, "redline: a library says: %s\n", line)
			}
		}
	}
}
