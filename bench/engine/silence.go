package engine

import (
	"fmt"
	"time"

	"redline/bench"
)

const (
	// silentAfter is how long no token may come while streams are in the middle of their answers.
	silentAfter = 3 * time.Second
	// firstsLate is how long none may come where all streams still wait for their first: so long, and three times the slowest that the run has seen.
	firstsLate = 5 * time.Second
)

// silence watches for a server that holds its streams open and says nothing: nothing ends, so that nothing fails, until the limits of the requests.
type silence struct {
	// quiet is the start of the seconds without a token, though requests were in flight.
	quiet bench.Mark
	until time.Duration
	// midway: streams that had begun were among them.
	midway bool
	told   bool
}

// take counts a second in.
func (s *silence) take(b *bench.Batch) {
	span := b.Span.Seconds()
	if b.Facts.Out > 0 || b.Active < b.Span || b.Facts.InFlight < 0.9*span {
		*s = silence{told: s.told}
		return
	}
	if !s.quiet.OK {
		s.quiet = bench.MarkAt(b.Start)
	}
	s.until = b.Start + b.Span
	s.midway = b.Facts.DecodeSeconds >= 0.9*span
}

// since is the silence's beginning, once it has lasted long enough to say something; slowest is the run's slowest first token.
func (s *silence) since(slowest bench.Value) bench.Mark {
	patience := silentAfter
	if !s.midway {
		patience = firstsLate + 3*time.Duration(slowest.V*float64(time.Millisecond))
	}
	if !s.quiet.OK || s.until-s.quiet.At < patience {
		return bench.Mark{}
	}
	return s.quiet
}

// silent tells of a silence when it is one, and when it is over.
func (c *control) silent() {
	s := &c.book.silence
	since := s.since(c.e.folded.Load().Total.Stats[bench.TTFT].Max)
	switch {
	case since.OK && !s.told:
		s.told = true
		n := c.e.gate.Load().Running
		c.event(bench.Event{Kind: bench.EventWarn, N: n, Text: fmt.Sprintf("no token from any of %d requests since %s", n, since.At.Round(time.Second))})
	case !since.OK && s.told && !s.quiet.OK:
		s.told = false
		c.event(bench.Event{Kind: bench.EventWarn, Text: "tokens come again"})
	}
	c.quiet = since
}
