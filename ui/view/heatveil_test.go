package view

import (
	"testing"

	"redline/bench"
	"redline/ui/view/viewtest"
)

func TestBehindAVeilTokensAreCountedOnce(t *testing.T) {
	journal := viewtest.Journal(viewtest.Make(viewtest.Running, 0))
	var counted tokenHeat
	var veil bench.Veil
	for i := range 3 {
		// Each journal has copies of its own.
		one := *journal
		heard := 0
		counted.change(veil.Journal(&one).Ended, func(tokens, bool) { heard++ })
		if i > 0 && heard > 0 || i == 0 && heard == 0 {
			t.Errorf("journal %d: %d tokens were counted", i+1, heard)
		}
	}
}
