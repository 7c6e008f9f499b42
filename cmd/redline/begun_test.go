package main

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
	if text := markdown(&s, ending{}, savedAt); !strings.Contains(text, "# Target B") {
		t.Errorf("Markdown:\n%s", text)
	}
	if out := reportOf(&s, false, savedAt); len(out.Rivals) != 2 || out.Rivals[0].Rank == nil || out.Rivals[1].Rank != nil {
		t.Errorf("saved: %+v", out.Rivals)
	}
	if text := (&plain{}).step(&s); !strings.Contains(text, " gpu-8:8000 ") {
		t.Errorf("lines:\n%s", text)
	}
	if unranked(&rivals) {
		t.Error("the other has no rank either")
	}
	if out := cleaned(&s, func(text string) string { return text }); out.Rivals.Of[1].Run == nil || s.Rivals.Of[1].Run != nil {
		t.Error("the original is not as it was")
	}
}

func TestEverythingIsToldOfAnyRun(t *testing.T) {
	for seed := range uint64(300) {
		s := viewtest.Random(seed)
		if err := summarize(io.Discard, s, ending{}, 80); err != nil {
			t.Fatal(err)
		}
		(&plain{}).step(s)
		cleaned(s, func(text string) string { return text })
	}
}
