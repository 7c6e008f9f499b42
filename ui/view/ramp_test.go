package view

import (
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

var ttft = bench.Threshold{Metric: bench.TTFT, At: bench.P95, Limit: 500}

func TestWhatARampFoundIsToldInALine(t *testing.T) {
	ramp := bench.UsualRamp(bench.InFlight(8), 64)
	found := func(change func(*bench.Redline)) *bench.Ramping {
		f := &bench.Redline{Load: bench.InFlight(41), Above: bench.InFlight(42), RPM: bench.Some(478), TPM: bench.Some(133_000), Bound: ttft, AtAbove: bench.Some(512)}
		change(f)
		return &bench.Ramping{Ramp: ramp, Phase: bench.RampFound, Found: f}
	}
	broke := []bench.Trial{{Load: bench.InFlight(8), Holds: bench.Broke, Binding: ttft, Value: bench.Some(812)}}
	for _, c := range []struct {
		sentence string
		r        *bench.Ramping
		want     string
	}{
		{"found", found(func(*bench.Redline) {}), "redline: concurrency 41 · RPM 478 · TPM 133k · bound by TTFT p95 (512 ms at 42)"},
		{"by a cap", found(func(f *bench.Redline) { f.Rough = true }), "redline: concurrency ~41 · RPM 478 · TPM 133k · bound by TTFT p95 (512 ms at 42)"},
		{"a rate", found(func(f *bench.Redline) { f.Load, f.Above = bench.PerSecond(7.5), bench.PerSecond(7.7) }), "redline: rate 7.5/s · RPM 478 · TPM 133k · bound by TTFT p95 (512 ms at 7.7/s)"},
		{"requests were limited above", found(func(f *bench.Redline) { f.Why, f.Bound = "429", bench.Threshold{} }), "redline: concurrency 41 · RPM 478 · TPM 133k · stopped by 429 at 42"},
		{"the client was the limit", found(func(f *bench.Redline) { f.Why = "client busy" }), "redline: at least concurrency 41 · RPM 478 · TPM 133k · not the server's limit: the client was busy at 42"},
		{"the percentile is among the failed", found(func(f *bench.Redline) { f.AtAbove = bench.Value{} }), "redline: concurrency 41 · RPM 478 · TPM 133k · bound by TTFT p95 (broken at 42)"},
		{"all kept", &bench.Ramping{Ramp: ramp, Phase: bench.RampOpen, Found: &bench.Redline{Load: bench.InFlight(64), RPM: bench.Some(700)}}, "redline: above concurrency 64 · RPM 700 · every promise is kept at the most that was allowed"},
		{"none kept", &bench.Ramping{Ramp: ramp, Phase: bench.RampNone, Trials: broke}, "redline: none, not even concurrency 8 · bound by TTFT p95 (812 ms)"},
		{"left", &bench.Ramping{Ramp: ramp, Phase: bench.RampLeft, Why: "taken over by hand", Trials: []bench.Trial{{Load: bench.InFlight(8), Holds: bench.Kept}}}, "ramp left: taken over by hand · 8 kept"},
		{"in force", &bench.Ramping{Ramp: ramp}, ""},
		{"none ever", nil, ""},
	} {
		if got := RedlineWords(c.r); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.sentence, got, c.want)
		}
	}
}

func TestATrialTellsWhatItsVerdictRestsOn(t *testing.T) {
	st := state("plain", 120, 36)
	f := &frame{st: st, g: st.Set.Glyphs}
	itl := bench.Threshold{Metric: bench.ITL, At: bench.P95, Limit: 45}
	for _, c := range []struct {
		trial          bench.Trial
		verdict, share string
	}{
		{bench.Trial{Holds: bench.Kept, N: 80, Low: bench.Some(0), High: bench.Some(0.04)}, "✓ kept", "0% (0.0 to 4.0)"},
		{bench.Trial{Holds: bench.Kept, Brief: true, N: 10, Low: bench.Some(0), High: bench.Some(0.396)}, "✓ kept, brief", "0% (0.0 to 39.6)"},
		{bench.Trial{Holds: bench.Broke, Why: "client busy twice", N: 40, Low: bench.Some(0), High: bench.Some(0.1)}, "! client busy", "0% (0.0 to 10.0)"},
		{bench.Trial{Holds: bench.Broke, Binding: itl, Value: bench.Some(73), N: 40}, "✗ broke", "–"},
	} {
		if verdict, _ := f.trialVerdict(&c.trial); verdict != c.verdict || f.st.Set.Width(verdict) >= trialVerdict || shareText(&c.trial) != c.share {
			t.Errorf("%q, %q; want %q, %q in less than %d cells", verdict, shareText(&c.trial), c.verdict, c.share, trialVerdict)
		}
	}
	if got := bracket([]bench.Trial{{Load: bench.InFlight(8), Holds: bench.Kept}, {Load: bench.InFlight(12), Holds: bench.Broke, Why: "client busy"}}); got != "8 kept, client busy at 12" {
		t.Errorf("%q: the client broke nothing of the server's", got)
	}
}

func TestNoStepOfARampTakesMoreThanItsSheetSays(t *testing.T) {
	closed := &bench.Ramp{From: 1, Most: 16, By: 2, Cap: 20 * time.Second, CapRequests: 30}
	usual := &bench.Ramp{From: 8, Most: 256, By: 2, Cap: time.Minute, CapRequests: 400}
	open := &bench.Ramp{Mode: bench.Open, From: 1, Most: 8, By: 2, Cap: time.Minute, CapRequests: 400}
	for _, c := range []struct {
		name              string
		r                 *bench.Ramp
		load              float64
		confirms          bool
		fast, slow        float64
		seconds, requests float64
	}{
		// 6 in flight on one slot took 38 s and 82 requests, to confirm it.
		{"one slot, confirmed", closed, 6, true, 0.5, 3, 38, 82},
		{"a crowd is judged by generations of it", usual, 256, true, 2, 10, 60, 2 * 3 * 256},
		{"the pace is not known", usual, 64, false, 0, 0, 60, 400},
		{"a rate", open, 8, false, 5, 5, 65, 8 * 60},
	} {
		if seconds, requests := stepTake(c.r, c.load, c.confirms, c.fast, c.slow); seconds < c.seconds || requests < c.requests || seconds > 6*c.seconds || requests > 6*c.requests {
			t.Errorf("%s: %.0f s and %.0f requests at most, and it may take %.0f s and %.0f", c.name, seconds, requests, c.seconds, c.requests)
		}
	}
}

func TestTheHeadTellsWhoHasTheLoadAtEveryDensity(t *testing.T) {
	for _, c := range []struct {
		scene viewtest.Scene
		w, h  int
		want  string
	}{
		{viewtest.Seeking, 120, 36, "RAMP confirming 40 · n 62 of ~90 · TTFT p95 471 of ≤500 ms · 32 kept, 48 broke"},
		{viewtest.Seeking, 80, 24, "RAMP confirming 40 · n 62 of ~90 · TTFT p95 471 of ≤500 ms"},
		{viewtest.Seeking, 60, 15, "RAMP confirming 40"},
		{viewtest.Seeking, 40, 8, "RAMP confirming"},
		{viewtest.Seeking, 34, 3, "c40 ramp"},
		{viewtest.Found, 120, 36, "redline: concurrency 40 · RPM 478 · TPM 224k · bound by TTFT p95 (905 ms at 48) · goodput 98.1%"},
		{viewtest.Found, 80, 24, "redline: concurrency 40 · RPM 478 · bound by TTFT p95 (905 ms at 48)"},
		{viewtest.Found, 60, 15, "redline: concurrency 40"},
		{viewtest.Found, 40, 8, "redline 40"},
		{viewtest.Cruising, 120, 36, "CRUISE TTFT p95 at 500 ms · capacity 38 ±2 · kept 95.3%"},
		{viewtest.Cruising, 60, 15, "CRUISE TTFT p95 at 500 ms"},
		{viewtest.Cruising, 40, 8, "CRUISE TTFT p95"},
		{viewtest.Cruising, 34, 3, "c40 cruise"},
	} {
		if got := drawn(c.scene, c.w, c.h, nil); !strings.Contains(got, c.want) {
			t.Errorf("%s at %d×%d: %q is not in\n%s", c.scene, c.w, c.h, c.want, got)
		}
	}
}

// TestWhatWasFoundStaysUntilTheQuestionIsAnother: another load is none.
func TestWhatWasFoundStaysUntilTheQuestionIsAnother(t *testing.T) {
	for kind, stays := range map[bench.EventKind]bool{bench.EventCommit: true, bench.EventPause: true, bench.EventNote: false, bench.EventWork: false, bench.EventPromise: false, bench.EventClear: false} {
		got := drawn(viewtest.Found, 120, 36, func(s *bench.Snapshot, _ *State) {
			s.Events = append(s.Events, bench.Event{At: s.At - time.Second, Kind: kind, To: bench.InFlight(8), Text: "x"})
		})
		if strings.Contains(got, "─ redline: concurrency 40") != stays {
			t.Errorf("after %v it stays: %v, want %v", kind, !stays, stays)
		}
	}
}

func TestARampThatStandsStillSaysWhy(t *testing.T) {
	for state, want := range map[bench.RunState]string{bench.Paused: "waits until requests are sent again", bench.Down: "waits for the target", bench.Waiting: "begins with the run"} {
		for _, scene := range []viewtest.Scene{viewtest.Seeking, viewtest.Cruising} {
			if got := drawn(scene, 120, 36, func(s *bench.Snapshot, _ *State) { s.State = state }); !strings.Contains(got, want) {
				t.Errorf("%s, %v: %q is not in\n%s", scene, state, want, got)
			}
		}
	}
}

func TestTheRedlineIsBetweenWhatKeptAndWhatBroke(t *testing.T) {
	trial := func(load int, h bench.Holds) bench.Trial { return bench.Trial{Load: bench.InFlight(load), Holds: h} }
	for _, c := range []struct {
		sentence string
		trials   []bench.Trial
		want     string
	}{
		{"nothing yet", []bench.Trial{trial(8, bench.NotYet)}, ""},
		{"kept only", []bench.Trial{trial(8, bench.Kept), trial(16, bench.Kept)}, "16 kept"},
		{"both", []bench.Trial{trial(8, bench.Kept), trial(32, bench.Broke), trial(16, bench.Broke)}, "8 kept, 16 broke"},
		{"one that kept broke when it was confirmed", []bench.Trial{trial(8, bench.Kept), trial(16, bench.Kept), trial(17, bench.Broke), trial(16, bench.Broke)}, "8 kept, 16 broke"},
	} {
		if got := bracket(c.trials); got != c.want {
			t.Errorf("%s: %q, want %q", c.sentence, got, c.want)
		}
	}
}

// TestARampTakesItsCapsAtMost, by hand: 40 and 64, one halving in five, and three confirmations of twice the length, at 400 requests a step with five rounds of the load.
func TestARampTakesItsCapsAtMost(t *testing.T) {
	s, st := dressed(viewtest.Ready, "plain", 120, 36)
	f := NewScreen().frame(s, st)
	r := bench.UsualRamp(bench.InFlight(40), 64)
	got, steps, _ := f.rampTake(r)
	// 2 rises, ⌈log₂ 24⌉ = 5 halvings, 3 confirmations: 13 × 400 requests, and 5 × (40 + 9 × 64) while loads settle and at the edges of the steps.
	if steps != 10 || got.requests != threeDigits(13*400+5*(40+9*64)) {
		t.Errorf("%d steps, %v requests", steps, got.requests)
	}
}

// TestAVerdictOfATrialIsWhole, and apart from what stands behind it, at every width that has a table.
func TestAVerdictOfATrialIsWhole(t *testing.T) {
	for _, why := range []string{"client busy", "client busy twice", "no answer", "429"} {
		for _, w := range []int{40, 60, 80, 120, 200} {
			got := drawn(viewtest.Running, w, 24, func(s *bench.Snapshot, st *State) {
				ttft := s.Run.Thresholds[0]
				s.Ramping = &bench.Ramping{Ramp: &bench.Ramp{From: 8, Most: 64, By: 2, Cap: bench.UsualCap, CapRequests: bench.UsualCapRequests}, Phase: bench.RampHalving, Now: bench.Trial{Load: bench.InFlight(12)},
					Trials: []bench.Trial{{Load: bench.InFlight(16), Holds: bench.Broke, Why: why, Binding: ttft, Value: bench.Some(612), N: 80, Over: 2}}}
				st.Mode, st.Sheet, st.Entry = action.Planning, &Sheet{}, &Entry{For: ForProfile, Prompt: "ramp"}
			})
			if want := " " + strings.TrimSuffix(why, " twice") + " "; !strings.Contains(got, want) {
				t.Errorf("%q at %d is cut, or glued:\n%s", why, w, got)
			}
		}
	}
}

// TestTheScaleOfTwoTargetsIsReadable also where the lanes are narrow.
func TestTheScaleOfTwoTargetsIsReadable(t *testing.T) {
	for _, w := range []int{80, 90, 120} {
		if got := drawn(viewtest.Pair, w, 24, nil); strings.Contains(got, "… ┤") || strings.Contains(got, "…┤") || !strings.Contains(got, "TPM") {
			t.Errorf("%d wide:\n%s", w, got)
		}
	}
}
