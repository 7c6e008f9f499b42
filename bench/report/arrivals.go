package report

import (
	"fmt"
	"slices"
	"strings"

	"redline/bench"
)

// opened tells whether a run sent anything at a rate.
func opened(s *bench.Snapshot) bool {
	for _, l := range s.Levels {
		if l.Load.Mode == bench.Open {
			return true
		}
	}
	return false
}

// writeArrivals is how requests came to be sent, where any came at a rate: how arrivals were spread, how many found no room, and how late the others
// were, with the latencies that a user would have seen who came at the instant that was planned.
func writeArrivals(b *strings.Builder, s *bench.Snapshot, width int) {
	if !opened(s) {
		return
	}
	t := &s.Total
	words := []string{fmt.Sprintf("open loop, %s, at most %d in flight", spreads(s.Run), s.Run.Max)}
	if text := offeredRate(t); text != absent {
		words = append(words, "offered "+text+"/s")
	}
	if n := t.Tally.Unsent; n > 0 {
		words = append(words, fmt.Sprintf("%s not sent for want of room (%s)", grouped(n), share(unsentShare(t.Tally))))
	}
	entry(b, "arrivals", strings.Join(words, ", "), width)
	if late := lateness(t); late != "" {
		entry(b, "", late, width)
	}
}

// offeredRate is what was offered a second, as far as its arrivals are enough to speak of a rate: chance moves the number of a few of them by half.
func offeredRate(s *bench.Summary) string {
	if !s.Offered.OK {
		return absent
	}
	return figure(&bench.Stat{Mean: s.Offered, Readiness: bench.ReadyBy(int(s.Offered.V*s.Span.Seconds() + 0.5))}, bench.Mean)
}

// doneRate is what ended well a second; it is the RPM in another unit, and rests on the same samples.
func doneRate(s *bench.Summary) string {
	return figure(&bench.Stat{Mean: s.RPS, Readiness: s.Stats[bench.RPM].Readiness}, bench.Mean)
}

// spreads are how the arrivals of the workloads are spread, each once.
func spreads(r *bench.Run) string {
	var out []string
	for i := range max(len(r.Works), 1) {
		if text := r.ArrivalsOf(i).String(); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return strings.Join(out, " and ")
}

// unsentShare is the share of arrivals that found no room, in percent.
func unsentShare(t bench.Tally) bench.Value {
	if t.Unsent+t.Sent == 0 {
		return bench.Value{}
	}
	return bench.Some(100 * float64(t.Unsent) / float64(t.Unsent+t.Sent))
}

// lateness is how late requests were handed over, and what that adds to their latencies; empty where it was not measured.
func lateness(t *bench.Summary) string {
	var words []string
	if figure(&t.Lag, bench.P99) != absent {
		words = append(words, fmt.Sprintf("sent %s ms late (p99 %s)", figure(&t.Lag, bench.P50), figure(&t.Lag, bench.P99)))
	}
	for _, of := range []struct {
		name          string
		due, measured *bench.Stat
	}{{"TTFT", &t.DueTTFT, &t.Stats[bench.TTFT]}, {"E2E", &t.DueE2E, &t.Stats[bench.E2E]}} {
		if due := figure(of.due, bench.P95); due != absent {
			words = append(words, fmt.Sprintf("%s p95 from schedule %s ms, from sending %s", of.name, due, figure(of.measured, bench.P95)))
		}
	}
	return strings.Join(words, "; ")
}

// arrivalColumns are those of the open loop; they are empty, and so are not shown, where every load was in flight.
func arrivalColumns(add func(group, name string, weight int, cell func(row) string)) {
	open := func(cell func(row) string) func(row) string {
		return func(r row) string {
			if !r.open() {
				return ""
			}
			return cell(r)
		}
	}
	add("", "offered/s", 78, open(func(r row) string { return offeredRate(r.Summary) }))
	add("", "done/s", 77, open(func(r row) string { return doneRate(r.Summary) }))
	add("", "unsent", 87, open(func(r row) string { return fmt.Sprint(r.Tally.Unsent) }))
	add("TTFT due ms", "p95", 84, open(func(r row) string { return figure(&r.DueTTFT, bench.P95) }))
	add("late ms", "p99", 28, open(func(r row) string { return figure(&r.Lag, bench.P99) }))
}

// profileWords are the profile that was followed, and how far it got.
func profileWords(f *bench.Following) string {
	text := Printable(f.Profile.Text) + ", " + span(f.At) + " of " + span(f.Profile.Length())
	switch {
	case f.Over:
		return Printable(f.Profile.Text) + ", to its end after " + span(f.Profile.Length())
	case f.Held:
		text += ", then by hand"
	}
	return text
}
