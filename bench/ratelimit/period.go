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
	case f == together && (s.bare || s.stem == "tokenlimit"):
		return time.Second
	case f == tokenlimit && (s.bare || s.stem == "tokenlimit") && reset.OK && reset.At <= time.Second:
		return time.Second
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
