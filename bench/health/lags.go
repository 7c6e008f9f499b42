package health

import (
	"math/bits"
	"sync/atomic"
	"time"
)

const (
	// unit is the least difference between two lags that is kept, as a shift of nanoseconds: about a microsecond.
	unit = 10
	// fine is how many bins an octave has, as a shift: a lag is known to three percent.
	fine = 4
	// bins hold lags up to about a minute; what is longer is in the last one.
	bins = 23 << fine
)

// Lags counts lengths of time, and knows their quantiles to about three percent. It is safe for concurrent use, and its zero value is ready.
type Lags struct {
	n   atomic.Int64
	max atomic.Int64
	bin [bins]atomic.Uint32
}

// Add counts a lag; one below zero counts as zero.
func (l *Lags) Add(lag time.Duration) {
	lag = max(lag, 0)
	l.bin[place(lag)].Add(1)
	l.n.Add(1)
	for most := l.max.Load(); int64(lag) > most && !l.max.CompareAndSwap(most, int64(lag)); most = l.max.Load() {
	}
}

func place(lag time.Duration) int {
	u := uint64(lag) >> unit
	if u < 2<<fine {
		return int(u)
	}
	shift := bits.Len64(u) - fine - 1
	return min(shift<<fine+int(u>>shift), bins-1)
}

// floor is the least lag of a bin.
func floor(bin int) time.Duration {
	if bin < 2<<fine {
		return time.Duration(bin) << unit
	}
	shift := bin>>fine - 1
	return time.Duration(bin-shift<<fine) << shift << unit
}

// Take moves what was counted so far into a Tally, and begins anew.
func (l *Lags) Take() Tally {
	t := Tally{Max: time.Duration(l.max.Swap(0))}
	for i := range l.bin {
		if n := l.bin[i].Swap(0); n > 0 {
			t.bin[i] = n
			t.N += int(n)
		}
	}
	l.n.Store(0)
	return t
}

// Tally are the lags of some span of time.
type Tally struct {
	N   int
	Max time.Duration
	bin [bins]uint32
}

// Merge adds another tally's lags.
func (t *Tally) Merge(other *Tally) {
	t.N += other.N
	t.Max = max(t.Max, other.Max)
	for i, n := range other.bin {
		t.bin[i] += n
	}
}

// Quantile is the lag that a share q, 0 to 1, of all lags does not exceed; 0 of none. It is exact at 1, and else good to three percent.
func (t *Tally) Quantile(q float64) time.Duration {
	left := int(q * float64(t.N))
	if left >= t.N {
		return t.Max
	}
	for i, n := range t.bin {
		if left < int(n) {
			// The middle of the bin, but no more than has been seen.
			return min((floor(i)+floor(i+1))/2, t.Max)
		}
		left -= int(n)
	}
	return t.Max
}
