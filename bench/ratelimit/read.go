package ratelimit

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"redline/bench"
)

// What one answer can state is bounded: servers state six quotas or so, and a hostile one must not cost more. Drafts that
// turn out to be nothing count as well.
const (
	mostQuotas = 24
	mostDrafts = 96
)

// Read is what an answer's headers say of quotas, in the order of their names; nil if they say nothing. The host is the
// target's, now the wall time of the answer, and at its instant in the run. What a gateway has passed on of its
// provider's headers counts only where the gateway states nothing of its own.
func Read(h http.Header, host string, now time.Time, at time.Duration) []bench.Quota {
	own, passed := sorted(h)
	if q := own.read(host, now, at); len(q) > 0 {
		return q
	}
	return passed.read(host, now, at)
}

func (h headers) read(host string, now time.Time, at time.Duration) []bench.Quota {
	s := statements{now: present(h.first("date"), now), family: familyOf(h, host)}
	for _, one := range h {
		for _, value := range one.values {
			s.take(one.name, value)
		}
	}
	// Policies give periods to limits, which therefore come first.
	for _, name := range [...]string{"ratelimit-policy", "x-ratelimit-policy"} {
		for _, value := range h.values(name) {
			s.policies(value)
		}
	}
	s.join()
	var quotas []bench.Quota
	for _, d := range s.drafts {
		if q, ok := d.quota(s.family, at); ok {
			quotas = append(quotas, q)
		}
	}
	slices.SortFunc(quotas, func(a, b bench.Quota) int { return cmp.Compare(a.Name, b.Name) })
	return quotas[:min(len(quotas), mostQuotas)]
}

// statements gather what single headers say, by quota.
type statements struct {
	now    time.Time
	family family
	drafts []*draft
}

// draft is a quota in the making. Of two headers that say the same thing the first one holds.
type draft struct {
	subject
	limit, remaining bench.Value
	reset            bench.Mark
	// foreign quotas are known by now to count neither requests nor tokens.
	foreign bool
}

// of is the draft of a quota's name, a new one if need be.
func (s *statements) of(about subject) *draft {
	for _, d := range s.drafts {
		if d.name == about.name {
			return d
		}
	}
	d := &draft{subject: about}
	if len(s.drafts) < mostDrafts {
		s.drafts = append(s.drafts, d)
	}
	return d
}

// take reads one header line.
func (s *statements) take(name, value string) {
	if name == "ratelimit" || name == "x-ratelimit" {
		s.state(value)
		return
	}
	about, ok := parseName(name)
	if !ok {
		return
	}
	d := s.of(about)
	d.set(about.field, value, s.now)
	if about.field == limitField && strings.ContainsRune(value, ';') {
		s.windows(about, value)
	}
}

// set notes a number unless it is known.
func (d *draft) set(f field, value string, now time.Time) {
	// A list says the number in force first; only a date has a comma of its own.
	first := items(value)[0].head
	switch f {
	case limitField:
		d.limit = either(d.limit, count(first))
	case remainingField:
		d.remaining = either(d.remaining, count(first))
	case resetField:
		if !d.reset.OK {
			d.reset = reset(value, now)
		}
		if !d.reset.OK {
			d.reset = reset(first, now)
		}
	}
}

func either(a, b bench.Value) bench.Value {
	if a.OK {
		return a
	}
	return b
}

// join brings together what two sets of names say of one quota.
func (s *statements) join() {
	for _, d := range s.drafts {
		// Kong, and Mistral with it, repeats the tightest of the quotas under a name without a period.
		if d.bare {
			s.repeated(d)
		}
		// Together gives one reset for both of its quotas.
		if d.stem == "tokenlimit" && !d.reset.OK {
			for _, other := range s.drafts {
				if other.bare && other.stem == "" {
					d.reset = other.reset
				}
			}
		}
	}
	s.drafts = slices.DeleteFunc(s.drafts, func(d *draft) bool { return d.foreign || !d.limit.OK && !d.remaining.OK })
}

// repeated moves what a bare name says to the quota that it repeats.
func (s *statements) repeated(d *draft) {
	for _, other := range s.drafts {
		if other != d && other.plain && other.stem == d.stem && other.kind == d.kind && other.limit.OK && other.limit == d.limit &&
			(!other.remaining.OK || !d.remaining.OK || other.remaining == d.remaining) {
			if !other.reset.OK {
				other.reset = d.reset
			}
			other.remaining = either(other.remaining, d.remaining)
			d.limit, d.remaining = bench.Value{}, bench.Value{}
			return
		}
	}
}

// quota is the draft as it can be believed.
func (d *draft) quota(f family, at time.Duration) (bench.Quota, bool) {
	q := bench.Quota{Name: d.name, Kind: d.kind, Limit: d.limit, Remaining: d.remaining, Reset: d.reset, At: at}
	if q.Limit.OK && q.Remaining.OK && q.Remaining.V > q.Limit.V {
		q.Limit, q.Remaining = settle(q.Kind, q.Limit, q.Remaining)
	}
	// Azure writes 0 beside a remaining of -1: it knows neither.
	if !q.Remaining.OK && q.Reset.At == 0 {
		q.Reset = bench.Mark{}
	}
	if q.Per = cmp.Or(d.per, f.period(d.subject, q.Reset), d.usual); q.Per == 0 {
		q.Per = least(q.Reset)
		if per := steady(&q); f == openai {
			q.Per = max(per, q.Per)
		} else if per > q.Per {
			q.Steady = bench.Steady{Per: per, Met: 1, Gone: q.Limit.V - q.Remaining.V}
		}
	}
	return q, q.Limit.OK || q.Remaining.OK
}

// settle judges a remaining above its limit. Anthropic rounds what remains to thousands of tokens, so that a whole
// quota can seem more than whole. Any other excess shows that the limit is not what this count runs against (it was
// lowered, or is another quota's), while what remains is still what the server will let through: so the limit goes.
func settle(kind bench.QuotaKind, limit, remaining bench.Value) (bench.Value, bench.Value) {
	thousands := int64(remaining.V)%1000 == 0
	if kind != bench.QuotaRequests && thousands && remaining.V-limit.V < 1000 {
		return limit, limit
	}
	return bench.Value{}, remaining
}
