package pilot

import (
	"slices"
	"sort"
	"time"
)

const (
	// lengthsKept is how many lengths of answers are kept, lengthsKnown how many of them are taken from the time before, lengthsLeast how many speak for all.
	lengthsKept  = 2000
	lengthsKnown = 500
	lengthsLeast = 50
)

// lengths are the lengths of the last answers, in tokens after the first ones.
type lengths struct {
	kept []length
	next int
	// sorted are those that count now.
	sorted []float64
}

type length struct {
	started time.Duration
	tokens  float64
}

func (l *lengths) len() int { return len(l.kept) }

func (l *lengths) add(started time.Duration, tokens float64) {
	if len(l.kept) < lengthsKept {
		l.kept = append(l.kept, length{started, tokens})
		return
	}
	l.kept[l.next] = length{started, tokens}
	l.next = (l.next + 1) % lengthsKept
}

// sort takes those of requests that began by an instant: of what began later only the short answers have ended. Where they are too few, all count.
func (l *lengths) sort(until time.Duration) {
	l.sorted = l.sorted[:0]
	for _, k := range l.kept {
		if k.started <= until {
			l.sorted = append(l.sorted, k.tokens)
		}
	}
	if len(l.sorted) < lengthsLeast {
		l.sorted = l.sorted[:0]
		for _, k := range l.kept {
			l.sorted = append(l.sorted, k.tokens)
		}
	}
	slices.Sort(l.sorted)
}

// beyond is the share of answers, 0..1, that are longer.
func (l *lengths) beyond(tokens float64) float64 {
	if len(l.sorted) == 0 {
		return 0
	}
	return 1 - float64(sort.Search(len(l.sorted), func(i int) bool { return l.sorted[i] > tokens }))/float64(len(l.sorted))
}

// at is a quantile; 0 if there are none.
func (l *lengths) at(q float64) float64 {
	if len(l.sorted) == 0 {
		return 0
	}
	return l.sorted[min(int(q*float64(len(l.sorted))), len(l.sorted)-1)]
}

// middle is the median.
func (l *lengths) middle() float64 { return l.at(0.5) }
