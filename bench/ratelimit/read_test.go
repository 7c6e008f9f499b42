package ratelimit

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"redline/bench"
)

// noon is the wall time of the answers; its epoch is 1767358800.
var noon = time.Date(2026, 1, 2, 13, 0, 0, 0, time.UTC)

// told makes headers of lines "name: value".
func told(lines string) http.Header {
	h := http.Header{}
	for line := range strings.Lines(lines) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			h.Add(name, strings.TrimSpace(value))
		}
	}
	return h
}

// say writes quotas as the tables do: name, unit, remaining/limit, reset; ? for what is absent.
func say(quotas []bench.Quota) string {
	var b strings.Builder
	number := func(v bench.Value) string {
		if !v.OK {
			return "?"
		}
		return fmt.Sprintf("%.15g", v.V)
	}
	for _, q := range quotas {
		reset := "?"
		if q.Reset.OK {
			reset = q.Reset.At.Round(time.Millisecond).String()
		}
		fmt.Fprintf(&b, "%s %s %s/%s %s\n", q.Name, q.Unit(), number(q.Remaining), number(q.Limit), reset)
	}
	return b.String()
}

func lines(all ...string) string {
	if len(all) == 0 {
		return ""
	}
	return strings.Join(all, "\n") + "\n"
}

type golden struct{ name, host, headers, want string }

var providers = []golden{
	{"OpenAI, tier 1: 10,000 a day, one comes back each 8.64 s", "api.openai.com", `
		x-ratelimit-limit-requests: 10000
		x-ratelimit-remaining-requests: 9999
		x-ratelimit-reset-requests: 8.64s`, lines("requests RPD 9999/10000 8.64s")},
	{"OpenAI, free: 200 a day, one comes back each 7m12s", "api.openai.com", `
		x-ratelimit-limit-requests: 200
		x-ratelimit-remaining-requests: 199
		x-ratelimit-reset-requests: 7m12s`, lines("requests RPD 199/200 7m12s")},
	{"Mistral's windows of 10 s and of 5 min", "api.mistral.ai", `
		x-ratelimit-limit-req-10-second: 20
		x-ratelimit-remaining-req-10-second: 19
		x-ratelimit-limit-tokens-5-minute: 8000
		x-ratelimit-remaining-tokens-5-minute: 7000`, lines("req-10-second R/10s 19/20 ?", "tokens-5-minute T/5m 7000/8000 ?")},
	{"LiteLLM's parallel requests are no quota", "", `
		x-ratelimit-api_key-limit-max_parallel_requests: 5
		x-ratelimit-api_key-remaining-max_parallel_requests: 4`, ""},
	{"Together's dynamic limits are per second", "api.together.xyz", `
		x-ratelimit-limit-dynamic: 60
		x-ratelimit-remaining-dynamic: 59`, lines("dynamic RPS 59/60 ?")},
	{"OpenAI writes Go's durations", "api.openai.com", `
		x-ratelimit-limit-requests: 60
		x-ratelimit-limit-tokens: 150000
		x-ratelimit-remaining-requests: 59
		x-ratelimit-remaining-tokens: 149984
		x-ratelimit-reset-requests: 1s
		x-ratelimit-reset-tokens: 12ms`,
		lines("requests RPM 59/60 1s", "tokens TPM 149984/150000 12ms")},
	{"OpenAI's usage-based tokens are a quota apart", "api.openai.com", `
		x-ratelimit-limit-tokens: 30000
		x-ratelimit-remaining-tokens: 20000
		x-ratelimit-limit-tokens_usage_based: 40000
		x-ratelimit-remaining-tokens_usage_based: 39000
		x-ratelimit-reset-tokens_usage_based: 1.5s`,
		lines("tokens TPM 20000/30000 ?", "tokens_usage_based TPM 39000/40000 1.5s")},
	{"OpenAI's free accounts have requests per day, which the reset shows", "api.openai.com", `
		x-ratelimit-limit-requests: 200
		x-ratelimit-remaining-requests: 190
		x-ratelimit-reset-requests: 1h12m0s`,
		lines("requests RPD 190/200 1h12m0s")},
	{"Azure writes whole seconds", "x.openai.azure.com", `
		x-ratelimit-limit-requests: 100
		x-ratelimit-remaining-requests: 99
		x-ratelimit-reset-requests: 6
		x-ratelimit-limit-tokens: 100000
		x-ratelimit-remaining-tokens: 90000
		x-ratelimit-reset-tokens: 0`,
		lines("requests RPM 99/100 6s", "tokens TPM 90000/100000 0s")},
	{"Azure writes -1 and a reset of 0 where it does not know", "x.openai.azure.com", `
		x-ratelimit-limit-requests: 100
		x-ratelimit-remaining-requests: -1
		x-ratelimit-reset-requests: 0
		x-ratelimit-limit-tokens: -1
		x-ratelimit-remaining-tokens: -1
		x-ratelimit-reset-tokens: 0`,
		lines("requests RPM ?/100 ?")},
	{"Groq's requests are per day whatever the reset, its tokens per minute", "api.groq.com:443", `
		x-ratelimit-limit-requests: 14400
		x-ratelimit-remaining-requests: 14370
		x-ratelimit-reset-requests: 2m59.56s
		x-ratelimit-limit-tokens: 18000
		x-ratelimit-remaining-tokens: 17997
		x-ratelimit-reset-tokens: 7.66s`,
		lines("requests RPD 14370/14400 2m59.56s", "tokens TPM 17997/18000 7.66s")},
	{"Groq is known behind another host by its region", "proxy.example", `
		x-groq-region: us-west-1
		x-ratelimit-limit-requests: 14400
		x-ratelimit-remaining-requests: 14400
		x-ratelimit-reset-requests: 6s`,
		lines("requests RPD 14400/14400 6s")},
	{"a host that only ends in the letters is not Groq", "notgroq.com", `
		x-ratelimit-limit-requests: 14400
		x-ratelimit-reset-requests: 6s`,
		lines("requests RPM ?/14400 6s")},
	{"Anthropic writes timestamps and tells input from output", "api.anthropic.com", `
		anthropic-ratelimit-requests-limit: 50
		anthropic-ratelimit-requests-remaining: 49
		anthropic-ratelimit-requests-reset: 2026-01-02T13:00:01Z
		anthropic-ratelimit-tokens-limit: 60000
		anthropic-ratelimit-tokens-remaining: 58000
		anthropic-ratelimit-tokens-reset: 2026-01-02T13:00:02Z
		anthropic-ratelimit-input-tokens-limit: 50000
		anthropic-ratelimit-input-tokens-remaining: 49000
		anthropic-ratelimit-input-tokens-reset: 2026-01-02T14:00:03.5+01:00
		anthropic-ratelimit-output-tokens-limit: 10000
		anthropic-ratelimit-output-tokens-remaining: 9000
		anthropic-ratelimit-output-tokens-reset: 2026-01-02T13:00:06Z`,
		lines("input-tokens ITPM 49000/50000 3.5s", "output-tokens OTPM 9000/10000 6s", "requests RPM 49/50 1s", "tokens TPM 58000/60000 2s")},
	{"Anthropic's priority tier has quotas of its own, and a subscription's are none of these", "api.anthropic.com", `
		anthropic-priority-input-tokens-limit: 10000
		anthropic-priority-input-tokens-remaining: 9618
		anthropic-priority-input-tokens-reset: 2026-01-02T13:02:00Z
		anthropic-ratelimit-input-tokens-limit: 50000
		anthropic-ratelimit-unified-5h-reset: 1767358860
		anthropic-ratelimit-unified-5h-utilization: 0.2`,
		lines("input-tokens ITPM ?/50000 ?", "priority-input-tokens ITPM 9618/10000 2m0s")},
	{"a timestamp is measured by the server's clock", "api.anthropic.com", `
		date: Fri, 02 Jan 2026 12:50:00 GMT
		anthropic-ratelimit-requests-limit: 50
		anthropic-ratelimit-requests-reset: 2026-01-02T12:50:30Z`,
		lines("requests RPM ?/50 30s")},
	{"what remains is rounded to thousands of tokens and can seem more than whole", "api.anthropic.com", `
		anthropic-ratelimit-tokens-limit: 4500
		anthropic-ratelimit-tokens-remaining: 5000`,
		lines("tokens TPM 4500/4500 ?")},
	{"any other remaining above the limit shows that the limit is another's", "", `
		x-ratelimit-limit-requests: 50
		x-ratelimit-remaining-requests: 60
		x-ratelimit-limit-tokens: 4500
		x-ratelimit-remaining-tokens: 5001
		x-ratelimit-limit-input-tokens: 4500
		x-ratelimit-remaining-input-tokens: 6000
		x-ratelimit-limit-images-free-requests: 900
		x-ratelimit-limit-free-requests: 900
		x-ratelimit-remaining-free-requests: 1000`,
		lines("free-requests RPM 1000/? ?", "input-tokens ITPM 6000/? ?", "requests RPM 60/? ?", "tokens TPM 5001/? ?")},
	{"OpenRouter's reset is an epoch in milliseconds", "openrouter.ai", `
		X-RateLimit-Limit: 20
		X-RateLimit-Remaining: 0
		X-RateLimit-Reset: 1767358860000`,
		lines("ratelimit RPM 0/20 1m0s")},
	{"OpenRouter's free models have a quota per day, which the reset shows", "openrouter.ai", `
		X-RateLimit-Limit: 50
		X-RateLimit-Remaining: 0
		X-RateLimit-Reset: 1767398400000`,
		lines("ratelimit RPD 0/50 11h0m0s")},
	{"an epoch in seconds", "", `
		X-RateLimit-Remaining: 5
		X-RateLimit-Reset: 1767358830`,
		lines("ratelimit RPM 5/? 30s")},
	{"Together counts per second, and one reset is for both", "api.together.xyz", `
		x-ratelimit-limit: 10
		x-ratelimit-remaining: 9
		x-ratelimit-reset: 1
		x-tokenlimit-limit: 3000
		x-tokenlimit-remaining: 2900`,
		lines("ratelimit RPS 9/10 1s", "tokenlimit TPS 2900/3000 1s")},
	{"Together's names alone are not enough: others count per day under them", "gateway.example", `
		x-ratelimit-limit: 100
		x-ratelimit-remaining: 90
		x-tokenlimit-limit: 30000
		x-tokenlimit-remaining: 29000
		x-tokenlimit-reset: 1767394800`,
		lines("ratelimit RPM 90/100 ?", "tokenlimit TPD 29000/30000 10h0m0s")},
	{"but a reset within a second is", "127.0.0.1", `
		x-ratelimit-limit: 10
		x-ratelimit-reset: 1
		x-tokenlimit-limit: 3000`,
		lines("ratelimit RPS ?/10 1s", "tokenlimit TPS ?/3000 1s")},
	{"Cohere has quotas of trial keys", "api.cohere.ai", `
		x-endpoint-monthly-call-limit: 1000
		x-trial-endpoint-call-limit: 20
		x-trial-endpoint-call-remaining: 19`,
		lines("endpoint-monthly-call RP month ?/1000 ?", "trial-endpoint-call RPM 19/20 ?")},
	{"a reset may be called reset-after", "", `
		x-ratelimit-remaining-requests: 5
		x-ratelimit-reset-after-requests: 7
		x-ratelimit-remaining: 3
		x-ratelimit-reset-after: 2.5`,
		lines("ratelimit RPM 3/? 2.5s", "requests RPM 5/? 7s")},
	{"Fireworks has three quotas of tokens, and says yes to being over", "api.fireworks.ai", `
		x-ratelimit-limit-requests: 600
		x-ratelimit-remaining-requests: 599
		x-ratelimit-limit-tokens-prompt: 60000
		x-ratelimit-remaining-tokens-prompt: 59000
		x-ratelimit-limit-tokens-cache-adjusted-prompt: 30000
		x-ratelimit-remaining-tokens-cache-adjusted-prompt: 29000
		x-ratelimit-limit-tokens-generated: 12000
		x-ratelimit-remaining-tokens-generated: 11000
		x-ratelimit-over-limit: yes`,
		lines("requests RPM 599/600 ?", "tokens-cache-adjusted-prompt ITPM 29000/30000 ?", "tokens-generated OTPM 11000/12000 ?", "tokens-prompt ITPM 59000/60000 ?")},
	{"an over-limit that is a number is still no quota", "", "x-ratelimit-over-limit: 1", ""},
	{"Mistral's older names repeat one quota without its period", "api.mistral.ai", `
		ratelimitbysize-limit: 500000
		ratelimitbysize-remaining: 499000
		ratelimitbysize-reset: 22
		ratelimitbysize-query-cost: 32
		x-ratelimitbysize-limit-minute: 500000
		x-ratelimitbysize-remaining-minute: 499000
		x-ratelimitbysize-limit-month: 1000000000
		x-ratelimitbysize-remaining-month: 999000000`,
		lines("bysize-minute TPM 499000/500000 22s", "bysize-month TP month 999000000/1000000000 ?")},
	{"Mistral's older names alone", "api.mistral.ai", `
		ratelimitbysize-limit: 500000
		ratelimitbysize-remaining: 499000
		ratelimitbysize-reset: 22`,
		lines("bysize TPM 499000/500000 22s")},
	{"Mistral's newer names", "api.mistral.ai", `
		x-ratelimit-limit-tokens-minute: 500000
		x-ratelimit-remaining-tokens-minute: 499000
		x-ratelimit-limit-tokens-month: 1000000000
		x-ratelimit-remaining-tokens-month: 900000000
		x-ratelimit-limit-req-minute: 60
		x-ratelimit-remaining-req-minute: 59
		x-ratelimit-limit-req-second: 1
		x-ratelimit-remaining-req-second: 0`,
		lines("req-minute RPM 59/60 ?", "req-second RPS 0/1 ?", "tokens-minute TPM 499000/500000 ?", "tokens-month TP month 900000000/1000000000 ?")},
	{"Cerebras has periods in the names and fractions of seconds", "api.cerebras.ai", `
		x-ratelimit-limit-requests-day: 14400
		x-ratelimit-remaining-requests-day: 14399
		x-ratelimit-reset-requests-day: 33011.382867
		x-ratelimit-limit-requests-minute: 30
		x-ratelimit-limit-tokens-minute: 60000
		x-ratelimit-remaining-tokens-minute: 59000
		x-ratelimit-reset-tokens-minute: 26.5
		x-ratelimit-limit-tokens-day: 1000000`,
		lines("requests-day RPD 14399/14400 9h10m11.383s", "requests-minute RPM ?/30 ?", "tokens-day TPD ?/1000000 ?", "tokens-minute TPM 59000/60000 26.5s")},
	{"LiteLLM passes its provider's headers on", "", `
		llm_provider-x-ratelimit-limit-requests: 14400
		llm_provider-x-ratelimit-reset-requests: 6s
		llm_provider-x-groq-region: us`,
		lines("requests RPD ?/14400 6s")},
	{"a gateway's own quotas come before its provider's", "", `
		llm_provider-x-ratelimit-remaining-requests: 900
		llm_provider-x-ratelimit-remaining-tokens: 900
		x-ratelimit-remaining-requests: 7`,
		lines("requests RPM 7/? ?")},
	{"a gateway's own that say nothing hide nothing", "", `
		llm_provider-x-ratelimit-remaining-requests: 900
		x-ratelimit-remaining-requests: unlimited`,
		lines("requests RPM 900/? ?")},
	{"words unseen so far, in either order", "", `
		x-ratelimit-project-tokens-limit: 10
		x-ratelimit-project-tokens-remaining: 9
		x-rate-limit-hourly-remaining: 4
		ratelimit-limit-rpd: 3
		x-ratelimit-limit-completion-tokens-5h: 2`,
		lines("completion-tokens-5h OT/5h ?/2 ?", "hourly RPH 4/? ?", "project-tokens TPM 9/10 ?", "rpd RPD ?/3 ?")},
	{"quotas of what is neither requests nor tokens are left out", "", `
		x-ratelimit-limit-images: 5
		x-ratelimit-remaining-custom-day: 50
		x-ratelimit-limit-audio-seconds: 7200
		x-ratelimit-remaining-concurrent-requests: 3`,
		""},
	{"names that only look alike", "", `
		x-ratelimit-type: user
		x-my-ratelimit-limit: 3
		limit: 4
		x-ratelimit-reset: 10`,
		""},
	{"the first value that reads holds", "", `
		x-ratelimit-limit-requests: soon
		x-ratelimit-limit-requests: 5
		x-ratelimit-limit-requests: 6`,
		lines("requests RPM ?/5 ?")},
	{"junk is unknown, never zero", "", `
		x-ratelimit-limit-requests: 100
		x-ratelimit-remaining-requests: NaN
		x-ratelimit-reset-requests: -5
		x-ratelimit-limit-tokens: Inf
		x-ratelimit-remaining-tokens: 0x10
		x-ratelimit-limit-a: 1e300`,
		lines("requests RPM ?/100 ?")},
	{"a server's word is made fit for a screen", "", `
		ratelimit: "Bel\x1b[31m";r=5`,
		lines(`bel-x1b-31m RPM 5/? ?`)},
}

var drafts = []golden{
	{"to draft 6, a limit with its window", "", `
		RateLimit-Limit: 100, 100;w=60
		RateLimit-Remaining: 50
		RateLimit-Reset: 30`,
		lines("ratelimit RPM 50/100 30s")},
	{"Envoy, with a window of ten seconds and a second policy", "", `
		x-ratelimit-limit: 10, 10;w=10;name="a, b; c", 500;w=3600
		x-ratelimit-remaining: 9
		x-ratelimit-reset: 4`,
		lines("ratelimit R/10s 9/10 4s", "ratelimit-3600s RPH ?/500 ?")},
	{"a policy header beside the limit", "", `
		RateLimit-Limit: 100
		RateLimit-Remaining: 50
		RateLimit-Policy: 100;w=3600;burst=1000;comment="sliding window"`,
		lines("ratelimit RPH 50/100 ?")},
	{"a policy comes after the limit, whatever the names' order", "", `
		RateLimit-Policy: 100;w=3600, 5;w=1
		X-RateLimit-Limit: 5
		X-RateLimit-Remaining: 4`,
		lines("ratelimit RPS 4/5 ?", "ratelimit-3600s RPH ?/100 ?")},
	{"draft 7, one header", "", `
		RateLimit: limit=100, remaining=50, reset=30
		RateLimit-Policy: 100;w=60`,
		lines("ratelimit RPM 50/100 30s")},
	{"from draft 8, named policies", "", `
		RateLimit: "default";r=50;t=30, "daily";r=900;t=3600
		RateLimit-Policy: "default";q=100;w=60, "daily";q=1000;w=86400`,
		lines("daily RPD 900/1000 1h0m0s", "default RPM 50/100 30s")},
	{"from draft 8, over two lines, with units and a partition", "", `
		RateLimit: burst;r=5;t=1
		RateLimit: "t";r=7;pk=:cHsd:
		RateLimit-Policy: burst;q=10;w=1;qu="requests"
		RateLimit-Policy: "t";q=9;qu="tokens";w=60
		RateLimit-Policy: "b";q=65535;qu="content-bytes";w=10`,
		lines("burst RPS 5/10 1s", "t TPM 7/9 ?")},
	{"one limit in two windows", "", `
		RateLimit-Limit: 100
		RateLimit-Policy: 100;w=60, 100;w=3600`,
		lines("ratelimit RPM ?/100 ?", "ratelimit-3600s RPH ?/100 ?")},
	{"commas, semicolons and quotes inside quotes", "", `
		RateLimit: "a,b;r=1";r=5, "c\"d,e";r=6`,
		lines("a-b-r-1 RPM 5/? ?", "c--d-e RPM 6/? ?")},
	{"Kong repeats the tightest of its quotas", "", `
		RateLimit-Limit: 5
		RateLimit-Remaining: 4
		RateLimit-Reset: 1
		X-RateLimit-Limit-Second: 5
		X-RateLimit-Remaining-Second: 4
		X-RateLimit-Limit-Hour: 1000
		X-RateLimit-Remaining-Hour: 998`,
		lines("hour RPH 998/1000 ?", "second RPS 4/5 1s")},
}

func TestQuotasOfEveryProvider(t *testing.T) {
	for _, tt := range append(providers, drafts...) {
		t.Run(tt.name, func(t *testing.T) {
			got := Read(told(tt.headers), tt.host, noon, 5*time.Second)
			if text := say(got); text != tt.want {
				t.Errorf("got\n%swant\n%s", text, tt.want)
			}
			for _, q := range got {
				if q.At != 5*time.Second {
					t.Errorf("at %v", q.At)
				}
			}
		})
	}
}

func TestNamesHaveNoCase(t *testing.T) {
	h := http.Header{"x-RATElimit-limit-Requests": {"5"}, "LLM_PROVIDER-Retry-After": {"3"}}
	if got := say(Read(h, "API.GROQ.COM", noon, 0)); got != lines("requests RPD ?/5 ?") {
		t.Errorf("%s", got)
	}
	if got := RetryAfter(h, noon); got != 3*time.Second {
		t.Errorf("retry after %v", got)
	}
}

func TestHostileHeadersStayBounded(t *testing.T) {
	h := http.Header{}
	for i := range 5000 {
		h.Set(fmt.Sprintf("x-ratelimit-limit-%d-%s", i, strings.Repeat("x", 1000)), "5")
	}
	got := Read(h, "", noon, 0)
	if len(got) != mostQuotas || len(got[0].Name) > longestName {
		t.Errorf("%d quotas, the first one called %q", len(got), got[0].Name)
	}
}

func TestNoHeadersNoQuotas(t *testing.T) {
	if got := Read(nil, "", noon, 0); got != nil {
		t.Errorf("%v", got)
	}
	if got := Read(told("content-type: text/event-stream\nretry-after: 5"), "", noon, 0); got != nil {
		t.Errorf("%v", got)
	}
}
