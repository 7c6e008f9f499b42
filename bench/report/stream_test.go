package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/report/reporttest"
	"redline/ui/view/viewtest"
)

// typesOf are the types of objects, in their order, those of a second with its end, and those of a level with its number.
func typesOf(t *testing.T, lines [][]byte) string {
	t.Helper()
	var out []string
	for _, line := range lines {
		var o struct {
			Type   string
			AtS    float64 `json:"at_s"`
			Level  any
			Target *struct{ Letter string } `json:"of_target"`
		}
		if err := json.Unmarshal(line, &o); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if strings.Contains(string(line), "\n") {
			t.Fatalf("an object of two lines: %s", line)
		}
		word := o.Type
		switch o.Type {
		case "second":
			word += fmt.Sprintf(" %g", o.AtS)
		case "level":
			word += fmt.Sprintf(" %v", o.Level)
		}
		if o.Target != nil {
			word += " " + o.Target.Letter
		}
		out = append(out, word)
	}
	return strings.Join(out, ", ")
}

func TestAStreamTellsEachSecondAndEachLevelOnce(t *testing.T) {
	at := func(seconds int, ended ...int) *bench.Snapshot {
		s := reporttest.Story()
		s.At, s.Folded, s.Events = time.Duration(seconds)*time.Second, time.Duration(seconds)*time.Second, nil
		for i, l := range s.Levels {
			if i < len(ended) {
				l.Ended = bench.MarkAt(time.Duration(ended[i]) * time.Second)
			}
		}
		s.Levels = s.Levels[:min(len(ended)+1, len(s.Levels))]
		return s
	}
	over := at(9, 3, 7)
	over.State, over.Events = bench.Done, []bench.Event{{At: 9 * time.Second, Kind: bench.EventEnd, Text: "the duration is over"}}
	st := NewStream(false)
	for i, row := range []struct {
		s    *bench.Snapshot
		want string
	}{
		{at(1), "start, second 1"},
		{at(1), ""},
		{at(2), "second 2"},
		{at(3, 4), "second 3"}, // it ends in a second that is not complete
		{at(4, 3), "level 1, second 4"},
		{at(7, 3, 7), "level 2, second 7"},
		{at(8, 3, 7), "second 8"},
		{over, "level 3, second 9"},
		{over, ""},
	} {
		if got := typesOf(t, st.News(row.s)); got != row.want {
			t.Errorf("snapshot %d: %q, want %q", i, got, row.want)
		}
	}
	if got := typesOf(t, st.End(over, Options{Saved: savedAt}, &Outcome{Word: "held"})); got != "summary" {
		t.Errorf("at the end: %q", got)
	}
	if got := typesOf(t, NewStream(false).End(over, Options{}, nil)); got != "start, level 1, level 2, level 3, second 9, summary" {
		t.Errorf("a reader who comes at the end: %q", got)
	}
}

func TestTargetsAreToldApartInAStream(t *testing.T) {
	s := viewtest.Make(viewtest.Pair, 0)
	lines := NewStream(false).News(s)
	got := typesOf(t, lines)
	for _, want := range []string{"start", " A", " B"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
	var start struct {
		Targets []struct{ Letter, Name, Host string }
	}
	if err := json.Unmarshal(lines[0], &start); err != nil || len(start.Targets) != 2 || start.Targets[1].Letter != "B" || start.Targets[1].Name != s.Rivals.Names[1] {
		t.Errorf("%v, %+v", err, start)
	}
}

func TestObjectsOfAStreamAlwaysHaveTheSameFields(t *testing.T) {
	top := map[string][]string{}
	for seed := range uint64(300) {
		s := viewtest.Random(seed)
		for _, line := range NewStream(seed%2 == 0).End(s, Options{Saved: savedAt}, &Outcome{Because: []string{}}) {
			var o map[string]any
			if err := json.Unmarshal(line, &o); err != nil {
				t.Fatalf("seed %d: %v in %s", seed, err, line)
			}
			kind := o["type"].(string)
			var names []string
			for name := range o {
				if name != "targets" && name != "differences" { // A run with one target has none in its summary.
					names = append(names, name)
				}
			}
			slices.Sort(names)
			if before, ok := top[kind]; ok && !slices.Equal(before, names) {
				t.Fatalf("seed %d: a %s has the fields\n%v, another\n%v", seed, kind, names, before)
			}
			top[kind] = names
		}
	}
	if len(top) != 4 {
		t.Errorf("types %v", top)
	}
}

func TestASecondTellsTheSecondTheWindowAndTheLevel(t *testing.T) {
	s := reporttest.Story()
	s.Buckets = nil
	for i := range 30 {
		b := &bench.Bucket{Start: time.Duration(i) * time.Second, Span: time.Second, Active: time.Second, Target: bench.InFlight(40)}
		b.Facts.Ended[bench.OK], b.Facts.Good = i, i
		s.Buckets = append(s.Buckets, b)
	}
	s.Run.Duration = 10 * time.Minute
	lines := NewStream(false).News(s)
	var o struct {
		Now, Window struct{ OK int }
		WindowS     float64 `json:"window_s"`
		Level       struct {
			Level int
			TTFT  struct {
				N   int
				P50 float64
			} `json:"ttft_ms"`
			Verdicts []any
		}
		Load     float64  `json:"load_in_flight"`
		PerS     *float64 `json:"load_requests_per_s"`
		Progress float64  `json:"progress_percent"`
		Total    struct{ Sent, Failed int }
		Events   []struct{ Kind, Text string }
	}
	if err := json.Unmarshal(lines[len(lines)-1], &o); err != nil {
		t.Fatal(err)
	}
	if o.Now.OK != 29 || o.Window.OK != 20+21+22+23+24+25+26+27+28+29 || o.WindowS != 10 {
		t.Errorf("now %+v, window %+v of %g s", o.Now, o.Window, o.WindowS)
	}
	if o.Level.Level != 3 || o.Level.TTFT.N != 9 || o.Level.TTFT.P50 != 371 || o.Load != 40 || o.PerS != nil || o.Progress != 42 || o.Total.Sent != 850 {
		t.Errorf("%+v", o)
	}
	if n := len(o.Events); n == 0 || o.Events[n-1].Text != `note "max_num_seqs 128"` {
		t.Errorf("events %+v", o.Events)
	}
}

func TestProgressNeverPassesItsEnd(t *testing.T) {
	at := func(change func(*bench.Snapshot)) *bench.Snapshot {
		s := &bench.Snapshot{Run: &bench.Run{}, Levels: []*bench.Level{{Begin: 2 * time.Second}}, Gauges: bench.Gauges{At: 7 * time.Second}}
		change(s)
		return s
	}
	profile, err := bench.ParseProfileIn("4:10s, 8:10s", bench.Closed)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		sentence string
		s        *bench.Snapshot
		want     float64
		ok       bool
	}{
		{"no end", at(func(*bench.Snapshot) {}), 0, false},
		{"half of the duration, which begins with the measuring", at(func(s *bench.Snapshot) { s.Run.Duration = 10 * time.Second }), 0.5, true},
		{"a drain after it", at(func(s *bench.Snapshot) { s.Run.Duration, s.At = 10*time.Second, 19*time.Second }), 1, true},
		{"interrupted at half of it, and drained for long", at(func(s *bench.Snapshot) {
			s.Run.Duration, s.At, s.Tail.Began = 10*time.Second, 19*time.Second, bench.MarkAt(7*time.Second)
		}), 0.5, true},
		{"requests, without those of the warm-up", at(func(s *bench.Snapshot) {
			s.Run.Requests, s.Run.Warmup, s.Total.Tally = 20, 5, bench.Tally{Sent: 19, OK: 14, Failed: 1}
		}), 0.5, true},
		{"a profile", at(func(s *bench.Snapshot) { s.Following = &bench.Following{Profile: profile, At: 5 * time.Second} }), 0.25, true},
		{"the nearest of two ends", at(func(s *bench.Snapshot) {
			s.Following, s.Run.Duration = &bench.Following{Profile: profile, At: 5 * time.Second}, 10*time.Second
		}), 0.5, true},
		{"before the first request", at(func(s *bench.Snapshot) { s.Levels, s.Run.Duration = nil, time.Minute }), 0, true},
		{"a run that has not begun", &bench.Snapshot{}, 0, false},
	} {
		if got, ok := Progress(row.s); got != row.want || ok != row.ok {
			t.Errorf("%s: %g, %v; want %g, %v", row.sentence, got, ok, row.want, row.ok)
		}
	}
	for seed := range uint64(300) {
		if got, _ := Progress(viewtest.Random(seed)); !(got >= 0 && got <= 1) {
			t.Errorf("seed %d: %g", seed, got)
		}
	}
}
