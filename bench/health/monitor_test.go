package health

import (
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
)

func TestSecondsThatAreAskedForAtOnceAreJudgedAlike(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(bench.NewClock(time.Now()))
		for range 100 {
			m.reads.lags.Add(30 * time.Millisecond)
		}
		time.Sleep(3 * time.Second)
		for range 3 {
			if h := m.Second(Traffic{}); h.Strain != bench.Busy {
				t.Errorf("%v %q, want it busy", h.Strain, h.Why)
			}
		}
		if h := m.Second(Traffic{Dropped: 1}); h.Strain != bench.Saturated || h.Dropped != 1 {
			t.Errorf("%v %q, want the traffic of its own", h.Strain, h.Why)
		}
		time.Sleep(time.Second)
		if h := m.Second(Traffic{}); h.Strain != bench.Unstrained {
			t.Errorf("%v %q in the second after", h.Strain, h.Why)
		}
	})
}

func TestReadsAreDrawnMoreRarelyWhereThereAreMany(t *testing.T) {
	var s sample
	for range 5 * plenty {
		s.lags.Add(time.Millisecond)
	}
	s.take(time.Second)
	if n := s.oneIn.Load(); n != 5 {
		t.Errorf("one read in %d, want one in 5", n)
	}
	drawn := 0
	for range 10_000 {
		if s.drawn() {
			drawn++
		}
	}
	if drawn < 1000 || drawn > 4000 {
		t.Errorf("%d of 10,000 reads are drawn, want about 2,000", drawn)
	}
	s.take(time.Second)
	if !s.drawn() {
		t.Error("a read is left out where there are few")
	}
}
