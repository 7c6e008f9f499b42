package ratelimit

import (
	"strconv"
	"strings"
	"time"

	"redline/bench"
)

// The drafts of the IETF have changed their minds three times:
//
//	RateLimit-Limit: 100, 100;w=60        RateLimit-Remaining: 50   RateLimit-Reset: 30   (to draft 6, and Envoy)
//	RateLimit: limit=100, remaining=50, reset=30                    RateLimit-Policy: 100;w=60   (draft 7)
//	RateLimit: "default";r=50;t=30                   RateLimit-Policy: "default";q=100;w=60   (from draft 8)

// state reads RateLimit in both of its forms.
func (s *statements) state(value string) {
	for _, one := range items(value) {
		if one.value != "" {
			for f, name := range fields {
				if strings.EqualFold(one.head, name) {
					s.of(bareSubject()).set(field(f), one.value, s.now)
				}
			}
			continue
		}
		d := s.policy(one.head)
		if d == nil {
			continue
		}
		d.remaining = either(d.remaining, count(one.params["r"]))
		if !d.reset.OK {
			d.reset = reset(one.params["t"], s.now)
		}
	}
}

// policies reads RateLimit-Policy: limits and windows, by name or by the limit itself.
func (s *statements) policies(value string) {
	for _, one := range items(value) {
		if _, number := decimal(one.head); number {
			s.window(bareSubject(), one)
			continue
		}
		d := s.policy(one.head)
		if d == nil {
			continue
		}
		d.limit = either(d.limit, count(one.params["q"]))
		if per, ok := window(decimal(one.params["w"])); ok && d.per == 0 {
			d.per = per
		}
		if unit := clean(one.params["qu"]); unit != "" {
			kind, ok := kindOf(unit, d.kind)
			d.kind, d.foreign = kind, d.foreign || !ok
		}
	}
}

// policy is the draft of a named policy; nil for a name of which nothing is left, or that counts something else.
func (s *statements) policy(name string) *draft {
	name = clean(name)
	kind, ok := kindOf(name, bench.QuotaRequests)
	if name == "" || !ok {
		return nil
	}
	return s.of(subject{name: name, kind: kind})
}

// windows reads the policies that follow a limit in its own header.
func (s *statements) windows(about subject, value string) {
	for _, one := range items(value) {
		s.window(about, one)
	}
}

// window gives the quota of that limit its period; a policy of another limit is a quota of its own.
func (s *statements) window(about subject, one item) {
	limit := count(one.head)
	per, ok := window(decimal(one.params["w"]))
	if !ok || !limit.OK {
		return
	}
	d := s.of(about)
	if d.limit.OK && d.limit != limit || d.per != 0 && d.per != per {
		about.name += "-" + inSeconds(per)
		about.bare, about.plain = false, false // it repeats nothing
		d = s.of(about)
	}
	d.limit = either(d.limit, limit)
	d.per = per
}

// inSeconds is a window as its header writes it.
func inSeconds(per time.Duration) string { return strconv.Itoa(int(per/time.Second)) + "s" }

func bareSubject() subject { return subject{name: bareName, bare: true, plain: true} }
