package ratelimit

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"redline/bench"
)

// field is which of a quota's three numbers a header gives.
type field uint8

const (
	limitField field = iota
	remainingField
	resetField
)

var fields = [...]string{"limit", "remaining", "reset"}

// subject is what a header's name says of its quota.
type subject struct {
	field field
	// name is the quota's; stem is the prefix's share in it.
	name, stem string
	kind       bench.QuotaKind
	// per is the period that the name gives, 0 where it gives none; usual is the one that the prefix implies.
	per, usual time.Duration
	// bare names have no words but the field, plain ones none but a period besides.
	bare, plain bool
}

// prefixes are how names of quota headers begin. The stem keeps apart what the words after it would not; a stem that
// stands alone is the name.
var prefixes = [...]struct {
	prefix, stem string
	kind         bench.QuotaKind
	usual        time.Duration
}{
	{prefix: "x-ratelimit-"}, {prefix: "ratelimit-"}, {prefix: "x-rate-limit-"}, {prefix: "rate-limit-"},
	{prefix: "anthropic-ratelimit-", usual: time.Minute},
	{prefix: "anthropic-priority-", stem: "priority", usual: time.Minute},
	{prefix: "anthropic-fast-", stem: "fast", usual: time.Minute},
	{prefix: "x-ratelimitbysize-", stem: "bysize", kind: bench.QuotaTokens},
	{prefix: "ratelimitbysize-", stem: "bysize", kind: bench.QuotaTokens},
	{prefix: "x-tokenlimit-", stem: "tokenlimit", kind: bench.QuotaTokens},
	{prefix: "tokenlimit-", stem: "tokenlimit", kind: bench.QuotaTokens},
	// Cohere's, of trial keys.
	{prefix: "x-trial-endpoint-call-", stem: "trial-endpoint-call", usual: time.Minute},
	{prefix: "x-endpoint-monthly-call-", stem: "endpoint-monthly-call", usual: bench.Month},
}

// bareName is the name of a quota whose headers have none.
const bareName = "ratelimit"

// parseName reads a lower-case header name; false for all that are no quota's, or of a quota of something that is
// neither requests nor tokens.
func parseName(name string) (subject, bool) {
	for _, p := range prefixes {
		rest, ok := strings.CutPrefix(name, p.prefix)
		if !ok {
			continue
		}
		words := strings.Split(rest, "-")
		at := slices.IndexFunc(words, func(w string) bool { return slices.Contains(fields[:], w) })
		if at < 0 {
			return subject{}, false
		}
		s := subject{field: field(slices.Index(fields[:], words[at])), stem: p.stem, kind: p.kind, usual: p.usual}
		words = slices.Delete(words, at, at+1)
		if s.field == resetField && at < len(words) && words[at] == "after" {
			words = slices.Delete(words, at, at+1) // reset-after
		}
		s.bare, s.plain = len(words) == 0, true
		for i, w := range words {
			per, ok := period(w)
			if number := i > 0 && isNumber(words[i-1]); ok && number {
				per = several(words[i-1], per) // 10-second
			}
			ok = ok || isNumber(w) && i+1 < len(words)
			s.plain = s.plain && ok
			if per > 0 && s.per == 0 {
				s.per = per
			}
		}
		if p.stem != "" {
			words = slices.Insert(words, 0, p.stem)
		}
		s.name = clean(strings.Join(words, "-"))
		if s.name == "" {
			s.name = bareName
		}
		s.kind, ok = kindOf(s.name, s.kind)
		return s, ok
	}
	return subject{}, false
}

// foreign are words of quotas that count something else. They must not pass for requests.
var foreign = []string{
	"over", "image", "images", "audio", "video", "character", "characters", "byte", "bytes", "cost", "credit", "credits",
	"concurrent", "concurrency", "parallel", "connections", "dollars", "usd", "spend", "budget", "neurons", "pages",
	"custom", // Mistral's, of connectors
}

// kindOf tells what a quota of that name counts, usual if the name does not say; false if it is neither requests nor tokens.
func kindOf(name string, usual bench.QuotaKind) (bench.QuotaKind, bool) {
	kind := usual
	for _, w := range strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("-_. ", r) }) {
		switch w {
		case "input", "prompt":
			kind = bench.QuotaInput
		case "output", "generated", "completion":
			kind = bench.QuotaOutput
		case "token", "tokens", "tpm", "tpd", "tps", "tph":
			if kind == bench.QuotaRequests {
				kind = bench.QuotaTokens
			}
		}
		if slices.Contains(foreign, w) {
			return 0, false
		}
	}
	return kind, true
}

// period reads a word that names a period: minute, rpd, 10s.
func period(word string) (time.Duration, bool) {
	switch strings.TrimSuffix(word, "s") {
	case "second", "sec", "rp", "tp": // rps and tps without their s
		return time.Second, true
	case "minute", "min", "rpm", "tpm":
		return time.Minute, true
	case "hour", "hourly", "rph", "tph":
		return time.Hour, true
	case "day", "daily", "rpd", "tpd":
		return bench.Day, true
	case "week", "weekly":
		return 7 * bench.Day, true
	case "month", "monthly":
		return bench.Month, true
	}
	if _, number := decimal(word); number || word == "" || word[0] < '0' || word[0] > '9' {
		return 0, false
	}
	s, ok := duration(word)
	return window(s, ok)
}

func isNumber(word string) bool { return word != "" && strings.Trim(word, "0123456789") == "" }

// several is so many periods, as a number of at most four digits says; the period alone for any other.
func several(number string, per time.Duration) time.Duration {
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > 9999 {
		return per
	}
	longer, ok := window(float64(n)*per.Seconds(), true)
	if !ok {
		return per
	}
	return longer
}

// window is a period given in seconds; false unless it is from a second to the longest month.
func window(s float64, ok bool) (time.Duration, bool) {
	if !ok || s < 1 || s > longestReset.Seconds() {
		return 0, false
	}
	return time.Duration(s * float64(time.Second)), true
}

// longestName bounds a quota's name, in bytes.
const longestName = 48

// clean makes a server's word fit for a screen: it comes from outside, and may hold anything.
func clean(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '_', r == '.':
			return r
		}
		return '-'
	}, name)
	name = strings.Trim(name[:min(len(name), longestName)], "-")
	return name
}
