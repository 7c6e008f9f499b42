package ui

import (
	"strings"
	"testing"

	"redline/bench"
	"redline/ui/view/viewtest"
)

// TestAFrozenDashboardStillShowsAndDrivesTheLoad: a freeze holds the picture, not the hand.
func TestAFrozenDashboardStillShowsAndDrivesTheLoad(t *testing.T) {
	s := viewtest.Make(viewtest.Running, 0)
	f := newFake(func() *bench.Snapshot { return s })
	m := opened(f)
	press(m, "f")
	before := strings.Split(m.frame, "\n")
	next := *viewtest.Make(viewtest.Breach, 30)
	next.Run, next.Target, next.InFlight = s.Run, bench.InFlight(23), 17
	s = &next
	m.look()
	after := strings.Split(m.frame, "\n")
	if !strings.Contains(after[2], "in use 17") || !strings.Contains(after[0], "load live") {
		t.Errorf("the header stands still:\n%s", m.frame)
	}
	for i := 6; i < len(before)-1; i++ {
		if before[i] != after[i] {
			t.Errorf("row %d moved:\n%s\n%s", i, before[i], after[i])
		}
	}
	press(m, "+")
	if got := f.commands(); len(got) != 1 || got[0] != bench.Command(bench.Add{N: 4}) {
		t.Errorf("+ gave %v", got)
	}
	press(m, "f")
	if strings.Contains(m.frame, "FROZEN") || strings.Split(m.frame, "\n")[8] == before[8] {
		t.Errorf("it does not go on:\n%s", m.frame)
	}
}
