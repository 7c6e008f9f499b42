package analysis

import (
	"math"
	"testing"

	"redline/bench"
)

// working is a level with rates a minute.
func working(load, rpm, in, out float64) *bench.Level {
	l := tried(load, 100, 10)
	l.Stats[bench.RPM] = bench.Stat{N: 150, Readiness: bench.Ready, Mean: bench.Some(rpm)}
	l.Stats[bench.TPM] = bench.Stat{N: 90000, Readiness: bench.Ready, Mean: bench.Some(in + out)}
	l.PerMinuteIn, l.PerMinuteOut = bench.Some(in), bench.Some(out)
	l.Tally = bench.Tally{OK: 100}
	l.Counted = l.Tally
	l.PromptTokens = bench.Some(in / rpm)
	return l
}

func TestWhatALoadCosts(t *testing.T) {
	tokens, gpus := bench.Prices{Input: 0.5, Output: 2}, bench.Prices{GPUHour: 3, GPUs: 4}
	cached := working(8, 60, 30000, 12000)
	cached.Cached = 25000 // of 100 prompts of 500 tokens: a half
	still := working(8, 0, 0, 0)
	still.PromptTokens = bench.Value{}
	young := working(8, 60, 30000, 12000)
	young.Stats[bench.RPM].Readiness = bench.Few
	absent := working(8, 60, 30000, 12000)
	absent.Stats[bench.RPM].Readiness, absent.Stats[bench.TPM].Readiness = bench.Absent, bench.Absent
	some, none := bench.Some, bench.Value{}
	for _, c := range []struct {
		what   string
		level  *bench.Level
		prices bench.Prices
		want   Cost
	}{
		{"without prices nothing", working(8, 60, 30000, 12000), bench.Prices{GPUs: 1}, Cost{}},
		// 1.8 M in at 0.5 and 0.72 M out at 2 an hour: 0.9 + 1.44 = 2.34, for 3,600 requests and 0.72 M output tokens.
		{"by the token", working(8, 60, 30000, 12000), tokens, Cost{some(2.34), some(0.00065), some(3.25), false}},
		// Half of the prompts at 0.1: 0.9 × 0.5 + 0.9 × 0.1 + 1.44 = 1.98.
		{"what is cached costs less", cached, bench.Prices{Input: 0.5, Output: 2, Cached: some(0.1)}, Cost{some(1.98), some(0.00055), some(2.75), false}},
		// 12 an hour for 3,600 requests and 0.72 M output tokens.
		{"by the hour", working(8, 60, 30000, 12000), gpus, Cost{some(12), some(12.0 / 3600), some(12 / 0.72), false}},
		{"GPUs that stand still cost the same, but nothing that could be divided", still, gpus, Cost{PerHour: some(12)}},
		{"tokens that nobody asks for cost nothing", still, tokens, Cost{PerHour: some(0)}},
		{"what is not ready is rough", young, gpus, Cost{some(12), some(12.0 / 3600), some(12 / 0.72), true}},
		{"what is not known is absent", absent, gpus, Cost{some(12), none, none, true}},
	} {
		got := CostOf(&c.level.Summary, c.prices)
		for _, v := range []struct{ got, want bench.Value }{{got.PerHour, c.want.PerHour}, {got.PerRequest, c.want.PerRequest}, {got.PerMillion, c.want.PerMillion}} {
			if v.got.OK != v.want.OK || math.Abs(v.got.V-v.want.V) > 1e-9 {
				t.Errorf("%s: %+v, want %+v", c.what, got, c.want)
				break
			}
		}
		if got.Rough != c.want.Rough {
			t.Errorf("%s: rough %v", c.what, got.Rough)
		}
	}
}

func TestTheCheapestLevelKeepsThePromises(t *testing.T) {
	gpus := bench.Prices{GPUHour: 3, GPUs: 1}
	slow := func(l *bench.Level) *bench.Level {
		l.Stats[bench.TTFT].P95 = bench.Some(900)
		return l
	}
	unknown := func(l *bench.Level) *bench.Level {
		l.Stats[bench.TTFT].Readiness = bench.Few
		return l
	}
	brief := func(l *bench.Level) *bench.Level {
		l.Span = LongEnough - 1
		return l
	}
	a, b, c := working(8, 60, 30000, 12000), working(16, 100, 50000, 20000), working(32, 120, 60000, 24000)
	all := promises(t, "ttft.p95<=500ms")
	for _, x := range []struct {
		what     string
		levels   []*bench.Level
		promises []bench.Threshold
		prices   bench.Prices
		want     float64
	}{
		{"none", nil, all, gpus, 0},
		{"one alone is not the cheapest of anything", []*bench.Level{a}, all, gpus, 0},
		{"the one with the highest output, by the hour", []*bench.Level{a, b, c}, all, gpus, 32},
		{"unless it breaks a promise", []*bench.Level{a, b, slow(working(32, 120, 60000, 24000))}, all, gpus, 16},
		{"or is not known to keep all", []*bench.Level{a, b, unknown(working(32, 120, 60000, 24000))}, all, gpus, 16},
		{"or was only touched", []*bench.Level{a, b, brief(working(32, 120, 60000, 24000))}, all, gpus, 16},
		{"without promises all count", []*bench.Level{a, b, slow(working(32, 120, 60000, 24000))}, []bench.Threshold{}, gpus, 32},
		{"by the token the load does not decide", []*bench.Level{a, b, c}, all, bench.Prices{Input: 1, Output: 2}, 0},
		{"without prices nothing is cheap", []*bench.Level{a, b, c}, all, bench.Prices{}, 0},
	} {
		got := 0.0
		if l := Cheapest(x.levels, x.promises, x.prices); l != nil {
			got = l.Load.N
		}
		if got != x.want {
			t.Errorf("%s: %g, want %g", x.what, got, x.want)
		}
	}
}

// TestALoadThatBrokeAtAnotherVisitIsNotTheCheapest: the limit says of the same levels that it is broken there.
func TestALoadThatBrokeAtAnotherVisitIsNotTheCheapest(t *testing.T) {
	gpus, all := bench.Prices{GPUHour: 3, GPUs: 1}, promises(t, "ttft.p95<=500ms")
	a, b, first, again := working(1, 60, 30000, 12000), working(2, 100, 50000, 20000), working(4, 120, 60000, 24000), working(4, 120, 60000, 24000)
	first.Stats[bench.TTFT].P95 = bench.Some(900)
	levels := []*bench.Level{a, b, first, again}
	for i, l := range levels {
		l.ID, l.State = i+1, bench.Settled
	}
	c := Curves(levels, all, true)[0]
	if got := c.Cheapest(all, gpus); c.Limit.Kept.N != 2 || got == nil || got.Load.N != 2 {
		t.Errorf("kept up to %v, cheapest %+v: want 2 and 2", c.Limit.Kept, got)
	}
	first.Stats[bench.TTFT].P95 = bench.Some(100)
	c = Curves(levels, all, true)[0]
	if got := c.Cheapest(all, gpus); got == nil || got.Load.N != 4 {
		t.Errorf("cheapest %+v: want 4, which kept it twice", got)
	}
}
