package selftest

import (
	"time"

	"redline/bench"
	"redline/bench/health"
)

// Result is what was measured of one plan with one reader.
type Result struct {
	Plan   Plan
	Reader string
	// Span is how long was measured, in windows of about a second each; Rate the tokens a second that came in it.
	Span time.Duration
	Rate float64
	// PerMillion is the processor time of a million tokens, in seconds; absent where it is not known.
	PerMillion bench.Value
	// Memory is heap and stacks of a stream, in bytes.
	Memory int
	// Lags are those of all tokens in the span; P99 is the median of the windows' 99th percentiles, which one bad second does not move.
	Lags health.Tally
	P99  time.Duration
	// Agreement is how often the client's verdict on itself was right.
	Agreement Agreement
	// Sent is what the server says, Got what came.
	Sent Sent
	Got  int
}

// Late is the lag of a second, by its 99th percentile, from which the client is busy.
const Late = 10 * time.Millisecond

// Agreement is how often verdicts were right, of the windows whose truth is clear: more than a fifth away from Late.
type Agreement struct {
	Windows, Right int
	// Missed are windows that were late and called ok, Cried those that were not and were called busy.
	Missed, Cried int
}

// add judges a window's verdict.
func (a *Agreement) add(w *Window) {
	lag := w.Truth.Quantile(0.99)
	if !w.asked || w.Truth.N == 0 || lag >= Late*4/5 && lag <= Late*6/5 {
		return
	}
	a.Windows++
	switch late, said := lag > Late, w.Health.Strain != bench.Unstrained; {
	case late == said:
		a.Right++
	case late:
		a.Missed++
	default:
		a.Cried++
	}
}

// Add counts another agreement's windows.
func (a *Agreement) Add(b Agreement) {
	a.Windows, a.Right, a.Missed, a.Cried = a.Windows+b.Windows, a.Right+b.Right, a.Missed+b.Missed, a.Cried+b.Cried
}
