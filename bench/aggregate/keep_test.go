package aggregate

import (
	"testing"
	"time"

	"redline/bench"
)

// A cruise goes to and fro between few loads for hours: what was set by hand before it must not go for that.
func TestTheLevelsOfACruiseLeaveRoomForOthers(t *testing.T) {
	c := newScript()
	second := func(i int, cause bench.Cause, load int) {
		at := time.Duration(i) * sec
		o := open(at, i+1, 0, load)
		o.Cause = cause
		c.second(events(o, commit(at, i+1, load), reach(at, i+1)), steady(i+1, 2))
	}
	const byHand, moves = 200, 1000
	for i := range byHand {
		second(i, bench.CauseLoad, 100+i)
	}
	for i := range moves {
		second(byHand+i, bench.CauseCruise, 20+i%12)
	}
	hand, cruised, sent := 0, 0, 0
	for _, l := range c.s.Snapshot().Levels {
		if sent += l.Tally.Sent; l.Cause == bench.CauseCruise {
			cruised++
		} else {
			hand++
		}
	}
	if hand != byHand || cruised != maxCruised || sent != 2*(byHand+moves) {
		t.Errorf("%d levels by hand and %d of the cruise with %d sent are kept; want %d, %d and %d", hand, cruised, sent, byHand, maxCruised, 2*(byHand+moves))
	}
	// Loads that all differ cannot merge: those of the cruise go before those by hand.
	for i := range moves {
		second(byHand+moves+i, bench.CauseCruise, 1000+i)
	}
	hand = 0
	for _, l := range c.s.Snapshot().Levels {
		if l.Cause == bench.CauseLoad {
			hand++
		}
	}
	if hand != byHand {
		t.Errorf("%d levels by hand are left of %d", hand, byHand)
	}
}
