package main

import (
	"strings"
	"testing"

	"redline/bench"
)

func TestTheSummaryKeepsToASCIIWhereTheScreenDid(t *testing.T) {
	s := story()
	s.Run.Thresholds = append(s.Run.Thresholds, threshold(t, "ttft<=1ms"))
	odd := storyLevel(1234, 40, 300, bench.Ready)
	odd.Note = "café cafe\u0301 模型 “x”"
	s.Levels = append(s.Levels, odd)
	for _, width := range []int{0, 80, 200} {
		var b strings.Builder
		if err := summarize(asciiWords{&b}, s, ending{}, width); err != nil {
			t.Fatal(err)
		}
		plain := summaryOf(t, s, width)
		if i := strings.IndexFunc(b.String(), func(r rune) bool { return r > 0x7e }); i >= 0 {
			t.Errorf("%q is no ASCII", b.String()[max(i-20, 0):])
		}
		if !strings.Contains(plain, "≥") || strings.Count(b.String(), "\n") != strings.Count(plain, "\n") {
			t.Errorf("it has other lines:\n%s\n%s", plain, b.String())
		}
	}
}
