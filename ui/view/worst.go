package view

import (
	"math"
	"time"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/style"
)

// worst is the most that the profile may take: requests, tokens, cost.
func (f *frame) worst(r *style.Row) {
	p, at := f.plan()
	r.Blank(1)
	if p == nil {
		r.Put(style.Dim, "nothing is planned: type a profile, as in ").Put(style.FG, example(f.live.Target.Mode))
		return
	}
	title, from := "at most ", time.Duration(0)
	if at != nil {
		title, from = "still at most ", at.At
	}
	w := f.worstCase(p, from)
	parts := []ranked{{part{style.Dim, title}, 0}}
	if !w.known {
		parts = append(parts, ranked{part{style.FG, "as many requests as " + slots(p.Most()) + " slots take"}, 0}, ranked{part{style.Dim, ", known once answers have come"}, 1})
	} else {
		parts = append(parts, ranked{part{style.FG, "~" + chart.Num(bench.Some(w.requests)) + " requests"}, 0})
		if w.tokens > 0 {
			parts = append(parts, ranked{part{style.FG, " · " + chart.Num(bench.Some(w.tokens)) + " tokens"}, 2})
		}
		if w.cost > 0 {
			look := style.FG
			if sp := &f.live.Spend; sp.Budget > 0 && sound(sp.Cost) && sp.Cost.V+w.cost > sp.Budget {
				look = style.Warn
			}
			parts = append(parts, ranked{part{look, " · " + money(w.cost)}, 1})
		}
	}
	parts = append(parts, ranked{part{style.Dim, " · " + spanWords(p.Length()-from)}, 3})
	if most := float64(f.s.Run.Max); p.Mode == bench.Closed && p.Most() > most {
		parts = append(parts, ranked{part{style.Warn, " · over the bound of " + slots(most)}, 0})
	} else if most := f.s.Run.MaxRate; p.Mode == bench.Open && most > 0 && p.Most() > most {
		parts = append(parts, ranked{part{style.Warn, " · over the bound of " + perSecond(most) + "/s"}, 0})
	}
	for _, p := range f.fitting(parts, r.Left()-1) {
		r.Put(p.look, p.text)
	}
}

// worstCase is what a profile may take at most.
type worstCase struct {
	known                  bool
	requests, tokens, cost float64
}

// worstCase is what a profile may take from an instant of it on: in the open loop its arrivals, in the closed loop as many requests as there is time for
// at the shortest stay in flight that a level has seen; answers as long as they may be.
func (f *frame) worstCase(p *bench.Profile, from time.Duration) worstCase {
	w := worstCase{requests: volume(p, from), known: true}
	if p.Mode == bench.Closed {
		stay := math.Inf(1)
		for _, l := range f.s.Levels {
			if sound(l.Residence) && l.Residence.V > 0 && l.Work == f.s.Work {
				stay = min(stay, l.Residence.V)
			}
		}
		w.requests /= stay
		w.known = !math.IsInf(stay, 1)
	}
	work := f.work()
	in := float64(work.InputTokens)
	if t := f.ofWork(); sound(t.PromptTokens) {
		in = max(in, t.PromptTokens.V)
	}
	w.tokens = w.requests * (in + float64(work.MaxTokens))
	w.cost = w.requests * (in*f.s.Run.Prices.Input + float64(work.MaxTokens)*f.s.Run.Prices.Output) / 1e6
	return w
}

// volume is the load summed over what is left of a profile (see Profile.Volume).
func volume(p *bench.Profile, from time.Duration) float64 {
	sum, begin := 0.0, time.Duration(0)
	for _, s := range p.Stages {
		if left := min(begin+s.Span-from, s.Span); left > 0 {
			n := s.From + (s.To-s.From)*(1-float64(left)/float64(s.Span))
			sum += (n + s.To) / 2 * left.Seconds()
		}
		begin += s.Span
	}
	return sum
}

// example is a profile of a mode.
func example(mode bench.Mode) string {
	if mode == bench.Open {
		return "ramp 0.5..8 in 2m, 8:1m"
	}
	return "ramp 1..64 in 2m, 64:1m"
}
