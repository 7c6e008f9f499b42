package view

import (
	"slices"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

// shown is a screen with the requests of a scene.
func shownList(scene viewtest.Scene, w, h int) (*Screen, *bench.Snapshot, *State) {
	s, st := viewtest.Make(scene, 0), state("plain", w, h)
	st.View, st.Journal = action.Requests, viewtest.Journal(s)
	v := NewScreen()
	v.Rows(s, st)
	return v, s, st
}

// later is a journal to which so many requests have come.
func later(j *bench.Journal, n int) *bench.Journal {
	out := *j
	out.At += time.Duration(n) * 100 * time.Millisecond
	newest := j.Flights[len(j.Flights)-1]
	for range n {
		newest.ID++
		newest.Started = out.At
		newest.FirstToken, newest.LastToken, newest.Tokens = bench.Mark{}, bench.Mark{}, 0
		out.Flights = append(out.Flights[:len(out.Flights):len(out.Flights)], newest)
	}
	out.Flying = len(out.Flights)
	return &out
}

// rowOf is the row of the screen that is marked.
func rowOf(rows []string) (int, string) {
	for i, row := range rows {
		if strings.HasPrefix(row, " › ") {
			return i, row
		}
	}
	return -1, ""
}

// TestTheChosenRequestStandsStill while others come above it.
func TestTheChosenRequestStandsStill(t *testing.T) {
	v, s, st := shownList(viewtest.Running, 120, 36)
	for range 12 {
		v.Move(s, st, Down)
	}
	at, row := rowOf(v.Rows(s, st))
	id := strings.Fields(row)[1]
	for n := range 30 {
		st.Journal = later(st.Journal, 1+n%3)
		now, row := rowOf(v.Rows(s, st))
		if now != at || strings.Fields(row)[1] != id {
			t.Fatalf("after %d more: %q in row %d, want request %s in row %d", n, row, now, id, at)
		}
	}
}

// TestTheHeadSaysWhereTheChosenRowIs: sorting puts it elsewhere in the list, and there may be rows above what is in sight.
func TestTheHeadSaysWhereTheChosenRowIs(t *testing.T) {
	v, s, st := shownList(viewtest.Running, 120, 36)
	if got := strings.Join(v.Rows(s, st), "\n"); strings.Contains(got, "  row ") {
		t.Errorf("a row is told of, and none is chosen:\n%s", got)
	}
	v.Move(s, st, Down)
	for st.Sort = range numSorts {
		got := strings.Join(v.Rows(s, st), "\n")
		_, at := v.requests.find(st.Request)
		want := "  row " + count(at+1) + " of " + count(len(v.requests.rows))
		if v.requests.top > 0 {
			want += ", ↑ " + count(v.requests.top) + " above"
		}
		if !strings.Contains(got, want+" ") && !strings.Contains(got, want+"\n") {
			t.Errorf("by %v: %q is not in\n%s", st.Sort, want, got)
		}
		if y, _ := rowOf(v.Rows(s, st)); y < 0 {
			t.Errorf("by %v the chosen row is out of sight", st.Sort)
		}
	}
	for _, size := range [][2]int{{80, 24}, {60, 15}, {40, 8}} {
		v, s, st := shownList(viewtest.Running, size[0], size[1])
		v.Move(s, st, Last)
		if got := strings.Join(v.Rows(s, st), "\n"); !strings.Contains(got, "  row ") {
			t.Errorf("%v: no row is told of in\n%s", size, got)
		}
	}
}

// TestWithoutAChoiceTheListFollows what comes; above the first row the choice is let go.
func TestWithoutAChoiceTheListFollows(t *testing.T) {
	v, s, st := shownList(viewtest.Running, 120, 36)
	v.Move(s, st, Down)
	if st.Request != v.requests.rows[0].ID {
		t.Fatalf("request %d, want the first row's", st.Request)
	}
	v.Move(s, st, Up)
	if st.Request != 0 {
		t.Fatalf("request %d, want none", st.Request)
	}
	st.Journal = later(st.Journal, 5)
	v.Rows(s, st)
	if v.requests.top != 0 || v.requests.rows[0].ID != st.Journal.Flights[len(st.Journal.Flights)-1].ID {
		t.Errorf("top %d, first %d", v.requests.top, v.requests.rows[0].ID)
	}
}

func TestMotionsGoByWhatWasDrawn(t *testing.T) {
	v, s, st := shownList(viewtest.Running, 120, 36)
	go1 := func(m Motion) int {
		v.Move(s, st, m)
		v.Rows(s, st)
		_, at := v.requests.find(st.Request)
		return at
	}
	if at := go1(PageDown); at != v.requests.top+v.requests.page-1 && at < 5 {
		t.Errorf("a page down from nothing is row %d", at)
	}
	before := go1(Last)
	if before != len(v.requests.rows)-1 {
		t.Errorf("the last row is %d", before)
	}
	page := v.requests.page
	if at := go1(PageUp); at != before-(page-1) {
		t.Errorf("a page up from %d of pages of %d is %d", before, page, at)
	}
	if at := go1(Down); at != before-(page-1)+1 {
		t.Errorf("down is %d", at)
	}
	if at := go1(First); at != 0 {
		t.Errorf("the first is %d", at)
	}
}

// TestSortingKeepsWhatIsAbsentLast, and is stable.
func TestSortingKeepsWhatIsAbsentLast(t *testing.T) {
	v, s, st := shownList(viewtest.Breach, 120, 36)
	for by := ByNewest; by < numSorts; by++ {
		for _, reversed := range []bool{false, true} {
			st.Sort, st.Reversed = by, reversed
			v.Rows(s, st)
			rows := v.requests.rows
			for i := 1; i < len(rows); i++ {
				a, b := rows[i-1].sorted(by), rows[i].sorted(by)
				if by == ByNewest {
					if rows[i-1].ID > rows[i].ID == reversed {
						t.Fatalf("%s, reversed %v: %d before %d", by, reversed, rows[i-1].ID, rows[i].ID)
					}
					continue
				}
				if !a.OK && b.OK || a.OK && b.OK && (a.V < b.V && !reversed || a.V > b.V && reversed) {
					t.Fatalf("%s, reversed %v: %v before %v", by, reversed, a, b)
				}
				if (a == b) && rows[i-1].ID < rows[i].ID {
					t.Fatalf("%s, reversed %v: %d before %d of one value", by, reversed, rows[i-1].ID, rows[i].ID)
				}
			}
		}
	}
}

// TestARequestThatIsReadStays when the list has let it go.
func TestARequestThatIsReadStays(t *testing.T) {
	v, s, st := shownList(viewtest.Running, 120, 36)
	st.Request, st.Inspecting = st.Journal.Ended[5].ID, true
	before := strings.Join(v.Rows(s, st), "\n")
	gone := *st.Journal
	gone.Ended = gone.Ended[10:]
	gone.Gone += 10
	st.Journal = &gone
	if after := strings.Join(v.Rows(s, st), "\n"); after != before {
		t.Errorf("was\n%s\nis\n%s", before, after)
	}
	st.Request = 1 << 40
	if got := strings.Join(v.Rows(s, st), "\n"); !strings.Contains(got, "is not kept any more") {
		t.Errorf("nothing is said of a request that nobody knows:\n%s", got)
	}
}

// TestFiguresOfARequestAgree: TTFT and decoding make up the whole, and the phases are all of the time.
func TestFiguresOfARequestAgree(t *testing.T) {
	for _, scene := range []viewtest.Scene{viewtest.Running, viewtest.Open, viewtest.Network, viewtest.Busy} {
		v, s, st := shownList(scene, 120, 36)
		f := v.frame(s, st)
		for _, e := range st.Journal.Ended {
			q := ofEnded(e)
			sum := time.Duration(0)
			for _, p := range f.spans(&q) {
				sum += p.d
			}
			first := e.Marks.Started
			if e.Scheduled.OK {
				first = e.Scheduled
			}
			if whole, ok := e.Marks.Ended.Since(first); !ok || sum != whole {
				t.Fatalf("%s: the phases of request %d (%s) sum up to %v of %v", scene, e.ID, e.Outcome, sum, whole)
			}
			if !q.tpot.OK || !q.ttft.OK || e.Outcome != bench.OK {
				continue
			}
			tokens := float64(e.Counts.Streamed()) - float64(e.Counts.FirstEvents)*e.Counts.PerEvent()
			if got := q.ttft.V + q.tpot.V*tokens; got < q.e2e.V-1 || got > q.e2e.V+1 {
				t.Fatalf("%s: request %d: TTFT %v and %v tokens of %v ms are %v, not %v", scene, e.ID, q.ttft.V, tokens, q.tpot.V, got, q.e2e.V)
			}
		}
	}
}

// TestPrivateRequestsShowNoWords: nothing of what was asked, answered or said by the server reaches the screen, in the list, below it or in full.
func TestPrivateRequestsShowNoWords(t *testing.T) {
	v, s, st := shownList(viewtest.Running, 200, 60)
	st.Private = true
	for _, e := range st.Journal.Ended {
		e.Prompt.Text, e.Reply, e.Message, e.Head = "sesame", "sesame", "sesame", "sesame"
		e.Header = map[string][]string{"X-Request-Id": {"sesame"}, "Server": {"sesame"}}
	}
	for i := range st.Journal.Flights {
		st.Journal.Flights[i].Prompt.Text = "sesame"
	}
	for _, inspecting := range []bool{false, true} {
		for _, e := range st.Journal.Ended[len(st.Journal.Ended)-60:] {
			st.Request, st.Inspecting = e.ID, inspecting
			if got := strings.Join(v.Rows(s, st), "\n"); strings.Contains(got, "sesame") {
				t.Fatalf("request %d (%s), inspecting %v:\n%s", e.ID, e.Outcome, inspecting, got)
			}
		}
	}
}

// TestForeignTextIsNeverObeyed: no control character of a prompt, a reply, a message, a header or a body reaches the terminal.
func TestForeignTextIsNeverObeyed(t *testing.T) {
	for _, look := range []string{"plain", "ascii"} {
		v, s, st := shownList(viewtest.Running, 120, 50)
		st.Set = looks[look]
		evil := "a\x1b]0;x\x07\x1b[2J\x00\x08\x9b\u009b31m\u202e\u2066\xff\r\n\tz"
		for _, e := range st.Journal.Ended {
			e.Prompt.Text, e.Reply, e.Message, e.Head, e.Finish = evil, evil, evil, evil, evil
			e.Header = map[string][]string{evil: {evil}, "X-Request-Id": {evil}}
		}
		for _, inspecting := range []bool{false, true} {
			st.Request, st.Inspecting = st.Journal.Ended[len(st.Journal.Ended)-1].ID, inspecting
			for _, row := range v.Rows(s, st) {
				for _, r := range row {
					if r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x202e || r == 0x2066 || r == 0xfffd {
						t.Fatalf("%s, inspecting %v: %q", look, inspecting, row)
					}
				}
			}
		}
	}
}

// BenchmarkRequests draws the list of a full journal: steady is a frame of the same journal, fresh one after each new one.
func BenchmarkRequests(b *testing.B) {
	s := viewtest.Make(viewtest.Running, 0)
	j := full(viewtest.Journal(s))
	for _, c := range []struct {
		name, filter string
		sort         Sort
		inspecting   bool
	}{{"newest", "", ByNewest, false}, {"sorted", "", ByTTFT, false}, {"filtered", "ok level:3 slow", ByGap, false}, {"words", "cache", ByE2E, false}, {"inspecting", "", ByNewest, true}} {
		for _, fresh := range []bool{false, true} {
			name := c.name + "/steady"
			if fresh {
				name = c.name + "/fresh"
			}
			b.Run(name, func(b *testing.B) {
				st := state("ansi", 120, 36)
				st.View, st.Journal, st.Sort, st.Filter[action.Requests] = action.Requests, j, c.sort, c.filter
				st.Request, st.Inspecting = j.Ended[900].ID, c.inspecting
				v := NewScreen()
				v.Rows(s, st)
				b.ReportAllocs()
				for b.Loop() {
					if fresh {
						next := *st.Journal
						st.Journal = &next
					}
					v.Rows(s, st)
				}
			})
		}
	}
}

// full is a journal that holds as much as one can.
func full(j *bench.Journal) *bench.Journal {
	out := *j
	for n := uint64(1 << 20); len(out.Flights) < bench.JournalFlights; n++ {
		f := out.Flights[int(n)%len(j.Flights)]
		f.ID = n
		out.Flights = append(out.Flights, f)
	}
	for n := uint64(1 << 30); len(out.Ended) < bench.JournalOK+bench.JournalFailed; n++ {
		e := *out.Ended[int(n)%len(j.Ended)]
		e.ID = n
		out.Ended = append(out.Ended, &e)
	}
	return &out
}

func TestAgesStandStillWhereNothingRuns(t *testing.T) {
	for _, c := range []struct {
		state bench.RunState
		still bool
	}{{bench.Paused, true}, {bench.Done, true}, {bench.Running, false}} {
		s, st := viewtest.Make(viewtest.Paused, 0), state("plain", 120, 36)
		s.State, st.View = c.state, action.Requests
		j := *viewtest.Journal(s)
		j.Flights, st.Journal = nil, &j
		v := NewScreen()
		was := slices.Clone(v.Rows(s, st))
		later := j
		later.At += time.Minute
		st.Journal = &later
		if still := slices.Equal(was, v.Rows(s, st)); still != c.still {
			t.Errorf("%v: the ages stand still: %v", c.state, still)
		}
	}
}
