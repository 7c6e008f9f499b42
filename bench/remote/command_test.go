package remote

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
)

func TestVerbsAreCommands(t *testing.T) {
	p95, _ := bench.ParseThreshold("ttft.p95<=500ms")
	for _, row := range []struct {
		sentence, verb, body string
		want                 bench.Command
		problem              string
	}{
		{"a load", "load", `{"set":16}`, bench.Set{N: 16}, ""},
		{"a rise", "load", `{"add":4}`, bench.Add{N: 4}, ""},
		{"a fall", "load", `{"add":-4}`, bench.Add{N: -4}, ""},
		{"a factor", "load", `{"times":0.5}`, bench.Times{F: 0.5}, ""},
		{"none", "load", `{}`, nil, "want one of set, add and times"},
		{"two at once", "load", `{"set":1,"add":2}`, nil, "want one of set, add and times"},
		{"half a request", "load", `{"set":1.5}`, nil, "whole number"},
		{"less than none", "load", `{"set":-1}`, nil, "0 or more"},
		{"a rate in the closed loop", "load", `{"set":"2.5/s"}`, nil, "the loop is closed"},
		{"no number", "load", `{"add":"much"}`, nil, "want a number"},
		{"a huge number", "load", `{"set":1e99}`, nil, "want a number up to"},
		{"no such field", "load", `{"sett":1}`, nil, "takes no field"},
		{"no object", "load", `16`, nil, "want one JSON object"},
		{"null", "load", `null`, nil, "want one JSON object"},
		{"two objects", "load", `{"set":1}{"set":2}`, nil, "want one JSON object"},
		{"a note", "note", `{"text":" max_num_seqs\n256 "}`, bench.Note{Text: "max_num_seqs 256"}, ""},
		{"a note that steers a terminal", "note", `{"text":"a\u001b[2Jb"}`, bench.Note{Text: "a [2Jb"}, ""},
		{"an empty note", "note", `{"text":" "}`, nil, "want the note"},
		{"a long note", "note", `{"text":"` + strings.Repeat("x", 201) + `"}`, nil, "at most 200 bytes"},
		{"a pause", "pause", ``, bench.Pause{}, ""},
		{"an emergency stop", "cancel", `{}`, bench.Cancel{}, ""},
		{"a promise", "promise", `{"promise":"ttft.p95<=500ms"}`, bench.Promise{Threshold: p95}, ""},
		{"no promise any more", "promise", `{"drop":"ttft.p95"}`, bench.Promise{Threshold: bench.Threshold{Metric: bench.TTFT, At: bench.P95, Limit: 1}, Drop: true}, ""},
		{"no promise at all", "promise", `{"promise":"soon"}`, nil, "threshold"},
		{"the end of a search", "ramp", `{"end":true}`, bench.Seek{}, ""},
		{"a search down", "ramp", `{"ramp":"9..4"}`, nil, "rises"},
		{"the end of a cruise", "cruise", `{"end":true}`, bench.Steer{}, ""},
		{"a cruise on nothing", "cruise", `{}`, nil, "empty"},
		{"a profile that goes on", "profile", ``, bench.Follow{}, ""},
		{"a profile of nothing", "profile", `{"profile":"often"}`, nil, "profile"},
		{"the end", "stop", ``, bench.Stop{Why: "quit"}, ""},
		{"the end at once", "stop", `{"now":true}`, bench.Kill{Why: "quit"}, ""},
	} {
		r := newRun()
		r.change(func(s *bench.Snapshot) {
			s.Following, s.Ramping, s.Cruising = &bench.Following{Held: true}, &bench.Ramping{}, &bench.Cruising{}
			s.Run.Thresholds = []bench.Threshold{p95}
		})
		w := asked(t, serve(r, nil), "POST", "/v1/"+row.verb, row.body)
		if row.problem != "" {
			got := told[Refusal](t, w)
			if w.Code != 400 || !strings.Contains(got.Error, row.problem) || len(r.did()) > 0 {
				t.Errorf("%s: %d %q, did %v; want %q", row.sentence, w.Code, got.Error, r.did(), row.problem)
			}
			continue
		}
		// A rise of this run comes to nothing: that it does not follow is no matter here.
		if got := r.did(); len(got) != 1 || fmt.Sprint(got[0]) != fmt.Sprint(row.want) || w.Code >= 500 {
			t.Errorf("%s: %d, did %v, want %v", row.sentence, w.Code, got, row.want)
		}
	}
}

func TestEveryVerbSaysWhatItDoes(t *testing.T) {
	for _, v := range Verbs {
		if v.About == "" || v.read == nil || v.words == nil || VerbOf(v.Name) != v {
			t.Errorf("%s: %+v", v.Name, v)
		}
		for _, f := range v.Takes {
			if f.Name == "" || f.About == "" {
				t.Errorf("%s: field %+v", v.Name, f)
			}
		}
	}
}

func TestACommandIsAnsweredWithWhatCameOfIt(t *testing.T) {
	r := newRun()
	s := serve(r, nil)
	w := asked(t, s, "POST", "/v1/load", `{"set":16}`)
	if got := told[Done](t, w); w.Code != 200 || got.Did != "load 16" || got.Now.Load != 16 || got.Now.Words != "16" || got.Now.Loop != "closed" || got.Now.Level != 1 || got.Now.State != "running" {
		t.Errorf("%d %+v %+v", w.Code, got, got.Now)
	}
	events := r.Snapshot().Events
	if e := events[len(events)-1]; e.Kind != bench.EventRemote || e.Text != "load 16" {
		t.Errorf("the log says %+v", e)
	}
}

func TestAQuestionIsAskedBackUnlessItIsAnsweredAtOnce(t *testing.T) {
	r := newRun()
	s := serve(r, nil)
	for range 2 {
		// The same once more meets the question that it has made.
		w := asked(t, s, "POST", "/v1/load", `{"set":64}`)
		if got := told[Refusal](t, w); w.Code != 409 || got.Question == nil || !got.Question.Raises || got.Now.Load != 8 {
			t.Fatalf("%d %+v", w.Code, got)
		}
	}
	w := asked(t, s, "POST", "/v1/answer", `{"yes":false}`)
	if got := told[Done](t, w); w.Code != 200 || got.Now.Question != nil || got.Now.Load != 8 {
		t.Errorf("no: %d %+v", w.Code, got.Now)
	}
	w = asked(t, s, "POST", "/v1/load", `{"set":64,"yes":true}`)
	if got := told[Done](t, w); w.Code != 200 || got.Now.Question != nil || got.Now.Load != 64 {
		t.Errorf("yes at once: %d %+v", w.Code, got.Now)
	}
	r.change(func(s *bench.Snapshot) { s.Ask = &bench.Ask{ID: 77, Text: "spend more?", Raises: true} })
	if w = asked(t, s, "POST", "/v1/load", `{"set":4,"yes":true}`); w.Code != 200 || r.Snapshot().Ask == nil {
		t.Errorf("a yes has answered the question of somebody else: %d", w.Code)
	}
	w = asked(t, s, "POST", "/v1/answer", `{"yes":true,"id":76}`)
	if got := told[Refusal](t, w); w.Code != 409 || got.Question == nil || got.Question.ID != 77 || r.Snapshot().Ask == nil {
		t.Errorf("an answer to another question: %d %+v", w.Code, got)
	}
	r.change(func(s *bench.Snapshot) { s.Ask = nil })
	if w = asked(t, s, "POST", "/v1/answer", `{"yes":true}`); w.Code != 409 || !strings.Contains(w.Body.String(), "no question is open") {
		t.Errorf("an answer to nothing: %d %s", w.Code, w.Body)
	}
}

// TestAnAnswerIsToTheQuestionThatWasRead: whoever says yes to a load gets no other, however the question has changed meanwhile.
func TestAnAnswerIsToTheQuestionThatWasRead(t *testing.T) {
	r := newRun()
	s := serve(r, nil)
	first := told[Refusal](t, asked(t, s, "POST", "/v1/load", `{"set":40}`)).Question
	second := told[Refusal](t, asked(t, s, "POST", "/v1/load", `{"set":60}`)).Question
	if first == nil || second == nil || first.ID == second.ID {
		t.Fatalf("asked %+v, then %+v", first, second)
	}
	if w := asked(t, s, "POST", "/v1/answer", fmt.Sprintf(`{"yes":true,"id":%d}`, first.ID)); w.Code != 409 || r.Snapshot().Target.N != 8 {
		t.Errorf("a yes to the first: %d, load %s", w.Code, r.Snapshot().Target)
	}
	// The screen changes it while the answer is under way.
	r.under = func(s *bench.Snapshot) {
		s.Ask = &bench.Ask{ID: 99, Text: "raise to 64?", To: bench.InFlight(64), Load: true, Raises: true}
	}
	w := asked(t, s, "POST", "/v1/answer", fmt.Sprintf(`{"yes":true,"id":%d}`, second.ID))
	if got := told[Refusal](t, w); w.Code != 409 || got.Question == nil || got.Question.ID != 99 || r.Snapshot().Target.N != 8 {
		t.Errorf("a yes that comes late: %d %+v", w.Code, got)
	}
	// Nor does a yes that was said with a command answer what the screen asks behind it.
	r.change(func(s *bench.Snapshot) { s.Ask = nil })
	r.behind = func(s *bench.Snapshot) {
		s.Ask = &bench.Ask{ID: 100, Text: "raise to 64?", To: bench.InFlight(64), Load: true, Raises: true}
	}
	if w = asked(t, s, "POST", "/v1/load", `{"set":16,"yes":true}`); r.Snapshot().Target.N != 16 || r.Snapshot().Ask == nil {
		t.Errorf("a yes with a command has answered the screen's question: %d, load %s", w.Code, r.Snapshot().Target)
	}
}

// TestACommandThatChangesNothingIsRefused, with the reason; one that makes sure of what is so is done.
func TestACommandThatChangesNothingIsRefused(t *testing.T) {
	for _, row := range []struct {
		verb, body, why string
		able            func(*bench.Snapshot)
	}{
		{"undo", "", "no load came before", func(s *bench.Snapshot) { s.CanUndo = 1 }},
		{"redo", "", "no load was taken back", func(s *bench.Snapshot) { s.CanRedo = 1 }},
		{"flip", "", "no other load", func(s *bench.Snapshot) { s.Was = bench.InFlight(4) }},
		{"workload", "", "one workload", func(s *bench.Snapshot) { s.Run.Works = make([]bench.Workload, 2) }},
		{"other", "", "one target", func(s *bench.Snapshot) { s.Rivals = &bench.Rivals{} }},
		{"both", "", "one target", func(s *bench.Snapshot) { s.Rivals = &bench.Rivals{} }},
		{"profile", "", "no profile", func(s *bench.Snapshot) { s.Following = &bench.Following{Held: true} }},
		{"ramp", `{"end":true}`, "no ramp", func(s *bench.Snapshot) { s.Ramping = &bench.Ramping{} }},
		{"cruise", `{"end":true}`, "no cruise", func(s *bench.Snapshot) { s.Cruising = &bench.Cruising{} }},
		{"promise", `{"drop":"ttft.p95"}`, "no such promise", func(s *bench.Snapshot) {
			p95, _ := bench.ParseThreshold("ttft.p95<=500ms")
			s.Run.Thresholds = []bench.Threshold{p95}
		}},
	} {
		r := newRun()
		r.change(func(s *bench.Snapshot) { s.Was = s.Target })
		s := serve(r, nil)
		w := asked(t, s, "POST", "/v1/"+row.verb, row.body)
		if got := told[Refusal](t, w); w.Code != 409 || !strings.Contains(got.Error, row.why) || got.Now == nil || len(r.did()) > 0 {
			t.Errorf("%s: %d %+v, did %v", row.verb, w.Code, got, r.did())
		}
		r.change(row.able)
		if row.verb == "other" || row.verb == "both" {
			continue // the run of these tests has no targets to tell of
		}
		if w = asked(t, s, "POST", "/v1/"+row.verb, row.body); w.Code != 200 || len(r.did()) != 1 {
			t.Errorf("%s, which may be: %d %s", row.verb, w.Code, w.Body)
		}
	}
	for _, verb := range []string{"pause", "pause", "cancel", "cancel"} {
		if w := asked(t, serve(newRun(), nil), "POST", "/v1/"+verb, ""); w.Code != 200 {
			t.Errorf("%s: %d", verb, w.Code)
		}
	}
}

// TestWhatTheRunSaysAgainstACommandIsItsAnswer: a ramp that was not begun is none that was done.
func TestWhatTheRunSaysAgainstACommandIsItsAnswer(t *testing.T) {
	r := newRun()
	s := serve(r, nil)
	r.says = "ramp not begun: it needs a promise"
	w := asked(t, s, "POST", "/v1/ramp", "")
	if got := told[Refusal](t, w); w.Code != 409 || got.Error != r.says {
		t.Errorf("%d %+v", w.Code, got)
	}
	r.says = ""
	if w = asked(t, s, "POST", "/v1/ramp", ""); w.Code != 200 {
		t.Errorf("the next: %d %s", w.Code, w.Body)
	}
}

// TestNotesBeginNoMoreLevelsThanAreWorthIt: a script that goes wild is held back, and may go on after a while.
func TestNotesBeginNoMoreLevelsThanAreWorthIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRun()
		s := serve(r, nil)
		done := func(n int) (done int) {
			for range n {
				if w := asked(t, s, "POST", "/v1/note", `{"text":"x"}`); w.Code == 200 {
					done++
				} else if w.Code != 429 {
					t.Fatalf("%d %s", w.Code, w.Body)
				}
			}
			return done
		}
		if n := done(800); n != marksAtOnce || len(r.did()) != n {
			t.Errorf("%d of 800 at once are done", n)
		}
		if w := asked(t, s, "POST", "/v1/load", `{"set":4}`); w.Code != 200 {
			t.Errorf("a load meanwhile: %d", w.Code)
		}
		time.Sleep(3 * marksRest)
		if n := done(10); n != 3 {
			t.Errorf("three seconds later %d are done", n)
		}
	})
}

func TestUnderTheLockTheEngineJudges(t *testing.T) {
	r := newRun()
	s := serve(r, func(o *Options) { o.Locked = func() bool { return true } })
	if w := asked(t, s, "POST", "/v1/load", `{"set":16}`); w.Code != 423 || r.Snapshot().Target.N != 8 {
		t.Errorf("a rise: %d", w.Code)
	}
	if w := asked(t, s, "POST", "/v1/load", `{"set":4}`); w.Code != 200 || r.Snapshot().Target.N != 4 {
		t.Errorf("a fall: %d", w.Code)
	}
	asked(t, s, "POST", "/v1/stop", ``)
	for i, want := range []string{"Locked", "Locked", "Stop"} {
		if got := fmt.Sprintf("%T", r.did()[i]); got != "bench."+want {
			t.Errorf("command %d is %s, want %s", i, got, want)
		}
	}
}

func TestARiseThatComesToNothingSaysSo(t *testing.T) {
	r := newRun()
	if w := asked(t, serve(r, nil), "POST", "/v1/load", `{"add":4}`); w.Code != 429 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestARunThatIsOverTakesNothing(t *testing.T) {
	r := newRun()
	close(r.done)
	w := asked(t, serve(r, nil), "POST", "/v1/load", `{"set":4}`)
	if got := told[Refusal](t, w); w.Code != 409 || got.Error != "the run is over" || len(r.did()) > 0 {
		t.Errorf("%d %+v", w.Code, got)
	}
}

func TestACommandThatIsNotTakenIsNotWaitedForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRun()
		r.deaf = true
		began := time.Now()
		w := asked(t, serve(r, nil), "POST", "/v1/load", `{"set":4}`)
		if took := time.Since(began); w.Code != 202 || took != takenWait {
			t.Errorf("%d after %v", w.Code, took)
		}
	})
}

func TestWhoPausedTheRunIsKnown(t *testing.T) {
	s := serve(newRun(), nil)
	for _, row := range []struct {
		verb string
		want bool
	}{{"pause", true}, {"note", true}, {"resume", false}, {"drain", true}} {
		asked(t, s, "POST", "/v1/"+row.verb, map[bool]string{true: `{"text":"x"}`}[row.verb == "note"])
		if s.Halted() != row.want {
			t.Errorf("after %s: %v", row.verb, s.Halted())
		}
	}
}

func TestALongBodyIsNotRead(t *testing.T) {
	r := newRun()
	w := asked(t, serve(r, nil), "POST", "/v1/note", `{"text":"`+strings.Repeat("x", mostBody)+`"}`)
	if w.Code != 413 || len(r.did()) > 0 {
		t.Errorf("%d", w.Code)
	}
}

func TestWordsOfACommandLineAreBodies(t *testing.T) {
	for _, row := range []struct{ verb, words, want string }{
		{"load", "16", "map[set:16]"}, {"load", "+4", "map[add:4]"}, {"load", "-4", "map[add:-4]"}, {"load", "x2", "map[times:2]"}, {"load", "*1.5", "map[times:1.5]"},
		{"load", "50%", "map[times:0.5]"}, {"load", "2.5/s", "map[set:2.5/s]"}, {"load", "", "!"}, {"load", "+", "!"}, {"load", "much", "!"}, {"load", "+-4", "!"},
		{"note", "max_num_seqs 256", "map[text:max_num_seqs 256]"}, {"note", "", "!"}, {"pause", "", "map[]"}, {"pause", "now", "!"},
		{"promise", "ttft.p95<=500ms", "map[promise:ttft.p95<=500ms]"}, {"promise", "drop ttft.p95", "map[drop:ttft.p95]"}, {"promise", "", "!"},
		{"ramp", "", "map[]"}, {"ramp", "4..64 x2", "map[ramp:4..64 x2]"}, {"ramp", "end", "map[end:true]"}, {"cruise", "ttft.p95 4..64", "map[cruise:ttft.p95 4..64]"},
		{"answer", "yes", "map[yes:true]"}, {"answer", "no", "map[yes:false]"}, {"answer", "maybe", "!"}, {"answer", "", "!"}, {"answer", "yes 3", "map[id:3 yes:true]"}, {"answer", "no 0", "!"}, {"answer", "yes 3 4", "!"}, {"stop", "", "map[]"}, {"stop", "now", "map[now:true]"}, {"stop", "soon", "!"},
	} {
		body, err := VerbOf(row.verb).Body(strings.Fields(row.words))
		got := fmt.Sprint(body)
		if err != nil {
			got = "!"
		}
		if got != row.want {
			t.Errorf("%s %q: %s (%v), want %s", row.verb, row.words, got, err, row.want)
		}
	}
}

func FuzzNoBodyBreaksAVerb(f *testing.F) {
	for _, v := range Verbs {
		f.Add(v.Name, `{"set":1,"yes":true}`)
		f.Add(v.Name, `{"text":"a","promise":"ttft<=1s","ramp":"4..64 x2","cruise":"ttft.p95<=1s 4..64","profile":"4:1m","now":true,"end":true,"id":1}`)
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		v := VerbOf(name)
		if v == nil {
			return
		}
		b, err := v.decode([]byte(text))
		if err != nil {
			return
		}
		s := newRun().Snapshot()
		if c, said, err := v.read(b, s); err == nil && (c == nil || said == "") {
			t.Errorf("%s %s: %v %q", name, text, c, said)
		}
	})
}
