package analysis_test

import (
	"testing"
	"time"

	"redline/bench"
	"redline/bench/analysis"
)

// TestWhatIsNamedDoesNotFlicker follows a cause that holds in some seconds and not in others.
func TestWhatIsNamedDoesNotFlicker(t *testing.T) {
	type gauges = map[bench.Gauge]float64
	for _, c := range []struct {
		because string
		// waiting are the requests before the batch, second by second; 1 is too few to matter.
		waiting, named string
	}{
		{"of a new level it is named at once", "9999", "yyyy"},
		{"what begins later is named after three seconds", "1119999999", "nnnnnnyyyy"},
		{"a second without it takes nothing back", "999919991999", "yyyyyyyyyyyy"},
		{"five seconds do", "99911111199", "yyyyyyyynnn"},
		{"every other second is not enough to name it", "1191919191919", "nnnnnnnnnnnnn"},
	} {
		var w analysis.Watch
		run := run(t, nil).Run
		got := ""
		for i, n := range c.waiting {
			s := &bench.Snapshot{Run: run, Folded: time.Duration(i) * time.Second, Levels: []*bench.Level{told(measured(1, 32, 400, 2, 500, 20), gauges{bench.ServerWaiting: float64(n - '0')})}}
			s.State = bench.Running
			d := w.See(s)
			if again := w.See(s); again != d {
				t.Errorf("%s: the same second gives two diagnoses", c.because)
			}
			if d.Has(analysis.Queueing) {
				got += "y"
			} else {
				got += "n"
			}
		}
		if got != c.named {
			t.Errorf("%s: waiting %s, named %s, want %s", c.because, c.waiting, got, c.named)
		}
	}
}

func TestTheFirstCauseKeepsItsPlace(t *testing.T) {
	type gauges = map[bench.Gauge]float64
	var w analysis.Watch
	run := run(t, []string{"ttft.p95<=100ms"}).Run
	first := func(second int, waiting, server float64) analysis.Cause {
		l := told(measured(1, 32, 400, 2, 500, 20), gauges{bench.ServerWaiting: waiting, bench.ServerRunning: server})
		s := &bench.Snapshot{Run: run, Folded: time.Duration(second) * time.Second, Levels: []*bench.Level{l}}
		s.State = bench.Running
		return w.See(s).First().Cause
	}
	// 24 of 32 are before their first token, 20 of them wait: 83 % of TTFT. Others explain 1 − 32 ÷ all that are there.
	for _, c := range []struct {
		because  string
		from, to int
		running  float64
		want     analysis.Cause
	}{
		{"others explain 47 %", 0, 4, 40, analysis.Queueing},
		{"85 %: hardly more than what is first", 5, 20, 200, analysis.Queueing},
		{"98 %: clearly more, but not for five seconds", 21, 25, 2000, analysis.Queueing},
		{"and now they are", 26, 28, 2000, analysis.Shared},
		{"a second with less changes nothing", 29, 29, 40, analysis.Shared},
	} {
		for second := c.from; second <= c.to; second++ {
			if got := first(second, 20, c.running); got != c.want {
				t.Errorf("%s: second %d: %v, want %v", c.because, second, got, c.want)
			}
		}
	}
}

func TestAWatchForgetsWithItsRun(t *testing.T) {
	var w analysis.Watch
	s := run(t, nil, told(measured(1, 32, 400, 2, 500, 20), map[bench.Gauge]float64{bench.ServerWaiting: 9}))
	if !w.See(s).Has(analysis.Queueing) {
		t.Fatal("not named")
	}
	// A veiled run is another Run with the same second and level: nothing of what was said of the bare one may linger.
	veiled := *s
	veiled.Run = &bench.Run{}
	veiled.Levels = []*bench.Level{measured(1, 32, 400, 2, 500, 20)}
	if d := w.See(&veiled); len(d.Found) > 0 {
		t.Errorf("found %+v", d.Found)
	}
	if w.See(nil) != nil {
		t.Error("a diagnosis of nothing")
	}
}

func TestADeathIsNamedAtOnce(t *testing.T) {
	var w analysis.Watch
	s := run(t, nil, measured(1, 8, 400, 2, 50, 20))
	w.See(s)
	down := *s
	down.State, down.Since = bench.Down, s.Folded
	if first := w.See(&down).First(); first == nil || first.Cause != analysis.ServerDied {
		t.Errorf("first %+v", first)
	}
	up := *s
	up.Folded += time.Second
	if first := w.See(&up).First(); first != nil {
		t.Errorf("it answers again, and is still %v", first.Cause)
	}
}

// TestACauseIsNamedWithItsLastSample: of a level that could not be judged so far nothing can have come and gone.
func TestACauseIsNamedWithItsLastSample(t *testing.T) {
	var w analysis.Watch
	run := run(t, nil).Run
	for second, samples := range []int{5, 12, 19, 20} {
		l := told(measured(1, 16, 60, 2, 8000, 16), map[bench.Gauge]float64{bench.ServerWaiting: 15})
		l.Stats[bench.TTFT].N = samples
		s := &bench.Snapshot{Run: run, Folded: time.Duration(second) * time.Second, Levels: []*bench.Level{l}}
		s.State = bench.Running
		if got := w.See(s).Has(analysis.Queueing); got != (samples >= 20) {
			t.Errorf("%d first tokens: queueing %v", samples, got)
		}
	}
}
