package remote

import (
	"sync"
	"time"

	dto "github.com/prometheus/client_model/go"

	"redline/bench"
)

// books are what scrapes have told of each target.
type books struct {
	sync.Mutex
	all []*book
}

// book is what has been told of a target. What counts must not fall, or whoever reads it takes that for a beginning anew: where the run takes a sample out again,
// or corrects an estimate downwards, what was told stands until it is passed.
type book struct {
	// cleared is when what was measured before was forgotten last, folded the second up to which it is kept.
	cleared bench.Mark
	folded  time.Duration
	begun   bool
	in, out int
	// told are counters by their names: forever those of the whole run, the others since it was cleared.
	told, forever map[string]float64
	dists         [numDists]dist
}

// dist is a distribution as it was told last: samples up to each of the bounds, all of them, and their sum in seconds.
type dist struct {
	upTo []uint64
	n    uint64
	sum  float64
}

// The distributions of a book.
const (
	ttft = iota
	itl
	tpot
	e2e
	numDists
)

// bounds are the upper bounds of the buckets of each distribution, in seconds: five or six a decade, over what servers take.
var bounds = [numDists][]float64{
	ttft: {0.01, 0.015, 0.025, 0.04, 0.06, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 7.5, 10, 20, 40, 80, 160},
	itl:  {0.001, 0.0025, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.025, 0.03, 0.04, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2.5, 5, 10},
	tpot: {0.001, 0.0025, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.025, 0.03, 0.04, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2.5, 5, 10},
	e2e:  {0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 7.5, 10, 15, 20, 30, 45, 60, 90, 120, 240, 480, 960},
}

// of is the book of a target, up to the second that its snapshot is of.
func (b *books) of(i int, s *bench.Snapshot) *book {
	for len(b.all) <= i {
		b.all = append(b.all, &book{forever: map[string]float64{}})
	}
	k := b.all[i]
	if k.begun && k.folded == s.Folded && k.cleared == s.Cleared {
		return k
	}
	if !k.begun || k.cleared != s.Cleared {
		*k = book{begun: true, cleared: s.Cleared, told: map[string]float64{}, forever: k.forever}
		for d := range k.dists {
			k.dists[d].upTo = make([]uint64, len(bounds[d]))
		}
	}
	k.folded = s.Folded
	k.take(s.Buckets)
	return k
}

// take enters the run's buckets. Those of what was forgotten are gone.
func (k *book) take(buckets []*bench.Bucket) {
	k.in, k.out = 0, 0
	var edges [numDists][]float64
	for d := range bounds {
		edges[d] = edgesOf(bounds[d])
	}
	fresh := [numDists]dist{}
	for d := range fresh {
		fresh[d].upTo = make([]uint64, len(edges[d])-1)
	}
	for _, b := range buckets {
		k.in, k.out = k.in+b.In+b.InFix, k.out+b.Out+b.OutFix
		for d, s := range [numDists]*bench.Sketch{ttft: &b.TTFT, itl: &b.ITL, tpot: &b.TPOT, e2e: &b.E2E} {
			s.Spread(edges[d], fresh[d].upTo)
			fresh[d].n += s.N
			fresh[d].sum += s.Sum / 1000
		}
	}
	for d := range k.dists {
		old := &k.dists[d]
		var upTo uint64
		for i := range old.upTo {
			upTo += fresh[d].upTo[i]
			old.upTo[i] = max(old.upTo[i], upTo)
		}
		old.n, old.sum = max(old.n, fresh[d].n, upTo), max(old.sum, fresh[d].sum)
	}
}

// edgesOf are the edges, in ms, of the ranges between bounds in seconds, and of one that has all above.
func edgesOf(upper []float64) []float64 {
	edges := []float64{0}
	for _, b := range upper {
		edges = append(edges, b*1000)
	}
	return append(edges, bench.AsKept(1e12)*2)
}

// once is a counter of the whole run.
func (k *book) once(name string, n int) float64 {
	k.forever[name] = max(k.forever[name], float64(n))
	return k.forever[name]
}

// most is a counter since the run was cleared.
func (k *book) most(name string, v float64) float64 {
	k.told[name] = max(k.told[name], v)
	return k.told[name]
}

// histogram puts a distribution.
func (k *book) histogram(put put, of int) {
	d := &k.dists[of]
	h := &dto.Histogram{SampleCount: new(d.n), SampleSum: new(d.sum)}
	for i, b := range bounds[of] {
		h.Bucket = append(h.Bucket, &dto.Bucket{UpperBound: new(b), CumulativeCount: new(d.upTo[i])})
	}
	put(&dto.Metric{Histogram: h})
}
