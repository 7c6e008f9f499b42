package view

import (
	"testing"
	"time"

	"redline/bench"
	"redline/ui/view/viewtest"
)

// hours are the last seconds of a run of two hours that went through 256 levels, one snapshot after each.
func hours(last int) []*bench.Snapshot {
	const seconds, levels = 2 * 3600, 256
	s := viewtest.Make(viewtest.Knee, 0)
	base, past := s.Buckets, s.Levels
	s.Buckets, s.Levels = nil, nil
	for i := range seconds {
		b := *base[i%len(base)]
		b.Start, b.Level = time.Duration(i)*time.Second, i*levels/seconds
		s.Buckets = append(s.Buckets, &b)
	}
	for i := range levels {
		l := *past[i%len(past)]
		l.ID, l.Load, l.Begin = i, bench.InFlight(1+i%200), time.Duration(i*seconds/levels)*time.Second
		s.Levels = append(s.Levels, &l)
	}
	out := make([]*bench.Snapshot, last)
	for i := range out {
		one := *s
		n := seconds - last + i
		one.Buckets, one.Folded = s.Buckets[:n:n], time.Duration(n)*time.Second
		one.At = one.Folded
		// Slices belong to one fold.
		one.Levels = append([]*bench.Level(nil), s.Levels...)
		out[i] = &one
	}
	return out
}

// BenchmarkFrameOfHours draws Live over a whole run of two hours, after each new second and again within it.
func BenchmarkFrameOfHours(b *testing.B) {
	all := hours(60)
	for name, fresh := range map[string]bool{"second": true, "same": false} {
		b.Run(name, func(b *testing.B) {
			screen, st := NewScreen(), state("ansi", 120, 36)
			st.Window = 0
			screen.Rows(all[len(all)-1], st)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if !fresh {
					i = 0
				}
				screen.Rows(all[i%len(all)], st)
			}
		})
	}
}
