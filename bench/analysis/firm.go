package analysis

import "redline/bench"

// Firmness tells how far what a level says can be built on.
type Firmness uint8

const (
	// Firm: it settled, on a hundred requests or more.
	Firm Firmness = iota
	// Few: it settled, on fewer than a hundred requests.
	Few
	// Unsettled: it did not settle within a minute.
	Unsettled
	// Short: it was left before it settled, or has not settled yet.
	Short
)

// String is the one word for it, the same on the screen and in what is saved; empty for Firm.
func (f Firmness) String() string { return [...]string{"", "few", "unsettled", "short"}[f&3] }

// fewRequests is from how many requests on a level is firm.
const fewRequests = 100

// FirmnessOf is how firm a level is.
func FirmnessOf(l *bench.Level) Firmness {
	switch {
	case l.State == bench.Unsettled:
		return Unsettled
	case l.State != bench.Settled:
		return Short
	case l.Stats[bench.TTFT].N < fewRequests:
		return Few
	}
	return Firm
}

// Decided tells whether it was decided whether a level settles.
func Decided(l *bench.Level) bool { return l.State == bench.Settled || l.State == bench.Unsettled }

// Touched tells whether a level was left, or is being measured, before it can say anything of its load.
func Touched(l *bench.Level) bool { return !Decided(l) && l.Span < LongEnough }

// Measured tells whether a level has anything to show: a number but for a share of errors that is nothing, arrivals that were never sent, since those break
// promises, or the operator's own words.
func Measured(l *bench.Level) bool {
	if e := l.Tally.ErrorShare(); l.Note != "" || l.Tally.Missed().Unsent > 0 || e.OK && e.V > 0 {
		return true
	}
	for _, m := range bench.Lanes {
		if l.Stats[m].Readiness != bench.Absent {
			return true
		}
	}
	return false
}
