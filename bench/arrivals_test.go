package bench

import (
	"strings"
	"testing"
)

func TestParseArrivals(t *testing.T) {
	for _, c := range []struct {
		text string
		want Arrivals
		back string
	}{
		{"poisson", Arrivals{}, "poisson"}, {" Constant\n", Arrivals{Shape: Constant}, "constant"}, {"RECORDED", Arrivals{Shape: Recorded}, "recorded"},
		{"gamma:0.5", Arrivals{Gamma, 0.5}, "gamma:0.5"}, {"gamma: 2", Arrivals{Gamma, 2}, "gamma:2"}, {"gamma:0.01", Arrivals{Gamma, 0.01}, "gamma:0.01"}, {"gamma:1e2", Arrivals{Gamma, 100}, "gamma:100"},
	} {
		got, err := ParseArrivals(c.text)
		if err != nil || got != c.want || got.String() != c.back {
			t.Errorf("%q is read as %v (%v), want %v", c.text, got, err, c.want)
		}
	}
}

func TestArrivalsErrorsSayWhatIsAllowed(t *testing.T) {
	for text, want := range map[string]string{
		"":            "want poisson, constant, recorded, or gamma:BURSTINESS",
		"uniform":     "want poisson, constant, recorded, or gamma:BURSTINESS",
		"gamma":       "gamma wants its burstiness, 0.01 to 100, as in gamma:0.5",
		"gamma:":      "gamma wants its burstiness, 0.01 to 100, as in gamma:0.5",
		"gamma:x":     "gamma wants its burstiness, 0.01 to 100, as in gamma:0.5",
		"gamma:0":     "gamma wants its burstiness, 0.01 to 100, as in gamma:0.5",
		"gamma:100.1": "gamma wants its burstiness, 0.01 to 100, as in gamma:0.5",
		"gamma:nan":   "gamma wants its burstiness, 0.01 to 100, as in gamma:0.5",
		"poisson:2":   "poisson takes no number",
		"constant:":   "constant takes no number",
	} {
		_, err := ParseArrivals(text)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `arrivals "`+text+`"`) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzParseArrivals(f *testing.F) {
	for _, text := range []string{"poisson", "constant", "recorded", "gamma:0.5", "gamma:1e-2", "gamma", "gamma:0x1p4", ":"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseArrivals(text)
		if err != nil {
			return
		}
		if a.Shape == Gamma != (a.Burstiness >= 0.01 && a.Burstiness <= 100) || a.Shape != Gamma && a.Burstiness != 0 {
			t.Fatalf("%q is read as %+v", text, a)
		}
		if again, err := ParseArrivals(a.String()); err != nil || again != a {
			t.Fatalf("%q is written %v, which is read as %v (%v)", text, a, again, err)
		}
	})
}
