package analysis

import (
	"math"
	"testing"
	"time"

	"redline/bench"
)

// along are points at loads 8, 16, 24, ...
func along(ys ...float64) (out []Point) {
	for i, y := range ys {
		out = append(out, Point{float64(8 * (i + 1)), y})
	}
	return out
}

func TestKneeIsFurthestAboveTheChord(t *testing.T) {
	for _, c := range []struct {
		what   string
		points []Point
		at     float64
		bend   Bend
	}{
		{"no level has no knee", nil, 0, TooFew},
		{"three loads are too few", along(500, 900, 950), 0, TooFew},
		{"of four, one that is not a number leaves three", append(along(500, 900, 950), Point{32, math.NaN()}), 0, TooFew},
		{"two visits of a load are one load", append(along(500, 900, 950), Point{24, 940}), 0, TooFew},
		{"a straight line does not bend", along(500, 1000, 1500, 2000), 0, Straight},
		{"the last slope of just half the first is no knee", along(400, 800, 1200, 1400), 0, Straight},
		// The chord from (8, 400) to (40, 1300) rises by 28.125; above it: 175 at 16, 350 at 24, 162.5 at 32.
		{"the corner of two lines", along(400, 800, 1200, 1237.5, 1300), 24, Bent},
		// Chord 1000 ÷ 40 = 25: 275 at 16, 530 at 24, 515 at 32, 377 at 40.
		{"what bends slowly", along(510, 985, 1440, 1625, 1687, 1510), 24, Bent},
		{"the order does not matter", []Point{{40, 1300}, {8, 400}, {24, 1200}, {32, 1237.5}, {16, 800}}, 24, Bent},
		// The chord goes down: above it 500 at 16, 733 at 24, 616 at 32.
		{"a curve that falls past its peak", along(600, 1000, 1130, 913.3, 197), 24, Bent},
		{"a curve that only falls has no knee", along(1000, 900, 800, 600), 0, Straight},
		{"loads apart as they come", []Point{{1, 60}, {2, 118}, {4, 230}, {8, 430}, {64, 900}, {128, 920}}, 64, Bent},
		// The chord rises by 21.25: the point at 16 lies below it, that at 24 160 above.
		{"one that rises late", along(100, 200, 600, 610), 24, Bent},
	} {
		got, bend := Knee(c.points)
		if bend != c.bend || got.X != c.at {
			t.Errorf("%s: %v, %v; want at %v, %v", c.what, got, bend, c.at, c.bend)
		}
	}
}

// tried is a level with a p95 of TTFT and ITL.
func tried(load float64, ttft, itl float64) *bench.Level {
	l := &bench.Level{Load: bench.Setpoint{N: load}, State: bench.Settled, Reached: bench.MarkAt(time.Second)}
	l.Span = LongEnough
	l.Stats[bench.TTFT] = bench.Stat{N: 150, Readiness: bench.Ready, P95: bench.Some(ttft)}
	l.Stats[bench.ITL] = bench.Stat{N: 9000, Readiness: bench.Ready, P95: bench.Some(itl)}
	return l
}

func promises(t *testing.T, texts ...string) (out []bench.Threshold) {
	t.Helper()
	for _, text := range texts {
		one, err := bench.ParseThreshold(text)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, one)
	}
	return out
}

func TestLimitLiesBetweenKeptAndBroken(t *testing.T) {
	few := tried(48, 900, 20)
	few.Stats[bench.TTFT].N = 40
	absent := tried(48, 900, 20)
	absent.Stats[bench.TTFT].Readiness = bench.Few
	lost := tried(48, 300, 20)
	lost.Stats[bench.TTFT].Missing, lost.Missed.Failed = 30, 30
	both := promises(t, "ttft.p95<=500ms", "itl.p95<=25ms", "rpm<=1")
	for _, c := range []struct {
		what     string
		levels   []*bench.Level
		promises []bench.Threshold
		want     Limit
	}{
		{"without levels nothing is known", nil, both, Limit{}},
		{"without promises nothing is known", []*bench.Level{tried(8, 100, 10)}, nil, Limit{}},
		{"a quota is no promise", []*bench.Level{tried(8, 100, 10)}, promises(t, "rpm<=1"), Limit{}},
		{"all is kept up to the greatest load", []*bench.Level{tried(16, 200, 12), tried(8, 100, 10)}, both, Limit{Bound: NotReached, Kept: bench.InFlight(16)}},
		{"as far as each promise could be judged", []*bench.Level{tried(8, 100, 10), absentTTFT(16)}, both, Limit{Bound: NotReached, Kept: bench.InFlight(8)}},
		// From 400 to 900: a fifth of the way from 40 to 48.
		{"the crossing is interpolated", []*bench.Level{tried(48, 900, 20), tried(40, 400, 18), tried(8, 100, 10)}, both,
			Limit{Bound: Between, Threshold: both[0], Kept: bench.InFlight(40), Broken: bench.InFlight(48), At: bench.Some(41.6)}},
		// TTFT crosses at 41.6, ITL half way from 20 to 30 at 44.
		{"the promise that breaks first binds", []*bench.Level{tried(40, 400, 20), tried(48, 900, 30)}, both,
			Limit{Bound: Between, Threshold: both[0], Kept: bench.InFlight(40), Broken: bench.InFlight(48), At: bench.Some(41.6)}},
		// TTFT a fourth of the way, at 42; ITL an eighth, at 41.
		{"whichever comes first in the list", []*bench.Level{tried(40, 450, 24), tried(48, 650, 32)}, both,
			Limit{Bound: Between, Threshold: both[1], Kept: bench.InFlight(40), Broken: bench.InFlight(48), At: bench.Some(41)}},
		{"the least load that was tried breaks it", []*bench.Level{tried(8, 600, 10), tried(16, 900, 12)}, both, Limit{Bound: Below, Threshold: both[0], Broken: bench.InFlight(8)}},
		{"nor does a lesser load keep it that could not be judged", []*bench.Level{absentTTFT(8), tried(16, 900, 12)}, both, Limit{Bound: Doubtful, Threshold: both[0], Broken: bench.InFlight(16)}},
		{"but another promise that breaks at a lesser load binds", []*bench.Level{absentTTFT(8), unsure(40, 30), tried(48, 900, 40)}, both,
			Limit{Bound: Doubtful, Threshold: both[1], Broken: bench.InFlight(40)}},
		{"one that breaks throughout binds before one that breaks later", []*bench.Level{tried(8, 100, 30), tried(16, 900, 30)}, both, Limit{Bound: Below, Threshold: both[1], Broken: bench.InFlight(8)}},
		{"where a load above a broken one keeps them all, the load alone does not decide", []*bench.Level{tried(8, 100, 10), tried(16, 900, 10), tried(24, 300, 10)}, both,
			Limit{Bound: Undecided, Threshold: both[0], Kept: bench.InFlight(24), Broken: bench.InFlight(16)}},
		{"one visit that breaks a load outweighs one that keeps it", []*bench.Level{tried(8, 100, 10), tried(16, 900, 10), tried(16, 300, 10)}, both,
			Limit{Bound: Between, Threshold: both[0], Kept: bench.InFlight(8), Broken: bench.InFlight(16), At: bench.Some(12)}},
		{"a load that was only touched says nothing", []*bench.Level{tried(8, 100, 10), touched(4, 900)}, both, Limit{Bound: NotReached, Kept: bench.InFlight(8)}},
		{"of two that break from the same load on, the one that is kept further up does not bind", []*bench.Level{tried(1, 600, 30), tried(3, 300, 32)}, both,
			Limit{Bound: Below, Threshold: both[1], Broken: bench.InFlight(1)}},
		{"few requests make it rough", []*bench.Level{tried(40, 400, 18), few}, both,
			Limit{Bound: Between, Threshold: both[0], Kept: bench.InFlight(40), Broken: bench.InFlight(48), At: bench.Some(41.6), Rough: true}},
		{"a verdict without enough samples is none", []*bench.Level{tried(40, 400, 18), absent}, promises(t, "ttft.p95<=500ms"), Limit{Bound: NotReached, Kept: bench.InFlight(40)}},
		{"where the percentile lies among what failed there is nothing to interpolate", []*bench.Level{tried(40, 400, 18), lost}, promises(t, "ttft.p95<=500ms"),
			Limit{Bound: Between, Threshold: both[0], Missed: bench.Missed{Failed: 30}, Kept: bench.InFlight(40), Broken: bench.InFlight(48)}},
		// A floor: 30 to 10, half way.
		{"a floor is crossed downwards", []*bench.Level{slow(8, 30), slow(16, 10)}, promises(t, "tps.p5>=20"),
			Limit{Bound: Between, Threshold: promises(t, "tps.p5>=20")[0], Kept: bench.InFlight(8), Broken: bench.InFlight(16), At: bench.Some(12)}},
	} {
		got := Find(c.levels, c.promises)
		got.At.V = math.Round(got.At.V*1e6) / 1e6
		if got != c.want {
			t.Errorf("%s:\n got %+v\nwant %+v", c.what, got, c.want)
		}
	}
}

// touched is a level that was left at once.
func touched(load, ttft float64) *bench.Level {
	l := tried(load, ttft, 10)
	l.Span = LongEnough - 1
	return l
}

// absentTTFT is a level without enough first tokens.
func absentTTFT(load float64) *bench.Level {
	return unsure(load, 10)
}

// unsure is such a level with its ITL.
func unsure(load, itl float64) *bench.Level {
	l := tried(load, 100, itl)
	l.Stats[bench.TTFT].Readiness = bench.Few
	return l
}

// slow is a level with a speed of its slow streams.
func slow(load, tps float64) *bench.Level {
	l := tried(load, 100, 10)
	l.Stats[bench.TPS] = bench.Stat{N: 150, Readiness: bench.Ready, P5: bench.Some(tps)}
	return l
}

func TestNextIsWorthTrying(t *testing.T) {
	loads := func(mode bench.Mode, ns ...float64) (out []bench.Setpoint) {
		for _, n := range ns {
			out = append(out, bench.Setpoint{Mode: mode, N: n})
		}
		return out
	}
	between := func(a, b int) Limit { return Limit{Bound: Between, Kept: bench.InFlight(a), Broken: bench.InFlight(b)} }
	kept := Limit{Bound: NotReached}
	for _, c := range []struct {
		what  string
		loads []bench.Setpoint
		limit Limit
		mode  bench.Mode
		most  float64
		want  float64
	}{
		{"the first load is one", nil, Limit{}, bench.Closed, 64, 1},
		{"then it doubles", loads(bench.Closed, 8), kept, bench.Closed, 64, 16},
		{"the loads of the other mode do not count", append(loads(bench.Open, 2), loads(bench.Closed, 4)...), kept, bench.Closed, 64, 8},
		{"doubling goes on", loads(bench.Closed, 1, 2, 4), kept, bench.Closed, 64, 8},
		{"steps go on", loads(bench.Closed, 24, 32, 40, 48), kept, bench.Closed, 64, 56},
		{"up to the bound", loads(bench.Closed, 16, 32, 50), kept, bench.Closed, 64, 64},
		{"at the bound the widest gap is filled", loads(bench.Closed, 8, 32, 64), kept, bench.Closed, 64, 20},
		{"between kept and broken", loads(bench.Closed, 8, 40, 48), between(40, 48), bench.Closed, 64, 44},
		{"neighbours leave the widest gap", loads(bench.Closed, 8, 40, 41), between(40, 41), bench.Closed, 64, 24},
		{"below what breaks throughout", loads(bench.Closed, 8, 16), Limit{Bound: Below}, bench.Closed, 64, 4},
		{"below what breaks where the rest could not be judged", loads(bench.Closed, 8, 16, 40, 48), Limit{Bound: Below, Broken: bench.InFlight(40)}, bench.Closed, 64, 20},
		{"nothing lies below one", loads(bench.Closed, 1), Limit{Bound: Below}, bench.Closed, 64, 0},
		{"nothing is left between one and two", loads(bench.Closed, 1, 2), kept, bench.Closed, 2, 0},
		{"a rate is rounded to two digits", loads(bench.Open, 2.5, 5, 7.5), kept, bench.Open, 20, 10},
		{"a rate between two", loads(bench.Open, 2.5, 5), Limit{Bound: Between, Kept: bench.PerSecond(2.5), Broken: bench.PerSecond(5)}, bench.Open, 20, 3.8},
		{"without a bound", loads(bench.Closed, 512), kept, bench.Closed, 0, 1024},
	} {
		got, ok := Next(c.loads, c.limit, c.mode, c.most)
		if !ok {
			got.N = 0
		}
		if got.N != c.want {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
}
