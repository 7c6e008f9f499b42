package analysis

import "math"

// flatBeyond is by how much better, in squares of errors, a law that grows only up to some load must fit than the same one without that bend: it has to be beyond doubt (one
// parameter more, 95 %).
const flatBeyond = 3.84

// stopsAlike tells whether a server with a fixed number of slots would show what was seen at least as well as the law with that misfit does: a rate that grows with the
// load, held back by contention alone, and stands from some load on. It has as many parameters as the law, so that the one that fits better is the better one; where it
// does, neither a peak nor a ceiling is carried by what was seen.
func stopsAlike(seen []Sighting, misfit float64) bool {
	last := len(seen) - 1
	best := math.Inf(1)
	for i := 1; i <= last; i++ {
		// The rate stands from somewhere between two loads on.
		for step := range 8 {
			n := seen[i-1].N + (seen[i].N-seen[i-1].N)*float64(step)/8
			best = min(best, standing(seen, n))
		}
	}
	// It always fits as well as the ceiling of which it is a case: there the bend itself must be seen.
	return best <= misfit && standing(seen, seen[last].N)-best > flatBeyond
}

// standing is the misfit of the best law of contention alone whose rate stands from a load on.
func standing(seen []Sighting, from float64) float64 {
	capped := make([]Sighting, len(seen))
	for i, s := range seen {
		capped[i] = Sighting{min(s.N, from), s.X, s.Error}
	}
	least := math.Inf(1)
	for _, contention := range []bool{false, true} {
		if u, ok := linear(capped, contention, false); ok {
			least = min(least, misfit(u, capped))
		}
	}
	return least
}
