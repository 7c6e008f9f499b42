package aggregate

import (
	"cmp"
	"slices"
	"time"

	"redline/bench"
)

// tier holds the buckets of one length.
type tier struct {
	// to is the length that they are joined to when there are more than keep of them.
	to      time.Duration
	keep    int
	buckets []*bench.Bucket
}

// series is the run's buckets: seconds at the end, and ever longer ones before.
//
//	length   kept                   then joined to
//	1 s      900 (15 minutes)       10 s
//	10 s     540 (1½ hours)         60 s
//	60 s     480 (8 hours)          600 s
//	600 s    512, then in pairs     twice the length, again and again
type series struct{ tiers [4]tier }

func newSeries() series {
	return series{[4]tier{{to: 10 * time.Second, keep: 900}, {to: time.Minute, keep: 540}, {to: 10 * time.Minute, keep: 480}, {keep: 512}}}
}

func (s *series) add(b *bench.Bucket) {
	s.tiers[0].buckets = append(s.tiers[0].buckets, b)
	for i := range s.tiers[:3] {
		t, next := &s.tiers[i], &s.tiers[i+1]
		for {
			n := t.oldest()
			if n == 0 || len(t.buckets)-n < t.keep {
				break
			}
			next.buckets = append(next.buckets, bench.Join(t.buckets[:n]))
			t.buckets = slices.Delete(t.buckets, 0, n)
		}
	}
	if last := &s.tiers[3]; len(last.buckets) > last.keep {
		last.buckets = joinPairs(last.buckets)
	}
}

// most is how many buckets of the length there may be at the end of a second.
func (t *tier) most() int {
	if t.to == 0 {
		return t.keep
	}
	// Those of which one is joined next wait beside the ones that are kept. A few may be shorter than their length: a run's last second, what is cut by a jump of time.
	return t.keep + 2*int(t.to/time.Second)
}

// oldest is how many of the first buckets lie in one bucket of the next tier; 0 when that one is not over.
func (t *tier) oldest() int {
	if len(t.buckets) == 0 {
		return 0
	}
	end := (t.buckets[0].Start/t.to + 1) * t.to
	for i, b := range t.buckets {
		if b.Start >= end {
			return i
		}
	}
	return 0
}

// all is a copy of the whole series, oldest first.
func (s *series) all() []*bench.Bucket {
	n := 0
	for i := range s.tiers {
		n += len(s.tiers[i].buckets)
	}
	out := make([]*bench.Bucket, 0, n)
	for i := len(s.tiers) - 1; i >= 0; i-- {
		out = append(out, s.tiers[i].buckets...)
	}
	return out
}

// since yields the buckets that start at an instant or later, oldest first.
func (s *series) since(from time.Duration, yield func(*bench.Bucket)) {
	for i := len(s.tiers) - 1; i >= 0; i-- {
		b := s.tiers[i].buckets
		first, _ := slices.BinarySearchFunc(b, from, func(b *bench.Bucket, from time.Duration) int { return cmp.Compare(b.Start, from) })
		for _, b := range b[first:] {
			yield(b)
		}
	}
}

// late puts a changed copy in the place of the bucket that holds an instant, and returns it; nil if there is none.
func (s *series) late(at time.Duration, merge func(*bench.Bucket) *bench.Bucket) *bench.Bucket {
	for i := range s.tiers {
		if j, ok := find(s.tiers[i].buckets, at); ok {
			b := merge(s.tiers[i].buckets[j])
			s.tiers[i].buckets[j] = b
			return b
		}
	}
	return nil
}
