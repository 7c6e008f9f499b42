package view

import (
	"math"
	"slices"
	"time"

	"redline/bench"
	"redline/ui/style"
)

// worst is what the profile may take: requests, tokens, cost.
func (f *frame) worst(r *style.Row) {
	p, at := f.plan()
	r.Blank(1)
	if p == nil {
		r.Put(style.Dim, "neither a ramp nor a profile yet: type for example ").Put(style.FG, example(f.live.Target.Mode))
		return
	}
	still, from := "", time.Duration(0)
	if at != nil {
		still, from = "still ", at.At
	}
	w := f.take(p, from)
	parts := []ranked{{part{style.Dim, still + w.words + " "}, 0}}
	if !w.known {
		parts[0].text = "how many requests: known once answers have come"
		if at != nil {
			parts[0].text = "how many more requests: known once answers have come"
		}
	} else {
		parts = append(parts, ranked{part{style.FG, amount(w.requests) + " requests"}, 0}, ranked{part{style.Dim, w.pace}, 4})
		if w.tokens > 0 {
			parts = append(parts, ranked{part{style.FG, " · up to " + w.sign + amount(w.tokens) + " tokens"}, 2})
		}
		if w.cost > 0 {
			look := style.FG
			if sp := &f.live.Spend; sp.Budget > 0 && sound(sp.Cost) && sp.Cost.V+w.cost > sp.Budget {
				look = style.Warn
			}
			parts = append(parts, ranked{part{look, " · up to " + w.sign + money(w.cost)}, 1})
		}
	}
	parts = append(parts, ranked{part{style.Dim, " · " + spanWords(p.Length()-from)}, 3})
	if most := float64(f.s.Run.Max); p.Mode == bench.Closed && mostFrom(p, from) > most {
		parts = append(parts, ranked{part{style.Warn, " · over the bound of " + slots(most)}, 0})
	} else if most := f.s.Run.MaxRate; p.Mode == bench.Open && most > 0 && mostFrom(p, from) > most {
		parts = append(parts, ranked{part{style.Warn, " · over the bound of " + perSecond(most) + "/s"}, 0})
	}
	for _, p := range f.fitting(parts, r.Left()-1) {
		r.Put(p.look, p.text)
	}
}

// take is what a profile may take; known is false where nothing tells how long a request takes. Words say how the number of requests is meant, and
// pace what it rests on; sign is that of an estimate.
type take struct {
	known                  bool
	words, sign, pace      string
	requests, tokens, cost float64
}

// take is what a profile may take from an instant of it on. In the open loop these are its arrivals, with three deviations on top where they are drawn:
// a bound. In the closed loop nobody knows, since what the load does to the pace is what is measured: as many requests as there is time for at the pace of
// the levels so far. Tokens and cost are those of the longest prompts and answers, or of
// the GPUs over that time.
func (f *frame) take(p *bench.Profile, from time.Duration) take {
	t := take{known: true, words: "at most"}
	if p.Mode == bench.Open {
		t.requests = volume(p, from, even)
		if shape := f.s.Run.ArrivalsOf(f.s.Work).Shape; shape == bench.Recorded {
			// A part of a trace may be denser than all of it.
			t.words, t.sign = "about", "~"
		} else {
			t.requests = math.Ceil(t.requests + 3*f.deviation(t.requests))
		}
	} else {
		t.words, t.sign, t.pace = "about", "~", " at the pace so far"
		if paces := f.paces(); len(paces) > 0 {
			t.requests = volume(p, from, func(load float64) float64 { return paces.at(load) })
		} else {
			t.known = false
		}
	}
	if t.sign != "" {
		t.requests = threeDigits(t.requests)
	}
	in, out := f.longest()
	t.tokens = t.requests * (in + out)
	t.cost = f.s.Run.Prices.Tokens(t.requests*in, 0, t.requests*out) + f.s.Run.Prices.Over(p.Length()-from)
	return t
}

// deviation is by how much the number of arrivals scatters where so many are to be expected.
func (f *frame) deviation(expected float64) float64 {
	switch a := f.s.Run.ArrivalsOf(f.s.Work); {
	case a.Shape == bench.Constant:
		return 0
	case a.Shape == bench.Gamma && a.Burstiness > 0:
		return math.Sqrt(expected / a.Burstiness)
	}
	return math.Sqrt(expected)
}

// threeDigits rounds an estimate to what can be believed of it at most.
func threeDigits(v float64) float64 {
	if !(v >= 1000) {
		return math.Round(v)
	}
	unit := math.Pow(10, math.Floor(math.Log10(v))-2)
	return math.Round(v/unit) * unit
}

// longest is the most tokens of a prompt and of an answer of the workload, as far as they are known.
func (f *frame) longest() (in, out float64) {
	work := f.work()
	in, out = float64(work.InputTokens), float64(work.MaxTokens)
	if t := f.ofWork(); sound(t.PromptTokens) {
		in = max(in, t.PromptTokens.V)
	}
	for _, l := range f.s.Levels {
		if l.Work != f.s.Work {
			continue
		}
		for i := range l.Sample {
			in = max(in, float64(l.Sample[i].Input))
		}
	}
	return in, out
}

// paces are how many requests a slot takes in a second, by the load.
type paces []struct{ load, perSecond float64 }

const (
	// fewEnded is how many requests must have ended in a level for its pace to be known.
	fewEnded = 5
	// lastPaces is how many levels are looked at: a profile may have thousands of stages, and this is asked for with each look.
	lastPaces = 24
)

// paces are those of the last levels of the workload in force, the latest first.
func (f *frame) paces() paces {
	var out paces
	see := func(load float64, s *bench.Summary) {
		// In a young level what has ended tells of the shorter ones, and the time in flight by what has ended is too much: the truth lies between. Where
		// requests fail they are shorter than those that do not.
		e2e := &s.Stats[bench.E2E]
		if load > 0 && e2e.N >= fewEnded && sound(e2e.Mean) && e2e.Mean.V > 0 {
			stay := e2e.Mean.V / 1000
			if sound(s.Residence) && s.Residence.V > 0 {
				stay = min(s.Residence.V, math.Sqrt(s.Residence.V*stay))
			}
			out = append(out, struct{ load, perSecond float64 }{load, 1 / stay})
		}
	}
	for _, l := range slices.Backward(f.s.Levels) {
		if len(out) == lastPaces {
			break
		}
		switch {
		case l.Work != f.s.Work:
		case l.Load.Mode == bench.Open:
			see(l.InFlight.V, &l.Summary)
		default:
			see(l.Load.N, &l.Summary)
		}
	}
	if len(out) == 0 {
		// A profile that ramps has no level that lasts.
		t := f.ofWork()
		see(max(t.InFlight.V, 1), t)
	}
	return out
}

// at is the pace at a load: that of the level whose load comes closest, the latest of them.
func (p paces) at(load float64) float64 {
	best, off := 0.0, math.Inf(1)
	for _, known := range p {
		if d := math.Abs(math.Log(max(load, 1) / known.load)); d < off {
			best, off = known.perSecond, d
		}
	}
	return best
}

// volume is the load of what is left of a profile, summed over time (see Profile.Volume), each part by a weight of its load.
func volume(p *bench.Profile, from time.Duration, weight func(load float64) float64) float64 {
	sum := 0.0
	eachLeft(p, from, func(now, to float64, left time.Duration) {
		parts := 1
		if now != to {
			// A ramp passes many loads.
			parts = 8
		}
		for i := range parts {
			n := now + (to-now)*(float64(i)+0.5)/float64(parts)
			sum += n * weight(n) * left.Seconds() / float64(parts)
		}
	})
	return sum
}

// even gives each load the same weight.
func even(float64) float64 { return 1 }

// mostFrom is the greatest load of what is left of a profile.
func mostFrom(p *bench.Profile, from time.Duration) float64 {
	most := 0.0
	eachLeft(p, from, func(now, to float64, _ time.Duration) { most = max(most, now, to) })
	return most
}

// eachLeft tells of each stage that is left the load now, the one at its end, and how long it is still.
func eachLeft(p *bench.Profile, from time.Duration, tell func(now, to float64, left time.Duration)) {
	begin := time.Duration(0)
	for _, s := range p.Stages {
		if left := min(begin+s.Span-from, s.Span); left > 0 {
			tell(s.From+(s.To-s.From)*(1-float64(left)/float64(s.Span)), s.To, left)
		}
		begin += s.Span
	}
}

// example is a profile of a mode.
func example(mode bench.Mode) string {
	if mode == bench.Open {
		return "0.5..8 x2, or ramp 0.5..8 in 2m, 8:1m"
	}
	return "4..64 x2, or ramp 1..64 in 2m, 64:1m"
}
