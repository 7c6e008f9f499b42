package sim

import (
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// quota holds a provider's limits per minute: two buckets that fill continuously and hold one minute's worth, as
// OpenAI's do. A request takes its prompt and its max_tokens when it comes, and gives back at its end what it did not
// use; so the limit holds for tokens processed, and a long max_tokens can still be refused early.
type quota struct {
	mu               sync.Mutex
	requests, tokens bucket
}

// bucket is a limit per minute; 0 is none.
type bucket struct {
	limit, level float64
	at           time.Time
}

func newQuota(rpm, tpm int, now time.Time) *quota {
	full := func(limit int) bucket {
		l := float64(max(limit, 0))
		return bucket{limit: l, level: l, at: now}
	}
	return &quota{requests: full(rpm), tokens: full(tpm)}
}

// fill brings the bucket up to now.
func (b *bucket) fill(now time.Time) {
	b.level = min(b.limit, b.level+b.limit*now.Sub(b.at).Minutes())
	b.at = now
}

// lacks is how long until the bucket holds n; what is more than a full bucket never fits, and waits for a full one.
func (b *bucket) lacks(n float64) time.Duration {
	if b.limit == 0 || n <= b.level {
		return 0
	}
	return b.until(min(n, b.limit))
}

func (b *bucket) until(level float64) time.Duration {
	return time.Duration((level - b.level) / b.limit * float64(time.Minute))
}

// take lets a request of that many tokens in, or refuses it; the headers tell what is left either way.
func (q *quota) take(now time.Time, tokens int, h http.Header) *refusal {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.requests.fill(now)
	q.tokens.fill(now)
	var no *refusal
	if wait := q.requests.lacks(1); wait > 0 {
		no = tooMany("requests", "RPM", q.requests, 1, wait)
	} else if wait := q.tokens.lacks(float64(tokens)); wait > 0 || (q.tokens.limit > 0 && float64(tokens) > q.tokens.limit) {
		no = tooMany("tokens", "TPM", q.tokens, tokens, wait)
	} else {
		q.requests.level--
		q.tokens.level -= float64(tokens)
	}
	q.requests.headers("requests", h)
	q.tokens.headers("tokens", h)
	return no
}

// giveBack returns tokens that were reserved and not used.
func (q *quota) giveBack(tokens int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.tokens.level = min(q.tokens.limit, q.tokens.level+float64(tokens))
}

func (b *bucket) headers(name string, h http.Header) {
	if b.limit == 0 {
		return
	}
	h.Set("x-ratelimit-limit-"+name, strconv.Itoa(int(b.limit)))
	h.Set("x-ratelimit-remaining-"+name, strconv.Itoa(int(max(b.level, 0))))
	h.Set("x-ratelimit-reset-"+name, b.until(b.limit).Round(time.Millisecond).String())
}

func tooMany(kind, unit string, b bucket, asked int, wait time.Duration) *refusal {
	wait = max(wait, time.Millisecond)
	return &refusal{
		status: http.StatusTooManyRequests, kind: kind, code: "rate_limit_exceeded", retry: wait,
		message: fmt.Sprintf("Rate limit reached on %s per min (%s): Limit %d, Used %d, Requested %d. Please try again in %v.",
			kind, unit, int(b.limit), int(b.limit-b.level), asked, wait.Round(time.Millisecond)),
	}
}
