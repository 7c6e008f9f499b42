package stream

import (
	"slices"
	"testing"
	"time"
)

func TestBursts(t *testing.T) {
	const us = time.Microsecond
	// after is n events that far apart, the first of them at an instant.
	after := func(at, apart time.Duration, n int) (reads []read) {
		for i := range n {
			reads = append(reads, read{at + time.Duration(i)*apart, text("a")})
		}
		return reads
	}
	one := func(at time.Duration, n int) []read {
		body := ""
		for range n {
			body += text("a")
		}
		return []read{{at, body}}
	}
	tests := []struct {
		name  string
		reads []read
		want  bool
	}{
		{"all at once after a silence", one(1700*ms, 100), true},
		{"all within a millisecond after a silence", after(1700*ms, 50*us, 20), true},
		{"one early token, and all the rest at once", slices.Concat(after(200*ms, 0, 1), one(5*time.Second, 30)), true},
		{"most of it at once in the middle, and a late last token", slices.Concat(after(200*ms, 0, 1), one(2*time.Second, 30), after(5*time.Second, 0, 1)), true},
		{"all at once at the beginning, and a late last token", slices.Concat(one(200*ms, 30), after(5*time.Second, 0, 1)), true},
		{"an even stream", after(300*ms, 10*ms, 100), false},
		{"a fast short answer on a near network", after(500*ms, ms, 10), false},
		{"the same behind a long queue: a thousand tokens a second are fast, not held back", after(10*time.Second, ms, 10), false},
		{"an answer that comes in two halves", slices.Concat(one(time.Second, 30), one(2*time.Second, 30)), false},
		{"eight tenths of it at once", slices.Concat(after(time.Second, 10*ms, 20), one(5*time.Second, 80)), false},
		{"nine tenths of it at once", slices.Concat(after(time.Second, 10*ms, 10), one(5*time.Second, 90)), true},
		{"fewer than ten events", one(1700*ms, 9), false},
		{"ten of them", one(1700*ms, 10), true},
		{"a request so short that a hundredth of it is no time, at ten thousand tokens a second", after(90*ms, 100*us, 50), false},
		{"however short it was: no model writes fifty thousand tokens a second", one(9*ms, 50), true},
		{"the same in reads of their own", after(9*ms, 10*us, 50), true},
		{"nothing", nil, false},
	}
	for _, tt := range tests {
		for _, started := range []time.Duration{0, time.Hour} {
			reads := slices.Clone(tt.reads)
			for i := range reads {
				reads[i].at += started
			}
			if e, _ := run(Options{Started: started}, nil, reads...); e.Burst != tt.want {
				t.Errorf("%s: burst %v", tt.name, e.Burst)
			}
		}
	}
}
