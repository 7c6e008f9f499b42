package analysis

import (
	"cmp"
	"math"
	"slices"

	"redline/bench"
)

// tilt is how the wait for the first token grows with the prompt's length.
type tilt struct {
	// n is of how many requests; even tells that their prompts are of nearly one length, from which nothing follows.
	n    int
	even bool
	// perToken is in ms a prompt token, between the medians of the shortest and of the longest third; ends are those two medians, in tokens and ms.
	perToken                   float64
	short, long, quick, waited float64
	// rank is Spearman's correlation, -1..1; significant that it is above 0 beyond doubt (three standard errors).
	rank        float64
	significant bool
}

// leastLengths is how many requests a slope takes, uneven how much longer the longest third must be than the shortest.
const (
	leastLengths = 30
	uneven       = 1.5
)

// tiltOf is the tilt of a sample. It rests on medians and ranks, so that a few stray requests do not make one.
func tiltOf(sample []bench.Sample) tilt {
	var all []bench.Sample
	for _, s := range sample {
		if s.Input > 0 && s.TTFT > 0 {
			all = append(all, s)
		}
	}
	out := tilt{n: len(all)}
	if out.n < leastLengths {
		return out
	}
	slices.SortStableFunc(all, func(a, b bench.Sample) int { return cmp.Compare(a.Input, b.Input) })
	third := out.n / 3
	out.short, out.quick = medians(all[:third])
	out.long, out.waited = medians(all[out.n-third:])
	if out.even = out.long < uneven*out.short; out.even {
		return out
	}
	out.perToken = (out.waited - out.quick) / (out.long - out.short)
	out.rank = spearman(all)
	out.significant = out.perToken > 0 && out.rank*math.Sqrt(float64(out.n-1)) >= 3
	return out
}

// medians are the median length and the median wait of requests in the order of their lengths.
func medians(all []bench.Sample) (tokens, wait float64) {
	waits := make([]float64, len(all))
	for i, s := range all {
		waits[i] = float64(s.TTFT)
	}
	slices.Sort(waits)
	return float64(all[len(all)/2].Input), waits[len(waits)/2]
}

// spearman is the correlation of the ranks of length and wait.
func spearman(all []bench.Sample) float64 {
	x := ranks(all, func(s bench.Sample) float64 { return float64(s.Input) })
	y := ranks(all, func(s bench.Sample) float64 { return float64(s.TTFT) })
	mean := float64(len(all)-1) / 2
	var xy, xx, yy float64
	for i := range x {
		dx, dy := x[i]-mean, y[i]-mean
		xy, xx, yy = xy+dx*dy, xx+dx*dx, yy+dy*dy
	}
	if xx == 0 || yy == 0 {
		return 0
	}
	return xy / math.Sqrt(xx*yy)
}

// ranks are the places from 0 by a value, equal ones sharing their mean place.
func ranks(all []bench.Sample, of func(bench.Sample) float64) []float64 {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(of(all[a]), of(all[b])) })
	out := make([]float64, len(all))
	for i := 0; i < len(order); {
		j := i
		for j+1 < len(order) && of(all[order[j+1]]) == of(all[order[i]]) {
			j++
		}
		for k := i; k <= j; k++ {
			out[order[k]] = float64(i+j) / 2
		}
		i = j + 1
	}
	return out
}
