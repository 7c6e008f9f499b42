package report

import (
	"fmt"
	"time"

	"redline/bench"
	"redline/bench/analysis"
)

// Part is a part of what is told of a run on one line; where there is no room the lightest go first.
type Part struct {
	Text   string
	Weight int
}

// Essential is the weight from which on a part is worth more than a picture of the progress.
const Essential = 90

// Glance is a run on one line: how far it is, its load, and the numbers of the present level. Each part keeps its width while its number changes, so that nothing jumps.
func Glance(s *bench.Snapshot) []Part {
	s = Begun(s)
	out := []Part{{timeWords(s), 100}}
	if s.State != bench.Running {
		out = append(out, Part{s.State.String(), 95})
	}
	if s.Health.Strain == bench.Saturated {
		out = append(out, Part{"! client saturated", 92})
	}
	out = append(out, Part{"load " + fmt.Sprintf("%-3s", s.Target), 80})
	if s.Rivals != nil {
		for i, of := range s.Rivals.Of {
			if l := of.Level(); l != nil {
				out = append(out, Part{bench.Letter(i) + " TTFT p95 " + latency(l) + "  SLO " + fmt.Sprintf("%-6s", sloWord(l)), 70 - i})
			}
		}
		return out
	}
	if r := s.Ramping; r != nil && !r.Phase.Over() {
		out = append(out, Part{"ramp " + fmt.Sprintf("%-10s", r.Phase), 85})
	}
	l := s.Level()
	if l == nil {
		return out
	}
	out = append(out,
		Part{"RPM " + fmt.Sprintf("%5s", figure(&l.Stats[bench.RPM], bench.Mean)), 50},
		Part{"TTFT p95 " + latency(l), 60},
		Part{"errors " + fmt.Sprintf("%5s", share(s.Total.Counted.ErrorShare())), 70})
	if len(promised(s.Run.Thresholds)) > 0 {
		out = append(out, Part{"SLO " + fmt.Sprintf("%-6s", sloWord(l)), 75})
	}
	return out
}

// latency is the TTFT that nineteen of twenty requests of a level had at most.
func latency(l *bench.Level) string {
	return fmt.Sprintf("%5s ms", figure(&l.Stats[bench.TTFT], bench.P95))
}

// sloWord is what becomes of the promises at a level.
func sloWord(l *bench.Level) string {
	switch kept, broken := analysis.Judged(l.Verdicts); {
	case broken:
		return "broken"
	case kept:
		return "kept"
	}
	return absent
}

// timeWords are how far the run is: its time, of how much where that is known, or its requests.
func timeWords(s *bench.Snapshot) string {
	of := func(at, whole time.Duration) string {
		text := clock(whole)
		return fmt.Sprintf("%*s/%s", len(text), clock(min(at, whole)), text)
	}
	at := Elapsed(s)
	switch f := s.Following; {
	case f != nil && f.Profile != nil:
		return of(f.At, f.Profile.Length())
	case s.Run.Duration > 0:
		return of(at, s.Run.Duration)
	case s.Run.Requests > 0:
		text := fmt.Sprint(s.Run.Requests)
		return fmt.Sprintf("%*d/%s", len(text), min(ended(s), s.Run.Requests), text)
	}
	return clock(at)
}

// clock is a time as 0:25, 12:07, 1:00:00.
func clock(d time.Duration) string {
	n := int(d / time.Second)
	if n >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", n/3600, n/60%60, n%60)
	}
	return fmt.Sprintf("%d:%02d", n/60, n%60)
}
