package view

import (
	"strings"
	"testing"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

// TestEscapeClosesOnlyWhatItsViewHas: what is open in another view stays open there, and takes no press here.
func TestEscapeClosesOnlyWhatItsViewHas(t *testing.T) {
	all := State{Expanded: true, Chosen: true, Inspecting: true, Request: 7, Within: Within{OK: true}, Cursor: bench.MarkAt(1), Cell: Cell{OK: true}}
	all.Filter[action.Requests], all.Filter[action.Log] = "ok", "note"
	for v, want := range map[action.View]int{
		action.Live:      3, // the cursor, the lane in full, its being chosen
		action.Heat:      1, // the cell, with the cursor
		action.Requests:  4, // the request in full, its being chosen, the cell, the filter
		action.Log:       1, // the filter
		action.Curve:     0,
		action.Server:    1, // the cursor
		action.Diagnosis: 0,
	} {
		st := all
		st.View = v
		presses := 0
		for st.Inside() {
			if !st.Close() {
				t.Fatalf("%v: something is open and nothing is closed: %+v", v, st)
			}
			presses++
		}
		if presses != want || st.Close() {
			t.Errorf("%v: %d presses, want %d", v, presses, want)
		}
		if v != action.Live && !st.Expanded || v != action.Requests && !st.Inspecting {
			t.Errorf("%v: esc closed what is open elsewhere: %+v", v, st)
		}
	}
}

// TestEscapeShowsAllWhereNothingFits: in one press, as the empty list says, whatever holds it back.
func TestEscapeShowsAllWhereNothingFits(t *testing.T) {
	v, s, st := shownList(viewtest.Running, 120, 36)
	v.Move(s, st, Down)
	v.Rows(s, st)
	st.Filter[action.Requests], st.Within = "ttft>900s", Within{OK: true, Metric: bench.TTFT, From: 1e9, To: 2e9}
	if got := strings.Join(v.Rows(s, st), "\n"); !strings.Contains(got, "esc shows all") {
		t.Fatal(got)
	}
	if !v.Back(st) {
		t.Error("esc closes nothing")
	}
	if v.Rows(s, st); st.Within.OK || st.Filter[action.Requests] != "" || len(v.requests.rows) < 10 {
		t.Errorf("after one esc %d are shown by %q", len(v.requests.rows), st.Filter[action.Requests])
	}
	st.Filter[action.Requests] = "ok"
	v.Rows(s, st)
	if v.Back(st); st.Request != 0 || st.Filter[action.Requests] != "ok" {
		t.Error("where some fit, the chosen one is not let go first")
	}
}

// TestWhatIsUsedAndWhatIsLeftAgree: 400 left of 500 are 20% used, not 19.
func TestWhatIsUsedAndWhatIsLeftAgree(t *testing.T) {
	for limit := 1; limit <= 600; limit++ {
		for left := range limit + 1 {
			if used := 100 * (limit - left); used%limit == 0 {
				q := bench.Quota{Limit: bench.Some(float64(limit)), Remaining: bench.Some(float64(left))}
				if got, want := strings.Replace(percent(bench.Some(100*q.Used().V)), ".0%", "%", 1), count(used/limit)+"%"; got != want {
					t.Fatalf("%d left of %d: %s used, want %s", left, limit, got, want)
				}
			}
		}
	}
	for v, want := range map[float64]string{99.99: "99%", 100: "100%", 19.9: "19%"} {
		if got := percent(bench.Some(v)); got != want {
			t.Errorf("%g: %s, want %s", v, got, want)
		}
	}
}

// TestTheRequestsOfTheServerAddUp: what is in flight is of the moment of the other counts.
func TestTheRequestsOfTheServerAddUp(t *testing.T) {
	for want, tally := range map[string]bench.Tally{
		"96 sent, 93 ok, 0 failed, 0 limited, 3 in flight":               {Sent: 96, OK: 93},
		"50 sent, 20 ok, 3 failed, 5 limited, 2 cancelled, 20 in flight": {Sent: 50, OK: 20, Failed: 3, Limited: 5, Cancelled: 2},
		"93 sent, 93 ok, 0 failed, 0 limited, 0 in flight":               {Sent: 93, OK: 93},
	} {
		got := drawn(viewtest.Running, 160, 36, func(s *bench.Snapshot, st *State) { s.Total.Tally, s.InFlight, st.View = tally, 4, action.Server })
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}
