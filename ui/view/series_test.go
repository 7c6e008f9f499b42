package view

import (
	"slices"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/view/viewtest"
)

// amended is the run with one of its seconds put right, in copies, as the fold does it.
func amended(s *bench.Snapshot, back int, put func(*bench.Bucket)) *bench.Snapshot {
	c := *s
	c.Buckets = slices.Clone(s.Buckets)
	b := *c.Buckets[len(c.Buckets)-back]
	put(&b)
	c.Buckets[len(c.Buckets)-back] = &b
	return &c
}

func TestTheLaneOfSpeedsPlotsWhatTheNumberSays(t *testing.T) {
	s := viewtest.Make(viewtest.Running, 0)
	for _, c := range []struct {
		sentence string
		put      func(*bench.Bucket)
	}{
		{"as it was seen", func(*bench.Bucket) {}},
		{"the server counted twice as many tokens", func(b *bench.Bucket) { b.DecodeFix = b.DecodeTokens }},
		{"the server counted fewer", func(b *bench.Bucket) { b.DecodeFix = -0.6 * b.DecodeTokens }},
		{"half of the streams failed in the end", func(b *bench.Bucket) { b.DecodeSpare = -b.DecodeSeconds / 2 }},
		{"all of them did", func(b *bench.Bucket) { b.DecodeFix, b.DecodeSpare = -b.DecodeTokens, -b.DecodeSeconds }},
	} {
		b := *s.Buckets[len(s.Buckets)-1]
		c.put(&b)
		is, want := rate(bench.TPS, []*bench.Bucket{&b}), bench.Speeds(&b.Facts).Mean
		if is.ok != want.OK || is.ok && (is.v < want.V*(1-1e-9) || is.v > want.V*(1+1e-9)) {
			t.Errorf("%s: the lane has %+v, the number %+v", c.sentence, is, want)
		}
	}
}

func TestASecondThatIsPutRightIsDrawnAnew(t *testing.T) {
	was := viewtest.Make(viewtest.Running, 0)
	for _, c := range []struct {
		sentence string
		put      func(*bench.Bucket)
	}{
		{"speeds", func(b *bench.Bucket) { b.DecodeFix -= 0.6 * b.DecodeTokens }},
		{"gaps", func(b *bench.Bucket) {
			h := bench.NewHistogram()
			h.Add(900, 500)
			b.ITL = h.Sketch()
		}},
		{"requests", func(b *bench.Bucket) { b.Ended[bench.OK] += 40 }},
	} {
		for _, window := range []time.Duration{30 * time.Second, 2 * time.Minute} {
			for _, width := range []int{120, 200} {
				for back := 4; back < 12; back++ {
					st := state("plain", width, 36)
					st.Window = window
					reused, fresh := &Screen{forgetful: true}, &Screen{forgetful: true}
					before := slices.Clone(reused.Rows(was, st))
					is := amended(was, back, c.put)
					got, want := slices.Clone(reused.Rows(is, st)), fresh.Rows(is, st)
					for y := range want {
						if got[y] != want[y] {
							t.Fatalf("%s, %d s ago, window %v:\n%s\nwant\n%s", c.sentence, back, window, got[y], want[y])
						}
					}
					if slices.Equal(before, got) {
						t.Fatalf("%s, %d s ago, window %v: nothing shows", c.sentence, back, window)
					}
				}
			}
		}
	}
}
