package view

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/chart"
	"redline/ui/view/viewtest"
)

func init() {
	journaled := func(m bench.Metric, a Across) func(s *bench.Snapshot, st *State) {
		return func(s *bench.Snapshot, st *State) { st.Metric, st.Across, st.Journal = m, a, viewtest.Journal(s) }
	}
	turned := func(v *Screen, s *bench.Snapshot, st *State) {
		for range 6 {
			v.Turn(st, -1)
		}
		v.moveHeat(s, st, Down)
	}
	pageScenes = append(pageScenes,
		pageScene{name: "heat", scene: viewtest.Running, view: action.Heat},
		pageScene{name: "heat-cell", scene: viewtest.Breach, view: action.Heat, act: turned},
		pageScene{name: "heat-linear", scene: viewtest.Breach, view: action.Heat, set: func(s *bench.Snapshot, st *State) { st.Log[action.Heat], st.Scope = false, Window }},
		pageScene{name: "heat-itl", scene: viewtest.Breach, view: action.Heat, set: func(s *bench.Snapshot, st *State) { st.Metric, st.Scope = bench.ITL, Run }},
		pageScene{name: "heat-tps", scene: viewtest.Breach, view: action.Heat, set: journaled(bench.TPS, OverTime)},
		pageScene{name: "heat-plan", scene: viewtest.Profiled, view: action.Heat, set: journaled(bench.E2E, OverTime)},
		pageScene{name: "heat-prompt", scene: viewtest.Works, view: action.Heat, set: journaled(bench.TTFT, OverPrompt)},
		pageScene{name: "heat-prompt-cell", scene: viewtest.Works, view: action.Heat, set: journaled(bench.E2E, OverPrompt), act: turned},
		pageScene{name: "heat-position", scene: viewtest.Running, view: action.Heat, set: journaled(bench.ITL, OverPosition)},
		pageScene{name: "heat-position-cell", scene: viewtest.Running, view: action.Heat, set: journaled(bench.ITL, OverPosition), act: turned},
		pageScene{name: "heat-empty", scene: viewtest.Ready, view: action.Heat},
		pageScene{name: "heat-position-empty", scene: viewtest.Running, view: action.Heat, set: func(s *bench.Snapshot, st *State) { st.Metric, st.Across = bench.ITL, OverPosition }},
	)
}

// known is a run of which every request is known: a snapshot whose seconds are counted from them, and the journal that has them.
func known(n int) (*bench.Snapshot, *bench.Journal) {
	r := rand.New(rand.NewPCG(71, 72))
	s := viewtest.Make(viewtest.Running, 0)
	j := &bench.Journal{At: s.At}
	kept := map[bench.Metric][]*bench.Histogram{}
	for _, m := range Ring(action.Heat) {
		for range s.Buckets {
			kept[m] = append(kept[m], bench.NewHistogram())
		}
	}
	book := func(m bench.Metric, at time.Duration, v float64, n int) {
		if i := int(at / time.Second); i < len(s.Buckets) {
			kept[m][i].Add(v, n)
		}
	}
	for i := range n {
		e := answered()
		e.ID = uint64(i + 1)
		begin := time.Duration(r.Int64N(int64(s.Folded - 8*time.Second)))
		first := begin + time.Duration((200+400*r.Float64())*float64(time.Millisecond))
		e.Prompt.InputTokens, e.Counts.Input = 200+r.IntN(2000), 0
		e.Marks.Started, e.Marks.FirstChunk, e.Marks.FirstToken = bench.MarkAt(begin), bench.MarkAt(first), bench.MarkAt(first)
		e.Gaps = bench.GapList{}
		at, long := first, 20+r.IntN(100)
		for range long {
			gap := time.Duration(15000+r.IntN(20000)) * time.Microsecond
			e.Gaps.Add(gap, 1)
			at += gap
		}
		e.Counts.Events, e.Counts.Output, e.Counts.Chunks = long+1, long+1, long+1
		e.Marks.LastToken, e.Marks.Ended = bench.MarkAt(at), bench.MarkAt(at)
		eachToken(e, func(x tokens) bool { book(bench.ITL, x.at, x.ms, x.n); return true })
		for _, m := range []bench.Metric{bench.TTFT, bench.TPS, bench.E2E} {
			if v, at, ok := sampleOf(e, m); ok {
				book(m, at, v, 1)
			}
		}
		j.Ended = append(j.Ended, e)
	}
	// Scenes share their seconds.
	s.Buckets = slices.Clone(s.Buckets)
	for i, shared := range s.Buckets {
		b := *shared
		s.Buckets[i] = &b
		b.TTFT, b.ITL, b.TPS, b.E2E = kept[bench.TTFT][i].Sketch(), kept[bench.ITL][i].Sketch(), kept[bench.TPS][i].Sketch(), kept[bench.E2E][i].Sketch()
	}
	s.Levels = slices.Clone(s.Levels)
	for i, shared := range s.Levels {
		l := *shared
		s.Levels[i], l.Sample = &l, nil
	}
	return s, j
}

// TestACellCountsTheRequestsThatItOpens: whatever is across, as many requests are listed as the cell has, and of tokens at least one where it has any.
func TestACellCountsTheRequestsThatItOpens(t *testing.T) {
	s, j := known(150)
	for _, c := range []struct {
		m bench.Metric
		a Across
	}{{bench.TTFT, OverTime}, {bench.TPS, OverTime}, {bench.E2E, OverTime}, {bench.ITL, OverTime}, {bench.TTFT, OverPrompt}, {bench.E2E, OverPrompt}, {bench.ITL, OverPosition}} {
		for _, log := range []bool{true, false} {
			st := state("plain", 120, 36)
			st.View, st.Metric, st.Across, st.Journal, st.Scope = action.Heat, c.m, c.a, j, Run
			st.Log[action.Heat], st.Window = log, 5*time.Minute
			v := NewScreen()
			v.Rows(s, st)
			cells, all := 0, uint64(0)
			for column := range v.heat.columns {
				for up := range v.heat.columns[column].Counts {
					n := v.heat.inCell(column, up)
					all += n
					v.heat.choose(st, column, up)
					if gc, gu, ok := v.heat.chosen(st); !ok || gc != column || gu != up {
						t.Fatalf("%v across %d: cell %d, %d is chosen as %d, %d", c.m, c.a, column, up, gc, gu)
					}
					if v.OpenCell(s, st) != (n > 0) {
						t.Fatalf("%v across %d: a cell of %d opens wrongly", c.m, c.a, n)
					}
					if n == 0 {
						continue
					}
					if cells++; c.m == bench.ITL && cells%7 != 0 {
						continue
					}
					listed := uint64(0)
					for _, e := range j.Ended {
						if st.within(e) {
							listed++
						}
					}
					if c.m == bench.ITL && (listed == 0 || listed > n) || c.m != bench.ITL && listed != n {
						t.Fatalf("%v across %d, %+v: %d listed of %d", c.m, c.a, st.Within, listed, n)
					}
				}
			}
			if cells < 20 || all != v.heat.all.N {
				t.Errorf("%v across %d: %d cells with %d samples of %d", c.m, c.a, cells, all, v.heat.all.N)
			}
		}
	}
}

// TestTokensThatComeAndGoAreCountedAsAnew: places in answers are counted on, and come to the same as counting all of them.
func TestTokensThatComeAndGoAreCountedAsAnew(t *testing.T) {
	s, j := known(200)
	st := state("plain", 120, 36)
	st.View, st.Metric, st.Across = action.Heat, bench.ITL, OverPosition
	st.Log[action.Heat] = true
	v := NewScreen()
	for i := range 10 {
		part := *j
		part.Ended, part.Gone = j.Ended[i*7:100+i*11], i*7
		st.Journal = &part
		got := strings.Join(v.Rows(s, st), "\n")
		fresh := NewScreen()
		fresh.heat.scales, fresh.heat.peaks = v.heat.scales, v.heat.peaks
		fresh.Rows(s, st)
		if !slices.EqualFunc(v.heat.columns, fresh.heat.columns, func(a, b chart.HeatColumn) bool { return a.N == b.N && slices.Equal(a.Counts, b.Counts) }) && slices.Equal(v.heat.edges, fresh.heat.edges) {
			t.Fatalf("step %d differs:\n%s", i, got)
		}
		if v.heat.all.N != fresh.heat.all.N {
			t.Fatalf("step %d: %d samples, anew %d", i, v.heat.all.N, fresh.heat.all.N)
		}
	}
}

func TestTheChosenCellStaysWithItsInstant(t *testing.T) {
	a, b := viewtest.Make(viewtest.Running, 0), viewtest.Make(viewtest.Running, 20)
	b.Run = a.Run
	st := state("plain", 120, 36)
	st.View = action.Heat
	st.Log[action.Heat] = true
	v := NewScreen()
	v.Rows(a, st)
	for range 5 {
		v.Turn(st, -1)
	}
	v.moveHeat(a, st, Up)
	before, cell := st.Cursor, st.Cell
	was, _, _ := v.heat.chosen(st)
	v.Rows(b, st)
	if now, _, ok := v.heat.chosen(st); !ok || now >= was || st.Cursor != before || st.Cell != cell || v.heat.span.at(before.At) != now {
		t.Errorf("column %d became %d, %v", was, now, ok)
	}
	for range 200 {
		v.Turn(st, +1)
		if !st.Cursor.OK {
			break
		}
	}
	if st.Cursor.OK || st.Cell.OK {
		t.Error("beyond now the cursor is still there")
	}
	v.Turn(st, -1)
	if st.Cursor = bench.MarkAt(time.Second); !st.Cell.OK {
		t.Error("no cell to begin with")
	}
	rows := strings.Join(v.Rows(b, st), "\n")
	if v.Turn(st, +1); !strings.Contains(rows, "left the window") {
		t.Errorf("nothing says that the instant is out of sight:\n%s", rows)
	}
	if column, _, ok := v.heat.chosen(st); !ok || column != 0 {
		t.Errorf("back in column %d, %v", column, ok)
	}
}

func TestAnUnchangedHeatIsTheSameFrame(t *testing.T) {
	for _, c := range heats {
		s, st := dressed(viewtest.Running, "ansi", 120, 36)
		st.View, st.Log, st.Metric, st.Across, st.Journal = action.Heat, Logarithmic, c.metric, c.across, viewtest.Journal(s)
		v := NewScreen()
		first := strings.Join(v.Rows(s, st), "\n")
		columns := v.heat.columns
		for range 15 {
			if now := strings.Join(v.Rows(s, st), "\n"); now != first {
				t.Fatalf("%s changed:\n%s", c.name, now)
			}
		}
		if &columns[0] != &v.heat.columns[0] {
			t.Errorf("%s was counted anew", c.name)
		}
	}
}

func TestHeatGoesOnlyAcrossWhatItsMetricHas(t *testing.T) {
	for _, c := range []struct {
		m    bench.Metric
		want Across
	}{{bench.TTFT, OverPrompt}, {bench.E2E, OverPrompt}, {bench.ITL, OverPosition}, {bench.TPS, OverTime}, {bench.RPM, OverPrompt}} {
		st := &State{View: action.Heat, Metric: c.m}
		if st.Across = st.NextAcross(); st.Across != c.want || st.across() != c.want {
			t.Errorf("%v goes across %d, want %d", c.m, st.Across, c.want)
		}
		if st.Across = st.NextAcross(); st.Across != OverTime {
			t.Errorf("%v does not come back to time", c.m)
		}
	}
	st := &State{View: action.Heat, Metric: bench.TPS, Across: OverPrompt}
	if st.across() != OverTime {
		t.Error("speeds by prompt length")
	}
}

func TestSharesNeverSayAllOfLess(t *testing.T) {
	for _, c := range []struct {
		n, of uint64
		want  string
	}{{0, 10, "0%"}, {10, 10, "100%"}, {0, 0, "100%"}, {999_999, 1_000_000, "99.9%"}, {1, 1_000_000, "<0.1%"}, {1, 3, "33.3%"}, {1, 2, "50.0%"}} {
		if got := exactShare(c.n, c.of); got != c.want && c.of > 0 {
			t.Errorf("%d of %d is %s, want %s", c.n, c.of, got, c.want)
		}
	}
}

// TestHeatSurvivesAnything: whatever the run, its requests and the keys, the page keeps to the screen.
func TestHeatSurvivesAnything(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 74))
	odd := func() float64 {
		return []float64{0, -1, 1e-9, 5, 1e12, math.MaxFloat64, math.NaN(), math.Inf(1), math.Inf(-1)}[r.IntN(9)]
	}
	instant := func() bench.Mark { return bench.Mark{At: time.Duration(r.Uint64() >> r.IntN(63)), OK: r.IntN(4) > 0} }
	for seed := range 150 {
		s := viewtest.Random(uint64(5000 + seed))
		if s.Run != nil && r.IntN(2) == 0 {
			s.Run.Thresholds = []bench.Threshold{{Metric: Ring(action.Heat)[r.IntN(4)], At: bench.P95, Limit: odd(), Floor: r.IntN(2) == 0}}
		}
		j := &bench.Journal{Gone: r.IntN(9)}
		for range r.IntN(20) {
			e := answered()
			e.Outcome, e.Level, e.Burst = bench.Outcome(r.IntN(2)), r.IntN(3)-1, r.IntN(5) == 0
			e.Prompt.InputTokens, e.Counts.Input = int(r.Uint64()>>r.IntN(64)), r.IntN(2)*(r.IntN(1<<40)-5)
			e.Counts.Output, e.Counts.Events, e.Counts.FirstEvents = r.IntN(1<<r.IntN(40)+1)-2, r.IntN(300)-3, r.IntN(9)-2
			e.Marks.Started, e.Marks.FirstToken, e.Marks.FirstChunk, e.Marks.LastToken, e.Marks.Ended = instant(), instant(), instant(), instant(), instant()
			e.Gaps.Add(time.Duration(r.Uint64()>>r.IntN(64)), r.IntN(1<<r.IntN(30)))
			j.Ended = append(j.Ended, e)
		}
		for _, l := range s.Levels {
			for range r.IntN(4) {
				l.Sample = append(l.Sample, bench.Sample{Input: r.Int32() - 5, TTFT: float32(odd()), TPOT: float32(odd()), E2E: float32(odd())})
			}
		}
		v := NewScreen()
		for range 8 {
			w, h := 1+r.IntN(220), 1+r.IntN(70)
			st := state([]string{"ansi", "ascii", "mono", "plain"}[r.IntN(4)], w, h)
			st.View, st.Metric, st.Across, st.Scope, st.Mouse = action.Heat, bench.Metric(r.IntN(int(bench.NumMetrics))), Across(r.IntN(3)), Scope(r.IntN(3)), r.IntN(2) == 0
			st.Window, st.Log[action.Heat] = Windows[r.IntN(len(Windows))], r.IntN(2) == 0
			if r.IntN(3) > 0 {
				st.Journal = j
			}
			for range 5 {
				check(t, v.Rows(s, st), w, h, "heat")
				switch r.IntN(5) {
				case 0, 1:
					v.Turn(st, r.IntN(3)-1)
				case 2:
					v.moveHeat(s, st, Motion(r.IntN(6)))
				case 3:
					st.Cell = Cell{Column: int(r.Uint64() >> r.IntN(64)), Bucket: int(r.Uint64() >> r.IntN(64)), OK: true}
					st.Cursor = instant()
				case 4:
					if v.OpenCell(s, st) {
						for _, e := range j.Ended {
							st.within(e)
						}
					}
				}
			}
		}
	}
}

func TestFewSamplesAreCutIntoFewRows(t *testing.T) {
	for _, c := range []struct {
		sentence string
		requests int
		w, h     int
		rows     func(rows, room int) bool
	}{
		{"a few a second make a shape in few rows", 600, 120, 36, func(rows, room int) bool { return rows == 14 && room > 20 }},
		{"a tall screen has more of them, but not all", 600, 200, 60, func(rows, room int) bool { return rows == room/2 }},
		{"a hundred a second fill the room", 25_000, 120, 36, func(rows, room int) bool { return rows == room }},
		{"a small screen has none to give away", 600, 80, 24, func(rows, room int) bool { return rows == room && rows > 10 }},
	} {
		s, j := known(c.requests)
		st := state("plain", c.w, c.h)
		st.View, st.Log, st.Metric, st.Journal = action.Heat, Logarithmic, bench.TTFT, j
		v := NewScreen()
		rows := v.Rows(s, st)
		h := &v.heat
		if !c.rows(h.rows, h.key.rows) || len(h.edges) != h.rows+1 {
			t.Errorf("%s: %d rows of %d, %d edges", c.sentence, h.rows, h.key.rows, len(h.edges))
		}
		if h.limit > 0 && !slices.Contains(h.edges, h.limit) {
			t.Errorf("%s: the promise of %g is no edge of %v", c.sentence, h.limit, h.edges)
		}
		var sum uint64
		for _, column := range h.columns {
			for _, n := range column.Counts {
				sum += n
			}
		}
		if sum != h.all.N || sum == 0 {
			t.Errorf("%s: %d samples in the cells, of %d", c.sentence, sum, h.all.N)
		}
		if len(rows) != c.h {
			t.Errorf("%s: %d rows on the screen", c.sentence, len(rows))
		}
	}
}

func TestRowsStandStillWhileTheNumberOfSamplesSways(t *testing.T) {
	h := &heat{key: heatKey{metric: bench.TTFT, rows: 25}}
	seen := map[int]int{}
	for i, n := range []int{6, 9, 12, 4, 7, 11, 5, 8, 9, 13, 6} {
		s := viewtest.Make(viewtest.Running, 0)
		f := NewScreen().frame(s, state("plain", 120, 36))
		h.key.span = f.span
		held := 0
		for _, b := range s.Buckets {
			if b.Start >= f.span.start(0) && b.TTFT.N > 0 {
				held++
			}
		}
		if held == 0 {
			t.Fatal("nothing is in the window")
		}
		h.all.N = uint64(n * min(held, f.span.count))
		h.coarsen(f, true)
		if i > 2 {
			seen[h.rows]++
		}
	}
	if len(seen) != 1 {
		t.Errorf("rows change while samples sway: %v", seen)
	}
}
