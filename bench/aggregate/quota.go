package aggregate

import (
	"cmp"
	"slices"
	"sync"

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
			q.Per = max(q.Per, out[i].Per)
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
