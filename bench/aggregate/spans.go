package aggregate

import (
	"slices"
	"time"

	"redline/bench"
)

// maxSpans is how many spans a level keeps; when they are full, neighbours are joined in pairs and each span is twice as long.
const maxSpans = 40

// spans cut a level's measured time into batches of equal length.
type spans struct {
	full []*bench.Bucket
	// each is how many buckets make a span; growing holds grown of them so far.
	each, grown int
	growing     *bench.Bucket
}

func (s *spans) add(b *bench.Bucket) {
	if s.growing != nil {
		b = bench.Join([]*bench.Bucket{s.growing, b})
	}
	s.growing = b
	if s.grown++; s.grown < s.each {
		return
	}
	s.full = append(s.full, b)
	s.growing, s.grown, s.each = nil, 0, max(s.each, 1)
	if len(s.full) == maxSpans {
		s.full, s.each = joinPairs(s.full), 2*s.each
	}
}

// late counts a distribution in that belongs to the second starting at an instant.
func (s *spans) late(start time.Duration, merge func(*bench.Bucket) *bench.Bucket) {
	if s.growing != nil && start >= s.growing.Start {
		s.growing = merge(s.growing)
		return
	}
	if i, ok := find(s.full, start); ok {
		s.full[i] = merge(s.full[i])
	}
}

// joinPairs joins neighbours; an odd last one stays.
func joinPairs(buckets []*bench.Bucket) []*bench.Bucket {
	out := make([]*bench.Bucket, 0, (len(buckets)+1)/2)
	for pair := range slices.Chunk(buckets, 2) {
		out = append(out, bench.Join(pair))
	}
	return out
}

// coarse joins neighbours until each is at least so long; what is left over at the end is left out. Batches shorter than a request would depend on
// one another: those that began together end together.
func coarse(buckets []*bench.Bucket, length time.Duration) []*bench.Bucket {
	if len(buckets) == 0 {
		return nil
	}
	n := max(int((length+buckets[0].Span-1)/buckets[0].Span), 1)
	if n == 1 {
		return buckets
	}
	var out []*bench.Bucket
	for ; len(buckets) >= n; buckets = buckets[n:] {
		out = append(out, bench.Join(buckets[:n]))
	}
	return out
}

// find is the index of the bucket that holds an instant.
func find(buckets []*bench.Bucket, at time.Duration) (int, bool) {
	i, found := slices.BinarySearchFunc(buckets, at, func(b *bench.Bucket, at time.Duration) int {
		switch {
		case b.End() <= at:
			return -1
		case b.Start > at:
			return 1
		}
		return 0
	})
	return i, found
}
