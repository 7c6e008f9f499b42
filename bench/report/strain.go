package report

import (
	"fmt"
	"strings"
	"time"

	"redline/bench"
)

// writeStrain is whether the client itself kept up: where it did not, for how long, and why, so that its slowness is not taken for the server's.
func writeStrain(b *strings.Builder, s *bench.Snapshot, width int) {
	text := strainWords(s)
	switch {
	case text == "":
	case s.Strained[1] == 0 && float64(s.Strained[0]) < fewSeconds*s.Folded.Seconds():
		b.WriteString(wrapped("! "+text+": latencies of that time may be its own", width))
	default:
		b.WriteString(wrapped("! "+text+": do not take these numbers for the server's alone", width))
	}
}

// fewSeconds is the share of a run that says little of the rest.
const fewSeconds = 0.05

// strainWords are the seconds in which the client was strained, of those that were measured, and the reason; empty where there were none.
func strainWords(s *bench.Snapshot) string {
	var words []string
	for i, n := range s.Strained {
		if n > 0 {
			words = append(words, fmt.Sprintf("%s %d s", bench.Busy+bench.Strain(i), n))
		}
	}
	text := "the client itself was " + strings.Join(words, ", ")
	switch whole := max(int(s.Folded/time.Second), s.Strained[0]+s.Strained[1]); {
	case len(words) > 0 && whole > 0:
		text += fmt.Sprintf(" of %d s", whole)
	case len(words) > 0:
	case s.Health.Strain != bench.Unstrained:
		text += s.Health.Strain.String()
	default:
		return ""
	}
	if s.Health.Why != "" {
		text += " (" + Printable(s.Health.Why) + ")"
	}
	return text
}

// tailWords are the end of the run, after what was measured; empty where nothing was left to end.
func tailWords(t bench.Tail) string {
	if !t.Began.OK || t.Finished+t.Cut == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f s, %d finished, %d cut; none of it is in a rate", t.Span.Seconds(), t.Finished, t.Cut)
}
