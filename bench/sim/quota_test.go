package sim

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"redline/bench/sim/model"
)

func TestRequestsPastTheQuotaAreToldWhenToComeBack(t *testing.T) {
	inBubble(t, func(o *Options) { o.RPM = 6 }, func(t *testing.T, w *world) {
		q := chat(ask{"max_tokens": 1})
		began := time.Now()
		for i := range 6 {
			v := w.read(t.Context(), q)
			if v.status != http.StatusOK {
				t.Fatalf("request %d of 6: status %d", i+1, v.status)
			}
			// A little has flowed back since the first one.
			if left, err := strconv.Atoi(v.header.Get("x-ratelimit-remaining-requests")); err != nil || left != 5-i {
				t.Errorf("request %d: %d remain, %v", i+1, left, err)
			}
		}
		v := w.read(t.Context(), q)
		if v.status != http.StatusTooManyRequests || v.header.Get("x-ratelimit-limit-requests") != "6" || v.header.Get("x-ratelimit-remaining-requests") != "0" {
			t.Fatalf("status %d, %v", v.status, v.header)
		}
		after, err := strconv.Atoi(v.header.Get("Retry-After"))
		if err != nil || after < 9 || after > 10 {
			t.Fatalf("retry after %q, one request flows back in 10 s", v.header.Get("Retry-After"))
		}
		reset, err := time.ParseDuration(v.header.Get("x-ratelimit-reset-requests"))
		if want := time.Minute - time.Since(began); err != nil || reset < want-time.Second || reset > want+time.Second {
			t.Errorf("reset %v, not about %v, %v", reset, want, err)
		}
		time.Sleep(time.Duration(after) * time.Second)
		if v := w.read(t.Context(), q); v.status != http.StatusOK {
			t.Errorf("after %d s: status %d", after, v.status)
		}
	})
}

func TestTokensThatWereNotUsedFlowBack(t *testing.T) {
	// The prompt is 106 tokens, so the reserve is 506 and the use 116.
	inBubble(t, func(o *Options) { o.TPM, o.OutputTokens = 600, 10 }, func(t *testing.T, w *world) {
		for i := range 2 {
			if v := w.read(t.Context(), chat(ask{"max_tokens": 400})); v.status != http.StatusOK {
				t.Fatalf("request %d: status %d", i+1, v.status)
			}
			// The next request needs what one answer of ordinary length leaves over.
			time.Sleep(10 * time.Second)
		}
		if v := w.read(t.Context(), chat(ask{"max_tokens": 600})); v.status != http.StatusTooManyRequests || v.header.Get("Retry-After") == "" {
			t.Errorf("more than the limit at once: status %d, %v", v.status, v.header)
		}
	})
}

func TestQuotaIsExactInVirtualTime(t *testing.T) {
	at := time.Unix(1000, 0)
	q := newQuota(60, 6000, at)
	for i := range 60 {
		if no := q.take(at, 50, http.Header{}, QuotaOpenAI); no != nil {
			t.Fatalf("request %d refused: %+v", i+1, no)
		}
	}
	h := http.Header{}
	if no := q.take(at, 50, h, QuotaOpenAI); no == nil || no.retry != time.Second || h.Get("x-ratelimit-reset-requests") != "1m0s" {
		t.Errorf("%+v, %v", no, h)
	}
	at = at.Add(time.Second)
	if no := q.take(at, 3200, h, QuotaOpenAI); no == nil || no.kind != "tokens" || no.retry != time.Second {
		t.Errorf("3,100 tokens are left, and 3,200 come in a second: %+v", no)
	}
	if no := q.take(at, 3100, h, QuotaOpenAI); no != nil {
		t.Errorf("a refused request took something: %+v", no)
	}
}

func TestNoQuotaNoHeaders(t *testing.T) {
	for name, o := range map[string]func(*Options){
		"none by preset": func(*Options) {},
		"lifted":         func(o *Options) { o.Preset, o.RPM, o.TPM = model.Hosted, -1, -1 },
	} {
		inBubble(t, o, func(t *testing.T, w *world) {
			if v := w.read(t.Context(), chat(ask{"max_tokens": 1})); v.status != http.StatusOK || v.header.Get("x-ratelimit-limit-requests") != "" {
				t.Errorf("%s: status %d, %v", name, v.status, v.header)
			}
		})
	}
}

func TestHostedIsBehindANetwork(t *testing.T) {
	inBubble(t, func(o *Options) { o.Preset = model.Hosted }, func(t *testing.T, w *world) {
		v := w.read(t.Context(), chat(ask{"max_tokens": 100, "ignore_eos": true}))
		if v.header.Get("x-ratelimit-limit-tokens") != "150000" || v.header.Get("x-ratelimit-limit-requests") != "300" {
			t.Errorf("%v", v.header)
		}
		if ttft := v.tokens[0].at.Sub(v.began); ttft < 50*time.Millisecond || ttft > 300*time.Millisecond {
			t.Errorf("first token after %v, two crossings take over 50 ms", ttft)
		}
		if len(v.tokens) != 100 || !v.done {
			t.Errorf("%d tokens, done %v", len(v.tokens), v.done)
		}
	})
}
