package analysis

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"redline/bench"
)

// coursing is a level of so many seconds, whose TTFT follows a course from 0 to 1.
func coursing(seconds int, seed uint64, like float64, course func(float64) float64) *bench.Level {
	r := rand.New(rand.NewPCG(seed, 11))
	l := tried(8, 300, 10)
	common := r.NormFloat64()
	for i := range seconds {
		common = like*common + math.Sqrt(1-like*like)*r.NormFloat64()
		var values []float64
		for range 20 {
			values = append(values, 300*course(float64(i)/float64(seconds))*math.Exp(0.1*common+0.3*r.NormFloat64()))
		}
		l.Batches = append(l.Batches, batch(i, values...))
	}
	l.OutputRate, l.InFlight = bench.Some(2000), bench.Some(8)
	return l
}

func TestDriftWithinALevel(t *testing.T) {
	even := func(float64) float64 { return 1 }
	for _, c := range []struct {
		what    string
		seconds int
		like    float64
		course  func(float64) float64
		least   int
		most    int
	}{
		{"a level that stays as it is", 20, 0, even, 0, 1},
		{"one whose seconds are like those before", 30, 0.5, even, 0, 3},
		{"a queue that grows", 20, 0.2, func(x float64) float64 { return 1 + 2*x }, 38, 40},
		{"a cache that has filled half way", 30, 0.2, func(x float64) float64 { return map[bool]float64{true: 1, false: 0.6}[x < 0.5] }, 36, 40},
		{"two percent matter to nobody", 40, 0, func(x float64) float64 { return 1 + 0.04*x }, 0, 1},
		{"nine seconds are too few", 9, 0, func(x float64) float64 { return 1 + 2*x }, 0, 0},
	} {
		seen := 0
		for seed := range uint64(40) {
			if d, ok := DriftOf(coursing(c.seconds, seed, c.like, c.course)); ok {
				seen++
				if d.Output || d.Metric != bench.TTFT {
					t.Errorf("%s: %+v drifts, want TTFT", c.what, d)
				}
			}
		}
		if seen < c.least || seen > c.most {
			t.Errorf("%s: %d of 40 drift, want %d to %d", c.what, seen, c.least, c.most)
		}
	}
}

func TestALevelAsLongAsItsRequestsSaysNothingOfDrift(t *testing.T) {
	l := coursing(20, 1, 0, func(x float64) float64 { return 1 + 3*x })
	if _, ok := DriftOf(l); !ok {
		t.Fatal("it does not drift with short requests")
	}
	for _, b := range l.Batches {
		b.Stay *= 12 // six seconds each
	}
	if d, ok := DriftOf(l); ok {
		t.Errorf("20 s of requests that take 6 s each: %+v", d)
	}
}

// TestALevelThatDriftsIsNotBehindTheKnee, but breaks promises like any other.
func TestALevelThatDriftsIsNotBehindTheKnee(t *testing.T) {
	var levels []*bench.Level
	for i, out := range []float64{400, 800, 1200, 1237.5, 1300} {
		l := visit(i, float64(8*(i+1)), bench.Settled, time.Minute, 100)
		l.OutputRate = bench.Some(out)
		levels = append(levels, l)
	}
	if c := Curves(levels, nil, true)[0]; c.Knee.X != 24 {
		t.Fatalf("knee at %v", c.Knee)
	}
	levels[2].Batches = coursing(20, 1, 0, func(x float64) float64 { return 1 + 2*x }).Batches
	levels[2].Stats[bench.TTFT].P95 = bench.Some(900)
	c := Curves(levels, promises(t, "ttft.p95<=500ms"), true)[0]
	if c.Loads[2].Drift == nil || c.Loads[1].Drift != nil {
		t.Errorf("drifts: %+v", c.Loads)
	}
	if c.Knee.X == 24 {
		t.Errorf("knee at %v, which drifts", c.Knee)
	}
	if c.Limit.Broken.N != 24 {
		t.Errorf("the limit is %+v", c.Limit)
	}
}

func TestVisitsAreCompared(t *testing.T) {
	at := func(id int, factor float64) *bench.Level {
		l := coursing(20, uint64(id), 0, func(float64) float64 { return factor })
		l.ID, l.Stats[bench.TTFT] = id, bench.Stat{N: 400, Readiness: bench.Ready, P50: bench.Some(300 * factor), P95: bench.Some(450 * factor)}
		for _, b := range l.Batches {
			b.Start += time.Duration(id) * time.Minute
		}
		return l
	}
	other := at(5, 1)
	other.Load = bench.InFlight(16)
	touched := at(3, 9)
	touched.State, touched.Span = bench.Settles, time.Second
	c := Curves([]*bench.Level{at(1, 1), at(2, 1.4), touched, at(4, 1.8), other}, nil, true)[0]
	all := c.Revisits(&Comparisons{})
	if len(all) != 1 || all[0].Was.ID != 2 || all[0].Now.ID != 4 || !all[0].Seen() || all[0].TTFT.Contrast != Worse || all[0].Output.Seen() {
		t.Errorf("%+v", all)
	}
	c = Curves([]*bench.Level{at(1, 1), at(2, 1), other}, nil, true)[0]
	if all := c.Revisits(&Comparisons{}); len(all) != 1 || all[0].Seen() {
		t.Errorf("two visits that are alike: %+v", all)
	}
}

func TestLittlesLawIsHeldAgainstWhatWasCounted(t *testing.T) {
	level := func(seconds int, inFlight, stay float64, failed int) *bench.Level {
		l := tried(8, 300, 10)
		for i := range seconds {
			b := batch(i, 100, 100, 100, 100)
			b.InFlight, b.Stay, b.Ended[bench.ServerError] = inFlight, stay, failed
			b.E2E = bench.SketchOf(2000)
			l.Batches = append(l.Batches, b)
		}
		return l
	}
	for _, c := range []struct {
		what            string
		level           *bench.Level
		off, ok         bool
		inFlight, slots float64
	}{
		// Eight in flight of two seconds: four end a second. At each edge 8 × 2 slot-seconds, half as much again, and a percent.
		{"what adds up", level(20, 8, 8, 0), false, true, 160, 25.6},
		{"what lies within the edges", level(20, 8, 7, 0), false, true, 160, 25.6},
		{"requests that were counted and never sent", level(20, 8, 12, 0), true, true, 160, 25.6},
		{"slots that nobody gave back", level(20, 8, 4, 0), true, true, 160, 25.6},
		{"nine seconds are too few for requests of two", level(9, 8, 12, 0), false, false, 0, 0},
		{"failures stay as long as they like", level(20, 8, 12, 1), false, false, 0, 0},
		{"nothing", &bench.Level{}, false, false, 0, 0},
	} {
		got, ok := Counted(c.level)
		if ok != c.ok || got.Off() != c.off || ok && (math.Abs(got.InFlight-c.inFlight) > 1e-9 || math.Abs(got.Edge-c.slots) > 1e-9) {
			t.Errorf("%s: %+v, off %v, %v", c.what, got, got.Off(), ok)
		}
	}
}
