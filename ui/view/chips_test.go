package view

import (
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

// drawn is a frame as one text.
func drawn(scene viewtest.Scene, w, h int, change func(*bench.Snapshot, *State)) string {
	s, st := dressed(scene, "plain", w, h)
	if change != nil {
		change(s, st)
	}
	return strings.Join(NewScreen().Rows(s, st), "\n")
}

// strained makes the client one that was strained in the second that ended so many seconds ago.
func strained(s *bench.Snapshot, ago time.Duration, how int, why string) {
	s.Lapses[how] = bench.Lapse{At: bench.MarkAt(s.Folded - ago), Why: why}
}

func TestTheScreenSaysWhatItMust(t *testing.T) {
	for _, c := range []struct {
		sentence string
		scene    viewtest.Scene
		change   func(*bench.Snapshot, *State)
		want     string
	}{
		{"a frozen view tells its age", viewtest.Running, func(_ *bench.Snapshot, st *State) { st.Frozen, st.FrozenFor = true, 8*time.Second }, "FROZEN 8 s"},
		{"a lock is seen", viewtest.Running, func(_ *bench.Snapshot, st *State) { st.Locked = true }, "LOCKED"},
		{"a client that is the bottleneck is named", viewtest.Busy, nil, "! CLIENT BUSY reads 18 ms late"},
		{"chunks of several tokens make ITL rough", viewtest.Busy, nil, "≈ 2.40 tok/chunk"},
		{"a pin is marked", viewtest.Running, func(s *bench.Snapshot, st *State) { st.Reference = s.Levels[1] }, "Δ ◆32"},
		{"another scope is named", viewtest.Running, func(_ *bench.Snapshot, st *State) { st.Scope = Run }, "scope run"},
		{"the error strip names it too", viewtest.Running, func(_ *bench.Snapshot, st *State) { st.Scope = Window }, "ERRORS window"},
		{"the level before is told", viewtest.Running, nil, "was p95 ✗ 803 at 48"},
		{"the level that Δ compares with is named whole", viewtest.Running, func(s *bench.Snapshot, _ *State) { s.LevelBefore().Load = bench.InFlight(208) }, "Δ vs 208\n"},
		{"what Δ compares is named", viewtest.Running, nil, "SLO p95 ≤ 500 ms · Δ p95"},
		{"ITL compares means", viewtest.Running, nil, "mean 21.8, Δ mean"},
		{"without a quota the minute is told as spent", viewtest.Running, func(s *bench.Snapshot, _ *State) { s.Run.Thresholds = nil }, "60 s: 501 sent, no quota"},
		{"tokens of the minute too", viewtest.Running, func(s *bench.Snapshot, _ *State) { s.Run.Thresholds = nil }, "60 s: 230k tok, no quota"},
		{"both parts of TPM have their unit", viewtest.Running, nil, "in 122.9k, out 101.9k per min"},
		{"what is missing is counted", viewtest.Settling, nil, "ready in ~14 s, 13 to go"},
		{"few samples carry a sign", viewtest.Settling, nil, "~934"},
		{"a young level says whose numbers stand there", viewtest.Settling, func(s *bench.Snapshot, _ *State) {
			s.Level().Stats[bench.TTFT] = bench.Stat{N: 2, Need: 18, Wait: 9 * time.Second}
		}, "grey: level at 40"},
		{"held slots say why and how long", viewtest.Limited, nil, "held 3 (429, next 4 s)"},
		{"a budget is named", viewtest.Budget, nil, "$4.61 of $5.00"},
		{"without a price there are tokens", viewtest.Running, func(s *bench.Snapshot, _ *State) { s.Spend.Cost = bench.Value{} }, "tok ·"},
		{"a question shows its answers", viewtest.Ask, nil, "? raise to 64, from 16?   y yes  n no"},
		{"quitting tells what it would end", viewtest.Running, func(_ *bench.Snapshot, st *State) { st.Mode = action.Quitting }, "quit?  d drain and report (40 in flight)  k kill them  esc stay"},
		{"a closed loop says so", viewtest.Running, nil, "closed loop"},
		{"tokens that are counted by events say so", viewtest.Running, func(s *bench.Snapshot, _ *State) { s.Source = bench.FromEvents }, "by events (estimate)"},
		{"a deadline is announced", viewtest.Running, func(s *bench.Snapshot, _ *State) { s.Deadline = bench.MarkAt(s.At + 42*time.Second) }, "ends in 42 s"},
		{"one that does not keep up too", viewtest.Saturated, nil, "! CLIENT SATURATED cpu 99%"},
		{"and when it began to", viewtest.Saturated, nil, "! client  saturated cpu 99%"},
		{"a warm-up counts", viewtest.Warmup, nil, "WARMING UP  3 of 8"},
		{"after an outage nothing is counted", viewtest.Warming, func(s *bench.Snapshot, _ *State) { s.Run.Warmup = 8 }, "WARMING UP  6 s"},
		{"its chip does not come and go with each second", viewtest.Busy, func(s *bench.Snapshot, _ *State) {
			s.Health = bench.Health{}
			// The log tells when it began to be, and with which reason then.
			s.Events = append(s.Events, bench.Event{Kind: bench.EventBusy, N: int(bench.Busy), Text: "reads 17 ms late"})
			strained(s, 2*time.Second, 0, "reads 12 ms late")
		}, "! CLIENT BUSY reads 12 ms late"},
		{"and goes when there was none for three seconds", viewtest.Running, func(s *bench.Snapshot, _ *State) { strained(s, 3*time.Second, 0, "") }, "● RUNNING  gpu-7"},
		{"the worst of the last seconds stands, with its own reason", viewtest.Busy, func(s *bench.Snapshot, _ *State) { strained(s, time.Second, 1, "cpu 99%") }, "! CLIENT SATURATED cpu 99%"},
		{"a drain tells what has ended", viewtest.Tail, nil, "DRAINING  7 still in flight, 33 finished, 27 s at most"},
		{"a run that is over tells its tail", viewtest.Done, func(s *bench.Snapshot, _ *State) {
			s.Tail = bench.Tail{Began: bench.MarkAt(s.At), Span: 4 * time.Second, Finished: 12, Cut: 1}
		}, "DONE  saved run-0412.rl, 12 more in 4 s, 1 cut"},
		{"an open loop says so, and how arrivals are spread", viewtest.Open, nil, "RATE  open loop, poisson"},
		{"gamma with its shape", viewtest.Open, func(s *bench.Snapshot, _ *State) {
			s.Run.Arrivals = bench.Arrivals{Shape: bench.Gamma, Burstiness: 0.5}
		}, "RATE  open loop, gamma:0.5"},
		{"what was sent stands beside what was offered", viewtest.Open, nil, "open loop, poisson   sent 7.60 of 7.60/s   "},
		{"what was not sent too", viewtest.Unsent, nil, "sent 8.11 of 10.1/s   unsent 76"},
		{"in the errors as well", viewtest.Unsent, nil, "ERRORS level 0% · with 76 unsent 19.8% ✗ ≤1%\n"},
		{"a level that cannot settle says why", viewtest.Unsent, nil, "at 10/s 40 s, not settling: arrivals unsent"},
		{"what breaks a promise that the number keeps", viewtest.Unsent, nil, "SLO p5 ≥ 20 tok/s a stream  76 unsent"},
		{"latency from the schedule stands beside that from sending", viewtest.Open, nil, "SLO p95 ≤ 500 ms · from schedule 406"},
		{"and what breaks its promise before both", viewtest.Unsent, func(s *bench.Snapshot, _ *State) { s.Level().Stats[bench.TTFT].P95 = bench.Some(80) },
			"SLO p95 ≤ 500 ms  broken by 76 unsent"},
		{"a rate binds at a rate", viewtest.Open, nil, "binds at ≈10/s"},
		{"a step is a rate", viewtest.Open, nil, "step ±0.5/s · max 20/s, 64 in flight"},
		{"sends that are late are told before all else", viewtest.Open, func(s *bench.Snapshot, _ *State) { s.Level().Lag.P95 = bench.Some(31) }, "lag 31.0 ms"},
		{"nothing is unsent in a closed loop", viewtest.Breach, func(s *bench.Snapshot, _ *State) { s.Level().Tally.Unsent = 0 }, "closed loop     was 32   in use 48   "},
		{"the share of errors is of what succeeded or failed", viewtest.Unsent, func(s *bench.Snapshot, _ *State) {
			l := s.Level()
			l.Tally.Failed, l.Tally.By[bench.ServerError], l.Counted.Failed = 3, 3, 3
		}, "ERRORS level 1.0% · with 76 unsent 20.4% ✗ ≤1%   5xx ×3"},
		{"without a promise on them too", viewtest.Unsent, func(s *bench.Snapshot, _ *State) { s.Run.Thresholds = nil }, "ERRORS level 0%   unsent ×76"},
		{"what the bar of a rate counts stands beside it", viewtest.Open, nil, "in flight 36 █"},
		{"and beside its ticks", viewtest.Open, nil, "req/s   requests     1 "},
		{"a load at its bound says so", viewtest.Running, func(s *bench.Snapshot, _ *State) { s.Target.N = 64 }, "step ±4 · at --max 64"},
		{"a rate too", viewtest.Open, func(s *bench.Snapshot, _ *State) { s.Run.MaxRate = 7.5 }, "step ±0.5/s · at --max-rate 7.5/s\n"},
		{"how many promises are broken", viewtest.Breach, nil, "SLO ✗ 2 of 4 broken"},
		{"times from 10 s on are seconds", viewtest.Running, func(s *bench.Snapshot, _ *State) { s.Level().Stats[bench.TTFT].P95 = bench.Some(47_012) }, " 47.0s ✗"},
		{"those of an event too", viewtest.Running, func(s *bench.Snapshot, _ *State) {
			s.Events = append(s.Events, bench.Event{At: s.At, Kind: bench.EventBroken, Text: "ttft.p95<=500ms (37839 ms)"})
		}, "TTFT p95 over 500 ms (37.8 s)"},
		{"a trace has its arrivals", viewtest.Works, func(s *bench.Snapshot, _ *State) {
			s.Target, s.Run.Arrivals, s.Run.Works[1].Rate = bench.PerSecond(2), bench.Arrivals{Shape: bench.Recorded}, 2
		}, "RATE  open loop, recorded"},
		{"a workload without times has independent users", viewtest.Works, func(s *bench.Snapshot, _ *State) {
			s.Target, s.Run.Arrivals = bench.PerSecond(2), bench.Arrivals{Shape: bench.Recorded}
		}, "RATE  open loop, poisson"},
		{"answers of another length than asked for say so", viewtest.Running, func(s *bench.Snapshot, _ *State) {
			s.Run.Works[0].OutputTokens = 32
			s.Total.AnswerTokens = bench.Some(480)
		}, "out 32 asked 480 real tok"},
		{"those of about that length do not", viewtest.Running, func(s *bench.Snapshot, _ *State) { s.Run.Works[0].OutputTokens = 200 }, "in 259 asked 256 real out 212 tok"},
		{"a level of another mode is named", viewtest.Open, func(s *bench.Snapshot, st *State) { st.Reference = s.Levels[0] }, "Δ ◆16"},
		{"one of another workload too", viewtest.Works, nil, "Δ vs fixed"},
		{"and in words", viewtest.Works, nil, "was p95 ✓ 431 at fixed"},
		{"the workload has its name", viewtest.Works, nil, " · long · in 1027 asked 1024 real out 212 tok"},
		{"its beginning is told", viewtest.Works, nil, "● work    long: 1 027 in, at most 512 out"},
		{"the mode's too", viewtest.Open, nil, "◆ mode    open loop: concurrency 16 → rate 2.5/s"},
		{"a profile's too", viewtest.Handheld, nil, "◆ profile the hand has taken over"},
		{"and arrivals without room", viewtest.Unsent, nil, "✗ unsent  ×80 arrivals that found no room"},
		{"characters stand beside tokens", viewtest.Running, nil, "tok/s out, all streams, 7 135 char/s"},
		{"a burst shows where it goes", viewtest.Moving, nil, "in use 47   moving to 52"},
		{"and how to take it back", viewtest.Moving, nil, "u takes the burst back"},
	} {
		if got := drawn(c.scene, 120, 36, c.change); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q is not in\n%s", c.sentence, c.want, got)
		}
	}
}

func TestHelpShowsEveryActionAtEverySize(t *testing.T) {
	for _, size := range [][2]int{{200, 60}, {120, 36}, {80, 24}, {60, 15}, {40, 8}} {
		all := ""
		for page := range HelpPages(viewtest.Make(viewtest.Running, 0), state("plain", size[0], size[1])) {
			all += drawn(viewtest.Running, size[0], size[1], func(_ *bench.Snapshot, st *State) { st.Mode, st.HelpPage = action.Helping, page })
		}
		for _, s := range state("plain", 80, 24).Keys.Sections() {
			for _, row := range s.Rows {
				if !strings.Contains(all, row.Help[:min(len(row.Help), 10)]) {
					t.Errorf("%v: %q is missing", size, row.Help)
				}
			}
		}
	}
}

// TestNoHelpTextIsCut: every word of every line is there, in order, and no line ends in an ellipsis.
func TestNoHelpTextIsCut(t *testing.T) {
	for _, look := range []string{"plain", "ascii"} {
		for _, size := range [][2]int{{120, 36}, {80, 24}, {200, 50}, {60, 15}, {116, 40}} {
			st := state(look, size[0], size[1])
			f := NewScreen().frame(viewtest.Make(viewtest.Running, 0), st)
			f.st.Mode = action.Helping
			all := ""
			for st.HelpPage = range HelpPages(f.s, st) {
				f.out = nil
				f.help()
				all += strings.Join(f.out[1:], "\n")
			}
			if strings.ContainsAny(all, "…") {
				t.Errorf("%s %v: a text is cut:\n%s", look, size, all)
			}
			width := size[0] / helpPer(size[0])
			for _, g := range f.helpGroups(width - f.helpKeys() - 1) {
				for _, l := range g {
					if n := st.Set.Width(l.words); n > width-f.helpKeys() || look == "plain" && !strings.Contains(all, l.words) {
						t.Errorf("%s %v: %q has no room", look, size, l.words)
					}
				}
			}
			for _, sign := range []string{"~", "±", "few samples", "held back"} {
				if look == "plain" && !strings.Contains(all, sign) {
					t.Errorf("%v: %q is not explained", size, sign)
				}
			}
		}
	}
}
