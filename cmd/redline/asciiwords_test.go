package main

import (
	"strings"
	"testing"

	"redline/bench"
	"redline/bench/report"
	"redline/bench/report/reporttest"
)

func TestTheSummaryKeepsToASCIIWhereTheScreenDid(t *testing.T) {
	s := reporttest.Story()
	slow, err := bench.ParseThreshold("ttft<=1ms")
	if err != nil {
		t.Fatal(err)
	}
	s.Run.Thresholds = append(s.Run.Thresholds, slow)
	odd := reporttest.Level(1234, 40, 300, bench.Ready)
	odd.Note = "café cafe\u0301 模型 “x”"
	s.Levels = append(s.Levels, odd)
	for _, width := range []int{0, 80, 200} {
		var b strings.Builder
		if err := report.Of(s, wording()).Text(asciiWords{&b}, width); err != nil {
			t.Fatal(err)
		}
		var as strings.Builder
		if err := report.Of(s, wording()).Text(&as, width); err != nil {
			t.Fatal(err)
		}
		plain := as.String()
		if i := strings.IndexFunc(b.String(), func(r rune) bool { return r > 0x7e }); i >= 0 {
			t.Errorf("%q is no ASCII", b.String()[max(i-20, 0):])
		}
		if !strings.Contains(plain, "≥") || strings.Count(b.String(), "\n") != strings.Count(plain, "\n") {
			t.Errorf("it has other lines:\n%s\n%s", plain, b.String())
		}
	}
}

func TestTheWidthOfASummaryIsThatOfItsColumns(t *testing.T) {
	for columns, want := range map[string]int{"": 0, "72": 72, "x": 0, "-1": 0, "0": 0} {
		m := &Main{Stdout: &strings.Builder{}, Env: func(name string) (string, bool) { return columns, name == "COLUMNS" && columns != "" }}
		if got := m.width(); got != want {
			t.Errorf("COLUMNS=%q: %d, want %d", columns, got, want)
		}
	}
}
