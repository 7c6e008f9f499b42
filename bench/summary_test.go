package bench

import (
	"math"
	"reflect"
	"strings"
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

func TestOpenLoopByHand(t *testing.T) {
	f := Facts{
		Sent: 28, Unsent: 12, Good: 15, Apart: Apart{OK: 2, Failed: 1, Unsent: 2}, Chars: 900, Counted: 4, AskedTokens: 400, CountedTokens: 440,
		PromptTokens: 2200, Lag: sketchOf(1, 3), DueTTFT: sketchOf(200, 400), DueE2E: sketchOf(3000), Strained: [2]int{3, 1},
	}
	f.Ended[OK], f.Ended[ServerError] = 22, 6
	s := Summarise(&f, 30*time.Second)
	if s.Offered.OK || s.Achieved.OK {
		t.Errorf("facts alone offer %v: they do not tell whether the loop was open", s.Offered)
	}
	s.ArrivalsOf(&f, 30*time.Second)
	for _, c := range []struct {
		// what says how the number comes about.
		what string
		got  Value
		want float64
	}{
		{"15 good of 20 ok, 5 failed and 10 unsent that are in a share", s.Goodput, 100 * 15.0 / 35},
		{"5 failed of 25: the shown share knows nothing of unsent ones", s.Stats[Errors].Mean, 20},
		{"28 sent and 12 unsent in half a minute", s.Offered, 40.0 / 30},
		{"of which 28 were sent", s.Achieved, 28.0 / 30},
		{"900 characters in half a minute", s.Chars, 30},
		{"440 tokens were counted of four prompts", s.CountedTokens, 110},
		{"for which 400 were asked", s.AskedTokens, 100},
		{"all prompts, counted or not", s.PromptTokens, 100},
		{"the mean lag", s.Lag.Mean, 2},
		{"the mean wait for a first token since it was due", s.DueTTFT.Mean, 300},
		{"the mean wait for the last since it was due", s.DueE2E.Mean, 3000},
	} {
		if !c.got.OK || math.Abs(c.got.V-c.want) > 1e-9 {
			t.Errorf("%s: %+v, want %v", c.what, c.got, c.want)
		}
	}
	if s.Tally.Unsent != 12 || s.Missed != (Missed{Failed: 5, Unsent: 10}) || s.Strained != [2]int{3, 1} {
		t.Errorf("%d unsent, missed %+v, strained %v", s.Tally.Unsent, s.Missed, s.Strained)
	}
}

func TestWindowOffersWhatTheOpenLoopDid(t *testing.T) {
	bucket := func(second int, active time.Duration, mode Mode) *Bucket {
		b := &Bucket{Start: time.Duration(second) * time.Second, Span: time.Second, Active: active, Target: Setpoint{mode, 5}}
		b.Sent, b.Unsent = 5, 2
		return b
	}
	w := Window([]*Bucket{bucket(0, time.Second, Closed), bucket(1, time.Second/2, Open), bucket(2, time.Second, Open), bucket(3, time.Second, Open)})
	if w.Offered != Some(7) || w.Achieved != Some(5) || w.Tally.Unsent != 8 {
		t.Errorf("offered %v, achieved %v, %d unsent; want 7 and 5 a second, of whole seconds of the open loop, and all 8", w.Offered, w.Achieved, w.Tally.Unsent)
	}
	if w := Window([]*Bucket{bucket(0, time.Second, Closed)}); w.Offered.OK {
		t.Errorf("the closed loop offers %v", w.Offered)
	}
}

// leaves visits the numbers and sketches that facts are made of.
func leaves(v reflect.Value, path string, visit func(path string, v reflect.Value)) {
	switch {
	case v.Type() == reflect.TypeFor[Sketch]():
		visit(path, v)
	case v.Kind() == reflect.Pointer:
		if v.IsNil() && v.CanSet() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		leaves(v.Elem(), path, visit)
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			leaves(v.Field(i), path+"."+v.Type().Field(i).Name, visit)
		}
	case v.Kind() == reflect.Array:
		for i := range v.Len() {
			leaves(v.Index(i), path, visit)
		}
	default:
		visit(path, v)
	}
}

func TestFactsAddUpInEveryField(t *testing.T) {
	var f Facts
	var n int
	leaves(reflect.ValueOf(&f).Elem(), "", func(path string, v reflect.Value) {
		n++
		switch v.Kind() {
		case reflect.Int:
			v.SetInt(int64(n))
		case reflect.Float64:
			v.SetFloat(float64(n))
		default:
			v.Set(reflect.ValueOf(sketchOf(float64(n))))
		}
	})
	twice := f
	twice.Add(&f)
	n = 0
	leaves(reflect.ValueOf(twice), "", func(path string, v reflect.Value) {
		n++
		var got float64
		switch v.Kind() {
		case reflect.Int:
			got = float64(v.Int())
		case reflect.Float64:
			got = v.Float()
		default:
			got = v.Interface().(Sketch).Sum
		}
		want := float64(2 * n)
		if strings.HasSuffix(path, ".Max") {
			want = float64(n)
		}
		if got != want {
			t.Errorf("%s does not add up: %v, want %v", path, got, want)
		}
	})
	f.DropSketches()
	leaves(reflect.ValueOf(f), "", func(path string, v reflect.Value) {
		if s, ok := v.Interface().(Sketch); ok && s.N > 0 {
			t.Errorf("%s is not dropped", path)
		}
	})
}
