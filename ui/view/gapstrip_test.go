package view

import (
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

// stripped is the text of an answer's gap strip and of the words below it.
func stripped(e *bench.Ended, w int) (strip, words string) {
	s, st := viewtest.Make(viewtest.Running, 0), state("plain", w, 36)
	st.View, st.Journal = action.Requests, &bench.Journal{Ended: []*bench.Ended{e}}
	text := func(parts []part) string {
		out := ""
		for _, p := range parts {
			out += p.text
		}
		return out
	}
	lines := NewScreen().frame(s, st).gapStrip(e, false)
	if len(lines) == 0 {
		return "", ""
	}
	if strip = text(lines[0]); len(lines) > 1 {
		words = text(lines[1])
	}
	return strings.TrimSpace(strings.TrimPrefix(strip, " gaps")), strings.TrimSpace(words)
}

// answer is one of so many gaps of 20 ms, but for some.
func answer(n int, but map[int]time.Duration) *bench.Ended {
	e := &bench.Ended{Request: bench.Request{ID: 1}, Counts: bench.Counts{Source: bench.FromUsage, Output: n + 1, Events: n + 1, Chunks: n + 1, FirstEvents: 1}}
	for i := range n {
		d := 20 * time.Millisecond
		if other, ok := but[i]; ok {
			d = other
		}
		e.Gaps.Add(d, 1)
		if e.MaxGap = max(e.MaxGap, d); d > time.Second {
			e.Stalls++
		}
	}
	return e
}

func TestAStripPlacesTheLongestGap(t *testing.T) {
	// The gap number 60 (from 0) lies between the tokens 61 and 62.
	strip, words := stripped(answer(200, map[int]time.Duration{60: 80 * time.Millisecond}), 120)
	if at := strings.IndexRune(strip, '█') / len("█"); at != 30 || len([]rune(strip)) != 100 {
		t.Errorf("the longest is in cell %d of %q", at, strip)
	}
	if want := "p50 20.0 ms  p95 20.0 ms  max 80.0 ms before token 62"; words != want {
		t.Errorf("%q, want %q", words, want)
	}
}

func TestAStallRisesAboveTheScale(t *testing.T) {
	strip, words := stripped(answer(50, map[int]time.Duration{10: 3 * time.Second, 20: 40 * time.Millisecond}), 120)
	cells := []rune(strip)
	if len(cells) != 50 || cells[10] != '▲' || cells[20] != '█' || cells[0] != '▄' {
		t.Errorf("%q", strip)
	}
	if !strings.Contains(words, "max 3 000 ms before token 12") || !strings.Contains(words, "▲ 1 stall over 1 000 ms") {
		t.Errorf("%q", words)
	}
}

func TestTokensOfAChunkAreCounted(t *testing.T) {
	e := answer(30, map[int]time.Duration{9: time.Second})
	e.Counts.Output = 2 * e.Counts.Events
	// Ten chunks of two tokens came before the gap.
	if at := longestGap(e); at != 21 {
		t.Errorf("the longest gap is before token %d, want 21", at)
	}
}

func TestABurstHasNoStrip(t *testing.T) {
	e := answer(30, nil)
	e.Burst = true
	if strip, _ := stripped(e, 120); !strings.Contains(strip, "one burst: 31 tokens came together") {
		t.Errorf("%q", strip)
	}
	if strip, _ := stripped(&bench.Ended{}, 120); strip != "" {
		t.Errorf("an answer without gaps: %q", strip)
	}
}

// TestAThinnedListGivesTheGapsOfSingleChunks, not sums of several.
func TestAThinnedListGivesTheGapsOfSingleChunks(t *testing.T) {
	_, words := stripped(answer(6000, nil), 120)
	if !strings.HasPrefix(words, "p50 20.0 ms  p95 20.0 ms") || !strings.Contains(words, "means of neighbours") {
		t.Errorf("%q", words)
	}
}
