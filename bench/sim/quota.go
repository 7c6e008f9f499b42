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
	mu sync.Mutex
	// daily is what Groq tells of instead of the minute's requests. It fills at their rate, and therefore never binds.
	requests, daily, tokens bucket
}

// bucket is a limit per period; 0 is none.
type bucket struct {
	limit, level float64
	per          time.Duration
	at           time.Time
}

func newQuota(rpm, tpm int, now time.Time) *quota {
	full := func(limit int, per time.Duration) bucket {
		l := float64(max(limit, 0)) * per.Minutes()
		return bucket{limit: l, level: l, per: per, at: now}
	}
	return &quota{requests: full(rpm, time.Minute), daily: full(rpm, 24*time.Hour), tokens: full(tpm, time.Minute)}
}

// fill brings the bucket up to now.
func (b *bucket) fill(now time.Time) {
	b.level = min(b.limit, b.level+b.limit*float64(now.Sub(b.at))/float64(b.per))
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
	return time.Duration((level - b.level) / b.limit * float64(b.per))
}

// take lets a request of that many tokens in, or refuses it; the headers tell what is left either way.
func (q *quota) take(now time.Time, tokens int, h http.Header, words QuotaHeaders) *refusal {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.requests.fill(now)
	q.daily.fill(now)
	q.tokens.fill(now)
	var no *refusal
	if wait := q.requests.lacks(1); wait > 0 {
		no = tooMany("requests", "RPM", q.requests, 1, wait)
	} else if wait := q.tokens.lacks(float64(tokens)); wait > 0 || (q.tokens.limit > 0 && float64(tokens) > q.tokens.limit) {
		no = tooMany("tokens", "TPM", q.tokens, tokens, wait)
	} else {
		q.requests.level--
		q.daily.level--
		q.tokens.level -= float64(tokens)
	}
	words.write(h, now, &q.requests, &q.daily, &q.tokens)
	if no != nil && words == QuotaAzure {
		h.Set("retry-after-ms", strconv.FormatInt(ceil(no.retry, time.Millisecond), 10))
	}
	return no
}

// giveBack returns tokens that were reserved and not used.
func (q *quota) giveBack(tokens int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.tokens.level = min(q.tokens.limit, q.tokens.level+float64(tokens))
}

func tooMany(kind, unit string, b bucket, asked int, wait time.Duration) *refusal {
	wait = max(wait, time.Millisecond)
	return &refusal{
		status: http.StatusTooManyRequests, kind: kind, code: "rate_limit_exceeded", retry: wait,
		message: fmt.Sprintf("Rate limit reached on %s per min (%s): Limit %d, Used %d, Requested %d. Please try again in %v.",
			kind, unit, int(b.limit), int(b.limit-b.level), asked, wait.Round(time.Millisecond)),
	}
}
