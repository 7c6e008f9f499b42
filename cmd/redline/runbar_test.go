package main

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"redline/bench"
	"redline/bench/report"
	"redline/bench/report/reporttest"
	"redline/ui/view/viewtest"
)

func TestTheBarNeverWraps(t *testing.T) {
	for seed := range uint64(200) {
		s := viewtest.Random(seed)
		for width := range 130 {
			b := &bar{color: seed%2 == 0, ascii: seed%3 == 0}
			line := b.line(report.Glance(s), s, width)
			if n := ansi.StringWidth(line); n > width || strings.ContainsAny(line, "\r\n\x07") {
				t.Fatalf("seed %d: %d cells of %d: %q", seed, n, width, line)
			}
			if !b.color && strings.Contains(line, "\x1b") {
				t.Fatalf("seed %d: colours where none are wanted: %q", seed, line)
			}
			if plain := ansi.Strip(line); b.ascii && strings.IndexFunc(plain, func(r rune) bool { return r > 126 }) >= 0 {
				t.Fatalf("seed %d: beyond ASCII: %q", seed, plain)
			}
		}
	}
}

func TestTheBarTellsByImportance(t *testing.T) {
	s := reporttest.Story()
	s.Run.Duration, s.Levels[0].Begin = 10*time.Minute, 0
	for _, row := range []struct {
		width int
		want  string
	}{
		{120, "█████████████░░░░░░░░░░░░░░░░░░░   4:12/10:00  load 40   RPM     -  TTFT p95  ~442 ms  errors  0.5%  SLO -     "},
		{80, "█████░░░░░░   4:12/10:00  load 40   TTFT p95  ~442 ms  errors  0.5%  SLO -     "},
		{40, "███████░░░░░░░░░   4:12/10:00  load 40 "},
		{24, "████░░░░░░   4:12/10:00"},
		{14, " 4:12/10:00"},
		{6, " 4:12"},
	} {
		b := &bar{}
		if got := b.line(report.Glance(s), s, row.width-1); got != row.want {
			t.Errorf("at %d columns\n%q, want\n%q", row.width, got, row.want)
		}
	}
	s.State, s.Health.Strain = bench.Down, bench.Saturated
	if got := (&bar{}).line(report.Glance(s), s, 79); !strings.Contains(got, "TARGET DOWN") || !strings.Contains(got, "! client saturated") {
		t.Errorf("%q", got)
	}
}

func TestTheBarIsTakenAwayAtTheEnd(t *testing.T) {
	var out output
	b := &bar{out: newPrinter(&out), width: func() int { return 80 }}
	s := reporttest.Story()
	b.draw(s)
	b.draw(s) // nothing is new
	b.clear()
	b.clear()
	b.draw(s)
	text := out.String()
	if strings.Count(text, clearLine) != 2 || !strings.HasPrefix(text, clearLine) || !strings.HasSuffix(text, clearLine) {
		t.Errorf("%q", text)
	}
	var none *bar
	none.draw(s)
	none.clear()
}
