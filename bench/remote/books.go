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
	// told are counters by their names: forever those that the run counts over a clear itself, the others since it was cleared. before are those of the others that were
	// told until then, and old their distributions: what is forgotten on the screen has happened all the same.
	told, forever, before map[string]float64
	dists, old            [numDists]dist
	places                [numDists]places
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
		b.all = append(b.all, newBook())
	}
	k := b.all[i]
	if k.begun && k.folded == s.Folded && k.cleared == s.Cleared {
		return k
	}
	if k.cleared != s.Cleared {
		k.turn()
	}
	k.begun, k.cleared, k.folded = true, s.Cleared, s.Folded
	k.take(s.Buckets)
	return k
}

func newBook() *book {
	k := &book{told: map[string]float64{}, forever: map[string]float64{}, before: map[string]float64{}}
	for d := range k.dists {
		k.dists[d].upTo, k.old[d].upTo = make([]uint64, len(bounds[d])), make([]uint64, len(bounds[d]))
	}
	return k
}

// turn begins a page: what the run has forgotten stands on the one before.
func (k *book) turn() {
	for name, v := range k.told {
		k.before[name] += v
	}
	clear(k.told)
	for d := range k.dists {
		now, old := &k.dists[d], &k.old[d]
		for i, n := range now.upTo {
			old.upTo[i] += n
		}
		old.n, old.sum = old.n+now.n, old.sum+now.sum
		*now = dist{upTo: make([]uint64, len(bounds[d]))}
	}
}

// take enters the run's buckets. Those of what was forgotten are gone.
func (k *book) take(buckets []*bench.Bucket) {
	in, out := 0, 0
	fresh := [numDists]dist{}
	for d := range fresh {
		fresh[d].upTo = make([]uint64, len(bounds[d])+1)
	}
	for _, b := range buckets {
		in, out = in+b.In+b.InFix, out+b.Out+b.OutFix
		for d, s := range [numDists]*bench.Sketch{ttft: &b.TTFT, itl: &b.ITL, tpot: &b.TPOT, e2e: &b.E2E} {
			of := &fresh[d]
			for _, bin := range s.Bins {
				of.upTo[k.places[d].of(bin.Index, bounds[d])] += uint64(bin.Count)
			}
			of.n += s.N
			of.sum += s.Sum / 1000
		}
	}
	k.told["in"], k.told["out"] = max(k.told["in"], float64(in)), max(k.told["out"], float64(out))
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

// places are, by the index of a sketch's bin, the places of the ranges between bounds in which its samples lie. They are worked out once: a sketch has many bins, and
// a run many sketches.
type places []uint8

// firstBin is the index of the least bin of all sketches.
var firstBin = bench.SketchOf(0).Bins[0].Index

// of is the place of a bin.
func (p *places) of(index int32, upper []float64) uint8 {
	index -= firstBin
	for int(index) >= len(*p) {
		v := bench.Bin{Index: firstBin + int32(len(*p))}.Value() / 1000
		at := 0
		for at < len(upper) && v >= upper[at] {
			at++
		}
		*p = append(*p, uint8(at))
	}
	return (*p)[index]
}

// once is a counter of the whole run.
func (k *book) once(name string, n int) float64 {
	k.forever[name] = max(k.forever[name], float64(n))
	return k.forever[name]
}

// most is a counter of what take has entered.
func (k *book) most(name string) float64 { return k.before[name] + k.told[name] }

// histogram puts a distribution.
func (k *book) histogram(put put, of int) {
	d, old := &k.dists[of], &k.old[of]
	h := &dto.Histogram{SampleCount: new(old.n + d.n), SampleSum: new(old.sum + d.sum)}
	for i, b := range bounds[of] {
		h.Bucket = append(h.Bucket, &dto.Bucket{UpperBound: new(b), CumulativeCount: new(old.upTo[i] + d.upTo[i])})
	}
	put(&dto.Metric{Histogram: h})
}
