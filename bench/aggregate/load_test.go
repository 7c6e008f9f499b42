package aggregate

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"redline/bench"
)

// ofTraffic is a state with so many levels of equal length in a run of so many seconds, at so many requests a second.
func ofTraffic(rate, seconds, levels int) *State {
	tr := &traffic{Rand: rand.New(rand.NewPCG(1, 2)), rate: rate}
	s := NewState(testRun())
	for i := range seconds {
		b := tr.batch()
		if i%(seconds/levels) == 0 {
			tr.open(b)
		}
		s.Fold(b)
	}
	return s
}

func TestASavedStateOfManyPartsComesBack(t *testing.T) {
	s := ofTraffic(8, 2400, 300)
	text, err := json.Marshal(s.Save())
	if err != nil {
		t.Fatal(err)
	}
	w := &Whole{}
	if err := json.Unmarshal(text, w); err != nil {
		t.Fatal(err)
	}
	loaded, err := w.Load(testRun())
	if err != nil {
		t.Fatal(err)
	}
	alike(t, "of 300 levels", loaded.Snapshot(), s.Snapshot())
}

// Parts that were written before are not written again.
func TestOnlyWhatHasChangedIsSavedAgain(t *testing.T) {
	tr := &traffic{Rand: rand.New(rand.NewPCG(1, 2)), rate: 8}
	s, v := NewState(testRun()), &Saver{}
	var most int
	for i := range 1200 {
		b := tr.batch()
		if i%20 == 0 {
			tr.open(b)
		}
		s.Fold(b)
		if i%60 != 59 || i < 600 {
			continue
		}
		_, parts := v.Save(s)
		levels, buckets := 0, 0
		for _, p := range parts {
			buckets += len(p.Buckets)
			if p.Level != nil {
				levels++
			}
		}
		if i > 700 {
			most = max(most, levels+buckets)
		}
	}
	// A minute has three levels of its own, and the one before it; 60 seconds, and some of those that they are joined to.
	if most > 4+60+2*shortBlock+2*6 {
		t.Errorf("%d levels and spans are saved of a minute", most)
	}
	if _, parts := v.Save(s); len(parts) > 1 {
		t.Errorf("%d parts are saved of a second that was saved already", len(parts))
	}
}

func TestWhatNoStateWasIsNotLoaded(t *testing.T) {
	good, err := json.Marshal(ofTraffic(4, 40, 4).Save())
	if err != nil {
		t.Fatal(err)
	}
	load := func(text string) error {
		w := &Whole{}
		if err := json.Unmarshal([]byte(text), w); err != nil {
			return err
		}
		_, err := w.Load(testRun())
		return err
	}
	if err := load(string(good)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ why, from, to string }{
		{"folded before the beginning", `"Folded":4`, `"Folded":-4`},
		{"a part that is not there", `"Part":1}`, `"Part":77}`},
		{"a part that is something else", `"Part":1}`, `"Part":2}`},
		{"more left out than there is", `"Part":1}`, `"Part":1,"Skip":99}`},
		{"less than nothing left out", `"Part":1}`, `"Part":1,"Skip":-1}`},
		{"levels that are no list", `"Levels":[`, `"Levels":7,"X":[`},
		{"a promise on no metric", `"Metric":2`, `"Metric":200`},
		{"a promise at no percentile", `"At":1,`, `"At":100,`},
		{"more promises than were told of", `"Thresholds":[`, `"Thresholds":[{"Limit":1},`},
		{"a level in no state", `"State":2`, `"State":9`},
		{"a sample of more than were offered", `"Offered":`, `"Offered":1,"X":`},
		{"a workload that there is not", `"ID":1,"Load"`, `"ID":1,"Work":3,"Load"`},
		{"a level that was shown after the end", `"Shown":`, `"Shown":9`},
		{"spans of no length", `"Span":1000000000`, `"Span":0`},
		{"a batch that grows from nothing", `"Each":1`, `"Each":1,"Grown":3`},
		{"a fraction of a request", `"Sent":4`, `"Sent":4.5`},
		{"nothing", string(good), `{}`},
		{"no object", string(good), `[]`},
	} {
		bad := strings.Replace(string(good), c.from, c.to, 1)
		if bad == string(good) {
			t.Errorf("%s: there is no %s to change", c.why, c.from)
		} else if err := load(bad); err == nil {
			t.Errorf("%s: it is loaded", c.why)
		}
	}
}

func TestLongListsAreNotRead(t *testing.T) {
	for _, of := range []string{
		`{"State":{"Events":[` + strings.Repeat(`{},`, 5000) + `{}]}}`,
		`{"Parts":[{"Buckets":[` + strings.Repeat(`{},`, 5000) + `{}]}]}`,
		`{"Parts":[` + strings.Repeat(`{"Buckets":[`+strings.Repeat(`{},`, 3000)+`{}]},`, 10) + `{}]}`,
		`{"Parts":[{"Level":{"Requests":{"Sample":[` + strings.Repeat(`1,`, 6*3000-1) + `1]}}}]}`,
	} {
		if err := json.Unmarshal([]byte(of), &Whole{}); err == nil {
			t.Errorf("%.60s … is read", of)
		}
	}
}

func TestTheSameBatchesGiveTheSameState(t *testing.T) {
	batches := anything(11, 700)
	one, two := NewState(testRun()), NewState(testRun())
	for i, b := range batches {
		text, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		again := &bench.Batch{}
		if err := json.Unmarshal(text, again); err != nil {
			t.Fatal(err)
		}
		one.Fold(b)
		two.Fold(again)
		if i%50 == 0 {
			alike(t, "of batches that were written and read", two.Snapshot(), one.Snapshot())
		}
	}
	if asText(t, one) != asText(t, two) {
		t.Error("the same batches, written and read, make another state")
	}
}

func FuzzLoad(f *testing.F) {
	small, err := json.Marshal(ofTraffic(2, 30, 3).Save())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(small)
	f.Add([]byte(`{"State":{"Folded":1000000000}}`))
	f.Add([]byte(`{"State":{"Levels":[1]},"Parts":[{"ID":1,"Level":{"ID":1,"Requests":{"Draws":"cGNnOg=="}}}]}`))
	next := anything(3, 40)
	f.Fuzz(func(t *testing.T, text []byte) {
		w := &Whole{}
		if json.Unmarshal(text, w) != nil {
			return
		}
		s, err := w.Load(testRun())
		if err != nil {
			return
		}
		before, _ := json.Marshal(s.Snapshot())
		after, err := json.Marshal(s.Save())
		if err != nil {
			t.Fatal(err)
		}
		again := &Whole{}
		if err := json.Unmarshal(after, again); err != nil {
			t.Fatal(err)
		}
		if o, err := again.Load(testRun()); err != nil {
			t.Fatal(err)
		} else if shown, _ := json.Marshal(o.Snapshot()); !reflect.DeepEqual(shown, before) {
			t.Fatalf("saved once more it shows\n%s\nnot\n%s", shown, before)
		}
		for _, b := range next {
			moved := *b
			moved.Start += s.folded
			if moved.Start > 0 {
				s.Fold(&moved)
			}
		}
		s.Snapshot()
	})
}

func BenchmarkSave(b *testing.B) {
	for name, s := range map[string]*State{"long": ofTraffic(16, 3*3600, 1), "levels": ofTraffic(50, 2560, 256)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				text, err := json.Marshal(s.Save())
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(text)))
			}
		})
		b.Run(name+"/load", func(b *testing.B) {
			text, _ := json.Marshal(s.Save())
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				w := &Whole{}
				if err := json.Unmarshal(text, w); err != nil {
					b.Fatal(err)
				}
				if _, err := w.Load(testRun()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSecond folds seconds of so many requests each.
func BenchmarkSecond(b *testing.B) {
	for _, rate := range []int{16, 100, 1000} {
		b.Run(strconv.Itoa(rate)+" a second", func(b *testing.B) {
			tr := &traffic{Rand: rand.New(rand.NewPCG(1, 2)), rate: rate}
			s := NewState(testRun())
			b.ReportAllocs()
			first := true
			for b.Loop() {
				b.StopTimer()
				batch := tr.batch()
				if first {
					tr.open(batch)
					first = false
				}
				b.StartTimer()
				s.Fold(batch)
			}
		})
	}
}
