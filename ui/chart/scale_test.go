package chart

import (
	"math"
	"testing"
)

func TestRangeGrowsAtOnceAndShrinksLate(t *testing.T) {
	var r Range
	if r.Ceil() != 1 || r.Step(500) != 500 || r.Step(1000) != 1000 {
		t.Fatal("does not grow at once")
	}
	for i := range holdBuckets - 1 {
		if got := r.Step([]float64{100, 200}[i%2]); got != 1000 {
			t.Fatalf("shrank to %g after %d buckets", got, i+1)
		}
	}
	if got := r.Step(100); got != 200 {
		t.Errorf("shrank to %g, want the greatest of the ten, 200", got)
	}
}

func TestRangeStartsToCountAnewWhenTheCeilingIsNeeded(t *testing.T) {
	var r Range
	r.Step(1000)
	for range 5 * holdBuckets {
		for range holdBuckets - 1 {
			r.Step(10)
		}
		if got := r.Step(1000); got != 1000 {
			t.Fatalf("shrank to %g", got)
		}
	}
}

func TestRangeIgnoresNonsense(t *testing.T) {
	var r Range
	r.Step(50)
	for _, v := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		for range 2 * holdBuckets {
			if got := r.Step(v); got != 50 {
				t.Errorf("%g gives %g", v, got)
			}
		}
	}
}

func TestRoundUpIsOneTwoFive(t *testing.T) {
	for v, want := range map[float64]float64{
		0: 1, -3: 1, 1: 1, 1.01: 2, 2: 2, 3: 5, 5: 5, 5.1: 10, 10: 10, 999: 1000, 1000: 1000, 1001: 2000, 0.03: 0.05, 625: 1000, 1e6: 1e6,
		math.Inf(1): 1, math.NaN(): 1, 5e-324: 1,
	} {
		if got := RoundUp(v); math.Abs(got-want) > want*1e-9 && v != 5e-324 {
			t.Errorf("%g rounds to %g, want %g", v, got, want)
		}
	}
}

func TestShareIsNeverNonsense(t *testing.T) {
	values := []float64{0, -1, 1e-300, 1, 999, 1e300, math.NaN(), math.Inf(1), math.Inf(-1)}
	for _, log := range []bool{false, true} {
		for _, ceil := range values {
			for _, least := range values {
				for _, v := range values {
					if got := (Scale{ceil, least, log}).Share(v); !(got >= 0 && got <= 2) {
						t.Errorf("%g in %g..%g (log %v) has share %g", v, least, ceil, log, got)
					}
				}
			}
		}
	}
	s := Scale{Ceil: 1000, Least: 10, Log: true}
	if got := s.Share(100); math.Abs(got-0.5) > 1e-9 {
		t.Errorf("100 lies at %g of 10 to 1 000, want the middle", got)
	}
}
