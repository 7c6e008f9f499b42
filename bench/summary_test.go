package bench

import (
	"math"
	"testing"
	"time"
)

// sketchOf is a distribution of the given values.
func sketchOf(values ...float64) Sketch {
	h := NewHistogram()
	for _, v := range values {
		h.Add(v, 1)
	}
	return h.Sketch()
}

func TestSummariseByHand(t *testing.T) {
	f := Facts{
		Sent: 14, Good: 6, In: 1000, InFix: 20, Out: 600, OutFix: -20, Cached: 300, Wasted: 50,
		DecodeTokens: 500, DecodeSeconds: 20, InFlight: 60, Stalls: 2, NewConnections: 3, PromptTokens: 800, AnswerTokens: 400,
		TPS: sketchOf(20, 30),
	}
	f.Ended[OK], f.Ended[ServerError], f.Ended[RateLimited], f.Ended[Cancelled] = 8, 2, 1, 1
	s := Summarise(&f, 30*time.Second)
	for _, c := range []struct {
		// what says how the number comes about.
		what string
		got  Value
		want float64
	}{
		{"8 good ends in half a minute are 16 RPM", s.Stats[RPM].Mean, 16},
		{"and 8/30 a second", s.RPS, 8.0 / 30},
		{"1000+20+600−20 tokens in half a minute are 3200 TPM", s.Stats[TPM].Mean, 3200},
		{"of which 2040 are prompt", s.PerMinuteIn, 2040},
		{"and 1160 output", s.PerMinuteOut, 1160},
		{"600 tokens came in 30 s", s.OutputRate, 20},
		{"500 tokens in 20 stream-seconds", s.Stats[TPS].Mean, 25},
		{"60 slot-seconds in 30 s", s.InFlight, 2},
		{"60 slot-seconds by 12 ends", s.Residence, 5},
		{"6 good of 8 ok and 2 failed; neither limited nor cancelled", s.Goodput, 60},
		{"6 good in half a minute", s.GoodPerMinute, 12},
		{"2 failed of 10", s.Stats[Errors].Mean, 20},
		{"800 prompt tokens of 8 ok", s.PromptTokens, 100},
		{"400 answer tokens of 8 ok", s.AnswerTokens, 50},
		{"3 new connections of 12 ended", s.NewConnections, 0.25},
	} {
		if !c.got.OK || math.Abs(c.got.V-c.want) > 1e-9 {
			t.Errorf("%s: %+v, want %v", c.what, c.got, c.want)
		}
	}
	if s.Stats[RPM].Readiness != Ready || s.Stats[TPS].Readiness != Few || s.Stats[TTFT].Readiness != Absent {
		t.Errorf("readiness RPM %v, TPS %v, TTFT %v; want ready, few, absent", s.Stats[RPM].Readiness, s.Stats[TPS].Readiness, s.Stats[TTFT].Readiness)
	}
}

func TestNothingAmountsToNothing(t *testing.T) {
	s := Summarise(&Facts{}, 0)
	for m, stat := range s.Stats {
		if stat.Mean.OK || stat.P50.OK || stat.Readiness != Absent {
			t.Errorf("%v of nothing: %+v", Metric(m), stat)
		}
	}
	for _, v := range []Value{s.Goodput, s.GoodPerMinute, s.OutputRate, s.RPS, s.InFlight, s.Residence, s.NewConnections, s.PromptTokens} {
		if v.OK {
			t.Errorf("a value of nothing: %+v", v)
		}
	}
	if w := Window(nil); w != s {
		t.Errorf("an empty window: %+v", w)
	}
}

func TestDistributionByHand(t *testing.T) {
	values := make([]float64, 100)
	for i := range values {
		values[i] = float64(i + 1)
	}
	s := Distribution(sketchOf(values...))
	for _, c := range []struct {
		at   Percentile
		want float64
	}{{P50, 50}, {P95, 95}, {P99, 99}, {Max, 100}, {P5, 5}, {P1, 1}, {Mean, 50.5}} {
		if v := s.At(c.at); !v.OK || math.Abs(v.V/c.want-1) > Accuracy+1e-9 {
			t.Errorf("%v: %v, want %v", c.at, v.V, c.want)
		}
	}
}

func TestReadinessBySamples(t *testing.T) {
	for n, want := range map[int]Readiness{0: Absent, 4: Absent, 5: Few, 19: Few, 20: Ready} {
		if got := ReadyBy(n); got != want {
			t.Errorf("%d samples: %v, want %v", n, got, want)
		}
	}
}

func TestWindowLeavesInactiveTimeOut(t *testing.T) {
	bucket := func(start int, active time.Duration, ok int, ttft ...float64) *Bucket {
		b := &Bucket{Start: time.Duration(start) * time.Second, Span: time.Second, Active: active}
		b.Ended[OK], b.Out, b.TTFT = ok, 10*ok, sketchOf(ttft...)
		return b
	}
	w := Window([]*Bucket{bucket(0, time.Second, 3, 100, 200), bucket(1, 0, 0), bucket(2, time.Second, 5, 300)})
	if w.Span != 2*time.Second || w.Stats[RPM].Mean.V != 240 || w.OutputRate.V != 40 {
		t.Errorf("%v, RPM %v, output %v; want 2 s, 240, 40", w.Span, w.Stats[RPM].Mean, w.OutputRate)
	}
	if s := w.Stats[TTFT]; s.N != 3 || s.Mean.V != 200 || s.Max.V != 300 {
		t.Errorf("TTFT %+v, want three samples of mean 200", s)
	}
}

// TestARateIsNeverBelowNothing: where the corrections of what was counted before a span are more than what came in it, its rate is not known.
func TestARateIsNeverBelowNothing(t *testing.T) {
	f := Facts{In: 36, InFix: -2012, Out: 1560}
	f.Ended[OK] = 36
	s := Summarise(&f, 15*time.Second)
	if tpm := s.Stats[TPM]; tpm.Mean.OK || tpm.Readiness != Absent || s.PerMinuteIn.OK || !s.PerMinuteOut.OK || s.Stats[RPM].Readiness != Ready {
		t.Errorf("TPM %+v, in %v, out %v, RPM %+v", tpm, s.PerMinuteIn, s.PerMinuteOut, s.Stats[RPM])
	}
}
