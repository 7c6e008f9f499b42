package view

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/chart"
	"redline/ui/view/viewtest"
)

// history is a run and what an operator has done while it went on.
type history struct {
	scene   viewtest.Scene
	seconds int
	s       *bench.Snapshot
	j       *bench.Journal
	st      *State
	veil    bench.Veil
	past    []string
}

// go on by some seconds; other says that it is another run.
func (h *history) on(seconds int, other bool) {
	h.seconds += seconds
	s := viewtest.Make(h.scene, h.seconds)
	if h.s != nil && !other {
		s.Run = h.s.Run
	}
	h.s, h.j = s, viewtest.Journal(s)
}

// promises changes what the run promises: the snapshots have another Run from then on.
func (h *history) promises(r *rand.Rand) {
	run, s := *h.s.Run, *h.s
	run.Thresholds = slices.Clone(run.Thresholds)
	for i := range run.Thresholds {
		run.Thresholds[i].Limit *= []float64{0.5, 1, 2}[r.IntN(3)]
	}
	s.Run, h.s = &run, &s
}

// steps are what may come next.
var steps = []struct {
	name string
	take func(r *rand.Rand, h *history)
}{
	{"any size", func(r *rand.Rand, h *history) { h.st.W, h.st.H = 1+r.IntN(220), 1+r.IntN(70) }},
	{"a size", func(r *rand.Rand, h *history) {
		h.st.W, h.st.H = []int{120, 200, 80, 60, 40, 160}[r.IntN(6)], []int{36, 60, 24, 15, 8}[r.IntN(5)]
	}},
	{"view", func(r *rand.Rand, h *history) { h.st.View = action.View(r.IntN(int(action.NumViews))) }},
	{"live", func(_ *rand.Rand, h *history) { h.st.View = action.Live }},
	{"metric", func(r *rand.Rand, h *history) {
		h.st.Metric, h.st.Chosen = bench.Metric(r.IntN(int(bench.NumMetrics))), r.IntN(2) == 0
	}},
	{"window", func(r *rand.Rand, h *history) { h.st.Window = Windows[r.IntN(len(Windows))] }},
	{"growing", func(r *rand.Rand, h *history) { h.st.Growing = !h.st.Growing }},
	{"scope", func(r *rand.Rand, h *history) { h.st.Scope = Scope(r.IntN(int(numScopes))) }},
	{"percentile", func(r *rand.Rand, h *history) {
		h.st.Percentile = []bench.Percentile{bench.P50, bench.P95, bench.P99, bench.Max}[r.IntN(4)]
	}},
	{"log", func(r *rand.Rand, h *history) { v := r.IntN(int(action.NumViews)); h.st.Log[v] = !h.st.Log[v] }},
	{"cursor", func(r *rand.Rand, h *history) {
		h.st.Cursor = bench.Mark{At: time.Duration(r.IntN(300)) * time.Second, OK: r.IntN(2) == 0}
	}},
	{"across", func(r *rand.Rand, h *history) { h.st.Across = Across(r.IntN(int(numAcross))) }},
	{"cell", func(r *rand.Rand, h *history) {
		h.st.Cell = Cell{Column: r.IntN(300), Bucket: r.IntN(1000) * millionths, OK: r.IntN(2) == 0}
	}},
	{"filter", func(r *rand.Rand, h *history) {
		h.st.Filter[action.Requests] = []string{"", "ok", "slow", "status:error", "the", "429"}[r.IntN(6)]
		h.st.Filter[action.Log] = []string{"", "slo", "load"}[r.IntN(3)]
	}},
	{"sort", func(r *rand.Rand, h *history) { h.st.Sort, h.st.Reversed = Sort(r.IntN(int(numSorts))), r.IntN(2) == 0 }},
	{"look", func(r *rand.Rand, h *history) {
		h.st.Set = looks[[]string{"ansi", "ascii", "mono", "plain"}[r.IntN(4)]]
	}},
	{"graph", func(r *rand.Rand, h *history) { h.st.Graph = chart.Mode(r.IntN(3)) }},
	{"private", func(_ *rand.Rand, h *history) { h.st.Private = !h.st.Private }},
	{"expanded", func(_ *rand.Rand, h *history) { h.st.Expanded = !h.st.Expanded }},
	{"ghost", func(_ *rand.Rand, h *history) { h.st.NextGhost(h.s) }},
	{"reference", func(r *rand.Rand, h *history) {
		if h.st.Reference = nil; len(h.s.Levels) > 0 && r.IntN(2) == 0 {
			h.st.Reference = h.s.Levels[r.IntN(len(h.s.Levels))]
		}
	}},
	{"row", func(r *rand.Rand, h *history) { h.st.Row[h.st.View] = r.IntN(12) }},
	{"promise", func(r *rand.Rand, h *history) { h.promises(r) }},
	{"another run", func(r *rand.Rand, h *history) {
		h.scene, h.seconds, h.st.Reference, h.st.Ghost = scenesOfHistories[r.IntN(len(scenesOfHistories))], 0, nil, nil
		h.on(0, true)
	}},
	{"a second put right", func(r *rand.Rand, h *history) {
		if n := len(h.s.Buckets); n > 1 {
			h.s = amended(h.s, 1+r.IntN(min(n, 30)), func(b *bench.Bucket) { b.DecodeFix -= b.DecodeTokens / 2 })
		}
	}},
	{"seconds", func(r *rand.Rand, h *history) { h.on(1+r.IntN(3), false) }},
	{"seconds", func(r *rand.Rand, h *history) { h.on(1+r.IntN(3), false) }},
	{"seconds", func(r *rand.Rand, h *history) { h.on(1+r.IntN(3), false) }},
}

var scenesOfHistories = []viewtest.Scene{viewtest.Running, viewtest.Knee, viewtest.Open, viewtest.Works, viewtest.Profiled, viewtest.Unsent, viewtest.Paused, viewtest.Done, viewtest.Breach}

// rows are those of a screen for what there is now.
func (h *history) rows(v *Screen) []string {
	s, j := h.s, h.j
	if h.st.Private {
		s, j = h.veil.Snapshot(s), h.veil.Journal(j)
	}
	h.st.Journal, h.st.Live = j, s
	return slices.Clone(v.Rows(s, h.st))
}

// TestAScreenThatHasSeenMuchDrawsWhatAFreshOneDoes: nothing of what a Screen keeps shows, but for its scales, which owe nothing to what was before here.
func TestAScreenThatHasSeenMuchDrawsWhatAFreshOneDoes(t *testing.T) {
	if raced {
		t.Skip("it draws for long, in one goroutine")
	}
	histories, long := 12, 60
	if testing.Short() {
		histories = 3
	}
	for seed := range histories {
		r := rand.New(rand.NewPCG(uint64(seed), 99))
		h := &history{scene: scenesOfHistories[r.IntN(len(scenesOfHistories))], st: state("ansi", 200, 60)}
		h.on(0, true)
		v := &Screen{forgetful: true}
		for range long {
			step := steps[r.IntN(len(steps))]
			step.take(r, h)
			h.past = append(h.past, step.name)
			got, again, want := h.rows(v), h.rows(v), h.rows(&Screen{forgetful: true})
			if slices.Equal(got, want) && slices.Equal(got, again) {
				continue
			}
			t.Errorf("history %d, %v of %s at %d×%d after %s:\n%s", seed, h.st.View, h.scene, h.st.W, h.st.H, strings.Join(h.past[max(len(h.past)-6, 0):], ", "), unlike(got, again, want))
			// One fault is not told again and again.
			v = &Screen{forgetful: true}
			h.rows(v)
		}
	}
}

// unlike are the first rows of which one screen draws another than a fresh one.
func unlike(got, again, want []string) string {
	var out strings.Builder
	n := 0
	at := func(rows []string, y int) string {
		if y < len(rows) {
			return rows[y]
		}
		return "no row"
	}
	for y := range max(len(got), len(again), len(want)) {
		a, b, c := at(got, y), at(again, y), at(want, y)
		if a == b && b == c {
			continue
		}
		if n++; n < 4 {
			fmt.Fprintf(&out, "row %d:\n%s\ndrawn again:\n%s\nwant\n%s\n", y, ansi.Strip(a), ansi.Strip(b), ansi.Strip(c))
		}
	}
	fmt.Fprintf(&out, "%d rows differ", n)
	return out.String()
}
