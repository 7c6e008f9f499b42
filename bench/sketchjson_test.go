package bench

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
)

func TestSketchesComeBackFromJSON(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		h := NewHistogram()
		for range n {
			h.Add(rng.ExpFloat64()*1000, 1+rng.IntN(9))
		}
		h.Remove(1e-9)
		want := h.Sketch()
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		got := Sketch{}
		if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v: %s came back as %v, not %v", err, text, got, want)
		}
	}
}

func TestWhatNoHistogramHoldsIsNoSketch(t *testing.T) {
	for text, why := range map[string]string{
		`7`:                                      "a number",
		`{"Bins":[{"Index":5,"Count":2}],"N":1}`: "an object with more in the bins than there are",
		`{"Bins":[{"Index":5,"Count":1},{"Index":5,"Count":1}],"N":2}`: "an object with a bin twice",
		`[1]`:                          "no sum",
		`[1,2,2]`:                      "no greatest",
		`[1,2,2,2,5]`:                  "a bin without a count",
		`[1,2,2,2,5,0]`:                "a bin of none",
		`[1,2,2,2,5,2]`:                "more in the bins than there are",
		`[2,2,1,1,5,1,0,1]`:            "a bin twice",
		`[2,2,1,1,5,1,-1,1]`:           "falling bins",
		`[1,2,2,2,99999,1]`:            "a bin beyond the last",
		`[1,2,2,2,-99999,1]`:           "a bin before the first",
		`[0,2,2,2]`:                    "none of something",
		`[1,2,3,2,5,1]`:                "a least above the greatest",
		`[1,2,-3,2,5,1]`:               "a sample below nothing",
		`[1,1e999,2,2,5,1]`:            "no number",
		`[1,0x1p3,2,2,5,1]`:            "a number that JSON does not know",
		`[-1,2,2,2,5,1]`:               "fewer than none",
		`[99999999999999999999,2,2,2]`: "too many",
	} {
		s := Sketch{}
		if err := json.Unmarshal([]byte(text), &s); err == nil {
			t.Errorf("%s is taken for a sketch: %s", text, why)
		}
	}
}

func FuzzSketchJSON(f *testing.F) {
	f.Add([]byte(`[3,6,1,3,5,1,2,2]`))
	f.Add([]byte(`[]`))
	f.Add([]byte(`{"Bins":[{"Index":5,"Count":1}],"N":1,"Sum":3,"Min":3,"Max":3}`))
	f.Add([]byte(` [ 1 , 2.5 , 2.5 , 2.5 , 5 , 1 ] `))
	f.Fuzz(func(t *testing.T, text []byte) {
		s := Sketch{}
		if json.Unmarshal(text, &s) != nil {
			return
		}
		again := Sketch{}
		if err := json.Unmarshal(s.AppendJSON(nil), &again); err != nil || !reflect.DeepEqual(s, again) {
			t.Fatalf("%v came back as %v: %v", s, again, err)
		}
		h := NewHistogram()
		h.AddSketch(s)
		h.Subtract(s)
	})
}
