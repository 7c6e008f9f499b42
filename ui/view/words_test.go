package view

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

// seconds is what a length says, in seconds.
func seconds(t *testing.T, text string) (n int) {
	for _, part := range regexp.MustCompile(`(\d+) ?([hms])`).FindAllStringSubmatch(text, -1) {
		v, err := strconv.Atoi(part[1])
		if err != nil {
			t.Fatal(err)
		}
		n += v * map[string]int{"h": 3600, "m": 60, "s": 1}[part[2]]
	}
	return n
}

func TestALongerLengthNeverReadsShorter(t *testing.T) {
	was := -1
	for s := 0; s < 400_000; s += 1 + s/500 {
		text := length(time.Duration(s) * time.Second)
		got := seconds(t, text)
		if got < was || got > s || s < 3600 && got != s || s >= 3600 && s < 360_000 && s-got >= 60 {
			t.Fatalf("%d s reads %q after one of %d s", s, text, was)
		}
		was = got
	}
	for d, want := range map[time.Duration]string{76 * time.Second: "76 s", 117 * time.Second: "1m57s", 100 * time.Second: "1m40s", time.Hour: "1h00m", 200 * time.Hour: "200 h", -time.Second: "0 s"} {
		if got := length(d); got != want {
			t.Errorf("%v reads %q, want %q", d, got, want)
		}
	}
}

func TestWhatIsNotAllNeverReadsAll(t *testing.T) {
	for v, want := range map[float64][2]string{
		0: {"0%", "0%"}, 0.04: {"<0.1%", "<0.1%"}, 8.6294: {"8.6%", "8.6%"}, 84.9929: {"85.0%", "84%"}, 99.5: {"99.5%", "99%"}, 99.96: {"99.9%", "99%"},
		99.4: {"99.4%", "99%"}, 53.4: {"53.4%", "53%"}, 100: {"100%", "100%"},
	} {
		if got := [2]string{portion(bench.Some(v)), percent(bench.Some(v))}; got != want {
			t.Errorf("%v reads %q, want %q", v, got, want)
		}
	}
	if portion(bench.Value{}) != "–" || percent(bench.Value{}) != "–" {
		t.Error("what is not known reads as a number")
	}
}

// TestOneShareOfErrorsForALevel: what stands beside a promise is what it is held to, on every page.
func TestOneShareOfErrorsForALevel(t *testing.T) {
	change := func(s *bench.Snapshot, st *State) {
		l := s.Level()
		l.Tally.OK, l.Tally.Failed = 183, 17
		l.Counted = bench.Tally{OK: 180, Failed: 17}
		l.Stats[bench.Errors] = bench.Stat{N: 197, Readiness: bench.Ready, Mean: bench.Some(100 * 17. / 197)}
	}
	for name, c := range map[string]struct {
		size [2]int
		view action.View
		want string
	}{
		"Live": {[2]int{120, 36}, action.Live, "ERRORS level 8.6% ✗ ≤1%"}, "a small one": {[2]int{60, 15}, action.Live, "ERR level 8.6% ✗ ≤1%"}, "a list": {[2]int{40, 8}, action.Live, "ERR 8.6%"},
		"Diagnosis": {[2]int{120, 36}, action.Diagnosis, "8.6%"}, "the Curve": {[2]int{120, 36}, action.Curve, "8.6%"},
	} {
		got := drawn(viewtest.Running, c.size[0], c.size[1], func(s *bench.Snapshot, st *State) { change(s, st); st.View = c.view })
		if !strings.Contains(got, c.want) || strings.Contains(got, "8.5%") {
			t.Errorf("%s: not %q, or 8.5%% too:\n%s", name, c.want, got)
		}
	}
}

// TestTheRateOfGoodRequestsSaysOfWhichTime: after a change of the promises it is of another time than the scope.
func TestTheRateOfGoodRequestsSaysOfWhichTime(t *testing.T) {
	for ungraded, want := range map[int]string{0: "· good ", 40: "· good since SLO change "} {
		got := drawn(viewtest.Running, 200, 60, func(s *bench.Snapshot, _ *State) { s.Level().Ungraded = ungraded })
		if !strings.Contains(got, want) || ungraded > 0 && strings.Count(got, "good since SLO change ") != 1 {
			t.Errorf("%d ungraded: not %q:\n%s", ungraded, want, got)
		}
	}
}

// TestALaneSaysNothingTwice: in tall lanes without a level to compare with.
func TestALaneSaysNothingTwice(t *testing.T) {
	got := drawn(viewtest.Running, 200, 60, func(s *bench.Snapshot, _ *State) { s.Levels = s.Levels[len(s.Levels)-1:] })
	for _, text := range []string{"prompt 256 tok", "60 s: 230k tok", "60 s 230k of 300k"} {
		if n := strings.Count(got, text); n > 1 {
			t.Errorf("%q stands %d times:\n%s", text, n, got)
		}
	}
	if !strings.Contains(got, "level: n ") || !strings.Contains(got, " tokens · max ") {
		t.Errorf("no lane says on how many tokens it rests:\n%s", got)
	}
}

// TestTheLatenessOfTheClientIsWordedAsWhatItIs: a percentile of the last second, no bound.
func TestTheLatenessOfTheClientIsWordedAsWhatItIs(t *testing.T) {
	// The page may break the line anywhere.
	s, st := dressed(viewtest.Running, "plain", 200, 60)
	s.Health.CPU, s.Health.TimerLag = 0.07, bench.Some(1.08)
	got := NewScreen().frame(s, st).client()
	if !strings.Contains(got, "in the last second cpu 7.0%, p99 of how late its instants were 1.08 ms") || strings.Contains(got, "up to") {
		t.Error(got)
	}
}

// TestTwoCountsOnHeatAreTold: the shares are of whole seconds, the figures of what the level counts.
func TestTwoCountsOnHeatAreTold(t *testing.T) {
	got := drawn(viewtest.Running, 120, 36, func(s *bench.Snapshot, st *State) {
		st.View, st.Metric = action.Heat, bench.ITL
		l := s.Level()
		l.Stats[bench.ITL].N = 7001
	})
	if !strings.Contains(got, "n 7 001 tokens counted to the level, of ") {
		t.Error(got)
	}
}
