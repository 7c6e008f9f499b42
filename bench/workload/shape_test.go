package workload

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func shaped(t testing.TB, text string, timed bool) Lengths {
	t.Helper()
	l, err := parseLengths(text, timed)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func draws(l Lengths, n int) []float64 {
	r := rand.New(rand.NewPCG(11, 12))
	values := make([]float64, n)
	for i := range values {
		values[i] = l.draw(r)
	}
	slices.Sort(values)
	return values
}

// phi is the normal distribution.
func phi(z float64) float64 { return 0.5 * math.Erfc(-z/math.Sqrt2) }

// TestDrawsFollowTheirSpread holds 20,000 draws against the distribution function, in Kolmogorov's distance: 1.95/√n is passed by one in a
// thousand right ones. Lengths are whole, so the function is taken half a token further.
func TestDrawsFollowTheirSpread(t *testing.T) {
	rows := []struct {
		text  string
		timed bool
		upTo  func(v float64) float64
	}{
		{"100..500", false, func(v float64) float64 { return (v - 99) / 401 }},
		{"uniform(1,3)", false, func(v float64) float64 { return v / 3 }},
		{"normal(512,64)", false, func(v float64) float64 { return phi((v + 0.5 - 512) / 64) }},
		{"normal(20,40)", false, func(v float64) float64 {
			least := phi((0.5 - 20) / 40)
			return (phi((v+0.5-20)/40) - least) / (1 - least)
		}},
		{"lognormal(512,0.6)", false, func(v float64) float64 { return phi((math.Log((v+0.5)/512) + 0.18) / 0.6) }},
		{"hist(128:3,512:5,2048:1)", false, func(v float64) float64 {
			switch {
			case v >= 2048:
				return 1
			case v >= 512:
				return 8.0 / 9
			case v >= 128:
				return 3.0 / 9
			}
			return 0
		}},
		{"1s..5s", true, func(v float64) float64 { return (v - 1) / 4 }},
		{"lognormal(3s,0.5)", true, func(v float64) float64 { return phi((math.Log(v/3) + 0.125) / 0.5) }},
		{"normal(2s,500ms)", true, func(v float64) float64 {
			least := phi(-4)
			return (phi((v-2)/0.5) - least) / (1 - least)
		}},
	}
	const n = 20_000
	for _, row := range rows {
		l := shaped(t, row.text, row.timed)
		values, worst, sum := draws(l, n), 0.0, 0.0
		for i, v := range values {
			sum += v
			if i+1 == n || values[i+1] != v {
				worst = max(worst, math.Abs(float64(i+1)/n-row.upTo(v)))
			}
		}
		if limit := 1.95 / math.Sqrt(n); worst > limit {
			t.Errorf("%s: the draws are %.4f away from their spread, above %.4f", row.text, worst, limit)
		}
		if mean := l.mean(); math.Abs(sum/n-mean) > 0.02*mean {
			t.Errorf("%s: the mean is %.2f, and %.2f was told", row.text, sum/n, mean)
		}
		if values[0] < l.floor() || values[n-1] > l.most() {
			t.Errorf("%s: draws from %v to %v, outside of %v to %v", row.text, values[0], values[n-1], l.floor(), l.most())
		}
	}
}

func TestConstantLengthsAreConstant(t *testing.T) {
	if v := draws(shaped(t, "512", false), 100); v[0] != 512 || v[99] != 512 {
		t.Errorf("512 gives %v to %v", v[0], v[99])
	}
	if v := draws(shaped(t, "2s", true), 100); v[0] != 2 || v[99] != 2 {
		t.Errorf("2s gives %v to %v", v[0], v[99])
	}
}

func TestWildSpreadsStayInBounds(t *testing.T) {
	for _, text := range []string{"lognormal(1000000,3)", "lognormal(1,3)", "normal(1,1000000)", "normal(1000000,1000000)", "normal(1,0.001)"} {
		l := shaped(t, text, false)
		v := draws(l, 20_000)
		if v[0] < 1 || v[len(v)-1] > maxLength || !(l.mean() >= 0.5 && l.mean() <= 2*maxLength) {
			t.Errorf("%s draws from %v to %v, mean %v", text, v[0], v[len(v)-1], l.mean())
		}
	}
}

func TestBadLengthsNameTheValueAndWhatIsAllowed(t *testing.T) {
	rows := []struct{ text, names string }{
		{"", `""`}, {"abc", `"abc"`}, {"0", `"0"`}, {"-3", `"-3"`}, {"1.5", `"1.5"`}, {"1000001", `"1000001"`}, {"NaN", `"NaN"`}, {"1e400", `"1e400"`},
		{"500..100", `"500".."100"`}, {"1..", `""`}, {"normal(512)", `"normal(512)"`}, {"normal(512,0)", `"0"`}, {"normal(512,-1)", `"-1"`},
		{"lognormal(512,4)", `"4"`}, {"lognormal(512,NaN)", `"NaN"`}, {"hist()", "no values"}, {"hist(1:0)", "weights"}, {"hist(1:-2)", `"-2"`},
		{"hist(1:2,x:3)", `"x"`}, {"hist(128:3", "closing bracket"}, {"poisson(3,4)", `"poisson"`}, {"hist(0:1)", `"0"`},
		{strings.Repeat("9", 300), "…"}, {"\x1b[2J", `\x1b`},
	}
	for _, row := range rows {
		_, err := parseLengths(row.text, false)
		if err == nil || !strings.Contains(err.Error(), row.names) || !strings.Contains(err.Error(), lengthForms) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q: the error is %v, and should name %s", row.text, err, row.names)
		}
	}
	for _, text := range []string{"3", "-1s", "25h", "lognormal(0s,1)", "normal(2s,1)", "5s..1s"} {
		if _, err := parseLengths(text, true); err == nil || !strings.Contains(err.Error(), thinkForms) {
			t.Errorf("a time %q: the error is %v", text, err)
		}
	}
}

func TestAHistogramComesFromAFile(t *testing.T) {
	s := open(t, "in=hist(testdata/lengths.csv)")
	if got, want := s.spec.In.bins, shaped(t, "hist(128:3,512:5,2048:1)", false).bins; !slices.Equal(got, want) {
		t.Errorf("the file's histogram is %v, not %v", got, want)
	}
	if w := s.Words(); w.InputTokens != 555 || !strings.Contains(w.Words, "hist(testdata/lengths.csv)") {
		t.Errorf("it is described as %+v", w)
	}
	rows := []struct{ file, names string }{
		{"", "no lengths"}, {"a\nb\n", `line 2: "b"`}, {"512\n0,4\n", `line 2: "0"`}, {"512 3 4\n", "line 1"}, {"512,x\n", `"x"`}, {"512,0\n", "weights"},
	}
	for _, row := range rows {
		if _, err := (Lengths{}).readBins(strings.NewReader(row.file)); err == nil || !strings.Contains(err.Error(), row.names) {
			t.Errorf("%q: the error is %v, and should name %s", row.file, err, row.names)
		}
	}
	if l, err := (Lengths{}).readBins(strings.NewReader("# tokens\n512\n512\n 7;2")); err != nil || len(l.bins) != 2 || l.bins[0].upto != 0.5 {
		t.Errorf("lengths without weights: %v, %v", l.bins, err)
	}
}

func FuzzLengths(f *testing.F) {
	for _, seed := range []string{"512", "100..500", "normal(512,64)", "lognormal(3s,0.5)", "hist(128:3,512:5)", "hist(a(b)", "1s..5s", "hist(1)"} {
		f.Add(seed, false)
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, text string, timed bool) {
		l, err := parseLengths(text, timed)
		if err != nil {
			return
		}
		again, err := parseLengths(l.String(), timed)
		if err != nil || again.String() != l.String() {
			t.Fatalf("%q reads as %q, which reads as %q, %v", text, l, again, err)
		}
		if l.file != "" {
			return
		}
		r := rand.New(rand.NewPCG(1, 1))
		for range 20 {
			if v := l.draw(r); !(v >= l.floor() && v <= l.top()) {
				t.Fatalf("%q draws %v", text, v)
			}
		}
	})
}

func FuzzHistogramFile(f *testing.F) {
	f.Add("length,count\n128,3\n512 5\n7")
	f.Add("\ufeff1:2\r\n\x00")
	f.Fuzz(func(t *testing.T, text string) {
		if l, err := (Lengths{}).readBins(strings.NewReader(text)); err == nil && l.bins[len(l.bins)-1].upto < 0.999 {
			t.Fatalf("%q has the weights %v", text, l.bins)
		}
	})
}
