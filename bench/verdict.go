package bench

import "math"

// Verdict is a threshold held against a value.
type Verdict struct {
	Threshold Threshold
	// Value is what the limit is held against: requests that failed and arrivals that were never sent count as worse than every sample, so that it may be
	// worse than the metric's own percentile. Of errors it is failed and unsent ÷ all. Absent where there is none, and where it is Beyond.
	Value Value
	// Known is false while there is no value that can be believed.
	Known, Broken bool
	// Beyond: the promise's percentile lies among the requests that failed or were never sent, so that no limit would be kept.
	Beyond bool
	// Missed are the requests of that kind.
	Missed Missed
}

// Judge holds a threshold against a summary. Where most answers came in one burst, and so have no pace, the few others do not speak for them: a
// promise on the pace is then not known.
func (t Threshold) Judge(s *Summary) Verdict {
	v := Verdict{Threshold: t, Missed: s.Missed}
	stat := &s.Stats[t.Metric]
	ready := stat.Readiness == Ready
	switch {
	case t.Metric == Errors:
		v.Missed = s.Counted.Missed()
		owed := s.Counted.Owed()
		if v.Missed.Unsent > 0 {
			// An arrival is unsent at once, and one that is sent ends later: until then it counts as well.
			owed += max(s.Tally.Sent-s.Tally.OK-s.Tally.Failed-s.Tally.Limited-s.Tally.Cancelled, 0)
		}
		v.Value = share(v.Missed.All(), owed, 100)
		ready = ready || ReadyBy(s.Counted.Owed()) == Ready
	case stat.Missing > 0:
		v.Value = stat.Promised[t.At]
		v.Beyond = !v.Value.OK
		ready = ready || v.Beyond && t.certain(s)
	default:
		v.Value = stat.At(t.At)
	}
	v.Known = (v.Value.OK || v.Beyond) && ready && !(t.Metric.paced() && s.Bursts.OK && s.Bursts.V > 0.5)
	v.Broken = v.Beyond || v.Value.OK && t.Broken(v.Value.V)
	return v
}

// certain tells whether the promise's percentile lies among the requests that were missed even if all that still run end well: then it does not
// take as many samples to know.
func (t Threshold) certain(s *Summary) bool {
	missed := s.Missed.All()
	well := max(s.Tally.OK, s.Tally.Sent-s.Tally.Failed-s.Tally.Limited-s.Tally.Cancelled)
	_, ok := rank(t.At.Q(), well, missed, t.Floor)
	return !ok && well+missed >= ReadySamples
}

// rank is the place, from 0, that a quantile has among n samples in rising order if so many more are missing, all of them above the others (below them
// for a floor); it is false where it lies among those.
func rank(q float64, n, missing int, floor bool) (int, bool) {
	// A product that is a whole number but for its last bit is that number.
	r := max(int(math.Ceil(q*float64(n+missing)-1e-9))-1, 0)
	if floor {
		r -= missing
	}
	return r, r >= 0 && r < n
}

// miss counts samples that are missing in, and sets the percentiles that promises are held to.
func (s *Stat) miss(all Sketch, missing int, floor bool) {
	if s.Missing = missing; missing <= 0 {
		s.Missing = 0
		return
	}
	for p := range s.Promised {
		q := Percentile(p).Q()
		if q < 0 {
			continue
		}
		if r, ok := rank(q, int(all.N), missing, floor); ok {
			s.Promised[p] = all.Quantile((float64(r) + 0.5) / float64(all.N))
		}
	}
}

// miss sets what promises are held to, from the requests among the facts that gave no sample. One that was missed counts for as many tokens as one
// that was not.
func (s *Summary) miss(f *Facts) {
	s.Missed = s.Tally.Missed()
	n := s.Missed.All()
	s.Stats[TTFT].miss(f.TTFT, n, false)
	s.Stats[TTFA].miss(f.TTFA, n, false)
	s.Stats[E2E].miss(f.E2E, n, false)
	s.Stats[TPOT].miss(f.TPOT, n, false)
	s.Stats[TPS].miss(f.TPS, n, true)
	tokens := n
	if streams := max(s.Tally.OK, int(f.TTFT.N)); streams > 0 && f.ITL.N > 0 {
		tokens = int(math.Ceil(float64(n) * float64(f.ITL.N) / float64(streams)))
	}
	s.Stats[ITL].miss(f.ITL, tokens, false)
}
