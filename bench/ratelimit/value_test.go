package ratelimit

import (
	"net/http"
	"testing"
	"time"

	"redline/bench"
)

func TestResetGrammar(t *testing.T) {
	some := func(d time.Duration) bench.Mark { return bench.MarkAt(d) }
	for _, tt := range []struct {
		why, text string
		want      bench.Mark
	}{
		{"whole seconds", "30", some(30 * time.Second)},
		{"a fraction", "26.5", some(26500 * time.Millisecond)},
		{"zero is a number", "0", some(0)},
		{"and so is less than nothing of it", "-0", some(0)},
		{"quoted, with blanks", ` "12" `, some(12 * time.Second)},
		{"minutes are not milliseconds", "6m0s", some(6 * time.Minute)},
		{"milliseconds are not minutes", "6ms", some(6 * time.Millisecond)},
		{"both in one", "1m6ms", some(time.Minute + 6*time.Millisecond)},
		{"hours and days", "1d2h", some(26 * time.Hour)},
		{"two signs for micro", "250µs250μs", some(500 * time.Microsecond)},
		{"and the plain letter", "250us", some(250 * time.Microsecond)},
		{"an epoch in seconds", "1767358830", some(30 * time.Second)},
		{"with a fraction", "1767358830.5", some(30500 * time.Millisecond)},
		{"an epoch in milliseconds", "1767358800250", some(250 * time.Millisecond)},
		{"an epoch of this second", "1767358799.5", some(0)},
		{"an epoch that is past", "1767358700", bench.Mark{}},
		{"a timestamp", "2026-01-02T13:00:10Z", some(10 * time.Second)},
		{"a timestamp that is past", "2026-01-02T12:00:10Z", bench.Mark{}},
		{"a date", "Fri, 02 Jan 2026 13:01:00 GMT", some(time.Minute)},
		{"the longest month", "31d", some(31 * bench.Day)},
		{"absurdly long", "40d", bench.Mark{}}, {"absurdly large", "1e300", bench.Mark{}}, {"too large to be an epoch", "1e11", bench.Mark{}},
		{"negative", "-1", bench.Mark{}}, {"a negative duration", "-1s", bench.Mark{}},
		{"no number", "NaN", bench.Mark{}}, {"no end", "Inf", bench.Mark{}}, {"out of range", "1e999", bench.Mark{}},
		{"hexadecimal", "0x1p4", bench.Mark{}}, {"a unit alone", "s", bench.Mark{}}, {"a number without unit at the end", "1m30", bench.Mark{}},
		{"a word", "soon", bench.Mark{}}, {"nothing", "", bench.Mark{}}, {"dots", "1.2.3s", bench.Mark{}}, {"a unit that is none", "3w", bench.Mark{}},
	} {
		got := reset(tt.text, noon)
		if got.OK != tt.want.OK || (got.At-tt.want.At).Abs() > 10*time.Microsecond {
			t.Errorf("%s: %q is %v, want %v", tt.why, tt.text, got, tt.want)
		}
	}
}

func TestPeriodIsTheShortestThatTheResetFits(t *testing.T) {
	for _, tt := range []struct {
		reset, want time.Duration
	}{
		{0, time.Minute}, {time.Minute, time.Minute}, {64 * time.Second, time.Minute}, {66 * time.Second, time.Hour}, {time.Hour, time.Hour},
		{2 * time.Hour, bench.Day}, {25 * time.Hour, bench.Day}, {27 * time.Hour, bench.Month}, {31 * bench.Day, bench.Month},
	} {
		if got := least(bench.MarkAt(tt.reset)); got != tt.want {
			t.Errorf("a reset in %v: per %v, want %v", tt.reset, got, tt.want)
		}
	}
	if got := least(bench.Mark{}); got != time.Minute {
		t.Errorf("no reset: per %v", got)
	}
}

// TestOneAnswerMeetsAPeriodByChance: of a server that is not known to have steady quotas it makes no period of a minute longer.
func TestOneAnswerMeetsAPeriodByChance(t *testing.T) {
	h := http.Header{}
	for name, value := range map[string]string{"x-ratelimit-limit-requests": "600", "x-ratelimit-remaining-requests": "594", "x-ratelimit-reset-requests": "36s"} {
		h.Set(name, value)
	}
	q := Read(h, "gateway.example", time.Now(), time.Second)
	if len(q) != 1 || q[0].Per != time.Minute || q[0].Steady != (bench.Steady{Per: time.Hour, Met: 1, Gone: 6}) {
		t.Errorf("%+v, want per minute, and an hour met once", q)
	}
	if q = Read(h, "api.openai.com", time.Now(), time.Second); len(q) != 1 || q[0].Per != time.Hour || q[0].Steady.Met != 0 {
		t.Errorf("%+v, want per hour", q)
	}
}
