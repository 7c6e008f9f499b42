package engine

import (
	"testing"
	"time"

	"redline/bench"
)

func TestServerThatHoldsItsStreamsOpenIsToldOf(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4)}, func(t *testing.T, r *run) {
		r.after(10 * time.Second)
		if s := r.Snapshot(); s.Silent.OK {
			t.Fatalf("silent since %v while tokens flow", s.Silent.At)
		}
		r.server.pause.Store(int64(20 * time.Second))
		r.after(8 * time.Second)
		s := r.Snapshot()
		if !s.Silent.OK || s.At-s.Silent.At < 5*time.Second || s.At-s.Silent.At > 9*time.Second || r.count(bench.EventWarn) != 1 {
			t.Errorf("at %v: silent %+v, %d warnings; want since about 10 s, one", s.At, s.Silent, r.count(bench.EventWarn))
		}
		r.server.pause.Store(0)
		r.after(20 * time.Second)
		if s := r.Snapshot(); s.Silent.OK || r.count(bench.EventWarn) != 2 {
			t.Errorf("silent %+v, %d warnings, when tokens come again; want none, two", s.Silent, r.count(bench.EventWarn))
		}
	})
}

func TestLongPrefillIsNoSilence(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(1)}, func(t *testing.T, r *run) {
		r.server.ttft.Store(int64(12 * time.Second))
		for range 60 {
			r.after(time.Second)
			// The first answer teaches how long a first token takes.
			if s := r.Snapshot(); s.Silent.OK && s.Total.Stats[bench.TTFT].Max.V > 11000 {
				t.Fatalf("at %v: silent since %v: a prefill of 12 s is no silence", s.At, s.Silent.At)
			}
		}
	})
}
