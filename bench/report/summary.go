package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"redline/bench"
)

// boundless is the width where nothing ends a line: in a file, or for another program.
const boundless = math.MaxInt32

// summarize writes what a run amounts to, for the scrollback: a row for each level, the run as a whole, and what became of the promises. Tables
// are no wider than width; 0 is no bound.
func summarize(w io.Writer, s *bench.Snapshot, end Options, width int) error {
	if width <= 0 {
		width = boundless
	}
	s = Begun(s)
	if s.Rivals != nil {
		return summarizeRivals(w, s, end, width)
	}
	var b strings.Builder
	r := s.Run
	fmt.Fprintf(&b, "\nredline %s: %s at %s, %s", r.Version, Printable(r.Model), Printable(r.Host), span(s.At))
	if end.Why != "" {
		fmt.Fprintf(&b, ", %s", bench.Clause(Printable(end.Why)))
	}
	b.WriteString("\n")
	if s.Total.Tally.Sent == 0 {
		b.WriteString(noneSent(s) + "\n")
	} else {
		b.WriteString("\n")
		writeLevels(&b, s, width)
		b.WriteString("\n")
		writeTotals(&b, s, end, width)
	}
	writeNotes(&b, s, width)
	writeOrigin(&b, end.Origin, width)
	for _, line := range append(curveLines(s), whyLines(s)...) {
		b.WriteString(wrapped(line, width))
	}
	if len(promised(s.Run.Thresholds)) > 0 && s.Total.Tally.Sent > 0 {
		for _, line := range verdictLines(s) {
			b.WriteString(wrapped(line, width))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// noneSent says that nothing was measured, or nothing since the last clear.
func noneSent(s *bench.Snapshot) string {
	if s.Cleared.OK {
		return "no request was sent since " + clearedWords(s)
	}
	return "no request was sent"
}

// clearedWords are from when on the run is measured, and what that leaves out.
func clearedWords(s *bench.Snapshot) string {
	t := s.Forgotten
	return fmt.Sprintf("%s, when all before was forgotten: %d ok, %d failed, %d limited (429) and %d cancelled are in no number but tokens and cost",
		stamp(s.Cleared.At), t.OK, t.Failed, t.Limited, t.Cancelled)
}

// writeTotals is the run as a whole: requests, failures by class, tokens, cost, the wire.
func writeTotals(b *strings.Builder, s *bench.Snapshot, end Options, width int) {
	if s.Cleared.OK {
		entry(b, "measured", "since "+clearedWords(s), width)
	}
	entry(b, "requests", requestWords(s, end), width)
	writeFailures(b, s, end, width)
	if n := s.Run.Warmup; n > 0 {
		entry(b, "warm-up", fmt.Sprintf("%d of %d requests before the measuring, in no level, rate or share", s.Warmed, n), width)
	}
	writeArrivals(b, s, width)
	if f := s.Following; f != nil && f.Profile != nil {
		entry(b, "profile", profileWords(f), width)
	}
	writeRamp(b, s, end, width)
	writeCruise(b, s, end, width)
	if text := tailWords(s.Tail); text != "" {
		entry(b, "drain", text, width)
	}
	entry(b, "tokens", tokenWords(s), width)
	if v := s.Total.Chars; v.OK && v.V > 0 {
		entry(b, "text", short(v.V)+" characters a second, all streams together", width)
	}
	if s.Spend.Cost.OK {
		fmt.Fprintf(b, "cost      %s", money(s.Spend.Cost.V))
		if ok := s.Total.Tally.OK + s.Forgotten.OK; ok > 0 {
			fmt.Fprintf(b, ", %s for each request that ended well", money(s.Spend.Cost.V/float64(ok)))
			if s.Forgotten.OK > 0 {
				fmt.Fprintf(b, " (%d, those before %s too)", ok, stamp(s.Cleared.At))
			}
		}
		b.WriteString("\n")
	}
	if text := goodputWords(s); text != "" {
		entry(b, "goodput", text, width)
	}
	if s.Run.Scenario != "" {
		entry(b, "scenario", aimWords(s, end.Aim), width)
	}
	writeWire(b, s, width)
	writeServer(b, s, width)
}

// requestWords are the requests by what became of them, and which of them are in no share.
func requestWords(s *bench.Snapshot, end Options) string {
	t := s.Total.Tally
	text := fmt.Sprintf("%d sent: %d ok, %d failed, %d limited (429), %d cancelled", t.Sent, t.OK, t.Failed, t.Limited, t.Cancelled)
	if left := unfinished(t); left > 0 {
		text += fmt.Sprintf(", %d unfinished", left)
	}
	if end.Cut {
		text += "; what was in flight was cancelled"
	}
	var apart []string
	if n := t.Apart.Failed; n > 0 {
		apart = append(apart, fmt.Sprintf("%d of the failed", n))
	}
	if n := t.Apart.OK; n > 0 {
		apart = append(apart, fmt.Sprintf("%d of the ok", n))
	}
	if len(apart) > 0 {
		text += "; " + strings.Join(apart, " and ") + " " + apartWords(s) + ", and are in no share"
	}
	return text
}

// apartWords are why requests belong to no level. An outage is told where there was one, or where nothing else explains them.
func apartWords(s *bench.Snapshot) string {
	down := s.Outages.N > 0
	const outage = "were sent while the target was down or warming up"
	switch {
	case s.Run.Warmup == 0:
		return outage
	case down:
		return "were of the warm-up, or " + outage
	}
	return "were of the warm-up"
}

// tokenWords are all tokens, those of the requests before the run too, and where their counts come from. An answer that was cut has no usage: of it
// counts what came.
func tokenWords(s *bench.Snapshot) string {
	t := s.Total.Tally
	if s.Spend.In+s.Spend.Out == 0 {
		return "none"
	}
	text := fmt.Sprintf("%s in, %s out with those of the preflight", grouped(s.Spend.In), grouped(s.Spend.Out))
	switch {
	case t.OK+s.Forgotten.OK == 0:
		text += ", counted as they came: no answer was whole"
	case s.Source == bench.FromEvents:
		text += "; answers counted from events (an estimate: one token each)"
	default:
		text += ", counted from " + s.Source.String()
		if t.Cancelled > 0 {
			text += fmt.Sprintf(", of the %d cancelled as they came", t.Cancelled)
		}
	}
	if s.Total.Wasted > 0 {
		text += fmt.Sprintf("; %s of them for requests that failed", grouped(s.Total.Wasted))
	}
	if s.Total.Cached > 0 {
		text += fmt.Sprintf("; without the preflight, %s from the server's prefix cache", grouped(s.Total.Cached))
	}
	return text
}

// promised are the thresholds that are promises.
func promised(all []bench.Threshold) []bench.Threshold {
	return slices.DeleteFunc(slices.Clone(all), bench.Threshold.Quota)
}

// ThresholdList are promises as they are written, with commas between them.
func ThresholdList(ts []bench.Threshold) string {
	var words []string
	for _, t := range ts {
		words = append(words, t.String())
	}
	return strings.Join(words, ", ")
}

// writeNotes is what the operator wrote, what preflight found, and what is needed to repeat the run.
func writeNotes(b *strings.Builder, s *bench.Snapshot, width int) {
	begun := 0
	for _, e := range s.Events {
		switch e.Kind {
		case bench.EventNote, bench.EventWarn, bench.EventBudget, bench.EventDrained, bench.EventDown, bench.EventUp, bench.EventGap:
			entry(b, stamp(e.At), sentence(e), width)
		case bench.EventProfile:
			// That there was one, and how far it came, has been said.
			if e.N == bench.ProfileBegins {
				begun++
			}
			if e.N == bench.ProfileHeld || e.N == bench.ProfileGoesOn || e.N == bench.ProfileBegins && begun > 1 {
				entry(b, stamp(e.At), sentence(e), width)
			}
		}
	}
	for _, n := range s.Run.Notes {
		entry(b, "note", Printable(n), width)
	}
	writeStrain(b, s, width)
	writeWorks(b, s, width)
}
