package report

import (
	"fmt"
	"strings"

	"redline/bench"
)

// goodputWords are the share of requests that kept every promise, and which promises they were held to: what was not measured cannot be broken, and must
// not look kept.
func goodputWords(s *bench.Snapshot) string {
	promises := promised(s.Run.Thresholds)
	if !s.Total.Goodput.OK || len(promises) == 0 {
		return ""
	}
	var measured, not, pace []bench.Threshold
	for _, t := range promises {
		switch {
		case t.Metric != bench.Errors && s.Total.Stats[t.Metric].N == 0:
			not = append(not, t)
			continue
		case paced(t.Metric):
			pace = append(pace, t)
		}
		measured = append(measured, t)
	}
	text := fmt.Sprintf("%s %s kept every promise (%s)", share(s.Total.Goodput), goodputOf(s), ThresholdList(measured))
	if len(not) > 0 {
		text = fmt.Sprintf("%s %s kept what was measured (%s); not measured: %s", share(s.Total.Goodput), goodputOf(s), ThresholdList(measured), ThresholdList(not))
	}
	if bursts := s.Total.Bursts; bursts.OK && bursts.V > 0 && len(pace) > 0 {
		text += fmt.Sprintf("; the %s that came in one burst are not held to %s", share(percentOf(bursts)), ThresholdList(pace))
	}
	return text
}

// paced tells whether a metric is about the pace of a stream, which one that comes in one burst does not have.
func paced(m bench.Metric) bool { return m == bench.ITL || m == bench.TPOT || m == bench.TPS }

// goodputOf says of how many requests the goodput is a share, and which are left out of it: a share of the few that were answered must not look like one
// of all that were sent.
func goodputOf(s *bench.Snapshot) string {
	t := s.Total.Tally
	missed := t.Missed()
	text, notes := fmt.Sprintf("of %d that were answered", t.Owed()), []string(nil)
	switch {
	case s.Total.Ungraded > 0:
		text, notes = fmt.Sprintf("of %d since the promises were changed last", t.Owed()-s.Total.Ungraded), []string{fmt.Sprintf("%d ended before", s.Total.Ungraded)}
	case missed.All() > 0:
		text, notes = fmt.Sprintf("of %d", t.Owed()), []string{fmt.Sprintf("%d ok, %v", t.OK-t.Apart.OK, missed)}
	}
	cut := min(s.Tail.Cut, t.Cancelled)
	for _, left := range []struct {
		n    int
		what string
	}{{cut, "cut at the end"}, {t.Cancelled - cut, "cancelled"}, {t.Limited, "limited"}} {
		switch {
		case left.n == 1:
			notes = append(notes, "1 was "+left.what)
		case left.n > 1:
			notes = append(notes, fmt.Sprintf("%d were %s", left.n, left.what))
		}
	}
	if len(notes) > 0 {
		text += " (" + strings.Join(notes, "; ") + ")"
	}
	return text
}
