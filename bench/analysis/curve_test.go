package analysis

import (
	"slices"
	"testing"
	"time"

	"redline/bench"
)

// visit is a level as it came: its number, load, state and time measured.
func visit(id int, load float64, state bench.Settling, span time.Duration, ttft float64) *bench.Level {
	l := tried(load, ttft, 10)
	l.ID, l.State, l.Span, l.Reached, l.OutputRate = id, state, span, bench.MarkAt(time.Second), bench.Some(100*load)
	l.Stats[bench.TPS] = bench.Stat{N: 150, Readiness: bench.Ready}
	return l
}

func TestFirmnessIsOneWord(t *testing.T) {
	few := visit(1, 8, bench.Settled, time.Minute, 100)
	few.Stats[bench.TTFT].N = 99
	for _, c := range []struct {
		what  string
		level *bench.Level
		want  string
	}{
		{"settled on enough requests", visit(1, 8, bench.Settled, time.Minute, 100), ""},
		{"settled on fewer", few, "few"},
		{"not settled in time", visit(1, 8, bench.Unsettled, time.Minute, 100), "unsettled"},
		{"left, or still settling", visit(1, 8, bench.Settles, time.Minute, 100), "short"},
	} {
		if got := FirmnessOf(c.level).String(); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// TestALevelIsMeasuredOnceItCanBreakAPromise: what the findings call broken is on a curve, too.
func TestALevelIsMeasuredOnceItCanBreakAPromise(t *testing.T) {
	promise := promises(t, "ttft.p95<=500ms")
	level := func(tally bench.Tally) *bench.Level {
		l := &bench.Level{ID: 1, Load: bench.PerSecond(5), Reached: bench.MarkAt(time.Second)}
		l.Span, l.Tally = 20*time.Second, tally
		return l
	}
	for _, c := range []struct {
		what  string
		tally bench.Tally
		want  bool
	}{
		{"only refused for their rate, and some never sent", bench.Tally{Sent: 40, Limited: 40, Unsent: 60}, true},
		{"only refused for their rate", bench.Tally{Sent: 40, Limited: 40}, false},
		{"never sent while the target was down", bench.Tally{Sent: 40, Limited: 40, Unsent: 60, Apart: bench.Apart{Unsent: 60}}, false},
		{"nothing at all", bench.Tally{}, false},
	} {
		if got := Measured(level(c.tally)); got != c.want {
			t.Errorf("%s: measured is %t", c.what, got)
		}
	}
	l := level(bench.Tally{Sent: 40, Limited: 40, Unsent: 60})
	l.Verdicts = []bench.Verdict{{Threshold: promise[0], Known: true, Broken: true, Beyond: true, Missed: bench.Missed{Unsent: 60}}}
	curves, found := Curves([]*bench.Level{l}, nil, false), Findings([]*bench.Level{l})
	if len(curves) != 1 || found[0].Broken == nil || curves[0].Limit.Broken != found[0].Broken.Load {
		t.Errorf("curves %+v, findings %+v", curves, found)
	}
}

// TestEveryLevelThatMeasuredIsOnACurve: however short, but never across a note, a workload or a mode.
func TestEveryLevelThatMeasuredIsOnACurve(t *testing.T) {
	both := promises(t, "ttft.p95<=500ms", "itl.p95<=25ms")
	nothing := &bench.Level{ID: 9, Load: bench.InFlight(4)}
	stopped := visit(8, 0, bench.Settled, time.Minute, 100)
	note := visit(3, 16, bench.Settled, time.Minute, 100)
	note.Cause, note.Note = bench.CauseNote, "kv cache fp8"
	other := visit(5, 16, bench.Settled, time.Minute, 100)
	other.Work = 1
	levels := []*bench.Level{visit(0, 8, bench.Settles, time.Second, 100), visit(1, 16, bench.Settled, time.Minute, 200), stopped, nothing, note, visit(4, 8, bench.Settled, time.Minute, 900), other}
	got := Curves(levels, both, false)
	if len(got) != 3 {
		t.Fatalf("%d curves, want those before and since the note, and that of the other workload", len(got))
	}
	for i, want := range [][]float64{{8, 16}, {8, 16}, {16}} {
		var loads []float64
		for _, o := range got[i].Loads {
			loads = append(loads, o.Level.Load.N)
			if len(o.Past) > 0 {
				t.Errorf("curve %d: a visit of %g from beyond the note", i, o.Level.Load.N)
			}
		}
		if !slices.Equal(loads, want) {
			t.Errorf("curve %d: %v, want %v", i, loads, want)
		}
	}
	if got[0].Era != 0 || got[1].Era != 1 || NoteOf(levels, 1) != "kv cache fp8" || NoteOf(levels, 0) != "" || NoteOf(levels, 2) != "" {
		t.Errorf("eras %d, %d, note %q", got[0].Era, got[1].Era, NoteOf(levels, 1))
	}
	if l := got[0].Limit; l.Bound != NotReached || l.Kept.N != 16 {
		t.Errorf("before the note the limit is %+v", l)
	}
	if l := got[1].Limit; l.Bound != Undecided || l.Broken.N != 8 {
		t.Errorf("since the note the limit is %+v", l)
	}
}

// TestABrokenPromiseIsNewsAtOnce: the present level stands for its load while it settles once it breaks a promise, and for no other reason.
func TestABrokenPromiseIsNewsAtOnce(t *testing.T) {
	both := promises(t, "ttft.p95<=500ms")
	before := visit(0, 64, bench.Settled, time.Minute, 200)
	for _, c := range []struct {
		what string
		now  *bench.Level
		over bool
		want int
	}{
		{"broken", visit(1, 64, bench.Settles, 6*time.Second, 900), false, 1},
		{"kept", visit(1, 64, bench.Settles, 6*time.Second, 300), false, 0},
		{"left while it was broken", visit(1, 64, bench.Settles, 6*time.Second, 900), true, 0},
		{"settled", visit(1, 64, bench.Settled, time.Minute, 300), false, 1},
	} {
		if got := Curves([]*bench.Level{before, c.now}, both, c.over); got[0].Loads[0].Level.ID != c.want || len(got[0].Loads[0].Past) != 1 {
			t.Errorf("%s: level %d stands", c.what, got[0].Loads[0].Level.ID)
		}
	}
}

// TestLoadsThatARampLeftMakeAKnee: it leaves a level before it has settled, as soon as it knows what it asks of it.
func TestLoadsThatARampLeftMakeAKnee(t *testing.T) {
	var levels []*bench.Level
	for i, n := range []float64{1, 2, 4, 8, 16} {
		l := visit(i, n, bench.Settles, 8*time.Second, 12)
		l.OutputRate, l.InFlight = bench.Some(40*min(n, 6)), bench.Some(n)
		l.Stats[bench.TPS].N, l.Stats[bench.TPS].Readiness = 12, bench.Few
		l.Ended = bench.MarkAt(time.Minute)
		levels = append(levels, l)
	}
	if c := Curves(levels, nil, true)[0]; c.Bend != Bent || c.Knee.X != 8 || !c.Rough {
		t.Errorf("bend %v, knee %+v, rough %v; want a rough one at 8", c.Bend, c.Knee, c.Rough)
	}
	levels[4].Ended = bench.Mark{}
	levels[3].Span = 3 * time.Second
	if c := Curves(levels, nil, true)[0]; c.Bend != TooFew {
		t.Errorf("bend %v of three loads", c.Bend)
	}
}
