package view

import (
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

// shownBy are the requests of a scene that a filter shows.
func shownBy(t *testing.T, filter string, set func(*State)) (*Screen, []*single) {
	t.Helper()
	s := viewtest.Make(viewtest.Running, 0)
	st := state("plain", 120, 36)
	st.View, st.Journal = action.Requests, viewtest.Journal(s)
	st.Filter[action.Requests] = filter
	if set != nil {
		set(st)
	}
	v := NewScreen()
	v.Rows(s, st)
	if v.requests.problem != nil {
		t.Fatalf("%q: %v", filter, v.requests.problem)
	}
	return v, v.requests.rows
}

func TestAFilterShowsWhatFits(t *testing.T) {
	for _, c := range []struct {
		sentence, filter string
		fits             func(q *single) bool
	}{
		{"those that ended well", "ok", func(q *single) bool { return q.ended != nil && q.ended.Outcome == bench.OK }},
		{"those that failed, not those that were limited", "failed", func(q *single) bool { return q.ended != nil && q.ended.Outcome.Failed() }},
		{"those in flight", "flying", func(q *single) bool { return q.flight != nil }},
		{"those that wait for their first token, by what that was called once", "prefill", func(q *single) bool { return q.flight != nil && !q.flight.Decodes() }},
		{"all that went wrong", "status:error", func(q *single) bool { return q.ended != nil && q.ended.Outcome.Broken() }},
		{"a status", "status:429", func(q *single) bool { return q.ended != nil && q.ended.Status == 429 }},
		{"a hundred of them", "status:5xx", func(q *single) bool { return q.ended != nil && q.ended.Status/100 == 5 }},
		{"a part of an outcome's name", "status:first-token", func(q *single) bool { return q.ended != nil && q.ended.Outcome == bench.TimeoutFirst }},
		{"an outcome of two words", "status:streamerror", func(q *single) bool { return q.ended != nil && q.ended.Outcome == bench.StreamError }},
		{"a time in ms", "ttft>400", func(q *single) bool { return q.ttft.OK && q.ttft.V > 400 }},
		{"a time in s", "ttft>0.4s", func(q *single) bool { return q.ttft.OK && q.ttft.V > 400 }},
		{"who waits has less than nothing: it may still come to more", "ttft<400 flying", func(q *single) bool { return q.flight != nil && q.flight.Decodes() && q.ttft.V < 400 }},
		{"a count", "out>=200 ended", func(q *single) bool { return q.ended != nil && q.out.V >= 200 }},
		{"a gap", "gap>1s", func(q *single) bool { return q.gap.OK && q.gap.V > 1000 }},
		{"the load at the start", "conc:48", func(q *single) bool { return q.Load.N == 48 }},
		{"a level", "level:3", func(q *single) bool { return q.Level == 3 }},
		{"one request", "id:1403", func(q *single) bool { return q.ID == 1403 }},
		{"turns", "turn>1", func(q *single) bool { return q.Prompt.Turn > 1 }},
		{"those that opened a connection", "new", func(q *single) bool { return q.ended != nil && !q.ended.Reused && q.ended.Marks.Connected.OK }},
		{"all terms hold", "ok level:3 ttft>0.4s", func(q *single) bool {
			return q.ended != nil && q.ended.Outcome == bench.OK && q.Level == 3 && q.ttft.V > 400
		}},
		{"full-width forms count as their twins", "ｔｔｆｔ＞４００　ｏｋ", func(q *single) bool { return q.ended != nil && q.ended.Outcome == bench.OK && q.ttft.V > 400 }},
		{"a word in a reply", "reply:CACHE", func(q *single) bool { return q.ended != nil && strings.Contains(q.ended.Reply, "cache") }},
		{"a word in a prompt, of flights too", "prompt:要約", func(q *single) bool { return strings.Contains(q.Prompt.Text, "要約") }},
		{"full-width, and what follows as it was typed", "ｐｒｏｍｐｔ：要約", func(q *single) bool { return strings.Contains(q.Prompt.Text, "要約") }},
		{"in either", "text:cache", func(q *single) bool {
			return strings.Contains(strings.ToLower(q.Prompt.Text), "cache") || q.ended != nil && strings.Contains(strings.ToLower(q.ended.Reply), "cache")
		}},
		{"a phrase", "prompt:\"incident report\"", func(q *single) bool { return strings.Contains(q.Prompt.Text, "incident report") }},
		{"a word of a note", "stalled", func(q *single) bool {
			return q.ended != nil && (q.ended.Outcome == bench.Stalled || q.ended.Stalls > 0 && !q.ended.Burst)
		}},
		{"a note of flights too", "\"turn 2\"", func(q *single) bool { return q.Prompt.Turn == 2 }},
		{"a word of the server's", "peer", func(q *single) bool { return q.ended != nil && strings.Contains(q.ended.Message, "peer") }},
		{"words of both kinds", "decode prompt:\"sky is blue\"", func(q *single) bool {
			return q.flight != nil && q.flight.Decodes() && strings.Contains(q.Prompt.Text, "sky is blue")
		}},
	} {
		_, rows := shownBy(t, c.filter, nil)
		_, all := shownBy(t, "", nil)
		want := 0
		for i := range all {
			if c.fits(all[i]) {
				want++
			}
		}
		for i := range rows {
			if !c.fits(rows[i]) {
				t.Errorf("%s: %q shows request %d", c.sentence, c.filter, rows[i].ID)
			}
		}
		if len(rows) != want || want == 0 || want == len(all) {
			t.Errorf("%s: %q shows %d of %d, want %d", c.sentence, c.filter, len(rows), len(all), want)
		}
	}
}

// TestFreeWordsAreNotLookedForInWhatWasSaid: "installed" is in many a prompt, and is no stall.
func TestFreeWordsAreNotLookedForInWhatWasSaid(t *testing.T) {
	e := bench.Ended{Request: bench.Request{ID: 4711, Prompt: bench.Prompt{Text: "How is it installed? It refused to work."}}, Reply: "It stalled.", Outcome: bench.OK, Finish: "stop"}
	q := ofEnded(&e)
	for filter, want := range map[string]bool{"stalled": false, "refused": false, "4711": true, "STOP": true, "text:stalled": true, "prompt:stalled": true, "prompt:refused": true, "reply:refused": false} {
		f, err := parseFilter(filter)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.named(q.names(0, 0, false))|f.reads(&q) == f.all(); got != want {
			t.Errorf("%q finds it: %v, want %v", filter, got, want)
		}
	}
}

// TestSlowIsOverThePromise, or over the 95th percentile of the shown where there is no promise.
func TestSlowIsOverThePromise(t *testing.T) {
	_, rows := shownBy(t, "slow", nil)
	for i := range rows {
		if rows[i].ttft.V <= 500 {
			t.Errorf("request %d is slow with %v ms", rows[i].ID, rows[i].ttft.V)
		}
	}
	if len(rows) == 0 {
		t.Error("none is slow")
	}
	s := viewtest.Make(viewtest.Running, 0)
	s.Run.Thresholds = nil
	st := state("plain", 120, 36)
	st.View, st.Journal = action.Requests, viewtest.Journal(s)
	st.Filter[action.Requests] = "level:3 ok slow"
	v := NewScreen()
	v.Rows(s, st)
	slow := len(v.requests.rows)
	st.Filter[action.Requests] = "level:3 ok"
	v.Rows(s, st)
	if of := len(v.requests.rows); slow == 0 || slow > of/20 {
		t.Errorf("%d of %d are over their 95th percentile", slow, of)
	}
}

// TestPrivateTextIsNotLookedThrough: what is hidden cannot be found out by filters either.
func TestPrivateTextIsNotLookedThrough(t *testing.T) {
	for _, filter := range []string{"text:cache", "reply:cache", "prompt:要約", "prompt:incident", "peer"} {
		if _, open := shownBy(t, filter, nil); len(open) == 0 {
			t.Errorf("%q shows nothing", filter)
		}
		if _, rows := shownBy(t, filter, func(st *State) { st.Private = true }); len(rows) != 0 {
			t.Errorf("%q shows %d private requests", filter, len(rows))
		}
	}
}

func TestAFilterThatCannotBeReadSaysWhatIsAllowed(t *testing.T) {
	for _, c := range []struct{ filter, want string }{
		{"ttft>abc", `"ttft>abc": want a time such as ttft>500, ttft>500ms or ttft>0.5s`},
		{"ok out>=many", `"out>=many": want a number such as out>=3`},
		{"out>=", `"out>=": want a number such as out>=3`},
		{"ttft>-5", `"ttft>-5": want a time`},
		{"tffft:5", `"tffft:5": nothing is called tffft; there are ttft, tpot, gap`},
		{"status:gone", `"status:gone": want error, ok, 429, 5xx, timeout`},
		{"status>400", `"status>400": want status:429`},
		{"status:", `"status:": want error`},
		{"prompt:", `"prompt:": want prompt:word, or prompt:"some words"`},
		{"reply>x", `"reply>x": want reply:word`},
		{"text: cache", `"text:": want text:word`},
		{"ttft>1e400", `want a time`},
		{strings.Repeat("a ", 60), "at most 32"},
	} {
		err := FilterProblem(action.Requests, c.filter)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.filter, err, c.want)
		}
	}
	for _, fine := range []string{"", "  ", "09:14", "\"tffft:5\"", "\"", "数字：", "ttft", "status"} {
		if err := FilterProblem(action.Requests, fine); err != nil {
			t.Errorf("%q: %v", fine, err)
		}
	}
	if err := FilterProblem(action.Log, "tffft:5"); err != nil {
		t.Errorf("the log's filter is words: %v", err)
	}
}

func FuzzFilter(f *testing.F) {
	for _, seed := range []string{"ok slow status:429 ttft>0.5s", "\"a b", "ｔｔｆｔ＞５００", "id:1 turn>=2 x≤3 \x00\xff", "status:5xx in<1k gap=26.1ms", "prompt:a ｒｅｐｌｙ：\"x y\" text=b stalled", "prompt:\"", "text：：="} {
		f.Add(seed)
	}
	e := &bench.Ended{Request: bench.Request{ID: 7, Prompt: bench.Prompt{Text: "ab", Turn: 2}}, Outcome: bench.OK, Reply: "x", Finish: "stop"}
	q, fl := ofEnded(e), ofFlight(&bench.Flight{Request: e.Request}, time.Second)
	f.Fuzz(func(t *testing.T, text string) {
		filter, err := parseFilter(text)
		if err != nil {
			if err.Error() == "" || len(filter.terms) > 0 {
				t.Errorf("%q: %v with %d terms", text, err, len(filter.terms))
			}
			return
		}
		for _, q := range []*single{&q, &fl} {
			filter.holds(q)
			if filter.reads(q)&^filter.all() != 0 || filter.named(q.names(time.Second, 0, false))&filter.reads(q) != 0 {
				t.Errorf("%q finds words that it has not", text)
			}
		}
		if again, err := parseFilter(strings.TrimSpace(text)); err != nil || len(again.terms) != len(filter.terms) || len(again.words) != len(filter.words) {
			t.Errorf("%q reads differently without blanks around it", text)
		}
	})
}
