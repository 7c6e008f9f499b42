package analysis

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"redline/bench"
)

// batch is a second with latencies, all of them of one metric of each kind.
func batch(i int, ttfts ...float64) *bench.Bucket {
	h := bench.NewHistogram()
	for _, v := range ttfts {
		h.Add(v, 1)
	}
	b := &bench.Bucket{Start: time.Duration(i) * time.Second, Span: time.Second, Active: time.Second}
	b.TTFT = h.Sketch()
	b.Ended[bench.OK], b.Out, b.Stay = len(ttfts), 100*len(ttfts), 0.5*float64(len(ttfts))
	return b
}

// scope is what batches amount to.
func scope(batches ...*bench.Bucket) Scope {
	var f bench.Facts
	for _, b := range batches {
		f.Add(&b.Facts)
	}
	s := bench.Summarise(&f, time.Duration(len(batches))*time.Second)
	return Scope{Summary: &s, Batches: batches}
}

// wander are latencies of seconds that are like the seconds before, around a middle.
func wander(r *rand.Rand, seconds, each int, middle, like float64) Scope {
	var all []*bench.Bucket
	common := r.NormFloat64()
	for i := range seconds {
		common = like*common + math.Sqrt(1-like*like)*r.NormFloat64()
		var values []float64
		for range each {
			values = append(values, middle*math.Exp(0.15*common+0.3*r.NormFloat64()))
		}
		all = append(all, batch(i, values...))
	}
	return scope(all...)
}

// TestNoiseIsSeldomTakenForADifference: of pairs of scopes that are alike few may be called better or worse, whatever neighbours have in common.
func TestNoiseIsSeldomTakenForADifference(t *testing.T) {
	const pairs = 200
	for _, c := range []struct {
		what          string
		seconds, each int
		like          float64
		p             bench.Percentile
		most          int
	}{
		{"few seconds, independent", 6, 20, 0, bench.P50, 16},
		{"a level, independent", 20, 20, 0, bench.P50, 16},
		{"a level, each second like the one before", 20, 20, 0.4, bench.P50, 22},
		{"a long level, each second like the one before", 40, 20, 0.5, bench.P50, 22},
		{"p95", 20, 20, 0.4, bench.P95, 20},
		{"the mean", 20, 20, 0.4, bench.Mean, 22},
	} {
		r := rand.New(rand.NewPCG(1, 2))
		seen := 0
		for range pairs {
			a, b := wander(r, c.seconds, c.each, 300, c.like), wander(r, c.seconds, c.each, 300, c.like)
			for i := range b.Batches {
				b.Batches[i].Start += time.Hour
			}
			if d := Compare(a, b, bench.TTFT, c.p); d.Seen() {
				seen++
			}
		}
		t.Logf("%s: %d of %d", c.what, seen, pairs)
		if seen > c.most {
			t.Errorf("%s: %d of %d pairs that are alike were told apart, want at most %d", c.what, seen, pairs, c.most)
		}
	}
}

// TestADifferenceIsSeen where it is larger than what the comparison itself says that it could show.
func TestADifferenceIsSeen(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	seen, within := 0, 0
	const pairs = 100
	for range pairs {
		a, b := wander(r, 30, 20, 300, 0.2), wander(r, 30, 20, 390, 0.2)
		b.Batches[0].Start++
		d := Compare(a, b, bench.TTFT, bench.P50)
		if d.Contrast == Worse {
			seen++
		}
		if d.Low.V <= 90 && d.High.V >= 90 {
			within++
		}
	}
	if seen < 95 || within < 88 {
		t.Errorf("30 %% more was seen in %d of %d pairs, want 95; the interval held it in %d, want 88", seen, pairs, within)
	}
}

func TestVerdictsOfDifferences(t *testing.T) {
	steady := func(n int, ttft float64, each int) (out []*bench.Bucket) {
		for i := range n {
			values := make([]float64, each)
			for k := range values {
				values[k] = ttft * (1 + 0.002*float64((i+k)%5-2))
			}
			out = append(out, batch(i, values...))
		}
		return out
	}
	for _, c := range []struct {
		what     string
		from, to Scope
		metric   bench.Metric
		at       bench.Percentile
		want     Contrast
		need     int
	}{
		{"more latency is worse", scope(steady(10, 100, 20)...), scope(steady(10, 110, 20)...), bench.TTFT, bench.P50, Worse, 0},
		{"less is better", scope(steady(10, 110, 20)...), scope(steady(10, 100, 20)...), bench.TTFT, bench.P50, Better, 0},
		{"a difference of a percent matters to nobody", scope(steady(10, 100, 20)...), scope(steady(10, 101, 20)...), bench.TTFT, bench.P50, Alike, 0},
		{"more requests are better", scope(steady(10, 100, 10)...), scope(steady(10, 100, 20)...), bench.RPM, bench.Mean, Better, 0},
		{"a rate has no percentiles: the mean stands for each", scope(steady(10, 100, 20)...), scope(steady(10, 100, 10)...), bench.RPM, bench.P95, Worse, 0},
		{"the mean of a latency", scope(steady(10, 100, 20)...), scope(steady(10, 110, 20)...), bench.TTFT, bench.Mean, Worse, 0},
		{"four seconds are too few", scope(steady(4, 100, 40)...), scope(steady(10, 200, 20)...), bench.TTFT, bench.P50, Untold, 0},
		{"p95 needs a hundred requests", scope(steady(10, 100, 9)...), scope(steady(10, 200, 20)...), bench.TTFT, bench.P95, Untold, 10},
		{"p50 of twelve needs eight more", scope(steady(6, 100, 2)...), scope(steady(6, 200, 2)...), bench.TTFT, bench.P50, Untold, 8},
		{"the greatest of more is greater", scope(steady(10, 100, 20)...), scope(steady(10, 200, 20)...), bench.TTFT, bench.Max, Untold, 0},
		{"what nobody measured", scope(steady(10, 100, 20)...), scope(steady(10, 200, 20)...), bench.ITL, bench.P50, Untold, 20},
		{"nothing at all", Scope{}, Scope{}, bench.TTFT, bench.P50, Untold, 0},
		{"no such metric", scope(steady(10, 100, 20)...), scope(steady(10, 200, 20)...), bench.NumMetrics, bench.P50, Untold, 0},
		{"no failure anywhere", scope(steady(10, 100, 20)...), scope(steady(10, 200, 20)...), bench.Errors, bench.Mean, Alike, 0},
	} {
		d := Compare(c.from, c.to, c.metric, c.at)
		if d.Contrast != c.want || d.Need != c.need {
			t.Errorf("%s: %v, %d more, want %v, %d; %+v", c.what, d.Contrast, d.Need, c.want, c.need, d)
		}
		if d.Low.OK != (d.Contrast != Untold) || d.Least.OK != d.Low.OK || d.Low.OK && !(d.Low.V <= d.By.V && d.By.V <= d.High.V) {
			t.Errorf("%s: the interval %v to %v around %v, least %v", c.what, d.Low, d.High, d.By, d.Least)
		}
	}
}

// TestFailuresAreCompared as shares of what ended.
func TestFailuresAreCompared(t *testing.T) {
	failing := func(each int) Scope {
		var all []*bench.Bucket
		for i := range 20 {
			b := batch(i, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100)
			b.Ended[bench.OK], b.Ended[bench.ServerError] = 10-each-i%2, each+i%2
			all = append(all, b)
		}
		return scope(all...)
	}
	d := Compare(failing(0), failing(3), bench.Errors, bench.Mean)
	if d.Contrast != Worse || math.Abs(d.By.V-30) > 1e-9 {
		t.Errorf("5 %% and 35 %%: %+v", d)
	}
}

// TestFailuresOfAMomentAreCounted: of levels too brief for intervals over time, failures are compared by their number, and a few of them tell nothing.
func TestFailuresOfAMomentAreCounted(t *testing.T) {
	brief := func(ok, failed int) Scope {
		var all []*bench.Bucket
		for i := range 4 {
			b := batch(i, 100)
			b.Ended[bench.OK], b.Ended[bench.ServerError] = 0, 0
			all = append(all, b)
		}
		all[0].Ended[bench.OK], all[3].Ended[bench.ServerError] = ok, failed
		return scope(all...)
	}
	for _, c := range []struct {
		sentence string
		from, to Scope
		want     Contrast
	}{
		{"nine of 44 against none of 120", brief(120, 0), brief(35, 9), Worse},
		{"none against nine of 44", brief(35, 9), brief(120, 0), Better},
		{"two of 44", brief(120, 0), brief(42, 2), Alike},
		{"none in either", brief(120, 0), brief(44, 0), Alike},
		{"too few", brief(120, 0), brief(10, 9), Untold},
	} {
		d := Compare(c.from, c.to, bench.Errors, bench.Mean)
		if d.Contrast != c.want || d.Low.OK != (c.want != Untold) || d.Low.OK && !(d.Low.V <= d.By.V && d.By.V <= d.High.V && d.High.V-d.Low.V > 1) {
			t.Errorf("%s: %v, %v in %v to %v, want %v", c.sentence, d.Contrast, d.By, d.Low, d.High, c.want)
		}
	}
}

// TestGoodputOfOtherPromisesIsNotCompared: a share of requests that kept a stricter promise is no worse, and the share that a percentile leaves to break one is none of it.
func TestGoodputOfOtherPromisesIsNotCompared(t *testing.T) {
	graded := func(promise string, good float64) Side {
		limit, err := bench.ParseThreshold(promise)
		if err != nil {
			t.Fatal(err)
		}
		return Side{Level: &bench.Level{Verdicts: []bench.Verdict{{Threshold: limit}}, Summary: bench.Summary{Goodput: bench.Some(good)}}}
	}
	goodput := Quantity{Of: OfGoodput, At: bench.Mean}
	if d := CompareRuns(graded("ttft.p95<=400ms", 97), graded("ttft.p95<=150ms", 80), goodput); !d.Unlike || d.By.OK || d.Contrast != Untold || d.Chance.OK || !d.From.OK || !d.To.OK {
		t.Errorf("a stricter promise: %+v", d)
	}
	if d := CompareRuns(graded("ttft.p95<=400ms", 97), graded("ttft.p99<=400ms", 80), goodput); d.Unlike || !d.By.OK {
		t.Errorf("another percentile: %+v", d)
	}
}

// TestWhatBefallsBothIsNoDifference: of the same seconds a common swell does not hide that one is a little slower.
func TestWhatBefallsBothIsNoDifference(t *testing.T) {
	swelling := func(factor float64, apart time.Duration) Scope {
		r := rand.New(rand.NewPCG(7, 8))
		var all []*bench.Bucket
		for i := range 20 {
			swell := math.Exp(0.3 * r.NormFloat64())
			var values []float64
			for k := range 20 {
				values = append(values, factor*swell*(300+float64(k)))
			}
			b := batch(i, values...)
			b.Start += apart
			all = append(all, b)
		}
		return scope(all...)
	}
	if d := Compare(swelling(1, 0), swelling(1.1, 0), bench.TTFT, bench.Mean); d.Contrast != Worse {
		t.Errorf("in the same seconds: %+v", d)
	}
	if d := Compare(swelling(1, 0), swelling(1.1, time.Hour), bench.TTFT, bench.Mean); d.Contrast != Alike {
		t.Errorf("an hour apart: %+v", d)
	}
}

// TestRequestsStandInForBatches where a level was too short for five of them.
func TestRequestsStandInForBatches(t *testing.T) {
	short := func(e2e float32) Scope {
		s := scope(batch(0, 100), batch(1, 100))
		for i := range 60 {
			s.Sample = append(s.Sample, bench.Sample{TTFT: e2e + float32(i%7), E2E: 2 * e2e, TPOT: 10})
		}
		s.Summary.Stats[bench.TTFT] = bench.Stat{N: 60, P50: bench.Some(float64(e2e) + 3), Readiness: bench.Ready}
		return s
	}
	if d := Compare(short(100), short(150), bench.TTFT, bench.P50); d.Contrast != Worse {
		t.Errorf("%+v", d)
	}
}

func TestOutputIsCompared(t *testing.T) {
	even := func(each int) Scope {
		var all []*bench.Bucket
		for i := range 12 {
			b := batch(i, 100)
			b.Out = each + i%3
			all = append(all, b)
		}
		return scope(all...)
	}
	// (1000 + 1001 + 1002) ÷ 3 = 1001 and 1201.
	d := CompareOutput(even(1000), even(1200))
	if d.Contrast != Better || math.Abs(d.By.V-200) > 1e-9 || math.Abs(d.Share(d.By).V-200.0/1001) > 1e-9 {
		t.Errorf("%+v", d)
	}
}

func TestStudent(t *testing.T) {
	for _, c := range []struct{ freedom, want float64 }{{4, 2.776}, {5, 2.571}, {10, 2.228}, {30, 2.042}, {math.Inf(1), 1.960}} {
		if got := student(c.freedom); math.Abs(got-c.want) > 0.02*c.want {
			t.Errorf("%g degrees: %g, want %g", c.freedom, got, c.want)
		}
	}
}

func TestNeighboursThatAreAlikeAreWorthFewer(t *testing.T) {
	// Deviations −1.5, −0.5, 0.5, 1.5: squares 5, products 0.75 − 0.25 + 0.75 = 1.25; ρ = 0.25 + 2 ÷ 4 = 0.75, and 1.75 ÷ 0.25 = 7.
	if got := inflation([]float64{1, 2, 3, 4}); math.Abs(got-7) > 1e-9 {
		t.Errorf("a slope: %g, want 7", got)
	}
	if got := inflation([]float64{1, -1, 1, -1, 1, -1}); got != 1 {
		t.Errorf("one that swings: %g, want 1", got)
	}
	if got := inflation([]float64{2, 2, 2, 2}); got != 1 {
		t.Errorf("one that stands: %g, want 1", got)
	}
}

// TestAnAnswerIsRememberedAsLongAsItIsAskedFor, and memory stays bounded.
func TestAnAnswerIsRememberedAsLongAsItIsAskedFor(t *testing.T) {
	var c Comparisons
	asked := 0
	a := &bench.Level{}
	for range 10 {
		for range turn {
			c.ask(pair{from: a}, func() Difference { asked++; return Difference{Need: 7} })
			c.ask(pair{from: a, to: &bench.Level{}}, func() Difference { return Difference{} })
		}
	}
	if d := c.ask(pair{from: a}, nil); d.Need != 7 || asked != 1 {
		t.Errorf("asked %d times, and remembers %+v", asked, d)
	}
	if n := len(c.new) + len(c.old); n > 2*turn {
		t.Errorf("%d answers are kept, want at most %d", n, 2*turn)
	}
}

func BenchmarkCompare(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 10))
	x, y := wander(r, 39, 50, 300, 0.2), wander(r, 39, 50, 320, 0.2)
	for _, p := range []bench.Percentile{bench.P50, bench.P95, bench.Mean} {
		b.Run(p.String(), func(b *testing.B) {
			for range b.N {
				Compare(x, y, bench.TTFT, p)
			}
		})
	}
}

// TestAnIntervalIsOneOfWhatCanBe: no number falls by more than there is of it, what was not seen is not larger than what could have been, and no interval is
// narrower than the sketch of the samples.
func TestAnIntervalIsOneOfWhatCanBe(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		seconds, each := 5+r.IntN(20), 2+r.IntN(12)
		var sides [2]Scope
		for side := range sides {
			var all []*bench.Bucket
			for i := range seconds {
				var values []float64
				middle := 100 * math.Exp(1.5*r.NormFloat64())
				for range each {
					values = append(values, middle*math.Exp(0.5*r.NormFloat64()))
				}
				all = append(all, batch(i+side*1000, values...))
			}
			sides[side] = scope(all...)
		}
		for _, p := range []bench.Percentile{bench.P50, bench.P95, bench.Mean} {
			d := Compare(sides[0], sides[1], bench.TTFT, p)
			if !d.Low.OK {
				continue
			}
			if d.Low.V <= -d.From.V || d.Low.V > d.By.V || d.High.V < d.By.V {
				t.Fatalf("%v from %v by %v: the interval is %v to %v", p, d.From.V, d.By.V, d.Low.V, d.High.V)
			}
			if d.Contrast == Alike && math.Abs(d.By.V) > d.Least.V {
				t.Fatalf("%v: %v was not seen, though %v could have been (%v to %v)", p, d.By.V, d.Least.V, d.Low.V, d.High.V)
			}
		}
	}
	same := func(start int, v float64) Scope {
		var all []*bench.Bucket
		for i := range 10 {
			all = append(all, batch(start+i, v, v, v, v))
		}
		return scope(all...)
	}
	d := Compare(same(0, 100), same(100, 109.44), bench.TTFT, bench.P50)
	if d.Low.V > 9.44 || d.High.V < 9.44 || d.High.V-d.Low.V < 1 || d.Contrast != Worse {
		t.Errorf("100 against 109.44 in one bin each: %+v, want an interval as wide as a bin about 9.44", d)
	}
	if d := CompareOutput(same(0, 100), same(100, 100)); d.Low.V != 0 || d.High.V != 0 {
		t.Errorf("rates that are exact: %v to %v, want 0 to 0", d.Low, d.High)
	}
}
