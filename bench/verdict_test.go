package bench

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestFewStreamsDoNotSpeakForBursts: most answers had no pace, so that a promise on it is neither kept nor broken.
func TestFewStreamsDoNotSpeakForBursts(t *testing.T) {
	for _, row := range []struct {
		sentence, promise string
		bursts            Value
		known             bool
	}{
		{"no answer has ended", "tps>=20", Value{}, true},
		{"no burst", "tps>=20", Some(0), true},
		{"a few bursts", "itl<=25ms", Some(0.5), true},
		{"mostly bursts", "itl<=25ms", Some(0.51), false},
		{"the same for speeds", "tps>=20", Some(0.8), false},
		{"and for their inverse", "tpot<=25ms", Some(0.8), false},
		{"a first token comes whatever follows", "ttft<=2s", Some(0.8), true},
		{"and so does the last", "e2e<=2s", Some(1), true},
		{"and errors", "errors<=1%", Some(1), true},
	} {
		s := Summary{Bursts: row.bursts, Tally: Tally{OK: 100}, Counted: Tally{OK: 100}}
		for m := range s.Stats {
			s.Stats[m] = Stat{N: 100, Readiness: Ready, P95: Some(22), P5: Some(22)}
		}
		if v := promise(t, row.promise).Judge(&s); v.Known != row.known {
			t.Errorf("%s: %+v, want known: %v", row.sentence, v, row.known)
		}
	}
}

// promise is a threshold as it is written.
func promise(t *testing.T, text string) Threshold {
	t.Helper()
	out, err := ParseThreshold(text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestPromisesHoldWhatNeverCameAsBroken(t *testing.T) {
	// rising are the samples 1, 2, … n.
	rising := func(n int) Sketch {
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(i + 1)
		}
		return sketchOf(values...)
	}
	for _, c := range []struct {
		sentence, promise      string
		n, failed, unsent      int
		value                  float64 // 0: none
		known, broken, beyond  bool
		flying, limited, apart int
	}{
		{sentence: "nothing is missing: the 95th of 100", promise: "ttft.p95<=95.5ms", n: 100, value: 95, known: true},
		{sentence: "five of 100 are unsent: the last of 95 is the 95th", promise: "ttft.p95<=94ms", n: 95, unsent: 5, value: 95, known: true, broken: true},
		{sentence: "two are missing: the 95th of 100 is the 95th of 98", promise: "ttft.p95<=96ms", n: 98, unsent: 1, failed: 1, value: 95, known: true},
		{sentence: "one more than allowed is missing: no limit is kept", promise: "ttft.p95<=1000s", n: 94, unsent: 6, known: true, broken: true, beyond: true},
		{sentence: "failures are as good as unsent", promise: "e2e.p95<=1000s", n: 94, failed: 6, known: true, broken: true, beyond: true},
		{sentence: "the greatest of all is missing as soon as one is", promise: "e2e.max<=1000s", n: 99, failed: 1, known: true, broken: true, beyond: true},
		{sentence: "the middle shifts too", promise: "tpot.p50<=60ms", n: 60, unsent: 40, value: 50, known: true},
		{sentence: "the slow side of speeds: the 5th of 100 is the 2nd of 97", promise: "tps.p5>=3", n: 97, unsent: 3, value: 2, known: true, broken: true},
		{sentence: "with five missing the 5th of 100 is one of them", promise: "tps.p5>=0.001", n: 95, unsent: 5, known: true, broken: true, beyond: true},
		{sentence: "the middle of speeds", promise: "tps.p50>=29", n: 80, failed: 20, value: 30, known: true},
		{sentence: "few samples are not enough to know", promise: "ttft.p95<=30ms", n: 19, value: 19},
		{sentence: "but none at all of twenty is", promise: "ttft.p95<=30ms", n: 0, failed: 12, unsent: 8, known: true, broken: true, beyond: true},
		{sentence: "unless many still run", promise: "ttft.p95<=30ms", n: 0, failed: 20, flying: 400, broken: true, beyond: true},
		{sentence: "errors: unsent ones are failed", promise: "errors<=5%", n: 90, failed: 3, unsent: 7, value: 10, known: true, broken: true},
		{sentence: "errors of none: unsent alone", promise: "errors<=50%", unsent: 20, value: 100, known: true, broken: true},
		{sentence: "limited requests are in neither", promise: "ttft.p95<=95.5ms", n: 100, limited: 50, value: 95, known: true},
		{sentence: "and those that belong to no level", promise: "ttft.p95<=95.5ms", n: 100, apart: 50, value: 95, known: true},
	} {
		f := Facts{Unsent: c.unsent + c.apart, Apart: Apart{Failed: c.apart, Unsent: c.apart}, Sent: c.n + c.failed + c.apart + c.limited + c.flying}
		f.Ended[OK], f.Ended[ServerError], f.Ended[RateLimited] = c.n, c.failed+c.apart, c.limited
		f.TTFT, f.E2E, f.TPOT, f.TPS = rising(c.n), rising(c.n), rising(c.n), rising(c.n)
		s := Summarise(&f, time.Minute)
		v := promise(t, c.promise).Judge(&s)
		if v.Known != c.known || v.Broken != c.broken || v.Beyond != c.beyond || v.Value.OK != (c.value > 0) || math.Abs(v.Value.V-c.value) > c.value*Accuracy {
			t.Errorf("%s: %+v; want %v, known %v, broken %v, beyond %v", c.sentence, v, c.value, c.known, c.broken, c.beyond)
		}
		if v.Missed != (Missed{c.failed, c.unsent}) {
			t.Errorf("%s: missed %+v", c.sentence, v.Missed)
		}
		if share := s.Tally.ErrorShare(); share.OK && math.Abs(share.V-100*float64(c.failed)/float64(c.n+c.failed)) > 1e-9 {
			t.Errorf("%s: the shown error share is %v", c.sentence, share)
		}
	}
}

// TestPromisedPercentilesAreThoseOfAllThatWasOwed puts samples and what is missing in one list and looks the percentile up in it.
func TestPromisedPercentilesAreThoseOfAllThatWasOwed(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		n, missing := rng.IntN(200), 1+rng.IntN(40)
		floor := rng.IntN(2) == 0
		worst := math.Inf(1)
		if floor {
			worst = math.Inf(-1)
		}
		values := make([]float64, n)
		for i := range values {
			values[i] = 1 + 1000*rng.Float64()
		}
		all := append(slices.Repeat([]float64{worst}, missing), values...)
		slices.Sort(all)
		var s Stat
		s.miss(sketchOf(values...), missing, floor)
		for p := range s.Promised {
			q := Percentile(p).Q()
			if q < 0 {
				continue
			}
			// The least of the values that so many parts of all do not exceed; in whole numbers, as shares of a hundred.
			want := all[max((int(math.Round(q*100))*len(all)+99)/100-1, 0)]
			got := s.Promised[p]
			if got.OK == math.IsInf(want, 0) || got.OK && math.Abs(got.V/want-1) > Accuracy+1e-9 {
				t.Fatalf("%v of %d and %d missing (floor %v): %+v, want %v", Percentile(p), n, missing, floor, got, want)
			}
		}
	}
}

func TestAMissedRequestWeighsAsManyTokensAsAnother(t *testing.T) {
	// Ten streams of 99 tokens' gaps each; one more was never sent: a tenth of what came is missing.
	f := Facts{Unsent: 1, TTFT: sketchOf(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)}
	f.Ended[OK] = 10
	h := NewHistogram()
	for i := range 990 {
		h.Add(float64(i+1), 1)
	}
	f.ITL = h.Sketch()
	s := Summarise(&f, time.Minute)
	if s.Stats[ITL].Missing != 99 {
		t.Errorf("%d tokens are missing, want 99", s.Stats[ITL].Missing)
	}
	if v := promise(t, "itl.p95<=1000s").Judge(&s); !v.Beyond || !v.Known {
		t.Errorf("p95 with a tenth missing: %+v", v)
	}
	if v := promise(t, "itl.p50<=500ms").Judge(&s); !v.Broken || math.Abs(v.Value.V-545) > 545*Accuracy {
		t.Errorf("the middle of 1089 is the 545th: %+v", v)
	}
}
