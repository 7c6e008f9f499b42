package aggregate

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	"redline/bench"
)

// shelf is what a file would hold of a run's saved states: the parts as text.
type shelf struct {
	saver Saver
	parts map[int][]byte
}

// save saves a state as text.
func (k *shelf) save(t testing.TB, s *State) []byte {
	t.Helper()
	saved, fresh := k.saver.Save(s)
	if k.parts == nil {
		k.parts = map[int][]byte{}
	}
	for _, p := range fresh {
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		if k.parts[p.ID] != nil {
			t.Fatalf("part %d is written twice", p.ID)
		}
		k.parts[p.ID] = text
	}
	text, err := json.Marshal(saved)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// load is the state of a text.
func (k *shelf) load(t testing.TB, run *bench.Run, text []byte) *State {
	t.Helper()
	s, err := k.open(run, text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (k *shelf) open(run *bench.Run, text []byte) (*State, error) {
	saved := &Saved{}
	if err := json.Unmarshal(text, saved); err != nil {
		return nil, err
	}
	return Load(run, saved, func(id int) (*Part, error) {
		p := &Part{}
		return p, json.Unmarshal(k.parts[id], p)
	})
}

// asText is a state as one text.
func asText(t testing.TB, s *State) string {
	t.Helper()
	k := &shelf{}
	text := k.save(t, s)
	for id := 1; id <= len(k.parts); id++ {
		text = append(append(text, '\n'), k.parts[id]...)
	}
	return string(text)
}

// alike fails the test where two snapshots differ, and names the fields.
func alike(t testing.TB, what string, got, want *bench.Snapshot) {
	t.Helper()
	g, w := *got, *want
	if !reflect.DeepEqual(g.Run, w.Run) {
		t.Errorf("%s: the runs differ: %+v\nwant %+v", what, g.Run, w.Run)
	}
	if g.Run, w.Run = nil, nil; reflect.DeepEqual(g, w) {
		return
	}
	a, b := reflect.ValueOf(g), reflect.ValueOf(w)
	for i := range a.NumField() {
		if name := a.Type().Field(i).Name; !reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
			t.Errorf("%s: %s is %s\nwant %s", what, name, short(a.Field(i)), short(b.Field(i)))
		}
	}
	t.FailNow()
}

func short(v reflect.Value) string { return fmt.Sprintf("%.1500s", fmt.Sprintf("%+v", v.Interface())) }

// goesOn holds a run against the states that were loaded on its way, one every so many seconds: all of them go on as it does.
func goesOn(t *testing.T, run *bench.Run, each, every int, batches []*bench.Batch) {
	t.Helper()
	s, k := NewState(run), &shelf{}
	type other struct {
		from int
		s    *State
	}
	var others []other
	for i, b := range batches {
		s.Fold(b)
		for _, o := range others {
			o.s.Fold(b)
		}
		if i%each > 0 {
			continue
		}
		loaded := k.load(t, run, k.save(t, s))
		alike(t, fmt.Sprintf("second %d", i), loaded.Snapshot(), s.Snapshot())
		if i%every > 0 {
			continue
		}
		if got, want := asText(t, loaded), asText(t, s); got != want {
			t.Fatalf("second %d is saved as\n%.3000s\nand once more as\n%.3000s", i, want, got)
		}
		if others = append(others, other{i, loaded}); len(others) > 3 {
			for _, o := range others {
				alike(t, fmt.Sprintf("second %d from second %d on", i, o.from), o.s.Snapshot(), s.Snapshot())
			}
			others = others[1:]
		}
	}
	for _, o := range others {
		alike(t, fmt.Sprintf("the end from second %d on", o.from), o.s.Snapshot(), s.Snapshot())
		if asText(t, o.s) != asText(t, s) {
			t.Fatalf("from second %d on the end is saved otherwise", o.from)
		}
	}
}

func TestASavedRunGoesOn(t *testing.T) {
	for seed := range uint64(2) {
		var batches []*bench.Batch
		drive(newPlan(seed, 2*time.Minute, false), NewMeter(4, time.Second), func(_ *run, b *bench.Batch) { batches = append(batches, b) })
		goesOn(t, testRun(), 1, 13, batches)
	}
}

func TestWhateverHappensASavedRunGoesOn(t *testing.T) {
	for seed := range uint64(2) {
		goesOn(t, testRun(), 61, 183, anything(seed, 1000))
	}
}

func TestFailuresKeepNoneOfTheirPrompt(t *testing.T) {
	c := newScript()
	c.second(events(open(0, 1, 0, 4), commit(0, 1, 4), reach(0, 1)), func(b *bench.Batch) {
		e := answered(1, 0)
		e.Outcome, e.Status, e.RetryAfter, e.Message, e.Head, e.Finish = bench.ServerError, 503, sec, "no\xff", "<html>", "error"
		e.Prompt = bench.Prompt{Text: "secret", History: []bench.Message{{Text: "secret"}}, InputTokens: 3}
		e.Answer, e.Reply, e.Header = "secret", "secret", map[string][]string{"X": {"secret"}}
		e.Gaps.Add(sec, 1)
		b.Ended = append(b.Ended, e)
		b.Facts.Ended[e.Outcome]++
	})
	want := bench.Ended{
		Request: bench.Request{Level: 1}, Outcome: bench.ServerError, Marks: bench.Marks{Ended: bench.MarkAt(sec)}, Status: 503, RetryAfter: sec,
		Message: "no\ufffd", Head: "<html>", Finish: "error",
	}
	snap := c.s.Snapshot()
	if len(snap.Failures) != 1 || !reflect.DeepEqual(snap.Failures[0], want) {
		t.Errorf("kept is %+v\nwant %+v", snap.Failures, want)
	}
	if snap.LastError != "no\ufffd" || snap.Events[len(snap.Events)-1].Text != "no\ufffd" {
		t.Errorf("told is %q, %q", snap.LastError, snap.Events[len(snap.Events)-1].Text)
	}
}
