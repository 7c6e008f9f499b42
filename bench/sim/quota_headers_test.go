package sim

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"redline/bench/ratelimit"
)

// left are a quota's headers after one request of 1,600 tokens, a second after the server began.
func left(words QuotaHeaders) (http.Header, time.Time) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	q := newQuota(60, 6000, at)
	h := http.Header{}
	at = at.Add(time.Second)
	_ = q.take(at, 1600, h, words) // the first request always fits
	return h, at
}

func TestQuotasInTheHeadersOfEachProvider(t *testing.T) {
	for words, want := range map[QuotaHeaders]string{
		QuotaOpenAI: `X-Ratelimit-Limit-Requests: 60, X-Ratelimit-Limit-Tokens: 6000, X-Ratelimit-Remaining-Requests: 59, X-Ratelimit-Remaining-Tokens: 4400, ` +
			`X-Ratelimit-Reset-Requests: 1s, X-Ratelimit-Reset-Tokens: 16s`,
		QuotaAzure: `X-Ratelimit-Limit-Requests: 60, X-Ratelimit-Limit-Tokens: 6000, X-Ratelimit-Remaining-Requests: 59, X-Ratelimit-Remaining-Tokens: 4400, ` +
			`X-Ratelimit-Reset-Requests: 1, X-Ratelimit-Reset-Tokens: 16`,
		QuotaGroq: `X-Groq-Region: sim, X-Ratelimit-Limit-Requests: 86400, X-Ratelimit-Limit-Tokens: 6000, X-Ratelimit-Remaining-Requests: 86399, ` +
			`X-Ratelimit-Remaining-Tokens: 4400, X-Ratelimit-Reset-Requests: 1s, X-Ratelimit-Reset-Tokens: 16s`,
		QuotaAnthropic: `Anthropic-Ratelimit-Requests-Limit: 60, Anthropic-Ratelimit-Requests-Remaining: 59, Anthropic-Ratelimit-Requests-Reset: 2026-01-02T03:04:07Z, ` +
			`Anthropic-Ratelimit-Tokens-Limit: 6000, Anthropic-Ratelimit-Tokens-Remaining: 4000, Anthropic-Ratelimit-Tokens-Reset: 2026-01-02T03:04:22Z`,
		QuotaMistral: `X-Ratelimit-Limit-Req-Minute: 60, X-Ratelimit-Limit-Tokens-Minute: 6000, X-Ratelimit-Remaining-Req-Minute: 59, X-Ratelimit-Remaining-Tokens-Minute: 4400`,
		QuotaIETF: `Ratelimit: "requests";r=59;t=1, "tokens";r=4400;t=16, ` +
			`Ratelimit-Policy: "requests";q=60;w=60;qu="requests", "tokens";q=6000;w=60;qu="tokens"`,
	} {
		h, _ := left(words)
		var b strings.Builder
		if err := h.Write(&b); err != nil {
			t.Fatal(err)
		}
		if got := strings.ReplaceAll(strings.TrimSpace(b.String()), "\r\n", ", "); got != want {
			t.Errorf("%v:\n%s\nwant\n%s", words, got, want)
		}
	}
}

// TestClientReadsTheQuotasOfEachProvider holds both ends together: what the server says is what is read.
func TestClientReadsTheQuotasOfEachProvider(t *testing.T) {
	for words := QuotaOpenAI; int(words) < len(quotaHeaderNames); words++ {
		h, at := left(words)
		got := ratelimit.Read(h, "127.0.0.1", at, 0)
		if len(got) != 2 {
			t.Errorf("%v: %+v", words, got)
			continue
		}
		requests, tokens := got[0], got[1]
		limit, unit, remaining := 60.0, "RPM", 4400.0
		if words == QuotaGroq {
			limit, unit = 86400, "RPD"
		}
		if words == QuotaAnthropic {
			remaining = 4000
		}
		if requests.Limit.V != limit || requests.Unit() != unit || requests.Remaining.V != limit-1 || tokens.Limit.V != 6000 || tokens.Remaining.V != remaining || tokens.Unit() != "TPM" {
			t.Errorf("%v: %+v", words, got)
		}
		if words != QuotaMistral && (tokens.Reset.At-16*time.Second).Abs() > time.Second {
			t.Errorf("%v: %+v", words, tokens)
		}
	}
}

func TestProtocolsTellQuotasAsTheirProvidersDo(t *testing.T) {
	own := map[string]string{"anthropic": "anthropic-ratelimit-requests-reset"}
	for _, told := range []QuotaHeaders{QuotaOwn, QuotaIETF} {
		for name, g := range tongues() {
			inBubble(t, func(o *Options) { o.RPM, o.TPM, o.QuotaHeaders = 1, 100_000, told }, func(t *testing.T, w *world) {
				w.t = t
				want := "x-ratelimit-reset-requests"
				if own[name] != "" {
					want = own[name]
				}
				if told == QuotaIETF {
					want = "ratelimit"
				}
				for _, status := range []int{http.StatusOK, http.StatusTooManyRequests} {
					v := w.say(g, nil)
					if v.status != status || v.header.Get(want) == "" || (v.header.Get("Retry-After") == "") != (status == http.StatusOK) {
						t.Errorf("%s, %v: status %d, %v", name, told, v.status, v.header)
					}
				}
				if name == "azure" && told == QuotaOwn {
					h := w.say(g, nil).header
					ms, err := strconv.Atoi(h.Get("retry-after-ms"))
					if strings.Trim(h.Get("x-ratelimit-reset-tokens"), "0123456789") != "" || err != nil || ms < 50_000 || ms > 60_000 {
						t.Errorf("azure's headers are %v", h)
					}
				}
			})
		}
	}
}
