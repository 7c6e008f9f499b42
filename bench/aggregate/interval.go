package aggregate

import (
	"math"

	"redline/bench"
)

// student holds the 97.5 % quantiles of Student's t for 1, 2, … degrees of freedom; beyond them the last one is near enough.
var student = [...]float64{
	12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093,
	2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042, 2.040, 2.037, 2.035, 2.032, 2.030, 2.028, 2.026, 2.024, 2.023,
}

// minSpans is how many batch means an interval needs.
const minSpans = 5

// half is the half-width of the 95 % interval of a rate per minute, from its means over batches of equal length; neighbouring requests
// shared a server's batch, so that counting them as independent would flatter. Absent where it cannot be told.
func half(batches []*bench.Bucket, count func(*bench.Facts) float64) bench.Value {
	n := len(batches)
	if n < minSpans {
		return bench.Value{}
	}
	sum, squares := 0.0, 0.0
	for _, b := range batches {
		sum += perMinute(b, count)
	}
	mean := sum / float64(n)
	for _, b := range batches {
		d := perMinute(b, count) - mean
		squares += d * d
	}
	width := student[min(n-1, len(student))-1] * math.Sqrt(squares/float64(n-1)/float64(n))
	if width == 0 && sum > 0 || width > mean {
		// Batches that are alike to the last request are so by accident; and one that reaches below nothing says nothing.
		return bench.Value{}
	}
	return bench.Some(width)
}

func perMinute(b *bench.Bucket, count func(*bench.Facts) float64) float64 {
	return count(&b.Facts) / b.Active.Minutes()
}
