package report

import (
	"io"
	"strings"
	"testing"

	"redline/bench"
	"redline/ui/view/viewtest"
)

func TestTargetWhoseRunHasNotBegunIsToldAsOneThatSentNothing(t *testing.T) {
	s := *viewtest.Make(viewtest.Pair, 0)
	rivals := *s.Rivals
	rivals.Of = []*bench.Snapshot{s.Rivals.Of[0], viewtest.Make(viewtest.Empty, 0)}
	s.Rivals = &rivals
	if rivals.Of[1].Run != nil {
		t.Fatal("the run has begun")
	}
	if text := summaryOf(t, &s, 0); !strings.Contains(text, "== target B (gpu-8:8000) ==") || !strings.Contains(text, "nothing was measured") {
		t.Errorf("summary:\n%s", text)
	}
	if text := markdown(&s, Options{Saved: savedAt}); !strings.Contains(text, "# Target B") {
		t.Errorf("Markdown:\n%s", text)
	}
	if out := reportOf(&s, Options{Saved: savedAt}); len(out.Rivals) != 2 || out.Rivals[0].Rank == nil || out.Rivals[1].Rank != nil {
		t.Errorf("saved: %+v", out.Rivals)
	}
	if text := (&Lines{}).Step(&s); !strings.Contains(text, " gpu-8:8000 ") {
		t.Errorf("lines:\n%s", text)
	}
	if Unranked(&rivals) {
		t.Error("the other has no rank either")
	}
	if out := Cleaned(&s, func(text string) string { return text }); out.Rivals.Of[1].Run == nil || s.Rivals.Of[1].Run != nil {
		t.Error("the original is not as it was")
	}
}

func TestEverythingIsToldOfAnyRun(t *testing.T) {
	for seed := range uint64(300) {
		s := viewtest.Random(seed)
		if err := summarize(io.Discard, s, Options{}, 80); err != nil {
			t.Fatal(err)
		}
		(&Lines{}).Step(s)
		Cleaned(s, func(text string) string { return text })
	}
}
