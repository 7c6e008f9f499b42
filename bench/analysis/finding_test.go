package analysis

import (
	"math/rand/v2"
	"testing"

	"redline/bench"
)

// TestTheLimitIsWhatTheFindingSays, whatever the levels: both are read side by side.
func TestTheLimitIsWhatTheFindingSays(t *testing.T) {
	all := promises(t, "ttft.p95<=500ms", "itl.p95<=25ms")
	r := rand.New(rand.NewPCG(1, 2))
	seen := map[Bound]int{}
	for range 3000 {
		var levels []*bench.Level
		for range r.IntN(6) {
			l := tried(float64(1+r.IntN(6)), 200+100*float64(r.IntN(5)), 20)
			if r.IntN(4) == 0 {
				l.Stats[bench.TTFT].Readiness = bench.Few
			}
			if r.IntN(6) == 0 {
				l.Span = LongEnough - 1
			}
			for _, p := range all {
				l.Verdicts = append(l.Verdicts, p.Judge(&l.Summary))
			}
			levels = append(levels, l)
		}
		f, limit := Findings(levels)[0], Find(levels, all)
		seen[limit.Bound]++
		if held := f.Held != nil; held != (limit.Kept.N > 0) || held && limit.Kept != f.Held.Load {
			t.Fatalf("held %v, kept %v", f.Held, limit.Kept)
		}
		if broken := f.Broken != nil; broken != (limit.Broken.N > 0) || broken && limit.Broken != f.Broken.Load {
			t.Fatalf("broken %v, %v", f.Broken, limit.Broken)
		}
		if f.Undecided() != (limit.Bound == Undecided) {
			t.Fatalf("undecided %v, bound %v", f.Undecided(), limit.Bound)
		}
	}
	for b := Unknown; b <= Undecided; b++ {
		if seen[b] == 0 {
			t.Errorf("no levels came to the bound %d", b)
		}
	}
}

func TestAPromiseIsBrokenByWhatWasMissedOnlyIfWhatWasMeasuredKeepsIt(t *testing.T) {
	ttft, errors := promises(t, "ttft.p95<=500ms")[0], promises(t, "errors<=1%")[0]
	for _, c := range []struct {
		sentence string
		promise  bench.Threshold
		ttft     float64
		tally    bench.Tally
		want     bench.Missed
	}{
		{"kept", ttft, 300, bench.Tally{Sent: 200, OK: 200}, bench.Missed{}},
		{"broken by what was measured", ttft, 900, bench.Tally{Sent: 200, OK: 150, Failed: 50}, bench.Missed{}},
		{"broken by failures", ttft, 300, bench.Tally{Sent: 200, OK: 150, Failed: 50}, bench.Missed{Failed: 50}},
		{"broken by what was not sent", ttft, 300, bench.Tally{Sent: 150, OK: 150, Unsent: 50}, bench.Missed{Unsent: 50}},
		{"errors are failures", errors, 300, bench.Tally{Sent: 200, OK: 150, Failed: 50, Unsent: 9}, bench.Missed{}},
		{"errors through the unsent alone", errors, 300, bench.Tally{Sent: 150, OK: 150, Unsent: 50}, bench.Missed{Unsent: 50}},
	} {
		l := tried(8, c.ttft, 20)
		l.Tally, l.Counted, l.Missed = c.tally, c.tally, c.tally.Missed()
		l.Stats[bench.TTFT].Missing = l.Missed.All()
		if got := BrokenByMissed(c.promise.Judge(&l.Summary), &l.Summary); got != c.want {
			t.Errorf("%s: %v, want %v", c.sentence, got, c.want)
		}
	}
}
