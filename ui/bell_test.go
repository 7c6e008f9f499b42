package ui

import (
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/view/viewtest"
)

func TestTheBellRingsOnceForABreach(t *testing.T) {
	var b bell
	at := time.Unix(1000, 0)
	broken := bench.Event{Kind: bench.EventBroken}
	s := &bench.Snapshot{Events: []bench.Event{broken}}
	ring := func(after time.Duration, more ...bench.Event) bool {
		at = at.Add(after)
		s.Events = append(s.Events, more...)
		return b.due(s, at)
	}
	for _, row := range []struct {
		sentence string
		after    time.Duration
		more     []bench.Event
		want     bool
	}{
		{"what broke before the screen opened is history", 0, nil, false},
		{"nothing new", time.Second, nil, false},
		{"two at once ring once", time.Second, []bench.Event{broken, broken}, true},
		{"not again while it rests", time.Second, []bench.Event{broken}, false},
		{"nor afterwards for the same", 6 * time.Second, nil, false},
		{"another kind is none", time.Second, []bench.Event{{Kind: bench.EventKept}}, false},
		{"a new one rings", time.Second, []bench.Event{broken}, true},
	} {
		if got := ring(row.after, row.more...); got != row.want {
			t.Errorf("%s: %v", row.sentence, got)
		}
	}
	s.EventsGone, s.Events = 100, []bench.Event{broken}
	if at = at.Add(time.Minute); !b.due(s, at) {
		t.Error("a log that has moved on hides a breach")
	}
}

func TestTheTitleHoldsNothingThatSteersATerminal(t *testing.T) {
	m := opened(showing(viewtest.Running))
	run := *m.snap.Run
	snap := *m.snap
	snap.Run, m.snap = &run, &snap
	run.Model = "evil\x07\x1b]0;x\u202e\n" + strings.Repeat("m", 90)
	title := m.windowTitle()
	if strings.ContainsAny(title, "\x07\x1b\n\u202e") || len([]rune(title)) > 80 || !strings.HasPrefix(title, "redline · evil") || strings.Contains(title, run.Host) {
		t.Errorf("%q", title)
	}
}

func TestTheTitleKeepsToASCIIWhereTheScreenDoes(t *testing.T) {
	f := showing(viewtest.Running)
	o, _, tty := Options{Engine: f, Env: env, ASCII: true}.filled()
	m := newModel(o, tty, &exit{engine: f})
	run, snap := *m.snap.Run, *m.snap
	run.Model = "模型-cafe\u0301"
	snap.Run, m.snap = &run, &snap
	if title := m.windowTitle(); title != "redline . ????-cafe . c40 . SLO ok" {
		t.Errorf("%q", title)
	}
}
