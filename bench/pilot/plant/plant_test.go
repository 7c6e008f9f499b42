package plant

import (
	"math"
	"reflect"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/sim/model"
)

func made(t *testing.T, o Options) *Plant {
	t.Helper()
	p, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// tally runs a plant for so many seconds.
func tally(p *Plant, seconds int) (sum bench.Facts) {
	for range seconds {
		b := p.Second()
		sum.Add(&b.Facts)
	}
	return sum
}

func promise(t *testing.T, text string) bench.Threshold {
	t.Helper()
	out, err := bench.ParseThreshold(text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A closed loop in the plant is the same loop as the model's own driver, whose numbers other tests hold.
func TestPlantAgreesWithTheModelsOwnLoop(t *testing.T) {
	for _, load := range []int{4, 24, 48} {
		want, err := model.Drive(model.SmallGPU.Params(), load, 400*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		p := made(t, Options{Model: model.SmallGPU.Params(), Load: bench.InFlight(load)})
		tally(p, 100)
		got := tally(p, 300)
		if rate := float64(got.Ended[bench.OK]) / 5; math.Abs(rate/want.RequestRate-1) > 0.05 {
			t.Errorf("at %d: %.1f requests a minute, the model's own clients saw %.1f", load, rate, want.RequestRate)
		}
		if mean := got.InFlight / 300; math.Abs(mean-float64(load)) > 1e-6 {
			t.Errorf("at %d: %.4f in flight", load, mean)
		}
	}
}

func TestPlantLowersByDraining(t *testing.T) {
	p := made(t, Options{Model: model.SmallGPU.Params(), Load: bench.InFlight(24), Folds: true})
	tally(p, 10)
	p.Until(10*time.Second + 300*time.Millisecond)
	p.Set(bench.InFlight(12), bench.CauseLoad)
	if p.running != 24 {
		t.Fatalf("%d in flight right after the load was lowered, want the 24 to go on", p.running)
	}
	reached := bench.Mark{}
	for range 20 {
		b := p.Second()
		for _, e := range b.Events {
			if e.Kind == bench.EventReach && e.Level == 2 {
				reached = bench.MarkAt(e.At)
			}
		}
		if reached.OK && p.running != 12 {
			t.Fatalf("%d in flight after the load of 12 was reached", p.running)
		}
	}
	if !reached.OK || reached.At < 10*time.Second+300*time.Millisecond {
		t.Fatalf("the load was reached at %+v", reached)
	}
	if l := p.Snapshot().Level(); l.Load != bench.InFlight(12) || !l.Reached.OK || l.Stats[bench.TTFT].N == 0 {
		t.Errorf("the fold shows level %+v", l)
	}
}

func TestPlantFoldsALevelThatSettles(t *testing.T) {
	for _, load := range []bench.Setpoint{bench.InFlight(16), bench.PerSecond(3)} {
		p := made(t, Options{Model: model.SmallGPU.Params(), Load: load, Folds: true})
		sum := tally(p, 60)
		s := p.Snapshot()
		l := s.Level()
		if l.State != bench.Settled {
			t.Errorf("%v: the level is %v after a minute", load, l.State)
		}
		if tps, itl := l.Stats[bench.TPS].Mean, l.Stats[bench.ITL].P50; !tps.OK || !itl.OK || math.Abs(tps.V*itl.V/1000-1) > 0.15 {
			t.Errorf("%v: TPS %v and ITL %v do not fit together", load, tps, itl)
		}
		tally := s.Total.Tally
		if tally.Sent != sum.Sent || tally.Sent != tally.OK+s.InFlight {
			t.Errorf("%v: %d sent, %d ok, %d in flight", load, tally.Sent, tally.OK, s.InFlight)
		}
	}
}

// Whether chunks are told or not must not change what the requests do.
func TestPlantDoesTheSameWithAndWithoutFolding(t *testing.T) {
	type request struct {
		id         uint64
		start, end time.Duration
	}
	run := func(folds bool) (out []request) {
		p := made(t, Options{Model: model.SmallGPU.Params(), Seed: 3, Load: bench.PerSecond(3), Folds: folds, Fail: 0.1, RPM: 200})
		for i := range 60 {
			if i == 30 {
				p.Set(bench.InFlight(40), bench.CauseMode)
			}
			b := p.Second()
			for _, e := range b.Ended {
				out = append(out, request{e.ID, e.Marks.Started.At, e.Marks.Ended.At})
			}
		}
		return out
	}
	if a, b := run(false), run(true); !reflect.DeepEqual(a, b) {
		t.Errorf("%d and %d requests ended, which are not the same", len(a), len(b))
	}
}

func TestPlantRefusesAndHolds(t *testing.T) {
	p := made(t, Options{Model: model.SmallGPU.Params(), Load: bench.InFlight(40), RPM: 120, Burst: 10})
	tally(p, 60)
	got := tally(p, 300)
	if n := got.Ended[bench.OK] / 5; n < 100 || n > 122 {
		t.Errorf("%d requests a minute went well under a limit of 120", n)
	}
	if got.Ended[bench.RateLimited] == 0 || got.Held == 0 {
		t.Errorf("%d were limited, %.1f slot-seconds held", got.Ended[bench.RateLimited], got.Held)
	}
	p = made(t, Options{Model: model.SmallGPU.Params(), Load: bench.PerSecond(2), Fail: 0.2})
	got = tally(p, 600)
	if share := float64(got.Ended[bench.ServerError]) / float64(got.Sent); math.Abs(share-0.2) > 0.04 {
		t.Errorf("%.3f of the requests failed, want 0.2", share)
	}
	if math.Abs(float64(got.Sent+got.Unsent)/600-2) > 0.15 {
		t.Errorf("%d arrivals in 600 s at 2 a second", got.Sent+got.Unsent)
	}
}

func TestPlantChangesItsSpeed(t *testing.T) {
	p := made(t, Options{Model: model.SmallGPU.Params(), Load: bench.InFlight(16)})
	tally(p, 60)
	before := tally(p, 300)
	p.Speed(0.7)
	tally(p, 60)
	after := tally(p, 300)
	if ratio := float64(after.Ended[bench.OK]) / float64(before.Ended[bench.OK]); math.Abs(ratio-0.7) > 0.03 {
		t.Errorf("at 0.7 of its speed the engine does %.2f of its work", ratio)
	}
}

func TestShareRisesWithTheLoadAndLimitLiesWhereThePromiseJustHolds(t *testing.T) {
	o := Options{Model: model.SmallGPU.Params(), MaxTokens: 256}
	o.Model.OutputMean = 128
	e2e := promise(t, "e2e.p95<=5s")
	before := 0.0
	for _, load := range []int{12, 20, 28, 36} {
		share, err := Share(o, bench.InFlight(load), e2e)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %.1f %% beyond at %d", e2e, 100*share, load)
		if share < before {
			t.Errorf("a share of %.3f at %d, and %.3f below", share, load, before)
		}
		before = share
	}
	limit, err := Limit(o, bench.InFlight(1), bench.InFlight(64), e2e)
	if err != nil {
		t.Fatal(err)
	}
	below, _ := Share(o, bench.InFlight(int(limit)), e2e)
	above, _ := Share(o, bench.InFlight(int(limit)+1), e2e)
	if below > 0.05 || above <= 0.05 {
		t.Errorf("limit %.1f: %.3f below it and %.3f above", limit, below, above)
	}
	t.Logf("limit %.1f", limit)
}
