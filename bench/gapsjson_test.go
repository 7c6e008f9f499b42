package bench

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

func TestGapListsComeBackFromJSON(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 100, 2700, 9001, 30000} {
		want := GapList{}
		for i := range n {
			gap := time.Duration(rng.IntN(200_000)) * time.Microsecond
			if i%7 == 3 {
				want.AddTokens(gap, 1+rng.IntN(3), rng.IntN(5))
			} else {
				want.Add(gap, 1)
			}
		}
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		got := GapList{}
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("%d gaps: %v", n, err)
		}
		if want.bytes = append([]byte(nil), want.bytes...); !reflect.DeepEqual(got, want) {
			t.Errorf("%d gaps came back as %v, not %v", n, got, want)
		}
		if got.IsZero() != (n == 0) {
			t.Errorf("%d gaps: zero %v", n, got.IsZero())
		}
	}
}

func TestWhatNoGapListHoldsIsRefused(t *testing.T) {
	for text, why := range map[string]string{
		`{}`:                   "an object",
		`[]`:                   "nothing",
		`["!"]`:                "no base64",
		`["gA=="]`:             "half a varint",
		`["AA=="]`:             "a gap without events",
		`["AAE="]`:             "an entry without its tokens",
		`["AAA=",4]`:           "a flag that there is not",
		`["AAA=",1,-1]`:        "a negative number",
		`["AAA=",1,2,3,4,5]`:   "more pending than an entry holds",
		`["AAA=",1,"2",0,4]`:   "a word",
		`["AAA=",1.5,2,0,4]`:   "half a flag",
		`["AAA=",1,1e3,0,0]`:   "a number in another form",
		`[["AAA="],1,1,0,0]`:   "a list in the list",
		`["//////////8BAA=="]`: "a gap of centuries",
	} {
		g := GapList{}
		if err := json.Unmarshal([]byte(text), &g); err == nil {
			t.Errorf("%s is taken for gaps: %s", text, why)
		}
	}
}

func FuzzGapListJSON(f *testing.F) {
	f.Add([]byte(`["AAA=",1,1]`))
	f.Add([]byte(`["6AcC",2,2,1,1000,1,1]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		g := GapList{}
		if json.Unmarshal(text, &g) != nil {
			return
		}
		for range g.All() {
		}
		g.Densest(1, time.Second)
		again := GapList{}
		if err := json.Unmarshal(g.AppendJSON(nil), &again); err != nil || !reflect.DeepEqual(g, again) {
			t.Fatalf("%v came back as %v: %v", g, again, err)
		}
	})
}

func TestMarksAndValuesComeBackFromJSON(t *testing.T) {
	type all struct {
		Mark   Mark
		Value  Value
		Amount Amount
	}
	for _, want := range []all{{}, {MarkAt(0), Some(0), Amount{1, 2, 3}}, {MarkAt(-5), Some(1e-300), Amount{Max: 0.1}}, {MarkAt(1 << 60), Some(-1.0 / 3), Amount{}}} {
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		got := all{}
		if err := json.Unmarshal(text, &got); err != nil || got != want {
			t.Errorf("%s came back as %v: %v", text, got, err)
		}
	}
}

func TestNumbersThatNoEnumHasAreRefused(t *testing.T) {
	for _, of := range []struct {
		into any
		most string
		past string
	}{{new(Outcome), "22", "23"}, {new(Metric), "8", "9"}, {new(Percentile), "6", "7"}, {new(Mode), "1", "2"}, {new(Source), "3", "4"}} {
		if err := json.Unmarshal([]byte(of.most), of.into); err != nil {
			t.Errorf("%T %s: %v", of.into, of.most, err)
		}
		for _, bad := range []string{of.past, "-1", "255", "256", `"ok"`, "1.5"} {
			if json.Unmarshal([]byte(bad), of.into) == nil {
				t.Errorf("%T takes %s", of.into, bad)
			}
		}
	}
}
