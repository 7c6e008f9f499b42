package view

import (
	"strings"
	"testing"

	"redline/bench"
)

func TestATextThatIsCutTellsHowMuchOfItIsShown(t *testing.T) {
	long := strings.Repeat("é", 2000)
	for _, c := range []struct {
		what, text string
		of         extent
		want       string
	}{
		{"all of a short prompt", "why", promptExtent(&bench.Prompt{Text: "why", Chars: 3}), ""},
		{"the beginning of a long prompt, up to a whole character", long, promptExtent(&bench.Prompt{Text: long, Chars: 2000}), "first 512 of 2 000 characters"},
		{"a prompt of which only the beginning was kept", "why", promptExtent(&bench.Prompt{Text: "why", Chars: 65_536, Cut: true}), "first 3 of 65 536 characters"},
		{"the turn of a conversation: its characters are counted, not those of all", long, promptExtent(&bench.Prompt{Text: long, Turn: 3, Chars: 9000}), "first 512 of 2 000 characters"},
		{"a turn of which only the beginning was kept: nobody knows", "why", promptExtent(&bench.Prompt{Text: "why", Turn: 3, Chars: 9000, Cut: true}), "first 3 characters"},
		{"all of a reply", "because", keptExtent("because", bench.ReplyBytes), ""},
		{"a reply that fills what is kept", strings.Repeat("x", bench.ReplyBytes), keptExtent(strings.Repeat("x", bench.ReplyBytes), bench.ReplyBytes), "first 1 024 bytes"},
		{"a reply whose last character found no room", strings.Repeat("x", bench.ReplyBytes-2), keptExtent(strings.Repeat("x", bench.ReplyBytes-2), bench.ReplyBytes), "first 1 022 bytes"},
		{"a long header", strings.Repeat("x", 3000), extent{all: 3000, unit: "bytes"}, "first 1 024 of 3 000 bytes"},
		{"a body of which each byte is an escape", strings.Repeat(`\x00`, 512), extent{unit: "bytes", cut: true, written: 512}, "a part of the first 512 bytes"},
		{"a body in plain letters", strings.Repeat("x", 512), extent{unit: "bytes", cut: true, written: 512}, "first 512 bytes"},
	} {
		if got := c.of.told(beginning(c.text), c.text); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

func TestALatencyIsToldInOneWayBesideItsLimit(t *testing.T) {
	slow := bench.Threshold{Metric: bench.TTFT, At: bench.P95, Limit: 2000}
	for ms, want := range map[float64]string{123: "123 ms", 3118: "3.12 s", 37_839: "37.8 s"} {
		if got := inUnit(figure{Stat: &bench.Stat{}}, bench.Some(ms), slow); got != want {
			t.Errorf("%v ms beside 2 s is %q, want %q", ms, got, want)
		}
	}
	for in, want := range map[string]string{"(123 ms)": "(123 ms)", "(3118 ms)": "(3.12 s)", "(37839 ms)": "(37.8 s)", "(5 unsent)": "(5 unsent)"} {
		if got := longTime(in); got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
}
