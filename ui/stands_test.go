package ui

import (
	"fmt"
	"testing"

	"redline/bench"
	"redline/ui/view/viewtest"
)

// TestWhoDrivesFromElsewhereKnowsHowTheScreenStands: a lock that only keys obey would be none.
func TestWhoDrivesFromElsewhereKnowsHowTheScreenStands(t *testing.T) {
	s := viewtest.Make(viewtest.Running, 0)
	var told []string
	f := newFake(func() *bench.Snapshot { return s })
	o, _, tty := Options{Engine: f, Env: env, Private: true, Step: 1, Stands: func(locked, private bool) {
		told = append(told, fmt.Sprintf("locked %v private %v", locked, private))
	}}.filled()
	m := newModel(o, tty, &exit{engine: f})
	press(m, "L", "?", "esc", "L")
	want := "[locked false private true locked true private true locked false private true]"
	if fmt.Sprint(told) != want {
		t.Errorf("told %v, want %s", told, want)
	}
}
