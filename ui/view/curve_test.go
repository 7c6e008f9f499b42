package view

import (
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

func init() {
	down := func(n int) func(v *Screen, s *bench.Snapshot, st *State) {
		return func(v *Screen, s *bench.Snapshot, st *State) {
			for range n {
				v.Move(s, st, Down)
			}
		}
	}
	pageScenes = append(pageScenes,
		pageScene{name: "curve", scene: viewtest.Running, view: action.Curve},
		pageScene{name: "curve-knee", scene: viewtest.Knee, view: action.Curve},
		pageScene{name: "curve-chosen", scene: viewtest.Knee, view: action.Curve, act: down(3)},
		pageScene{name: "curve-tps", scene: viewtest.Knee, view: action.Curve, set: func(_ *bench.Snapshot, st *State) {
			st.Metric = bench.TPS
			st.Log[action.Curve] = false
		}},
		pageScene{name: "curve-open", scene: viewtest.Open, view: action.Curve},
		pageScene{name: "curve-settling", scene: viewtest.Settling, view: action.Curve},
		pageScene{name: "curve-works", scene: viewtest.Works, view: action.Curve},
		pageScene{name: "curve-empty", scene: viewtest.Settling, view: action.Curve, set: func(s *bench.Snapshot, _ *State) {
			s.Levels = s.Levels[len(s.Levels)-1:]
		}},
		pageScene{name: "curve-law", scene: viewtest.Knee, view: action.Curve, set: lawful},
		pageScene{name: "curve-left", scene: viewtest.Knee, view: action.Curve, set: func(s *bench.Snapshot, st *State) {
			lawful(s, st)
			last := s.Levels[len(s.Levels)-2]
			last.OutputRate = bench.Some(0.6 * last.OutputRate.V)
		}},
		pageScene{name: "curve-redline", scene: viewtest.Found, view: action.Curve},
		pageScene{name: "curve-race", scene: viewtest.Knee, view: action.Curve, set: func(_ *bench.Snapshot, st *State) {
			st.Earlier, st.Aligned = earlier(viewtest.Running), ByLoad
			for i, l := range st.Earlier.Snap.Levels {
				slower := *l
				slower.OutputRate.V *= 0.6
				st.Earlier.Snap.Levels[i] = &slower
			}
		}},
		pageScene{name: "curve-ready", scene: viewtest.Ready, view: action.Curve},
	)
	chances = append(chances, func(r *rand.Rand, s *bench.Snapshot, st *State) {
		for _, l := range s.Levels {
			l.State = bench.Settling(r.IntN(6))
			l.OutputRate = bench.Value{V: []float64{0, 1e-9, 12, 1771, 1e15, math.MaxFloat64, -5, math.NaN(), math.Inf(1)}[r.IntN(9)], OK: r.IntN(5) > 0}
		}
		if r.IntN(2) == 0 {
			st.View = action.Curve
			st.Row[action.Curve] = r.IntN(6)
		}
	})
}

// lawful makes levels follow the scalability law up to a peak at 56, on four GPUs with a price; one drifts, and one was visited twice.
func lawful(s *bench.Snapshot, _ *State) {
	run := *s.Run
	run.Prices = bench.Prices{GPUHour: 2.5, GPUs: 4}
	s.Run, s.Levels = &run, nil
	for i, n := range []float64{1, 2, 4, 8, 16, 24, 32, 16, 48, 40} {
		// √(0.97 ÷ 0.00031) = 55.9.
		x := 70 * n / (1 + 0.03*(n-1) + 0.00031*n*(n-1))
		l := measuredAt(i, n, x, 200+2*n)
		if n > 40 {
			l.Stats[bench.TTFT].P95 = bench.Some(620)
		}
		l.InFlight, l.PerMinuteIn, l.PerMinuteOut = bench.Some(n), bench.Some(70*x), bench.Some(60*x)
		l.Stats[bench.RPM] = bench.Stat{N: 150, Readiness: bench.Ready, Mean: bench.Some(60 * x / 200)}
		l.Stats[bench.TPM] = bench.Stat{N: 9000, Readiness: bench.Ready, Mean: bench.Some(130 * x)}
		for k := range 20 {
			b := &bench.Bucket{Start: l.Begin + time.Duration(k)*time.Second, Span: time.Second, Active: time.Second}
			course := 1.0
			if n == 24 {
				course = 1 + float64(k)/20
			}
			h := bench.NewHistogram()
			for v := range 8 {
				h.Add((200+2*n)*course*(0.6+0.05*float64((k+3*v)%9))*(1+0.2*float64(i/7)), 1)
			}
			b.TTFT, b.Out, b.Stay, b.Ended[bench.OK] = h.Sketch(), int(x*(1+0.02*float64(k%3-1))), 4, 8
			l.Batches = append(l.Batches, b)
		}
		if i == 7 {
			l.Stats[bench.TTFT].P95 = bench.Some(1.2 * l.Stats[bench.TTFT].P95.V)
		}
		s.Levels = append(s.Levels, l)
	}
	last := s.Levels[len(s.Levels)-1]
	last.Ended = bench.Mark{}
	s.Target, s.At, s.Folded = last.Load, 10*time.Minute, 10*time.Minute
}

// measuredAt is a settled level with an output rate and a p95 of TTFT.
func measuredAt(id int, load, out, ttft float64) *bench.Level {
	l := &bench.Level{ID: id, Load: bench.Setpoint{N: load}, State: bench.Settled, Begin: time.Duration(id) * time.Minute, Reached: bench.MarkAt(time.Duration(id)*time.Minute + time.Second), Ended: bench.MarkAt(time.Duration(id+1) * time.Minute)}
	l.Span, l.OutputRate, l.Goodput = 50*time.Second, bench.Some(out), bench.Some(99)
	l.Stats[bench.TTFT] = bench.Stat{N: 150, Readiness: bench.Ready, P50: bench.Some(0.8 * ttft), P95: bench.Some(ttft), P99: bench.Some(1.2 * ttft), Max: bench.Some(2 * ttft)}
	l.Stats[bench.TPS] = bench.Stat{N: 150, Readiness: bench.Ready, P50: bench.Some(40), P5: bench.Some(30)}
	l.Stats[bench.ITL] = bench.Stat{N: 9000, Readiness: bench.Ready, P50: bench.Some(12), P95: bench.Some(18)}
	l.Tally = bench.Tally{Sent: 150, OK: 150}
	l.Counted = l.Tally
	return l
}

// runOf is a run through some levels, the last of which is the present one.
func runOf(levels ...*bench.Level) *bench.Snapshot {
	s := viewtest.Make(viewtest.Running, 0)
	s.Levels = levels
	if n := len(levels); n > 0 {
		levels[n-1].Ended = bench.Mark{}
		s.Target, s.At, s.Folded = levels[n-1].Load, time.Duration(n)*time.Minute, time.Duration(n)*time.Minute
	}
	return s
}

// onCurvePage is the frame of the Curve as text.
func onCurvePage(v *Screen, s *bench.Snapshot, st *State) string {
	st.View = action.Curve
	return strings.Join(v.Rows(s, st), "\n")
}

// TestTheCurveIsRightWithAnyLevels: no level, one, two, very many, side by side, far apart, and such without numbers.
func TestTheCurveIsRightWithAnyLevels(t *testing.T) {
	many := func(n int, load func(int) float64) (out []*bench.Level) {
		for i := range n {
			out = append(out, measuredAt(i, load(i), 1000*(1-math.Exp(-load(i)/40)), 200+load(i)))
		}
		return out
	}
	broken := measuredAt(2, 24, math.NaN(), math.Inf(1))
	absent := measuredAt(2, 24, 900, 300)
	absent.Stats[bench.TTFT] = bench.Stat{}
	for _, c := range []struct {
		what   string
		levels []*bench.Level
		want   []string
	}{
		{"no level says what to do", nil, []string{"no settled level yet", "press +"}},
		{"one level is a point", many(1, func(int) float64 { return 8 }), []string{"not enough levels: try 16", "limit >8 ", "◆ here  8 "}},
		{"two levels are compared", many(2, func(i int) float64 { return float64(8 * (i + 1)) }), []string{"try 32", "8 → 16"}},
		{"thirty have a knee, and a bar of rows", many(30, func(i int) float64 { return float64(4 * (i + 1)) }), []string{"out bends here", "of 30"}},
		{"two hundred and fifty-six", many(256, func(i int) float64 { return float64(i + 1) }), []string{"out bends here", "of 256"}},
		{"side by side", many(2, func(i int) float64 { return float64(40 + i) }), []string{"40 → 41"}},
		{"far apart", many(12, func(i int) float64 { return float64(int(1) << i) }), []string{"└1", "1k"}},
		{"what is no number is no point, but a row", append(many(2, func(i int) float64 { return float64(8 * (i + 1)) }), broken), []string{"16 → 24", "    24 "}},
		{"what was not measured is absent", append(many(2, func(i int) float64 { return float64(8 * (i + 1)) }), absent), []string{"–", "not enough levels"}},
		{"nothing at all", []*bench.Level{measuredAt(0, 0, 0, 0)}, []string{"no settled level yet"}},
	} {
		s := runOf(c.levels...)
		got := onCurvePage(NewScreen(), s, state("plain", 120, 36))
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is not in\n%s", c.what, want, got)
			}
		}
		if strings.Contains(got, "NaN") || strings.Contains(got, "Inf") {
			t.Errorf("%s:\n%s", c.what, got)
		}
		for _, size := range sizes {
			for m := range bench.NumMetrics {
				for _, log := range []bool{false, true} {
					st := state("plain", size[0], size[1])
					st.View, st.Metric, st.Log[action.Curve], st.Percentile = action.Curve, m, log, bench.Percentile(m)%(bench.Max+1)
					check(t, NewScreen().Rows(s, st), size[0], size[1], c.what)
				}
			}
		}
	}
}

// TestTheChosenLoadStaysChosen: rows come above and below it, and it is visited again, but it is the same load that is chosen.
func TestTheChosenLoadStaysChosen(t *testing.T) {
	levels := []*bench.Level{measuredAt(0, 8, 500, 200), measuredAt(1, 16, 900, 220), measuredAt(2, 32, 1200, 300)}
	v, st := NewScreen(), state("plain", 120, 36)
	s := runOf(levels...)
	onCurvePage(v, s, st)
	if v.ChosenLevel(s, st) != nil {
		t.Error("a level is chosen before any key")
	}
	for _, step := range []struct {
		m    Motion
		want float64
	}{{Down, 32}, {Down, 16}, {Down, 8}, {Down, 8}, {Up, 16}, {First, 32}, {Last, 8}, {PageUp, 32}, {PageDown, 8}, {Up, 16}} {
		v.Move(s, st, step.m)
		if l := v.ChosenLevel(s, st); l == nil || l.Load.N != step.want {
			t.Fatalf("after %v: %+v, want the load %g", step.m, l, step.want)
		}
	}
	for id, load := range []float64{24, 64, 4, 16} {
		levels = append(levels, measuredAt(3+id, load, 1000, 250))
		s = runOf(levels...)
		if l := v.ChosenLevel(s, st); l == nil || l.Load.N != 16 {
			t.Errorf("a level at %g lets %+v be chosen", load, l)
		}
	}
	if l := v.ChosenLevel(s, st); l.ID != 6 {
		t.Errorf("level %d stands for its load, not the newest visit", l.ID)
	}
	if got := onCurvePage(v, s, st); !strings.Contains(got, "›    16 ") {
		t.Errorf("the chosen row is not marked:\n%s", got)
	}
}

// TestARowThatIsAddedMovesNothing: in a table longer than its room the chosen row stays in its place on the screen.
func TestARowThatIsAddedMovesNothing(t *testing.T) {
	var levels []*bench.Level
	for i := range 40 {
		levels = append(levels, measuredAt(i, float64(i+1), float64(100+i), 200))
	}
	v, st := NewScreen(), state("plain", 120, 36)
	st.Row[action.Curve] = 20 + 1
	where := func() int {
		for i, row := range v.Rows(runOf(levels...), st) {
			if strings.Contains(row, "›") && strings.Contains(row, " 21 ") {
				return i
			}
		}
		t.Fatal("the chosen row is not on the screen")
		return 0
	}
	st.View = action.Curve
	before := where()
	levels = append(levels, measuredAt(40, 60, 150, 240))
	if after := where(); after != before {
		t.Errorf("it moved from row %d to %d", before, after)
	}
}

// TestWhichVisitStands: the newest visit is the point, but one that was left early does not take the place of one that settled.
func TestWhichVisitStands(t *testing.T) {
	visit := func(id int, state bench.Settling, out float64) *bench.Level {
		l := measuredAt(id, 16, out, 200)
		l.State = state
		return l
	}
	slow := func(l *bench.Level) *bench.Level {
		l.Stats[bench.TTFT].P95 = bench.Some(900)
		return l
	}
	passing := visit(5, bench.Settles, 700)
	passing.Span = time.Second
	now := measuredAt(9, 32, 1000, 300)
	for _, c := range []struct {
		what   string
		levels []*bench.Level
		stands float64
		past   int
	}{
		{"the newest of two that settled", []*bench.Level{visit(0, bench.Settled, 500), visit(1, bench.Settled, 510), now}, 510, 1},
		{"one that never settled is newer all the same", []*bench.Level{visit(0, bench.Settled, 500), visit(1, bench.Unsettled, 510), now}, 510, 1},
		{"one that was left early is not", []*bench.Level{visit(0, bench.Settled, 500), visit(1, bench.Settles, 510), now}, 500, 1},
		{"but alone it stands", []*bench.Level{visit(1, bench.Settles, 510), now}, 510, 0},
		{"and gives way to one that settles", []*bench.Level{visit(0, bench.Settles, 510), visit(1, bench.Settled, 520), now}, 520, 1},
		{"nor does a load that was passed", []*bench.Level{visit(0, bench.Settled, 500), passing, now}, 500, 1},
		{"even of two that did not settle", []*bench.Level{visit(0, bench.Settles, 500), passing, now}, 500, 1},
		{"nor the present one before it has settled", []*bench.Level{visit(0, bench.Settled, 500), visit(1, bench.Settles, 510)}, 500, 1},
		{"unless it is known to break a promise", []*bench.Level{visit(0, bench.Settled, 500), slow(visit(1, bench.Settles, 510))}, 510, 1},
	} {
		all, _, _ := standings(runOf(c.levels...))
		i := slices.IndexFunc(all, func(o standing) bool { return o.load().N == 16 })
		if i < 0 || all[i].level.OutputRate.V != c.stands || len(all[i].past) != c.past {
			t.Errorf("%s: %+v", c.what, all)
		}
	}
}

// TestTheCurveSaysWhatItLeavesOut: levels of the other mode and of another workload are on no curve with the present one.
func TestTheCurveSaysWhatItLeavesOut(t *testing.T) {
	open, other := measuredAt(1, 2.5, 900, 220), measuredAt(2, 16, 950, 230)
	open.Load.Mode, other.Work = bench.Open, 1
	got := onCurvePage(NewScreen(), runOf(measuredAt(0, 8, 500, 200), open, other, measuredAt(3, 32, 1000, 300)), state("plain", 120, 36))
	if want := "1 level of the open loop, 1 level of another"; !strings.Contains(got, want) {
		t.Errorf("%q is not in\n%s", want, got)
	}
}

// TestAPlotIsKeptUntilSomethingChanges: what is kept is what would be drawn anew.
func TestAPlotIsKeptUntilSomethingChanges(t *testing.T) {
	levels := []*bench.Level{measuredAt(0, 8, 500, 200), measuredAt(1, 16, 900, 220), measuredAt(2, 32, 1200, 700), measuredAt(3, 40, 1210, 900)}
	s, st, v := runOf(levels...), state("plain", 120, 36), NewScreen()
	for i, change := range []func(){
		func() {}, func() { st.Metric = bench.E2E }, func() { st.Metric = bench.TPS }, func() { st.Metric = bench.TTFT }, func() { st.Percentile = bench.P99 }, func() { st.Log[action.Curve] = true },
		func() { v.Move(s, st, Down) }, func() { v.Move(s, st, Down) }, func() { st.W = 90 }, func() { st.H = 15 }, func() { st.W, st.H = 200, 60 }, func() { st.Set = looks["ascii"] },
		func() {
			run := *s.Run
			run.Thresholds = run.Thresholds[:1]
			next := *s
			next.Run = &run
			s = &next
		},
		func() { s.Run.Thresholds[0].Limit = 800 },
		func() { s = runOf(append(slices.Clone(levels), measuredAt(4, 48, 1190, 1500))...) },
	} {
		change()
		if kept, anew := onCurvePage(v, s, st), onCurvePage(NewScreen(), s, st); kept != anew {
			t.Fatalf("after change %d the frame is that of before:\n%s\nwant\n%s", i, kept, anew)
		}
	}
}

// TestTheKneeIsRoughWhereLevelsWereLeftEarly: an output rate counts once it is ready, whatever else is not, but the knee says on what it rests.
func TestTheKneeIsRoughWhereLevelsWereLeftEarly(t *testing.T) {
	run := func(state bench.Settling, readiness bench.Readiness, short bench.Shortfall) *bench.Snapshot {
		levels := []*bench.Level{measuredAt(0, 8, 400, 200), measuredAt(1, 16, 800, 220), measuredAt(2, 24, 1200, 250), measuredAt(3, 32, 1240, 300)}
		l := levels[1]
		l.State, l.Short, l.Stats[bench.TPS].Readiness = state, short, readiness
		if readiness == bench.Few {
			l.Stats[bench.TPS].N = bench.FewSamples
		}
		return runOf(levels...)
	}
	for _, c := range []struct {
		what string
		s    *bench.Snapshot
		want string
	}{
		{"all settled", run(bench.Settled, bench.Ready, bench.InFull), "knee  24 "},
		{"one was left early", run(bench.Settles, bench.Ready, bench.InFull), "knee  ~24 "},
		{"one never settled", run(bench.Unsettled, bench.Ready, bench.InFull), "knee  ~24 "},
		{"one whose rate is not ready does not count", run(bench.Unsettled, bench.Few, bench.InFull), "too few settled"},
		{"nor one whose load was not in force", run(bench.Unsettled, bench.Ready, bench.SlotsHeld), "too few settled"},
	} {
		if got := onCurvePage(NewScreen(), c.s, state("plain", 120, 36)); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q is not in\n%s", c.what, c.want, got)
		}
	}
}

// TestAnotherVisitIsNotHereYet: until it has settled the row of its load is the earlier visit's, whose numbers are not those of Live.
func TestAnotherVisitIsNotHereYet(t *testing.T) {
	now := measuredAt(2, 8, 300, 400)
	now.State = bench.Settles
	s := runOf(measuredAt(0, 8, 500, 200), measuredAt(1, 16, 900, 220), now)
	st := state("plain", 120, 36)
	got := onCurvePage(NewScreen(), s, st)
	if !strings.Contains(got, "here again") || strings.Contains(got, "✓ ◆ here") {
		t.Error(got)
	}
	now.State = bench.Settled
	if got = onCurvePage(NewScreen(), runOf(s.Levels...), st); strings.Contains(got, "here again") || !strings.Contains(got, " ◆ here") {
		t.Error(got)
	}
}

// TestARowOfTheCurveCanBeClicked: the load under the pointer is chosen.
func TestARowOfTheCurveCanBeClicked(t *testing.T) {
	s := runOf(measuredAt(0, 8, 500, 200), measuredAt(1, 16, 900, 220), measuredAt(2, 32, 1200, 300))
	v, st := NewScreen(), state("plain", 120, 36)
	st.View = action.Curve
	y := slices.IndexFunc(v.Rows(s, st), func(row string) bool { return strings.HasPrefix(row, "     16 ") })
	if !st.ChooseHit(v.Hit(30, y)) {
		t.Fatalf("nothing can be clicked in row %d", y)
	}
	if l := v.ChosenLevel(s, st); l == nil || l.Load.N != 16 {
		t.Errorf("%+v is chosen, not the load 16", l)
	}
}

// TestTheLimitSaysWhatTheSummarySays: where a higher load keeps what a lower one broke, the load alone does not decide, at every size; and what failed is
// told where it, and no value, breaks a promise.
func TestTheLimitSaysWhatTheSummarySays(t *testing.T) {
	failing := func(id int, load float64) *bench.Level {
		l := measuredAt(id, load, 900, 220)
		l.Missed = bench.Missed{Failed: 30}
		l.Stats[bench.TTFT].Missing = 30
		return l
	}
	promised := func(s *bench.Snapshot) *bench.Snapshot {
		run := *s.Run
		run.Thresholds = []bench.Threshold{{Metric: bench.TTFT, At: bench.P95, Limit: 500}}
		s.Run = &run
		return s
	}
	for _, c := range []struct {
		sentence    string
		levels      []*bench.Level
		has, hasNot []string
	}{
		{"a higher load keeps it", []*bench.Level{measuredAt(0, 8, 500, 200), measuredAt(1, 12, 700, 900), measuredAt(2, 16, 900, 220)},
			[]string{"12 breaks, 16 keeps", "the load alone does not decide"}, []string{"limit ~", "breaks at"}},
		{"another visit of the same load breaks it", []*bench.Level{measuredAt(0, 8, 500, 200), measuredAt(1, 16, 700, 900), measuredAt(2, 16, 900, 220)},
			[]string{"TTFT p95 = 500 ms"}, []string{"decide"}},
		{"failures break it", []*bench.Level{measuredAt(0, 8, 500, 200), failing(1, 16)}, []string{"TTFT p95 breaks by failures", "✗ TTFT"}, []string{"decide"}},
	} {
		for _, size := range [][2]int{{120, 36}, {80, 24}, {200, 60}} {
			got := onCurvePage(NewScreen(), promised(runOf(c.levels...)), state("plain", size[0], size[1]))
			for _, want := range c.has {
				if !strings.Contains(got, want) {
					t.Errorf("%s, %v: %q is not in\n%s", c.sentence, size, want, got)
				}
			}
			for _, bad := range c.hasNot {
				if strings.Contains(got, bad) {
					t.Errorf("%s, %v: %q is in\n%s", c.sentence, size, bad, got)
				}
			}
		}
	}
}

// settlesAt is a present level that was reached some seconds ago, of which only first tokens are ready.
func settlesAt(id int, load, ttft float64) *bench.Level {
	l := measuredAt(id, load, 1500, ttft)
	l.State, l.Span, l.Stats[bench.TPS].Readiness, l.Stats[bench.RPM] = bench.Settles, 6*time.Second, bench.Few, bench.Stat{}
	return l
}

// TestABrokenPromiseShowsWhileTheLevelSettles: what is known does not wait for what is not.
func TestABrokenPromiseShowsWhileTheLevelSettles(t *testing.T) {
	touched := settlesAt(2, 64, 2900)
	touched.Span = 2 * time.Second
	left := settlesAt(2, 64, 2900)
	left.Span = 2 * time.Second
	for _, c := range []struct {
		what      string
		levels    []*bench.Level
		want, not []string
	}{
		{"after a jump", []*bench.Level{measuredAt(0, 8, 500, 200), measuredAt(1, 24, 900, 220), settlesAt(2, 64, 2900)},
			[]string{"limit ~", "broken at 64, still settling", "✗ TTFT ◆ here ○ short", "○ short: left, or not yet settled"}, []string{"no promise broken", "limit >"}},
		{"in its first seconds", []*bench.Level{measuredAt(0, 8, 500, 200), measuredAt(1, 24, 900, 220), touched},
			[]string{"limit ~24", "broken at 64, still settling", "✗ TTFT ◆ here ○ short"}, []string{"no promise broken", "limit >"}},
		{"the first level of all", []*bench.Level{settlesAt(0, 64, 2900)}, []string{"✗ TTFT ◆ here ○ short"}, []string{"no promise broken"}},
		{"left within seconds", []*bench.Level{measuredAt(0, 8, 500, 200), measuredAt(1, 24, 900, 220), left, measuredAt(3, 16, 700, 210)},
			[]string{"limit ~24", "broken in passing at 64", "✗ TTFT ○ short"}, []string{"no promise broken"}},
		{"kept so far", []*bench.Level{measuredAt(0, 8, 500, 200), measuredAt(1, 24, 900, 220), settlesAt(2, 64, 230)}, []string{"◆ here ○ short", "no promise broken"}, []string{"still settling"}},
		{"another visit that breaks what was kept", []*bench.Level{measuredAt(0, 8, 500, 200), measuredAt(1, 64, 900, 220), settlesAt(2, 64, 2900)},
			[]string{"broken at 64, still settling", "✗ TTFT ◆ here ○ short"}, []string{"here again"}},
	} {
		got := onCurvePage(NewScreen(), runOf(c.levels...), state("plain", 120, 36))
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is not in\n%s", c.what, want, got)
			}
		}
		for _, not := range c.not {
			if strings.Contains(got, not) {
				t.Errorf("%s: %q is in\n%s", c.what, not, got)
			}
		}
	}
}

// TestThePresentLevelIsAPointOnceItIsReadyInItself: hollow while it settles, each plot by its own number.
func TestThePresentLevelIsAPointOnceItIsReadyInItself(t *testing.T) {
	now := settlesAt(1, 64, 2900)
	all, _, _ := standings(runOf(measuredAt(0, 8, 500, 200), now))
	of := func(behind bench.Metric, value func(*bench.Level) bench.Value) int {
		return len(points(all, -1, behind, value, (*standing).breached))
	}
	ttft := func(l *bench.Level) bench.Value { return l.Stats[bench.TTFT].P95 }
	if out, first := of(bench.TPS, outRate), of(bench.TTFT, ttft); out != 1 || first != 2 {
		t.Errorf("%d points of output and %d of TTFT, want 1 and 2", out, first)
	}
	now.Stats[bench.TPS].Readiness = bench.Ready
	if got := points(all, -1, bench.TPS, outRate, (*standing).breached); len(got) != 2 || got[0].Here || !got[0].Short || !got[0].Breached {
		t.Errorf("%+v", got)
	}
}

// TestALevelThatWasLeftHasARow: nineteen seconds with a few requests are on the screen, as they are in the summary.
func TestALevelThatWasLeftHasARow(t *testing.T) {
	left := measuredAt(1, 2, 35, 700)
	left.State, left.Span = bench.Settles, 19*time.Second
	left.Stats[bench.TTFT].N, left.Stats[bench.TPS].N, left.Stats[bench.TPS].Readiness = 20, 18, bench.Few
	got := onCurvePage(NewScreen(), runOf(measuredAt(0, 1, 20, 200), left, measuredAt(2, 3, 40, 300)), state("plain", 120, 36))
	for _, want := range []string{"✗ TTFT ○ short", " ~35", "○ short: left, or not yet settled"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

// TestWhatWasBeforeANoteIsOnAnotherCurve: its rows say so, its points are dim, and neither knee nor limit rest on it.
func TestWhatWasBeforeANoteIsOnAnotherCurve(t *testing.T) {
	note := measuredAt(4, 32, 1500, 230)
	note.Cause, note.Note = bench.CauseNote, "kv cache fp8"
	levels := []*bench.Level{measuredAt(0, 8, 400, 200), measuredAt(1, 16, 800, 220), measuredAt(2, 24, 1200, 250), measuredAt(3, 32, 1240, 900), note}
	s, v, st := runOf(levels...), NewScreen(), state("plain", 120, 36)
	got := onCurvePage(v, s, st)
	for _, want := range []string{`✗ TTFT ◇ before "kv cache fp8"`, `◇ before "kv cache fp8"`, "✓ ◆ here", "not enough levels", "no promise broken", "before → now"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	for _, not := range []string{"visits", "┊ knee  24", "out bends here"} {
		if strings.Contains(got, not) {
			t.Errorf("%q is in\n%s", not, got)
		}
	}
	all, _, _ := standings(s)
	if len(all) != 5 || all[0].earlier || !all[1].earlier || all[1].load().N != 32 {
		t.Fatalf("%+v", all)
	}
	for _, p := range points(all, -1, bench.TPS, outRate, (*standing).breached) {
		if p.Past == p.Here {
			t.Errorf("%+v", p)
		}
	}
	v.Move(s, st, First)
	v.Move(s, st, Down)
	if l := v.ChosenLevel(s, st); l == nil || l.ID != 3 {
		t.Errorf("%+v is chosen, not the row before the note", l)
	}
}

// TestTheLegendExplainsWhatIsOnTheScreen: each word beside a hollow point once one has it, and none before.
func TestTheLegendExplainsWhatIsOnTheScreen(t *testing.T) {
	few := measuredAt(1, 16, 800, 220)
	few.Stats[bench.TTFT].N = 60
	for _, c := range []struct {
		what   string
		levels []*bench.Level
		want   bool
	}{{"all firm", []*bench.Level{measuredAt(0, 8, 400, 200), measuredAt(1, 16, 800, 220)}, false}, {"one of few requests", []*bench.Level{measuredAt(0, 8, 400, 200), few}, true}} {
		for _, size := range [][2]int{{120, 36}, {200, 60}} {
			got := onCurvePage(NewScreen(), runOf(c.levels...), state("plain", size[0], size[1]))
			if strings.Contains(got, "few: settled, n under 100") != c.want || strings.Contains(got, "○ short") {
				t.Errorf("%s:\n%s", c.what, got)
			}
		}
	}
}

// TestTheCurveTellsOfARampThatContradictsIt: the banner's redline and the limit stand on one screen.
func TestTheCurveTellsOfARampThatContradictsIt(t *testing.T) {
	for _, c := range []struct {
		sentence    string
		load, above int
		want        bool
	}{
		{"a redline above a level that broke", 56, 60, true},
		{"one below it", 40, 48, false},
	} {
		for _, size := range [][2]int{{120, 36}, {80, 24}} {
			got := drawn(viewtest.Breach, size[0], size[1], func(s *bench.Snapshot, st *State) {
				st.View = action.Curve
				s.Ramping = &bench.Ramping{Ramp: &bench.Ramp{From: 8, Most: 64, By: 2}, Phase: bench.RampFound, Ended: bench.MarkAt(s.At),
					Found: &bench.Redline{Load: bench.InFlight(c.load), Above: bench.InFlight(c.above), Level: s.Levels[0].ID}}
			})
			if strings.Contains(got, "the ramp: ") != c.want {
				t.Errorf("%s at %v:\n%s", c.sentence, size, got)
			}
		}
	}
}

// TestTheColumnsOfALongRunStandApart: hours in force and a million requests are short enough for a blank between them.
func TestTheColumnsOfALongRunStandApart(t *testing.T) {
	for _, n := range []int{9, 99_999, 966_888, 99_966_888} {
		for _, size := range [][2]int{{200, 60}, {120, 36}, {80, 24}} {
			s, st := dressed(viewtest.Knee, "plain", size[0], size[1])
			st.View = action.Curve
			for _, l := range s.Levels {
				l.Stats[bench.TTFT].N = n
				l.Begin = 0
				l.Ended = bench.MarkAt(40*time.Minute + 40*time.Second)
			}
			rows := NewScreen().Rows(s, st)
			glued := regexp.MustCompile(`40m40s[0-9]`)
			if at := slices.IndexFunc(rows, glued.MatchString); at >= 0 {
				t.Errorf("%d at %v: %q", n, size, rows[at])
			}
			if !strings.Contains(strings.Join(rows, "\n"), "40m40s") && size[0] > 80 {
				t.Fatal("the time in force is not there")
			}
		}
	}
}
