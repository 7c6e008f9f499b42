package analysis

import (
	"math"
	"testing"
	"time"

	"redline/bench"
)

// following are levels that follow a law, but where they are told another rate.
func following(law USL, other map[float64]float64, loads ...float64) (out []*bench.Level) {
	for i, n := range loads {
		x := law.At(n)
		if at, ok := other[n]; ok {
			x = at
		}
		l := visit(i, n, bench.Settled, time.Minute, 100)
		l.OutputRate, l.InFlight = bench.Some(x), bench.Some(n)
		for s := range 20 {
			b := batch(s, 100, 100)
			b.Out = int(x * (1 + 0.02*float64(s%3-1)))
			l.Batches = append(l.Batches, b)
		}
		out = append(out, l)
	}
	return out
}

func TestAServerLeavesItsCurve(t *testing.T) {
	loads := []float64{1, 2, 4, 8, 16, 32, 48, 64}
	for _, c := range []struct {
		what    string
		other   map[float64]float64
		carried Carried
		left    float64
	}{
		{"one that follows it", nil, ToPeak, 0},
		{"the greatest load falls off", map[float64]float64{64: 300}, ToPeak, 64},
		{"the two greatest fall off", map[float64]float64{48: 350, 64: 300}, ToPeak, 48},
		{"one in the middle is no end", map[float64]float64{4: 60}, Scattered, 0},
		{"more than was expected is no loss", map[float64]float64{64: 900}, Scattered, 0},
	} {
		levels := following(peaked, c.other, loads...)
		var m Models
		curve := Curves(levels, nil, true)[0]
		model := m.Of(&curve)
		left := 0.0
		if model.Left != nil {
			left = model.Left.Level.Load.N
		}
		if model.Carried != c.carried || left != c.left {
			t.Errorf("%s: %v, left at %g; want %v, %g: %+v", c.what, model.Carried, left, c.carried, c.left, model.summary())
		}
		if model.Carried == ToPeak && math.Abs(model.Peak.V-40) > 4 {
			t.Errorf("%s: peak at %v", c.what, model.Peak)
		}
	}
}

// TestTheLawIsFittedAnewOnlyWhenLevelsChange.
func TestTheLawIsFittedAnewOnlyWhenLevelsChange(t *testing.T) {
	levels := following(peaked, nil, 1, 2, 4, 8, 16, 32, 64)
	of := func() *Curve { return &Curves(levels, nil, true)[0] }
	var m Models
	first := m.Of(of())
	if m.Of(of()) != first {
		t.Error("the same levels were fitted twice")
	}
	levels = append(levels, following(peaked, nil, 48)...)
	levels[len(levels)-1].ID = 9
	if again := m.Of(of()); again == first || again.Loads != 8 {
		t.Errorf("another level: %d loads", again.Loads)
	}
}

// TestTheLawIsOfRequestsInFlight, in the open loop too.
func TestTheLawIsOfRequestsInFlight(t *testing.T) {
	levels := following(peaked, nil, 1, 2, 4, 8, 16, 32, 64)
	for _, l := range levels {
		l.Load = bench.PerSecond(l.Load.N / 4)
	}
	curve := Curves(levels, nil, true)[0]
	var m Models
	if model := m.Of(&curve); model.Carried != ToPeak || math.Abs(model.Peak.V-40) > 4 || model.To != 64 {
		t.Errorf("%+v", model.summary())
	}
}

func BenchmarkModelOfALostCurve(b *testing.B) {
	curve := Curves(following(peaked, map[float64]float64{48: 350, 64: 300}, 1, 2, 4, 8, 16, 32, 48, 64), nil, true)[0]
	for range b.N {
		var m Models
		m.Of(&curve)
	}
}
