package bench

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestProfileIsReadAndWritten(t *testing.T) {
	for _, c := range []struct {
		what, text string
		mode       Mode
		want       string
		length     time.Duration
		most       float64
		volume     float64
	}{
		{"steps", "1:20s,4:20s,16:30s", Closed, "1:20s, 4:20s, 16:30s", 70 * time.Second, 16, 580},
		{"a ramp", "ramp 1..64 in 2m", Closed, "ramp 1..64 in 2m", 2 * time.Minute, 64, 3900},
		{"a spike", "Spike 64 for 10s", Closed, "spike 64 for 10s", 10 * time.Second, 64, 640},
		{"a mixture", "4:1m, ramp 4..32 in 1m, 32:2m, spike 128 for 5s, 4:1m", Closed,
			"4:1m, ramp 4..32 in 1m, 32:2m, spike 128 for 5s, 4:1m", 305 * time.Second, 128, 240 + 1080 + 3840 + 640 + 240},
		{"rates a second and a minute", "2.5:20s, 150/m:1m30s, ramp 60/m..4/s in 10s", Open, "2.5:20s, 2.5:1m30s, ramp 1..4 in 10s", 2 * time.Minute, 4, 50 + 225 + 25},
		{"a ramp that goes on", "4:10s, ramp ..8 in 10s", Closed, "4:10s, ramp ..8 in 10s", 20 * time.Second, 8, 40 + 60},
		{"a ramp that goes on behind a spike begins at the load before it", "4:10s, spike 100 for 1s, ramp ..8 in 10s", Closed,
			"4:10s, spike 100 for 1s, ramp ..8 in 10s", 21 * time.Second, 100, 40 + 100 + 60},
		{"repeats after a comma", "1:10s, 2:10s, repeat 3", Closed, "1:10s, 2:10s x3", time.Minute, 2, 90},
		{"repeats without one", " 1:10s,2:10s x3\n", Closed, "1:10s, 2:10s x3", time.Minute, 2, 90},
		{"the second round of a ramp goes on from where the first one ended", "ramp ..8 in 10s, repeat 2", Closed, "ramp ..8 in 10s x2", 20 * time.Second, 8, 40 + 80},
		{"white space does not matter", "\t4 : 1h ,ramp  1 .. 2  in  1h0m ", Closed, "4:1h, ramp 1..2 in 1h", 2 * time.Hour, 4, 14400 + 5400},
		{"a load of 0 waits", "0:1s", Open, "0:1s", time.Second, 0, 0},
		{"the largest", "1000000:720h", Closed, "1000000:720h", 30 * Day, 1e6, 2592e9},
	} {
		p, err := ParseProfile(c.text, c.mode)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if got := p.String(); got != c.want || p.Text != c.text || p.Mode != c.mode {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
		if p.Length() != c.length || p.Most() != c.most || math.Abs(p.Volume()-c.volume) > 1e-6 {
			t.Errorf("%s: %v long, at most %v, volume %v; want %v, %v, %v", c.what, p.Length(), p.Most(), p.Volume(), c.length, c.most, c.volume)
		}
	}
}

func TestProfileErrorsNameThePartAndWhatIsAllowed(t *testing.T) {
	const whole, rate, span = "a whole number of requests in flight, 0 to 1000000", "0/s to 1000000/s", "1s to 720h"
	for _, c := range []struct {
		what, text string
		mode       Mode
		want       []string
	}{
		{"nothing", " ", Closed, []string{"empty", "1:20s"}},
		{"no span", "1:20s, 4", Closed, []string{`part 2, "4"`, "LOAD:SPAN"}},
		{"a part that is empty", "1:20s,,4:20s", Closed, []string{"part 2", "nothing between commas"}},
		{"a broken load", "1:20s, 4.5:20s", Closed, []string{`part 2, "4.5:20s"`, `load "4.5"`, whole}},
		{"a rate in the closed loop", "2/s:20s", Closed, []string{`load "2/s"`, "a rate is for the open loop", whole}},
		{"a load below 0", "-1:20s", Closed, []string{`load "-1"`, whole}},
		{"a load that is too large", "1000001:20s", Closed, []string{`load "1000001"`, whole}},
		{"a rate that is none", "x:20s", Open, []string{`load "x"`, rate, "150/m"}},
		{"a rate that is too large", "1000001:20s", Open, []string{`load "1000001"`, rate}},
		{"a rate that rounds to nothing", "1e-9:20s", Open, []string{`load "1e-9"`, rate}},
		{"a rate that is no number", "nan:20s", Open, []string{`load "nan"`, rate}},
		{"no unit of time", "1:20", Closed, []string{`span "20"`, span}},
		{"a span that is too short", "1:999ms", Closed, []string{`span "999ms"`, span}},
		{"a span that is too long", "1:721h", Closed, []string{`span "721h"`, span}},
		{"too long in all", "1:720h, 1:1s", Closed, []string{"longer than 720h", "stage 2"}},
		{"too long with its repeats", "1:300h x3", Closed, []string{"longer than 720h", "repeats"}},
		{"too many stages", "1:1s,2:1s x5001", Closed, []string{"2 stages", "5001", "10000"}},
		{"too many parts", strings.Repeat("1:1s,", 10_000) + "1:1s", Closed, []string{"more than 10000"}},
		{"a repeat of nothing", "1:1s x0", Closed, []string{`repeat "0"`, "1 to 10000"}},
		{"a repeat that is no number", "1:1s repeat often", Closed, []string{`repeat "often"`, "1 to 10000"}},
		{"a repeat in the middle", "1:1s, repeat 2, 1:1s", Closed, []string{"part 2", "at the end"}},
		{"a ramp without a span", "ramp 1..64", Closed, []string{"FROM..TO in SPAN"}},
		{"a ramp without an end", "ramp 1.. in 2m", Closed, []string{`load ""`, whole}},
		{"a ramp to one load", "ramp 64 in 2m", Closed, []string{"FROM..TO in SPAN"}},
		{"a spike without a span", "spike 64", Closed, []string{"spike LOAD for SPAN"}},
		{"a word that is none", "jump 64 for 2s", Closed, []string{`"jump 64 for 2s"`, "LOAD:SPAN"}},
	} {
		_, err := ParseProfile(c.text, c.mode)
		if err == nil {
			t.Errorf("%s: no error", c.what)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v\nsays nothing of %q", c.what, err, want)
			}
		}
	}
}

func TestLoadAtAnInstantOfAProfile(t *testing.T) {
	const s = time.Second
	type look struct {
		at    time.Duration
		n     float64
		stage int
		over  bool
	}
	for _, c := range []struct {
		what, text string
		mode       Mode
		base       float64
		looks      []look
	}{
		{"steps change at their ends", "1:20s,4:20s", Closed, 9, []look{{-s, 1, 0, false}, {0, 1, 0, false}, {20*s - 1, 1, 0, false}, {20 * s, 4, 1, false}, {40*s - 1, 4, 1, false}, {40 * s, 4, 1, true}, {400 * s, 4, 1, true}}},
		{"a ramp of the closed loop has whole numbers", "ramp 0..10 in 100s", Closed, 0, []look{{0, 0, 0, false}, {5*s - 1, 0, 0, false}, {5 * s, 1, 0, false}, {94 * s, 9, 0, false}, {95 * s, 10, 0, false}, {100 * s, 10, 0, true}}},
		{"a ramp of the open loop has not", "ramp 4..0 in 100s", Open, 0, []look{{0, 4, 0, false}, {25 * s, 3, 0, false}, {90 * s, 0.4, 0, false}, {100 * s, 0, 0, true}}},
		{"a spike at the end goes back to the load before", "4:10s, spike 64 for 5s", Closed, 9, []look{{9 * s, 4, 0, false}, {10 * s, 64, 1, false}, {15 * s, 4, 1, true}}},
		{"one spike behind another does too", "4:10s, spike 64 for 5s, spike 32 for 5s", Closed, 9, []look{{19 * s, 32, 2, false}, {20 * s, 4, 2, true}}},
		{"a lone spike goes back to the load in force when it began", "spike 64 for 5s", Closed, 9, []look{{0, 64, 0, false}, {5 * s, 9, 0, true}}},
		{"a ramp goes on from the load in force", "ramp ..19 in 10s", Open, 9, []look{{0, 9, 0, false}, {5 * s, 14, 0, false}, {10 * s, 19, 0, true}}},
		{"a ramp behind a spike goes on from the load before it", "spike 64 for 5s, ramp ..19 in 10s", Open, 9, []look{{5 * s, 9, 1, false}, {15 * s, 19, 1, true}}},
		{"a ramp of the second round goes on from the end of the first", "ramp ..19 in 10s x2", Open, 9, []look{{5 * s, 14, 0, false}, {15 * s, 19, 1, false}, {20 * s, 19, 1, true}}},
	} {
		p := read(t, c.text, c.mode).From(c.base)
		for _, l := range c.looks {
			n, stage, over := p.At(l.at)
			if math.Abs(n-l.n) > 1e-9 || stage != l.stage || over != l.over {
				t.Errorf("%s: at %v load %v in stage %d, over %v; want %v, %d, %v", c.what, l.at, n, stage, over, l.n, l.stage, l.over)
			}
		}
	}
}

func TestProfileFromALoadLeavesTheProfileAlone(t *testing.T) {
	p := read(t, "ramp ..8 in 10s, spike 20 for 1s", Closed)
	if q := p.From(30); q.Most() != 30 || q.String() != p.String() {
		t.Errorf("%v from 30: at most %v, want 30", q, q.Most())
	}
	if q := read(t, "spike 5 for 1s", Closed).From(9); q.Most() != 9 {
		t.Errorf("%v from 9: at most %v, want the 9 that it goes back to", q, q.Most())
	}
	if n, _, _ := p.At(0); n != 0 || p.Base != 0 || p.Most() != 20 {
		t.Errorf("the profile itself begins at %v, at most %v", n, p.Most())
	}
}

func TestProfileChangesWhenItsLoadDoes(t *testing.T) {
	for _, c := range []struct {
		what, text string
		mode       Mode
		want       int
	}{
		{"steps", "1:20s,4:20s,16:30s", Closed, 3},
		{"equal steps are stages too", "4:20s,4:20s", Closed, 2},
		{"a ramp of the closed loop steps at each whole number", "ramp 1..64 in 2m", Closed, 64},
		{"a ramp down does too", "ramp 64..1 in 2m", Closed, 64},
		{"a ramp with an odd length", "ramp 3..1000 in 7.000000001s", Closed, 998},
		{"a steep ramp", "ramp 0..100000 in 1s", Closed, 100_001},
		{"a slow ramp", "ramp 0..3 in 720h", Closed, 4},
		{"a ramp of the open loop is followed by its plan", "4:1m, ramp 4..32 in 1m, 32:2m", Open, 3},
		{"rounds", "1:20s,4:20s x4", Closed, 8},
	} {
		p := read(t, c.text, c.mode)
		n := 0
		for at := time.Duration(0); ; n++ {
			next, ok := p.Change(at)
			if !ok {
				break
			}
			load, stage, _ := p.At(at)
			before, sameStage, over := p.At(next - 1)
			if next <= at || load != before && c.mode == Closed || stage != sameStage || over {
				t.Fatalf("%s: from %v (load %v, stage %d) on the next change at %v is late: load %v, stage %d, over %v", c.what, at, load, stage, next, before, sameStage, over)
			}
			after, other, over := p.At(next)
			if c.mode == Closed && after == load && other == stage && !over {
				t.Fatalf("%s: nothing changes at %v", c.what, next)
			}
			at = next
		}
		if n != c.want {
			t.Errorf("%s: %d changes, want %d", c.what, n, c.want)
		}
	}
	p := read(t, "1:20s", Closed)
	if at, ok := p.Change(-time.Second); !ok || at != 0 {
		t.Errorf("before it begins the next change is at %v %v, want 0", at, ok)
	}
}

func TestStagesOfAProfile(t *testing.T) {
	p := read(t, "4:1m, ramp 4..32 in 1m, spike 128 for 5s, ramp 4..4 in 1m", Closed)
	for i, want := range []struct {
		begin   time.Duration
		plateau bool
	}{{0, true}, {time.Minute, false}, {2 * time.Minute, false}, {125 * time.Second, true}} {
		s, begin, ok := p.Stage(i)
		if !ok || begin != want.begin || s.Plateau() != want.plateau {
			t.Errorf("stage %d: begins at %v, plateau %v, %v", i, begin, s.Plateau(), ok)
		}
	}
	for _, i := range []int{-1, 4} {
		if _, _, ok := p.Stage(i); ok {
			t.Errorf("there is a stage %d", i)
		}
	}
}

func TestNewProfileChecksItsStages(t *testing.T) {
	good := Stage{From: 4, To: 4, Span: time.Minute}
	for _, c := range []struct {
		what   string
		mode   Mode
		stages []Stage
		rounds int
		want   string
	}{
		{"no stage", Closed, nil, 1, "no stage"},
		{"no round", Closed, []Stage{good}, 0, "repeat 0"},
		{"a part of a request", Closed, []Stage{good, {From: 4, To: 4.5, Span: time.Minute}}, 1, "stage 2: load 4.5"},
		{"no number", Open, []Stage{{From: math.NaN(), To: 1, Span: time.Minute}}, 1, "load NaN"},
		{"no end", Open, []Stage{{From: 1, To: math.Inf(1), Span: time.Minute}}, 1, "load +Inf"},
		{"no span", Open, []Stage{{From: 1, To: 1}}, 1, "span 0s"},
		{"a spike that is a ramp", Open, []Stage{{From: 1, To: 2, Span: time.Minute, Spike: true}}, 1, "a load that stays"},
	} {
		if _, err := NewProfile("", c.mode, c.stages, c.rounds); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
	}
	if _, err := NewProfile("", Open, []Stage{{From: 0.5, To: 0.5, Span: time.Minute}}, 3); err != nil {
		t.Error(err)
	}
}

func read(t *testing.T, text string, mode Mode) *Profile {
	t.Helper()
	p, err := ParseProfile(text, mode)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func FuzzParseProfile(f *testing.F) {
	for _, text := range []string{
		"1:20s,4:20s,16:30s", "ramp 1..64 in 2m", "spike 64 for 10s", "4:1m, ramp ..32 in 1m, 32:2m, spike 128 for 5s, 4:1m x3", "2.5:20s,150/m:1m repeat 2",
		"ramp 1...5 in 1h30m", "x3", "repeat repeat 3", ",", "ramp in", "spike for ", "0:1s, ramp 0.000001..1e6 in 720h",
	} {
		f.Add(text, true)
		f.Add(text, false)
	}
	f.Fuzz(func(t *testing.T, text string, open bool) {
		mode := Closed
		if open {
			mode = Open
		}
		p, err := ParseProfile(text, mode)
		if err != nil {
			if len(err.Error()) > 1000 {
				t.Fatalf("an error of %d bytes: %v", len(err.Error()), err)
			}
			return
		}
		again, err := ParseProfile(p.String(), mode)
		if err != nil || again.String() != p.String() || again.Length() != p.Length() || again.Most() != p.Most() || again.Volume() != p.Volume() {
			t.Fatalf("%q reads back as %v (%v)", p, again, err)
		}
		if length := p.Length(); length < time.Second || length > maxSpan || len(p.Stages) > MaxStages {
			t.Fatalf("%q: %v long, %d stages", p, length, len(p.Stages))
		}
		at := time.Duration(0)
		for range 100 {
			n, stage, over := p.At(at)
			if !(n >= 0 && n <= p.Most()) || stage < 0 || stage >= len(p.Stages) || mode == Closed && n != math.Trunc(n) {
				t.Fatalf("%q: load %v in stage %d at %v", p, n, stage, at)
			}
			next, ok := p.Change(at)
			if ok == over || ok && next <= at {
				t.Fatalf("%q: after %v the next change is at %v %v", p, at, next, ok)
			}
			if !ok {
				break
			}
			at = next
		}
	})
}

func TestATypedProfileHasTheModeOfItsUnits(t *testing.T) {
	for _, c := range []struct {
		sentence, text string
		now, want      Mode
		most           float64
		err            string
	}{
		{"rates are for the open loop, whatever is in force", "2/s:5s, 1/s:5s", Closed, Open, 2, ""},
		{"also those of a minute", "ramp ..120/m in 5s", Closed, Open, 2, ""},
		{"numbers alone are requests in flight in the closed loop", "2:5s, 1:5s", Closed, Closed, 2, ""},
		{"and rates in the open loop", "2.5:5s, 1:5s", Open, Open, 2.5, ""},
		{"which may stand beside others with a unit there", "2/s:5s, 8:5s", Open, Open, 8, ""},
		{"in the closed loop they may be meant as either", "2/s:5s, 8:5s", Closed, Open, 0, "part 2, \"8:5s\": 8: want a unit, as in 8/s, for other loads of the profile are rates"},
		{"so at the end of a ramp", "ramp 2..8/s in 5s", Closed, Open, 0, "2: want a unit, as in 2/s"},
		{"0 is 0 in both", "ramp 0..8/s in 5s, 0:5s", Closed, Open, 8, ""},
	} {
		if mode := ProfileMode(c.text, c.now); mode != c.want {
			t.Errorf("%s: %v, want %v", c.sentence, mode, c.want)
		}
		p, err := ParseProfileIn(c.text, c.now)
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, want %q", c.sentence, err, c.err)
			}
		case err != nil:
			t.Errorf("%s: %v", c.sentence, err)
		case p.Mode != c.want || p.Most() != c.most:
			t.Errorf("%s: %v up to %v, want %v up to %v", c.sentence, p.Mode, p.Most(), c.want, c.most)
		}
	}
}

func TestARepeatNeedsStages(t *testing.T) {
	for _, text := range []string{"repeat 3", "x3", ", x3", " , repeat 3"} {
		if _, err := ParseProfile(text, Closed); err == nil || !strings.Contains(err.Error(), "nothing to repeat, want stages before it, as in 1:20s, 4:20s, repeat 3") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
