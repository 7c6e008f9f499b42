package engine

import (
	"testing"
	"time"

	"redline/bench"
)

func TestASpikeAtTheEndOfAnOpenProfileIsLeft(t *testing.T) {
	o := opened(0, evenly)
	o.Profile = profile(t, "2:10s, spike 50 for 5s", bench.Open)
	inBubble(t, o, func(t *testing.T, r *run) {
		r.after(16 * time.Second)
		r.wantLoad(bench.PerSecond(2))
		before := r.server.sent.Load()
		r.after(60 * time.Second)
		if n := r.server.sent.Load() - before; n > 125 {
			t.Errorf("%d sent in 60 s at a load shown as %s", n, r.Snapshot().Target)
		}
	})
}

// What lies between two plateaus belongs to the level that follows, "and is not measured in it" (lead.go).
func TestWhatASpikeDropsBreaksNoPromiseOfThePlateauAfterIt(t *testing.T) {
	th, err := bench.ParseThreshold("errors<=1%")
	if err != nil {
		t.Fatal(err)
	}
	o := opened(0, evenly)
	o.Run.Max, o.Run.Thresholds = 50, []bench.Threshold{th}
	o.Profile = profile(t, "5:30s, spike 100 for 10s, 5:60s", bench.Open)
	inBubble(t, o, func(t *testing.T, r *run) {
		r.after(99 * time.Second)
		l := r.Snapshot().Level()
		v := l.Verdicts[0]
		if l.Load != bench.PerSecond(5) || v.Broken {
			t.Errorf("level %d at %s, reached %v: errors %.1f%% (%v), broken %v; of its measured time: offered %v, achieved %v, missed %v", l.ID, l.Load, l.Reached.At, v.Value.V, v.Missed, v.Broken, l.Offered.V, l.Achieved.V, l.Missed)
		}
	})
}

func TestWhatASpikeBreaksIsNotTheErrorShareOfThePlateauAfterIt(t *testing.T) {
	o := Options{Profile: profile(t, "4:30s, spike 64 for 10s, 4:60s", bench.Closed)}
	inBubble(t, o, func(t *testing.T, r *run) {
		r.after(31 * time.Second)
		r.server.fail.Store(int32(bench.ServerError)) // overloaded by the spike
		r.after(8 * time.Second)
		r.server.fail.Store(int32(bench.OK))
		r.after(60 * time.Second)
		l := r.Snapshot().Level()
		if e := l.Stats[bench.Errors].Mean; l.Load != bench.InFlight(4) || e.V > 0 {
			t.Errorf("level %d at %s, reached %v: errors %.1f%%; since it was reached none failed: missed %v", l.ID, l.Load, l.Reached.At, e.V, l.Missed)
		}
	})
}
