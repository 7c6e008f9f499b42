package ratelimit

import (
	"net/http"
	"strings"
	"time"
)

// longestWait bounds what a server can ask for; more is taken as this.
const longestWait = 24 * time.Hour

// RetryAfter is how long the server asks to wait, 0 to 24 hours: Retry-After-Ms, else Retry-After in any form in which a
// reset can be written, instants by the server's own Date where it gives one; else the same of the provider behind a
// gateway. Negative, past and unreadable values are no wish: 0.
func RetryAfter(h http.Header, now time.Time) time.Duration {
	own, passed := sorted(h)
	if d, ok := own.retryAfter(now); ok {
		return d
	}
	d, _ := passed.retryAfter(now)
	return d
}

func (h headers) retryAfter(now time.Time) (time.Duration, bool) {
	now = present(h.first("date"), now)
	for _, text := range h.values("retry-after-ms") {
		if ms, ok := decimal(trim(text)); ok {
			return wait(ms / 1000), true
		}
	}
	for _, text := range h.values("retry-after") {
		if s, ok := seconds(strings.TrimSpace(text), now); ok {
			return wait(s), true
		}
	}
	return 0, false
}

func wait(seconds float64) time.Duration {
	return time.Duration(min(seconds, longestWait.Seconds()) * float64(time.Second))
}
