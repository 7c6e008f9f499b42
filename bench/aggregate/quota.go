package aggregate

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"time"

	"redline/bench"
)

// maxQuotas bounds the quotas that are kept.
const maxQuotas = 32

// quotas gathers what answers' headers say of quotas, until the second is cut.
type quotas struct {
	mu     sync.Mutex
	newest []bench.Quota
}

// Quotas books what an answer's headers say. Once a request, so that one lock serves all.
func (m *Meter) Quotas(q []bench.Quota) {
	m.quotas.mu.Lock()
	defer m.quotas.mu.Unlock()
	m.quotas.newest = mergeQuotas(m.quotas.newest, q)
}

// take hands the newest quotas over.
func (q *quotas) take() []bench.Quota {
	q.mu.Lock()
	defer q.mu.Unlock()
	out := q.newest
	q.newest = nil
	return out
}

// mergeQuotas is a fresh list, in the order of names, of the newest quota of each name. Answers overtake one another: an older word does not replace a
// newer one. A longer period that was once seen of a name stays: only now and then does an answer give it away.
func mergeQuotas(known, news []bench.Quota) []bench.Quota {
	if len(news) == 0 {
		return known
	}
	out := slices.Clone(known)
	for _, q := range news {
		i := slices.IndexFunc(out, func(o bench.Quota) bool { return o.Name == q.Name })
		switch {
		case i < 0:
			out = append(out, q)
		case q.At >= out[i].At:
			q.Per, q.Steady = max(q.Per, out[i].Per), steadied(out[i].Steady, &q)
			out[i] = q
		}
	}
	if len(out) > maxQuotas {
		// The names are the server's: those that were spoken of longest ago go.
		slices.SortStableFunc(out, func(a, b bench.Quota) int { return cmp.Compare(b.At, a.At) })
		out = out[:maxQuotas]
	}
	slices.SortFunc(out, func(a, b bench.Quota) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

const (
	// moved is by how much, as a share, what is gone must have changed for another answer to tell more than the last one; a window that runs out misses the period by
	// more than astray by then.
	moved  = 0.05
	astray = 0.04
	// metOften is how many answers that tell more than one another make a period known.
	metOften = 2
)

// steadied is what is known of a steady period after one more answer.
func steadied(known bench.Steady, q *bench.Quota) bench.Steady {
	news := q.Steady
	switch {
	case known.Per == 0 || news.Per != 0 && news.Per != known.Per:
		return news
	case against(known.Per, q):
		return bench.Steady{}
	case news.Per == 0 || math.Abs(news.Gone-known.Gone) < moved*known.Gone:
		return known
	}
	news.Met += known.Met
	return news
}

// against tells whether an answer's figures rule a steady period out. What remains is told in whole requests or tokens, while the reset moves on.
func against(per time.Duration, q *bench.Quota) bool {
	if !q.Limit.OK || !q.Remaining.OK || !q.Reset.OK || q.Reset.At < time.Second {
		return false
	}
	gone := (q.Limit.V - q.Remaining.V) * per.Seconds() / q.Limit.V
	one := per.Seconds() / q.Limit.V
	return q.Reset.At.Seconds() > (gone+one)*(1+astray) || q.Reset.At.Seconds() < (gone-one)*(1-astray)
}

// judgedQuotas are the quotas with the periods that are known by now.
func judgedQuotas(all []bench.Quota) []bench.Quota {
	if !slices.ContainsFunc(all, func(q bench.Quota) bool { return q.Steady.Met >= metOften }) {
		return all
	}
	out := slices.Clone(all)
	for i := range out {
		if q := &out[i]; q.Steady.Met >= metOften {
			q.Per = max(q.Per, q.Steady.Per)
		}
	}
	return out
}
