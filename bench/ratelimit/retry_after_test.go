package ratelimit

import (
	"net/http"
	"testing"
	"time"
)

func TestRetryAfterGrammar(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	const none = time.Duration(0)
	for _, tt := range []struct {
		why, after, date string
		want             time.Duration
	}{
		{"at once is no wish", "0", "", none},
		{"seconds", " 12 ", "", 12 * time.Second},
		{"part of one", "0.25", "", 250 * time.Millisecond},
		{"a duration", "1m30s", "", 90 * time.Second},
		{"a short one", "940ms", "", 940 * time.Millisecond},
		{"a date", "Fri, 02 Jan 2026 03:04:35 GMT", "", 30 * time.Second},
		{"a date by the server's clock", "Fri, 02 Jan 2026 03:04:35 GMT", "Fri, 02 Jan 2026 03:04:25 GMT", 10 * time.Second},
		{"a timestamp", "2026-01-02T03:05:05Z", "", time.Minute},
		{"an epoch", "1767323055", "", 10 * time.Second},
		{"a date that is past", "Fri, 02 Jan 2026 03:04:00 GMT", "", none},
		{"less than nothing", "-3", "", none}, {"no number", "NaN", "", none}, {"nothing", "", "", none}, {"a word", "later", "", none},
		{"too long", "1e300", "", longestWait}, {"two days", "2d", "", longestWait}, {"a year ahead", "2027-01-02T03:05:05Z", "", longestWait},
	} {
		h := http.Header{}
		h.Set("Retry-After", tt.after)
		h.Set("Date", tt.date)
		if got := RetryAfter(h, now); got != tt.want {
			t.Errorf("%s: %q with Date %q is %v, want %v", tt.why, tt.after, tt.date, got, tt.want)
		}
	}
}

func TestRetryAfterPrefersTheFinerHeader(t *testing.T) {
	for _, tt := range []struct {
		why, headers string
		want         time.Duration
	}{
		{"milliseconds hold", "retry-after-ms: 1500\nretry-after: 2", 1500 * time.Millisecond},
		{"unless they cannot be read", "retry-after-ms: -1\nretry-after: 2", 2 * time.Second},
		{"the first value that reads holds", "retry-after: soon\nretry-after: 3", 3 * time.Second},
		{"a gateway passes on its provider's", "llm_provider-retry-after: 4", 4 * time.Second},
		{"by its own clock", "llm_provider-retry-after: 2026-01-02T12:00:30Z\ndate: Fri, 02 Jan 2026 12:00:00 GMT", 30 * time.Second},
		{"its own wish holds", "llm_provider-retry-after: 4\nretry-after: 5", 5 * time.Second},
		{"no header", "", 0},
	} {
		if got := RetryAfter(told(tt.headers), noon); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.why, got, tt.want)
		}
	}
}
