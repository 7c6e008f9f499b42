package client

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// longestWait bounds what a server can ask for; more is taken as this.
const longestWait = 24 * time.Hour

// retryAfter is how long the server asks to wait: retry-after-ms, else Retry-After as seconds (whole or not), a duration such as
// 1m30s, or a date, which is measured against the server's own Date where it gives one. Negative, past and unreadable values are
// no wish: 0.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(strings.TrimSpace(h.Get("Retry-After-Ms")), 64); err == nil {
		return wait(ms / 1000)
	}
	text := strings.TrimSpace(h.Get("Retry-After"))
	if text == "" {
		return 0
	}
	if s, err := strconv.ParseFloat(text, 64); err == nil {
		return wait(s)
	}
	if d, err := time.ParseDuration(text); err == nil {
		return wait(d.Seconds())
	}
	date, err := http.ParseTime(text)
	if err != nil {
		if date, err = time.Parse(time.RFC3339, text); err != nil {
			return 0
		}
	}
	if server, err := http.ParseTime(h.Get("Date")); err == nil {
		now = server
	}
	if !date.After(now) {
		return 0
	}
	return wait(date.Sub(now).Seconds())
}

func wait(seconds float64) time.Duration {
	if math.IsNaN(seconds) || seconds < 0 {
		return 0
	}
	return time.Duration(min(seconds, longestWait.Seconds()) * float64(time.Second))
}
