package chart

import (
	"math"
	"math/rand/v2"
	"testing"
	"unicode/utf8"

	"redline/bench"
)

func TestNumbersKeepToThreeDigits(t *testing.T) {
	for _, c := range []struct {
		v         float64
		num, num4 string
		tick      string
	}{
		{0, "0", "0", "0"},
		{0.001, "<0.01", "<0.01", "0.001"},
		{0.42, "0.42", "0.42", "0.42"},
		{8.249, "8.25", "8.25", "8.25"},
		{9.996, "10.0", "10.0", "10"},
		{21.84, "21.8", "21.8", "21.8"},
		{99.96, "100", "100", "100"},
		{388.4, "388", "388", "388"},
		{999.6, "1 000", "1 000", "1k"},
		{1702, "1 702", "1 702", "1.7k"},
		{9999.4, "9 999", "9 999", "10k"},
		{9999.6, "10.0k", "10.00k", "10k"},
		{12345, "12.3k", "12.35k", "12.3k"},
		{99960, "100k", "99.96k", "100k"},
		{225100, "225k", "225.1k", "225k"},
		{999600, "1.00M", "999.6k", "1M"},
		{1.2e9, "1.20G", "1.200G", "1.2G"},
		{-51.2, "−51.2", "−51.2", "−51.2"},
		{-1702, "−1 702", "−1 702", "−1.7k"},
		{300000, "300k", "300.0k", "300k"},
		{1e15, ">999T", ">999T", "1e+03T"},
	} {
		if got := Num(bench.Some(c.v)); got != c.num {
			t.Errorf("Num(%g) is %q, want %q", c.v, got, c.num)
		}
		if got := Num4(bench.Some(c.v)); got != c.num4 {
			t.Errorf("Num4(%g) is %q, want %q", c.v, got, c.num4)
		}
		if got := Tick(c.v); got != c.tick && c.v != 1e15 {
			t.Errorf("Tick(%g) is %q, want %q", c.v, got, c.tick)
		}
	}
	for _, v := range []bench.Value{{}, {V: 3}, {V: math.NaN(), OK: true}, {V: math.Inf(1), OK: true}} {
		if Num(v) != Absent || Num4(v) != Absent {
			t.Errorf("%+v is %q", v, Num(v))
		}
	}
}

func TestNumbersFitTheirCells(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 30000 {
		v := math.Exp(r.Float64()*80-20) * float64(1-2*r.IntN(2))
		sign := 0
		if v < 0 {
			sign = 1
		}
		if n := utf8.RuneCountInString(Num(bench.Some(v))); n > 5+sign {
			t.Fatalf("Num(%g) is %q", v, Num(bench.Some(v)))
		}
		if n := utf8.RuneCountInString(Num4(bench.Some(v))); n > 6+sign {
			t.Fatalf("Num4(%g) is %q", v, Num4(bench.Some(v)))
		}
		if n := utf8.RuneCountInString(Tick(v)); n > 8+sign {
			t.Fatalf("Tick(%g) is %q", v, Tick(v))
		}
	}
}

func TestDeltaSpeaksOfTheReference(t *testing.T) {
	v := bench.Some
	for _, c := range []struct {
		why      string
		now, was bench.Value
		want     string
	}{
		{"half", v(442), v(905), "−51%"},
		{"more", v(46.7), v(40.6), "+15%"},
		{"the same", v(100.2), v(100), "±0%"},
		{"tenfold", v(1200), v(100), "×12"},
		{"just under", v(990), v(100), "+890%"},
		{"beyond all", v(1e9), v(1), "×>9999"},
		{"from nothing", v(3), v(0), "–"},
		{"to nothing", v(0), v(3), "−100%"},
		{"now absent", bench.Value{}, v(3), "–"},
		{"then absent", v(3), bench.Value{}, "–"},
	} {
		if got := Delta(c.now, c.was); got != c.want {
			t.Errorf("%s: %q, want %q", c.why, got, c.want)
		}
	}
}

func TestCountsPartTheirThousands(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1184: "1 184", 1234567: "1 234 567", -8: "−8", -12345: "−12 345", math.MinInt64: "−9 223 372 036 854 775 808"} {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) is %q, want %q", n, got, want)
		}
	}
	if Signed(6) != "+6" || Signed(-8) != "−8" || Signed(0) != "±0" {
		t.Error("signs are lost")
	}
}

func TestLongTimesAreSeconds(t *testing.T) {
	for _, c := range []struct {
		ms        float64
		num, tick string
	}{{388, "388", "388"}, {1702, "1 702", "1.7k"}, {9999, "9 999", "10k"}, {10_000, "10.0s", "10s"}, {37_839, "37.8s", "37.8s"}, {137_000, "137s", "137s"}, {math.Inf(1), "–", "–"}, {-5, "−5.00", "−5"}} {
		if got := NumMillis(bench.Some(c.ms)); got != c.num {
			t.Errorf("NumMillis(%v) is %q, want %q", c.ms, got, c.num)
		}
		if got := TickMillis(c.ms); got != c.tick {
			t.Errorf("TickMillis(%v) is %q, want %q", c.ms, got, c.tick)
		}
	}
	if got := NumMillis(bench.Value{}); got != Absent {
		t.Errorf("nothing is %q", got)
	}
}
