package report

import (
	"strings"
	"testing"

	"redline/bench"
)

// cardsOf are the cards of a run, by their names.
func cardsOf(s *bench.Snapshot) map[string]string {
	var out pageRun
	out.cards(s)
	names := map[string]string{}
	for _, c := range out.Cards {
		names[c.Name] = c.Value
	}
	return names
}

// TestCardsSayWhatTheyAreOf: a goodput since the promises were changed, and a load that held on one side of a note.
func TestCardsSayWhatTheyAreOf(t *testing.T) {
	s := keeping()
	s.Total.Goodput = bench.Some(100)
	if c := cardsOf(s); c["goodput"] != "100.0%" || c["greatest load that kept every promise"] == "" {
		t.Errorf("%q", c)
	}
	s.Total.Ungraded = 7
	s.Levels[1].Note, s.Levels[1].Cause = "fp8", bench.CauseNote
	goodput, load := false, false
	for name := range cardsOf(s) {
		goodput = goodput || strings.HasPrefix(name, "goodput of ") && strings.Contains(name, "since the promises were changed last (7 ended before")
		load = load || name == "greatest load that kept every promise, since \"fp8\""
	}
	if !goodput || !load {
		t.Errorf("%q", cardsOf(s))
	}
}
