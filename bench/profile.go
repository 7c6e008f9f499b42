package bench

import (
	"fmt"
	"math"
	"time"
)

// MaxStages bounds the stages of a profile, and the rounds.
const MaxStages = 10_000

const (
	// A stage is so long at least, and all of them at most.
	minSpan = time.Second
	maxSpan = 30 * Day
	// maxLoad is far above any server, and below what could not be counted.
	maxLoad = 1_000_000
)

// Profile is a load that is planned ahead: stages that follow one another.
type Profile struct {
	// Text is the profile as the operator wrote it, or its name.
	Text string `json:",omitzero"`
	Mode Mode   `json:",omitzero"`
	// Stages are all stages, those of each round written out.
	Stages []Stage `json:",omitzero"`
	// Rounds is how often the stages repeat, at least 1.
	Rounds int `json:",omitzero"`
	// Base is the load in force when the profile begins, to which a spike at its beginning goes back; see From.
	Base float64 `json:",omitzero"`
}

// Stage is a span of a profile in which the load stays, or goes evenly from one value to another.
type Stage struct {
	// From and To are loads as Setpoint.N; equal where the load stays.
	From, To float64       `json:",omitzero"`
	Span     time.Duration `json:",omitzero"`
	// Spike marks a stage that stays and yet is no plateau: it makes no level. The load goes back to the one before.
	Spike bool `json:",omitzero"`
	// Onward marks a ramp that goes on from the load before it, which is From.
	Onward bool `json:",omitzero"`
}

// Plateau tells whether the stage makes a level.
func (s Stage) Plateau() bool { return s.From == s.To && !s.Spike }

// Following is a profile in force.
type Following struct {
	Profile *Profile `json:",omitzero"`
	// At is how far into the profile the run is, at the instant of the snapshot; it stands still while Held, and while nothing is sent.
	At time.Duration `json:",omitzero"`
	// Held: the hand has taken over, and the profile waits to get the load back. Over: it has come to its end.
	Held, Over bool `json:",omitzero"`
}

// NewProfile is a profile of stages that are followed so many rounds, 1 to 10,000. It has at most 10,000 stages, and is at most 720 hours long in all.
func NewProfile(text string, mode Mode, stages []Stage, rounds int) (*Profile, error) {
	if len(stages) == 0 {
		return nil, fmt.Errorf("no stage, want 1 to %d", MaxStages)
	}
	if rounds < 1 || rounds > MaxStages {
		return nil, fmt.Errorf("repeat %d: want 1 to %d", rounds, MaxStages)
	}
	if len(stages) > MaxStages/rounds {
		return nil, fmt.Errorf("%d stages repeated %d times, want at most %d in all", len(stages), rounds, MaxStages)
	}
	round := time.Duration(0)
	for i, s := range stages {
		if err := s.Check(mode); err != nil {
			return nil, fmt.Errorf("stage %d: %w", i+1, err)
		}
		if round += s.Span; round > maxSpan/time.Duration(rounds) {
			return nil, fmt.Errorf("longer than %s in all, repeats counted, from stage %d on", spanText(maxSpan), i+1)
		}
	}
	p := &Profile{Text: text, Mode: mode, Rounds: rounds, Stages: make([]Stage, 0, len(stages)*rounds)}
	for range rounds {
		p.Stages = append(p.Stages, stages...)
	}
	return p.From(0), nil
}

// Check tells whether a stage can be followed: a load is 0 to 1,000,000, and a whole number in the closed loop; a span is 1 s to 720 h.
func (s Stage) Check(mode Mode) error {
	for _, n := range []float64{s.From, s.To} {
		if !(n >= 0 && n <= maxLoad) || mode == Closed && n != math.Trunc(n) {
			return fmt.Errorf("load %v: want %s", n, allowedLoad(mode))
		}
	}
	if s.Span < minSpan || s.Span > maxSpan {
		return fmt.Errorf("span %v: want %s", s.Span, allowedSpan())
	}
	if s.Spike && (s.From != s.To || s.Onward) {
		return fmt.Errorf("spike from %v to %v: want a load that stays", s.From, s.To)
	}
	return nil
}

func allowedLoad(mode Mode) string {
	if mode == Open {
		return fmt.Sprintf("requests a second or a minute, 0/s to %d/s, as in 2.5, 2.5/s or 150/m", maxLoad)
	}
	return fmt.Sprintf("a whole number of requests in flight, 0 to %d", maxLoad)
}

func allowedSpan() string {
	return fmt.Sprintf("%s to %s, as in 20s, 2m or 1h30m", spanText(minSpan), spanText(maxSpan))
}

// From is the profile as it goes from a load that is in force when it begins.
func (p *Profile) From(load float64) *Profile {
	out := *p
	out.Base, out.Stages = load, make([]Stage, len(p.Stages))
	for i, s := range p.Stages {
		if s.Onward {
			s.From = load
		}
		if !s.Spike {
			load = s.To
		}
		out.Stages[i] = s
	}
	return &out
}

// Stage is a stage, from 0, and the instant of the profile at which it begins; ok is false where there is none.
func (p *Profile) Stage(i int) (s Stage, begin time.Duration, ok bool) {
	if i < 0 || i >= len(p.Stages) {
		return Stage{}, 0, false
	}
	for _, before := range p.Stages[:i] {
		begin += before.Span
	}
	return p.Stages[i], begin, true
}

// Length is how long the profile is.
func (p *Profile) Length() time.Duration {
	var sum time.Duration
	for _, s := range p.Stages {
		sum += s.Span
	}
	return sum
}

// find is the stage at an instant and when it begins; past the end there is none, and its number is that of stages.
func (p *Profile) find(elapsed time.Duration) (i int, begin time.Duration) {
	for ; i < len(p.Stages); i++ {
		if elapsed < begin+p.Stages[i].Span {
			break
		}
		begin += p.Stages[i].Span
	}
	return i, begin
}

// At is the load at an instant of the profile (a whole number in the closed loop), and the stage, from 0. When the profile is over it is the load that stays:
// the last one, or the one before a spike; stage is the last then.
func (p *Profile) At(elapsed time.Duration) (n float64, stage int, over bool) {
	i, begin := p.find(elapsed)
	if i == len(p.Stages) {
		return p.rest(), i - 1, true
	}
	return p.Stages[i].at(p.Mode, elapsed-begin), i, false
}

// rest is the load that stays when the profile is over.
func (p *Profile) rest() float64 {
	for i := len(p.Stages) - 1; i >= 0; i-- {
		if !p.Stages[i].Spike {
			return p.Stages[i].To
		}
	}
	return p.Base
}

// at is the load so far into the stage.
func (s Stage) at(mode Mode, into time.Duration) float64 {
	n := s.From
	if s.From != s.To {
		n += (s.To - s.From) * (float64(max(into, 0)) / float64(s.Span))
	}
	if mode == Closed {
		n = math.Round(n)
	}
	return n
}

// Change is the next instant after elapsed at which the stage changes or, in the closed loop, the load; absent when the profile is over. A steep ramp
// may change the load many times a millisecond.
func (p *Profile) Change(elapsed time.Duration) (time.Duration, bool) {
	if elapsed < 0 {
		return 0, len(p.Stages) > 0
	}
	i, begin := p.find(elapsed)
	if i == len(p.Stages) {
		return 0, false
	}
	s := p.Stages[i]
	if p.Mode == Closed && s.From != s.To {
		return begin + s.step(elapsed-begin), true
	}
	return begin + s.Span, true
}

// step is when a ramp of the closed loop comes to its next whole number, at most its end.
func (s Stage) step(into time.Duration) time.Duration {
	now := s.at(Closed, into)
	edge := now + math.Copysign(0.5, s.To-s.From)
	// The quotient may be off by its rounding: the instants about it tell.
	next := time.Duration((edge - s.From) / (s.To - s.From) * float64(s.Span))
	for next = max(next-2, into+1); next < s.Span && s.at(Closed, next) == now; next++ {
	}
	return min(next, s.Span)
}

// Most is the greatest load of the profile.
func (p *Profile) Most() float64 {
	most := p.rest()
	for _, s := range p.Stages {
		most = max(most, s.From, s.To)
	}
	return most
}

// Volume is the load summed over the profile: the arrivals that are to be expected (Open), or the seconds in flight of all requests together (Closed).
func (p *Profile) Volume() float64 {
	sum := 0.0
	for _, s := range p.Stages {
		sum += (s.From + s.To) / 2 * s.Span.Seconds()
	}
	return sum
}
