package view

import (
	"math"
	"slices"
	"time"

	"redline/bench"
	"redline/ui/style"
)

// gap is one chunk gap of an answer, or the mean of several where its list was thinned; token is the number of the first token that came after it,
// from 1.
type gap struct {
	d     time.Duration
	token int
}

// gapsOf are the chunk gaps of an answer in their order.
func gapsOf(e *bench.Ended) []gap {
	per := e.Counts.PerEvent()
	entries := e.Gaps.All()
	if e.Gaps.Tokens() {
		entries, per = e.Gaps.AllTokens(), 1
	}
	n := 0
	for range entries {
		n++
	}
	// Of a list that was thinned each entry stands for so many chunks.
	thin := 1
	if e.Gaps.Thinned() && n > 0 {
		thin = max(int(math.Round(float64(e.Counts.Chunks-1)/float64(n))), 1)
	}
	out := make([]gap, 0, n)
	came := float64(max(e.Counts.FirstEvents, 1)) * e.Counts.PerEvent()
	for d, events := range entries {
		out = append(out, gap{d / time.Duration(thin), int(min(came, math.MaxInt32)) + 1})
		came += float64(events) * per
	}
	return out
}

// longestGap is the number of the token before which the longest gap lies; 0 if there is none.
func longestGap(e *bench.Ended) int {
	longest := gap{}
	for _, g := range gapsOf(e) {
		if g.d > longest.d {
			longest = g
		}
	}
	return longest.token
}

// gapStrip draws the gaps along the answer, the longest in each cell, with their percentiles behind. A stall rises above the scale.
func (f *frame) gapStrip(e *bench.Ended, whole bool) [][]part {
	if e.Burst {
		n := count(e.Counts.Output)
		return f.flow("gaps", [][]part{{{style.Warn, "! one burst: " + n + " tokens came together"}}, {{style.Dim, "their gaps say nothing of the model"}}}, whole)
	}
	gaps := gapsOf(e)
	if len(gaps) == 0 {
		return nil
	}
	sorted := make([]time.Duration, len(gaps))
	for i, g := range gaps {
		sorted[i] = g.d
	}
	slices.Sort(sorted)
	at := func(q float64) time.Duration { return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)] }
	items := [][]part{}
	words := [][]part{item("p50", ms(at(0.5))), item("p95", ms(at(0.95))), append(item("max", ms(max(e.MaxGap, at(1)))), part{style.Dim, " before token " + count(longestGap(e))})}
	if e.Stalls > 0 {
		words = append(words, []part{{style.Bad, f.drawn().Clip}, {style.Dim, " "}, {style.FG, plural(e.Stalls, "stall")}, {style.Dim, " over " + ms(f.s.Run.Stall)}})
	}
	if e.Gaps.Thinned() {
		words = append(words, []part{{style.Dim, "means of neighbours"}})
	}
	room := f.W - f.labelCells() - 2
	if strip := f.strip(gaps, min(room, 100)); room >= 12 {
		items = append(items, strip)
	}
	out := f.flow("gaps", items, false)
	if len(items) == 0 {
		return f.flow("gaps", words, whole)
	}
	return append(out, f.flow("", words, whole)...)
}

// strip draws gaps in at most so many cells, each as high as the longest in it.
func (f *frame) strip(gaps []gap, cells int) []part {
	cells = min(cells, len(gaps))
	stall := f.s.Run.Stall
	top := time.Duration(0)
	for _, g := range gaps {
		if stall <= 0 || g.d <= stall {
			top = max(top, g.d)
		}
	}
	bars := f.drawn().Bars
	var out []part
	for i := range cells {
		most := time.Duration(0)
		for _, g := range gaps[i*len(gaps)/cells : max((i+1)*len(gaps)/cells, i*len(gaps)/cells+1)] {
			most = max(most, g.d)
		}
		glyph, look := f.drawn().Clip, style.Bad
		if stall <= 0 || most <= stall {
			level := 1
			if top > 0 {
				level = max(int(math.Ceil(float64(most)/float64(top)*float64(len(bars)-1))), 1)
			}
			glyph, look = bars[min(level, len(bars)-1)], style.LaneITL
		}
		if n := len(out); n > 0 && out[n-1].look == look {
			out[n-1].text += glyph
		} else {
			out = append(out, part{look, glyph})
		}
	}
	return out
}
