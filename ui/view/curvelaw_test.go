package view

import (
	"strings"
	"testing"

	"redline/bench"
	"redline/ui/view/viewtest"
)

// TestAChangeThatIsNoiseSaysSo: Δ of two levels that are alike but for noise carries a sign; of two that differ it does not.
func TestAChangeThatIsNoiseSaysSo(t *testing.T) {
	for _, c := range []struct {
		what   string
		factor float64
		want   string
	}{
		{"three percent, in latencies that swing by far more", 1.03, "≈+3%"},
		{"twice as slow", 2, "+100%"},
	} {
		s := viewtest.Make(viewtest.Knee, 0)
		lawful(s, nil)
		was := s.Levels[5]
		now := *was
		now.ID, now.Load, now.Ended, now.Batches = 99, bench.InFlight(20), bench.Mark{}, nil
		for _, b := range was.Batches {
			again := *b
			h := bench.NewHistogram()
			for _, bin := range b.TTFT.Bins {
				h.Add(c.factor*bin.Value(), int(bin.Count))
			}
			again.Start += 1e12
			again.TTFT = h.Sketch()
			now.Batches = append(now.Batches, &again)
		}
		st := &now.Stats[bench.TTFT]
		st.N = 160
		st.P95 = bench.Some(c.factor * was.Stats[bench.TTFT].P95.V)
		s.Levels = []*bench.Level{was, &now}
		s.Target = now.Load
		got := strings.Join(NewScreen().Rows(s, state("plain", 120, 36)), "\n")
		if !strings.Contains(got, " "+c.want) {
			t.Errorf("%s: %q is not in\n%s", c.what, c.want, got)
		}
	}
}

func TestSmallPricesHaveThreeDigits(t *testing.T) {
	for _, c := range []struct {
		v    bench.Value
		want string
	}{
		{bench.Value{}, "–"}, {bench.Some(0), "$0.000"}, {bench.Some(12.345), "$12.35"}, {bench.Some(0.25), "$0.25"}, {bench.Some(0.0123), "$0.0123"},
		{bench.Some(0.000527), "$0.000527"}, {bench.Some(1e-12), "$0"}, {bench.Some(0.0999999), "$0.1000"},
	} {
		if got := price(c.v); got != c.want {
			t.Errorf("%v: %q, want %q", c.v, got, c.want)
		}
	}
}
