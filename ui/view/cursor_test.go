package view

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/chart"
	"redline/ui/view/viewtest"
)

func init() {
	chances = append(chances, func(r *rand.Rand, s *bench.Snapshot, st *State) {
		st.Graph = chart.Mode(r.IntN(3))
		if r.IntN(2) == 0 {
			st.View = action.Live
			st.Journal = streaming(r.IntN(2) == 0)
			st.Journal.Reading.Text = []string{"", story, "\x1b[2J\x07\u202e", strings.Repeat("長", 3000), "x\xff\xfe\n\n\n"}[r.IntN(5)]
			st.Journal.Reading.Speed = bench.Value{V: r.NormFloat64() * 1e6, OK: r.IntN(2) == 0}
		}
		if s.Run != nil {
			s.Run.Demo = r.IntN(2) == 0
		}
	})
}

func TestTheCursorGoesColumnByColumnAndOutAtTheEnd(t *testing.T) {
	s, st := dressed(viewtest.Running, "plain", 120, 36)
	v := NewScreen()
	v.Rows(s, st)
	if !v.Turn(st, +1) || st.Cursor.OK {
		t.Errorf("right without a cursor gives one: %+v", st.Cursor)
	}
	v.Turn(st, -1)
	newest := st.Cursor.At
	if width := v.drawn.width; newest != s.Folded.Truncate(width)-width {
		t.Errorf("the first step back is to %v of %v", newest, s.Folded)
	}
	v.Turn(st, -1)
	if want := newest - v.drawn.width; st.Cursor.At != want {
		t.Errorf("the second is to %v, want %v", st.Cursor.At, want)
	}
	for range 500 {
		v.Turn(st, -1)
	}
	if want := v.drawn.start(v.drawn.oldest()); st.Cursor.At != want || want < 0 {
		t.Errorf("it ends at %v, want %v", st.Cursor.At, want)
	}
	st.Cursor = bench.MarkAt(newest)
	if v.Turn(st, +1); st.Cursor.OK {
		t.Errorf("a step beyond the newest column does not leave it: %v", st.Cursor.At)
	}
}

func TestTheCursorNeedsLanes(t *testing.T) {
	s := viewtest.Make(viewtest.Running, 0)
	for _, size := range [][2]int{{40, 8}, {20, 1}} {
		v, st := NewScreen(), state("plain", size[0], size[1])
		v.Rows(s, st)
		if v.Turn(st, -1) || st.Cursor.OK {
			t.Errorf("%v: a cursor without lanes", size)
		}
	}
	young := viewtest.Make(viewtest.Ready, 0)
	young.Folded, young.Buckets = 0, nil
	v, st := NewScreen(), state("plain", 120, 36)
	v.Rows(young, st)
	if v.Turn(st, -1); st.Cursor.OK {
		t.Error("a cursor before anything was measured")
	}
}

// TestNothingOfNowIsLeftBesideTheCursor: beside the lanes stand the cursor's numbers alone.
func TestNothingOfNowIsLeftBesideTheCursor(t *testing.T) {
	for _, size := range [][2]int{{200, 60}, {120, 36}, {80, 24}, {60, 15}} {
		s, st := dressed(viewtest.Running, "plain", size[0], size[1])
		st.Cursor = bench.MarkAt(212 * time.Second)
		v := NewScreen()
		rows := v.Rows(s, st)
		at, inLanes, crossed := 0, false, 0
		for _, row := range rows {
			inLanes = inLanes || strings.Contains(row, "LOAD")
			if strings.Contains(row, "03:3") && strings.Contains(row, "s ago") && strings.Contains(row, "load 48") {
				at++
			}
			if strings.HasPrefix(strings.TrimLeft(row, " "), "└") {
				inLanes = false
				if !strings.Contains(row, "03:3") {
					t.Errorf("%v: the axis has no time of the cursor: %q", size, row)
				}
			}
			if !inLanes {
				continue
			}
			crossed++
			for _, word := range []string{"now ", "ready in", "settling", " Δ", "60 s ", "was p95"} {
				if strings.Contains(row, word) {
					t.Errorf("%v: %q in %q", size, word, row)
				}
			}
		}
		if at != 1 || crossed < 6 {
			t.Errorf("%v: the heading stands %d times, %d rows of lanes", size, at, crossed)
		}
	}
}

// TestTheCursorReadsItsColumnAlone: its number is that of the column's own samples, in every lane, and so what is plotted where the plot borrows none.
func TestTheCursorReadsItsColumnAlone(t *testing.T) {
	borrowed := 0
	s, st := dressed(viewtest.Running, "plain", 120, 36)
	v := NewScreen()
	v.Rows(s, st)
	for c := v.drawn.oldest(); c < v.drawn.count; c += 7 {
		st.Cursor = bench.MarkAt(v.drawn.start(c))
		f := v.frame(s, st)
		f.measure()
		for i, m := range bench.Lanes {
			one := f.values[i][c]
			if one.reach > 0 {
				borrowed++
				one = measure(m, f.percentile(m), f.cursor.buckets, 1)
			}
			want := "–"
			if one.ok {
				want = inUnits(m, bench.Some(one.v))
			}
			if got := f.read(m, f.percentile(m)).text; strings.TrimLeft(got, "≈~≥") != want {
				t.Errorf("%s in column %d reads %s, its own are %s", m, c, got, want)
			}
		}
	}
	if borrowed == 0 {
		t.Error("no column borrows")
	}
}

// TestTheCursorBorrowsNothing: what the seconds before lend to the plot is in none of its numbers, few samples say so, and how many they are stands beside them.
func TestTheCursorBorrowsNothing(t *testing.T) {
	for _, c := range []struct {
		sentence string
		second   int
		want     []string
		not      string
	}{
		{"two samples, both fast, in the middle of slow ones", 20, []string{"max ~100", "2 first tokens", "drawn of the last 10 s"}, "900"},
		{"two samples, one of them slow", 24, []string{"max ~900", "2 first tokens"}, "p95 9"},
		{"none at all", 50, []string{"p95 –", "0 first tokens"}, "900"},
	} {
		s, st := sparse(), state("plain", 120, 36)
		s.Buckets[50].TTFT = bench.Sketch{}
		st.Window, st.Cursor = time.Minute, bench.MarkAt(time.Duration(c.second)*time.Second)
		for _, size := range [][2]int{{120, 36}, {80, 24}} {
			st.W, st.H = size[0], size[1]
			if size[0] < 120 {
				// A column of several seconds has samples of its own; lanes are too low to say of what it is drawn.
				st.Window = 30 * time.Second
				s.Folded = time.Duration(c.second+2) * time.Second
			}
			beside := ""
			for _, row := range NewScreen().Rows(s, st) {
				if at := strings.LastIndex(row, "│"); at > 0 && (strings.Contains(row, "TTFT") || beside != "" && strings.Count(beside, "\n") < 3) {
					beside += row[at:] + "\n"
				}
			}
			for i, want := range c.want {
				if !strings.Contains(beside, want) && !(size[0] < 120 && i == 2) {
					t.Errorf("%s at %v: %q is not in\n%s", c.sentence, size, want, beside)
				}
			}
			if strings.Contains(beside, c.not) {
				t.Errorf("%s at %v: %q is in\n%s", c.sentence, size, c.not, beside)
			}
		}
	}
}

func TestACursorThatTheWindowLeavesBehindStaysAtItsEdge(t *testing.T) {
	s, st := dressed(viewtest.Running, "plain", 120, 36)
	st.Cursor = bench.MarkAt(time.Second)
	f := NewScreen().frame(s, st)
	if !f.cursor.ok || f.cursor.column != 0 || f.cursor.from != f.span.start(0) {
		t.Errorf("the cursor reads %+v", f.cursor)
	}
}

func TestReachIsTheLeastWindowThatHoldsAnInstant(t *testing.T) {
	for _, c := range []struct {
		name            string
		window, at, out time.Duration
	}{
		{"one that holds it stays", 2 * time.Minute, 19 * time.Minute, 2 * time.Minute},
		{"the next larger one", 2 * time.Minute, 17 * time.Minute, 5 * time.Minute},
		{"the whole run", 2 * time.Minute, time.Second, 0},
		{"the whole run stays", 0, time.Second, 0},
	} {
		st := State{Window: c.window}
		if got := st.Reach(20*time.Minute, c.at); got != c.out {
			t.Errorf("%s: %v, want %v", c.name, got, c.out)
		}
	}
}

// TestNumbersUnderTheCursorStandApart: however long they are, a blank is between a number and the next one's name.
func TestNumbersUnderTheCursorStandApart(t *testing.T) {
	glued := regexp.MustCompile(`[0-9s–](p[0-9]|max|mean)`)
	for _, size := range [][2]int{{200, 60}, {120, 36}, {80, 24}, {60, 15}} {
		for _, n := range []int{5, 60} {
			for _, millis := range []float64{1, 14, 143, 1426, 99999, 142600} {
				s, st := dressed(viewtest.Running, "plain", size[0], size[1])
				// Scenes share their seconds.
				s.Buckets = slices.Clone(s.Buckets)
				for i := range s.Buckets {
					b := *s.Buckets[i]
					s.Buckets[i] = &b
					h := bench.NewHistogram()
					for k := range n {
						h.Add(millis*(1+float64(k)/100), 1)
					}
					s.Buckets[i].TTFT, s.Buckets[i].ITL = h.Sketch(), h.Sketch()
				}
				v := NewScreen()
				v.Rows(s, st)
				v.Turn(st, -1)
				v.Turn(st, -1)
				rows := v.Rows(s, st)
				if !st.Cursor.OK {
					t.Fatal("there is no cursor")
				}
				for _, row := range rows {
					if glued.MatchString(row) {
						t.Errorf("%v, %d of %g ms: %q", size, n, millis, row)
					}
				}
			}
		}
	}
}
