package ratelimit

import (
	"strings"
	"time"

	"redline/bench"
)

// family is a provider whose names alone do not say what its quotas are per.
type family uint8

const (
	anyFamily family = iota
	// openai has quotas that come back bit by bit, those per day under the names of those per minute.
	openai
	// groq counts requests per day and tokens per minute under OpenAI's names.
	groq
	// together counts both per second.
	together
	// tokenlimit has Together's names, but may be a gateway that has taken them over for periods of its own.
	tokenlimit
)

// familyOf tells by the host, or by a header that only the provider sends where a gateway stands between.
func familyOf(h headers, host string) family {
	host = strings.ToLower(host)
	if i := strings.LastIndexByte(host, ':'); i >= 0 {
		host = host[:i]
	}
	in := func(domain string) bool { return host == domain || strings.HasSuffix(host, "."+domain) }
	switch {
	case in("openai.com"):
		return openai
	case in("groq.com") || h.any("x-groq-region"):
		return groq
	case in("together.ai") || in("together.xyz"):
		return together
	case h.any("x-tokenlimit-"):
		return tokenlimit
	}
	return anyFamily
}

// period is what the family's quotas are per; 0 if the family has no rule for one like this.
func (f family) period(s subject, reset bench.Mark) time.Duration {
	switch {
	case f == groq && s.kind == bench.QuotaRequests:
		return bench.Day
	case f == groq:
		return time.Minute
	case f == together && (s.bare || s.stem == "tokenlimit" || s.name == "dynamic"):
		return time.Second
	case f == tokenlimit && (s.bare || s.stem == "tokenlimit") && reset.OK && reset.At <= time.Second:
		return time.Second
	}
	return 0
}

// steady is the period of a quota that comes back bit by bit: what is gone of it takes as long to come back as that part of the period. Only a figure
// that meets a customary period, longer than a minute, almost to the digit says so; 0 otherwise. OpenAI has quotas per day under the names of those
// per minute: of 10,000 a day one comes back each 8.64 s. Elsewhere one answer says little: while a window of a minute fills and runs out, the figure passes every
// period, and meets one by chance.
func steady(q *bench.Quota) time.Duration {
	if !q.Limit.OK || !q.Remaining.OK || !q.Reset.OK || q.Reset.At <= 0 || q.Remaining.V >= q.Limit.V {
		return 0
	}
	whole := q.Reset.At.Seconds() * q.Limit.V / (q.Limit.V - q.Remaining.V)
	for _, per := range [...]time.Duration{time.Hour, bench.Day, bench.Month} {
		if off := whole/per.Seconds() - 1; off > -0.001 && off < 0.001 && q.Reset.At <= per {
			return per
		}
	}
	return 0
}

// least is the shortest customary period, from a minute on, that a reset fits into: where nothing else is said quotas
// are per minute, and a longer reset shows that this one is not. A twelfth more is taken for rounding and clocks.
func least(reset bench.Mark) time.Duration {
	if reset.OK {
		for _, per := range [...]time.Duration{time.Minute, time.Hour, bench.Day} {
			if reset.At <= per+per/12 {
				return per
			}
		}
		return bench.Month
	}
	return time.Minute
}
