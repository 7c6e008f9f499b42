package view

import (
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/view/viewtest"
)

// stated is a quota as a server's headers put it at an instant.
func stated(kind bench.QuotaKind, per time.Duration, limit, remaining float64, reset time.Duration, at time.Duration) bench.Quota {
	return bench.Quota{Kind: kind, Per: per, Limit: bench.Some(limit), Remaining: bench.Some(remaining), Reset: bench.MarkAt(reset), At: at}
}

func TestQuotasAreTheServersOwnWords(t *testing.T) {
	none := func(s *bench.Snapshot) { s.Run.Thresholds = nil }
	for _, c := range []struct {
		sentence string
		change   func(*bench.Snapshot)
		want     []string
	}{
		{"a limit per minute is the lane's line", func(s *bench.Snapshot) {
			none(s)
			s.Quotas = []bench.Quota{stated(bench.QuotaRequests, time.Minute, 800, 400, 12*time.Second, s.At)}
		}, []string{"RPM 50% of 800 used, whole 12 s, 60 s 501", "≤800 ┤╌"}},
		{"a limit per day is not", func(s *bench.Snapshot) {
			none(s)
			s.Quotas = []bench.Quota{stated(bench.QuotaRequests, bench.Day, 800, 400, time.Hour, s.At)}
		}, []string{"RPD 50% used, used up in 50 s, whole 1h00m"}},
		{"the quota with the least left comes first, and the others after it", func(s *bench.Snapshot) {
			none(s)
			s.Quotas = []bench.Quota{stated(bench.QuotaInput, time.Minute, 8000, 7040, time.Minute, s.At), stated(bench.QuotaOutput, time.Minute, 8000, 3040, 12*time.Second, s.At)}
		}, []string{"OTPM 62% used, whole 12 s, ITPM binds c~2"}},
		{"the operator's own limit stays beside it", func(s *bench.Snapshot) {
			s.Quotas = []bench.Quota{stated(bench.QuotaRequests, time.Minute, 3500, 2065, 12*time.Second, s.At)}
		}, []string{"RPM 41% used, 60 s 501≤600, binds c~66", "≤600 ┤╌"}},
		{"what is past its reset is whole again, and nobody knows what is left", func(s *bench.Snapshot) {
			none(s)
			s.Quotas = []bench.Quota{stated(bench.QuotaRequests, time.Minute, 3500, 10, 12*time.Second, s.At-20*time.Second)}
		}, []string{"RPM limit 3.5k, whole again"}},
		{"what is left alone is shown", func(s *bench.Snapshot) {
			none(s)
			s.Quotas = []bench.Quota{{Kind: bench.QuotaTokens, Per: bench.Day, Remaining: bench.Some(4200), At: s.At}}
		}, []string{"TPD 4 200 left"}},
		{"a quota of which nothing is known is none", func(s *bench.Snapshot) {
			none(s)
			s.Quotas = []bench.Quota{{Kind: bench.QuotaTokens, Per: bench.Day, At: s.At}}
		}, []string{"60 s: 230k tok, no quota set"}},
		{"slots that wait for its sake say so", func(s *bench.Snapshot) {
			s.Held, s.HeldBy, s.HeldNext, s.Run.QuotaReserve = 3, bench.HeldByQuota, bench.MarkAt(s.At+4*time.Second), 0.3
		}, []string{"held 3 (quota reserve, next 4 s)", "reserve 30% · $0.78 · step"}},
	} {
		got := drawn(viewtest.Running, 120, 36, func(s *bench.Snapshot, _ *State) { c.change(s) })
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is not in\n%s", c.sentence, want, got)
			}
		}
		if c.sentence == "a limit per day is not" && strings.Contains(got, "≤800") {
			t.Errorf("a limit per day is held against a rate:\n%s", got)
		}
	}
}

func TestQuotasHaveAWordAtEverySize(t *testing.T) {
	for size, want := range map[[2]int]string{{200, 60}: "RPM 41% used, whole 12 s · RPD 3.1% used", {120, 36}: "RPM 41% used, whole 12 s · RPD 3.1% used", {80, 24}: "RPM 41% of 3.5k used", {60, 15}: "41% used", {40, 8}: "RPM 41% of 3.5k used"} {
		if got := drawn(viewtest.Quotas, size[0], size[1], nil); !strings.Contains(got, want) {
			t.Errorf("%v: %q is not in\n%s", size, want, got)
		}
	}
}

// TestTallLanesTellTheSecondQuotaInFull: the first row has only its share.
func TestTallLanesTellTheSecondQuotaInFull(t *testing.T) {
	if got := drawn(viewtest.Quotas, 200, 60, nil); !strings.Contains(got, "RPD 3.1% of 100k used, 96.9k left") || !strings.Contains(got, "ITPM 30% of 400k used, 276k left") {
		t.Error(got)
	}
}

// TestTheCountsOfTheRunAddUp: what was sent is all that came of it together.
func TestTheCountsOfTheRunAddUp(t *testing.T) {
	for want, tally := range map[string]bench.Tally{
		"run 250 sent 200 ok 3 failed 429×5 42 open":   {Sent: 250, OK: 200, Failed: 3, Limited: 5},
		"│ 20 ok 3 failed 429×5 2 cancelled 20 open":   {Sent: 50, OK: 20, Failed: 3, Limited: 5, Cancelled: 2},
		"│ 50 sent 28 ok 0 failed 2 cancelled 20 open": {Sent: 50, OK: 28, Cancelled: 2},
		"│ 1 201 failed 429×30 220 cancelled 20 open":  {Sent: 7471, OK: 6000, Failed: 1201, Limited: 30, Cancelled: 220},
	} {
		got := drawn(viewtest.Running, 120, 36, func(s *bench.Snapshot, _ *State) { s.Total.Tally = tally })
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestTheScreenTellsWhatTheWireIsLike(t *testing.T) {
	for _, c := range []struct {
		sentence string
		scene    viewtest.Scene
		size     [2]int
		want     string
	}{
		{"how it is asked, where there is room", viewtest.Running, [2]int{200, 60}, " · chat stream · fixed · in 259"},
		{"another version of HTTP is named", viewtest.Quotas, [2]int{120, 36}, "anthropic stream · HTTP/2"},
		{"what connections take", viewtest.Network, [2]int{120, 36}, "new connections 12%, connect 0.42 ms (worst 3.10), TLS 9.10 ms (worst 31.0)"},
		{"where tokens are counted", viewtest.Running, [2]int{120, 36}, "by usage"},
		{"and in less room", viewtest.Running, [2]int{80, 24}, "tokens by usage"},
		{"and in little", viewtest.Running, [2]int{60, 15}, "tokens by usage"},
		{"an estimate says so", viewtest.Network, [2]int{120, 36}, "by events (estimate)"},
		{"in less room too", viewtest.Network, [2]int{80, 24}, "tokens ≈events"},
		{"in little too", viewtest.Network, [2]int{60, 15}, "tokens ≈events"},
		{"events that nobody could read", viewtest.Network, [2]int{120, 36}, "malformed events ×12"},
		{"in little room too", viewtest.Network, [2]int{60, 15}, "malformed events ×12"},
		{"streams that are none", viewtest.Network, [2]int{200, 60}, "all in one burst: not really streaming"},
		{"in less room too", viewtest.Network, [2]int{80, 24}, "one burst: not streaming"},
		{"a target that is just back", viewtest.Warming, [2]int{120, 36}, "WARMING UP  6 s"},
		{"in a word", viewtest.Warming, [2]int{40, 8}, "WARM"},
	} {
		if got := drawn(c.scene, c.size[0], c.size[1], nil); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q is not in\n%s", c.sentence, c.want, got)
		}
	}
}

// TestBurstsLeaveThePaceUnknown: no sign, share or forecast speaks of what was not measured, nor do the numbers of an earlier level stand in.
func TestBurstsLeaveThePaceUnknown(t *testing.T) {
	all := func(s *bench.Snapshot, _ *State) {
		l := s.Level()
		l.State, l.Bursts = bench.Settles, bench.Some(1)
		for _, m := range []bench.Metric{bench.ITL, bench.TPS} {
			l.Stats[m] = bench.Stat{Need: 20}
		}
	}
	for _, size := range [][2]int{{200, 60}, {120, 36}, {80, 24}, {60, 15}} {
		for name, change := range map[string]func(*bench.Snapshot, *State){"most": nil, "all": all} {
			got := drawn(viewtest.Network, size[0], size[1], change)
			if !strings.Contains(got, "SLO ~ 2 of 4") || strings.Contains(got, "goodput") || strings.Contains(got, "to go") || strings.Contains(got, "grey: ") {
				t.Errorf("%s at %v:\n%s", name, size, got)
			}
			for line := range strings.Lines(got) {
				if (strings.HasPrefix(line, " ITL") || strings.HasPrefix(line, " TPS")) && strings.ContainsAny(line, "✓✗") {
					t.Errorf("%s at %v: %s", name, size, line)
				}
			}
			if size[1] >= 36 && strings.Count(got, "  not known") != 2 {
				t.Errorf("%s at %v: not said to be unknown:\n%s", name, size, got)
			}
		}
	}
	if got := drawn(viewtest.Network, 120, 36, all); !strings.Contains(got, "bursts: no ITL, TPS") {
		t.Errorf("the level seems to wait for something:\n%s", got)
	}
}

// TestHelpTellsTheFactsOfTheRun: what no lane has room for can be looked up.
func TestHelpTellsTheFactsOfTheRun(t *testing.T) {
	s := viewtest.Make(viewtest.Quotas, 0)
	s.Run.Notes = []string{"the server sends no usage " + strings.Repeat("x", 200)}
	f := NewScreen().frame(s, state("plain", 80, 24))
	var all strings.Builder
	for _, g := range f.helpGroups(40) {
		for _, l := range g {
			if n := f.st.Set.Width(l.words); n > 40 {
				t.Errorf("%q has %d cells", l.words, n)
			}
			all.WriteString(l.words + " ")
		}
	}
	for _, want := range []string{"anthropic stream, HTTP/2, address 10.0.0.7", "connect 10 s, first token 2 min, silence 60 s, whole request 10 min", "counted by usage",
		"30% of each quota is left to others", "the server sends no usage"} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("%q is not in %s", want, all.String())
		}
	}
}

// TestTheQuotaThatBindsFirstSaysWhere: on its own lane, and by name where it is not the lane's own.
func TestTheQuotaThatBindsFirstSaysWhere(t *testing.T) {
	set := func(s *bench.Snapshot, texts ...string) {
		s.Run.Thresholds = nil
		for _, text := range texts {
			one, err := bench.ParseThreshold(text)
			if err != nil {
				t.Fatal(err)
			}
			s.Run.Thresholds = append(s.Run.Thresholds, one)
		}
	}
	for _, c := range []struct {
		sentence   string
		change     func(*bench.Snapshot)
		want, none string
	}{
		{"requests where they are the scarcer", func(s *bench.Snapshot) { set(s, "rpm<=450", "tpm<=300k") }, "60 s 501 of 450 used, binds now", "300k used, binds"},
		{"tokens where they are", func(s *bench.Snapshot) { set(s, "rpm<=900", "tpm<=240k") }, "60 s 230k of 240k used, binds at c≈4", "of 900 used, binds"},
		{"by what a young level was before", func(s *bench.Snapshot) { set(s, "rpm<=900", "tpm<=200k"); s.Minute.Tokens = 100 }, "of 200k used, binds at c≈3", "of 900 used, binds"},
		{"far above what was measured only a bound is told", func(s *bench.Snapshot) { set(s, "rpm<=900") }, "of 900 used, binds past c≈75", ""},
		{"what the server never does is not reached", func(s *bench.Snapshot) {
			set(s, "rpm<=900")
			for i, l := range s.Levels {
				l.Tally.Limited = 0
				l.Stats[bench.RPM].Mean = bench.Some([]float64{300, 460, 480, 478}[i])
			}
		}, "of 900 used, server full first", "binds at"},
		{"the server's, where it is another than the lane's", func(s *bench.Snapshot) {
			set(s)
			s.Quotas = []bench.Quota{stated(bench.QuotaOutput, time.Minute, 110_000, 90_000, 12*time.Second, s.At)}
		}, "OTPM 18% used, binds c≈47, whole 12 s", ""},
		{"the operator's own beside the server's", func(s *bench.Snapshot) {
			set(s, "rpm<=520")
			s.Quotas = []bench.Quota{stated(bench.QuotaRequests, time.Minute, 3500, 2065, 12*time.Second, s.At)}
		}, "60 s 501≤520, binds c≈47", ""},
	} {
		got := drawn(viewtest.Running, 200, 60, func(s *bench.Snapshot, _ *State) { c.change(s) })
		if !strings.Contains(got, c.want) || c.none != "" && strings.Contains(got, c.none) {
			t.Errorf("%s: %q is not in, or %q is in\n%s", c.sentence, c.want, c.none, got)
		}
	}
}
