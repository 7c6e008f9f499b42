package analysis_test

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"redline/bench"
	"redline/bench/analysis"
	"redline/bench/pilot/plant"
	"redline/bench/sim/model"
)

// coursed is a run of a simulated server in virtual time, at loads that are held so many seconds each.
func coursed(tb testing.TB, seed uint64, speed float64, seconds int, loads ...int) analysis.Course {
	tb.Helper()
	m := model.SmallGPU.Params()
	m.Seed = seed
	promise, err := bench.ParseThreshold("ttft.p95<=2s")
	if err != nil {
		tb.Fatal(err)
	}
	p, err := plant.New(plant.Options{Model: m, Seed: seed, Speed: speed, Load: bench.InFlight(loads[0]), Folds: true, Fail: 0.005, Thresholds: []bench.Threshold{promise}})
	if err != nil {
		tb.Fatal(err)
	}
	for i, n := range loads {
		if i > 0 {
			p.Set(bench.InFlight(n), bench.CauseLoad)
		}
		for range seconds {
			p.Second()
		}
	}
	s := p.Snapshot()
	run := *s.Run
	run.Prices = bench.Prices{Input: 1, Output: 4}
	return analysis.Course{Run: &run, Levels: s.Levels}
}

// alarms are how often each quantity was told to differ.
type alarms struct {
	told, seen, held map[string]int
	tables, alarmed  int
}

func (a *alarms) count(c analysis.Comparison) {
	a.tables++
	if c.Held > 0 {
		a.alarmed++
	}
	for _, b := range c.Bouts {
		for _, r := range b.Rows {
			name := r.String()
			if r.Contrast != analysis.Untold {
				a.told[name]++
			}
			if r.Seen() {
				a.seen[name]++
			}
			if r.Holds {
				a.held[name]++
			}
		}
	}
}

func (a *alarms) String() string {
	var lines []string
	told, seen, held := 0, 0, 0
	for name, n := range a.told {
		lines = append(lines, fmt.Sprintf("%-9s %4d told, %5.1f%% seen, %5.1f%% held", name, n, 100*float64(a.seen[name])/float64(n), 100*float64(a.held[name])/float64(n)))
		told, seen, held = told+n, seen+a.seen[name], held+a.held[name]
	}
	sort.Strings(lines)
	return fmt.Sprintf("%s\nall: %d told, %.1f%% seen, %.2f%% held; %d of %d tables with any", strings.Join(lines, "\n"), told, 100*float64(seen)/float64(told), 100*float64(held)/float64(told), a.alarmed, a.tables)
}

func compared(tb testing.TB, pairs, seconds int, speed float64, loads ...int) *alarms {
	out := &alarms{told: map[string]int{}, seen: map[string]int{}, held: map[string]int{}}
	for i := range pairs {
		a, b := coursed(tb, uint64(2*i+1), 1, seconds, loads...), coursed(tb, uint64(2*i+2), speed, seconds, loads...)
		out.count(analysis.CompareCourses(a, b))
	}
	return out
}

// TestRunsOfTheSameServerAreSeldomToldApart: whatever was drawn for each, of runs of one server few numbers may be told to differ, and few tables may have any.
func TestRunsOfTheSameServerAreSeldomToldApart(t *testing.T) {
	a := compared(t, 12, 60, 1, 4, 12)
	t.Log("\n" + a.String())
	for name, n := range a.told {
		if most := n/8 + 2; a.seen[name] > most {
			t.Errorf("%s: seen in %d of %d, want at most %d", name, a.seen[name], n, most)
		}
	}
	if a.alarmed > 2 {
		t.Errorf("%d of %d tables have a difference that is said to hold", a.alarmed, a.tables)
	}
}

// TestAServerThatIsATenthSlowerIsSeen, in each of several runs, and never as better in its pace.
func TestAServerThatIsATenthSlowerIsSeen(t *testing.T) {
	a := compared(t, 4, 60, 0.9, 4, 12)
	t.Log("\n" + a.String())
	if a.alarmed < a.tables || a.held["itl.p50"] < a.told["itl.p50"]*3/4 {
		t.Errorf("%d of %d tables tell it, ITL in %d of %d", a.alarmed, a.tables, a.held["itl.p50"], a.told["itl.p50"])
	}
}

// BenchmarkFalseAlarms prints the rates at which numbers of equal servers are told to differ.
func BenchmarkFalseAlarms(b *testing.B) {
	for range b.N {
		for _, seconds := range []int{30, 60, 180} {
			fmt.Printf("%d seconds a load\n%s\n", seconds, compared(b, 40, seconds, 1, 4, 12, 24))
		}
	}
}
