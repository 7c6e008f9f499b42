package sim

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// QuotaHeaders is whose headers tell the quotas.
type QuotaHeaders uint8

const (
	// QuotaOwn are those of the provider whose protocol is spoken: OpenAI's, Anthropic's or Azure's.
	QuotaOwn QuotaHeaders = iota
	// QuotaOpenAI has Go's durations.
	QuotaOpenAI
	// QuotaAnthropic has timestamps, and what remains in thousands of tokens.
	QuotaAnthropic
	// QuotaAzure has whole seconds under OpenAI's names, but milliseconds beside Retry-After.
	QuotaAzure
	// QuotaGroq has requests per day and tokens per minute under OpenAI's names.
	QuotaGroq
	// QuotaMistral has the period in the names, and no reset.
	QuotaMistral
	// QuotaIETF are the two headers of the draft standard.
	QuotaIETF
)

var quotaHeaderNames = []string{"own", "openai", "anthropic", "azure", "groq", "mistral", "ietf"}

// String is the name that the flag takes.
func (q QuotaHeaders) String() string {
	if int(q) < len(quotaHeaderNames) {
		return quotaHeaderNames[q]
	}
	return "quota-headers?"
}

// Set reads a name.
func (q *QuotaHeaders) Set(name string) error {
	i := slices.Index(quotaHeaderNames, name)
	if i < 0 {
		return fmt.Errorf("quota-headers %q: %s", name, strings.Join(quotaHeaderNames, ", "))
	}
	*q = QuotaHeaders(i)
	return nil
}

// Type names the value in a usage text.
func (q *QuotaHeaders) Type() string { return "provider" }

// standing is a quota at the instant of an answer.
type standing struct {
	name      string
	limit     int
	remaining int
	// reset is how long it takes until the quota is whole.
	reset time.Duration
}

func (b *bucket) standing(name string) standing {
	return standing{name, int(b.limit), int(max(b.level, 0)), b.until(b.limit)}
}

// write tells the quotas that there are.
func (q QuotaHeaders) write(h http.Header, now time.Time, requests, daily, tokens *bucket) {
	var all []standing
	if requests.limit > 0 {
		of := requests
		if q == QuotaGroq {
			of = daily
		}
		all = append(all, of.standing("requests"))
	}
	if tokens.limit > 0 {
		all = append(all, tokens.standing("tokens"))
	}
	if len(all) == 0 {
		return
	}
	switch q {
	case QuotaIETF:
		ietf(h, all)
	case QuotaAnthropic:
		for _, s := range all {
			s.anthropic(h, now)
		}
	case QuotaMistral:
		for _, s := range all {
			s.mistral(h)
		}
	case QuotaGroq:
		h.Set("x-groq-region", "sim")
		for _, s := range all {
			s.openAI(h, s.reset.Round(10*time.Millisecond).String())
		}
	case QuotaAzure:
		for _, s := range all {
			s.openAI(h, strconv.FormatInt(ceil(s.reset, time.Second), 10))
		}
	default:
		for _, s := range all {
			s.openAI(h, s.reset.Round(time.Millisecond).String())
		}
	}
}

func (s standing) openAI(h http.Header, reset string) {
	h.Set("x-ratelimit-limit-"+s.name, strconv.Itoa(s.limit))
	h.Set("x-ratelimit-remaining-"+s.name, strconv.Itoa(s.remaining))
	h.Set("x-ratelimit-reset-"+s.name, reset)
}

func (s standing) anthropic(h http.Header, now time.Time) {
	if s.name == "tokens" {
		s.remaining = (s.remaining + 500) / 1000 * 1000
	}
	prefix := "anthropic-ratelimit-" + s.name
	h.Set(prefix+"-limit", strconv.Itoa(s.limit))
	h.Set(prefix+"-remaining", strconv.Itoa(s.remaining))
	// Whole seconds, rounded up: the quota is not whole before.
	whole := now.Add(s.reset + time.Second - 1).Truncate(time.Second)
	h.Set(prefix+"-reset", whole.UTC().Format(time.RFC3339))
}

func (s standing) mistral(h http.Header) {
	name := s.name
	if name == "requests" {
		name = "req"
	}
	h.Set("x-ratelimit-limit-"+name+"-minute", strconv.Itoa(s.limit))
	h.Set("x-ratelimit-remaining-"+name+"-minute", strconv.Itoa(s.remaining))
}

func ietf(h http.Header, all []standing) {
	var policies, states []string
	for _, s := range all {
		policies = append(policies, fmt.Sprintf(`"%s";q=%d;w=60;qu="%s"`, s.name, s.limit, s.name))
		states = append(states, fmt.Sprintf(`"%s";r=%d;t=%d`, s.name, s.remaining, ceil(s.reset, time.Second)))
	}
	h.Set("RateLimit-Policy", strings.Join(policies, ", "))
	h.Set("RateLimit", strings.Join(states, ", "))
}
